import { shortId } from './short.ts'

/** An id of the service, whole in the tooltip. */
export function CodeId({ id, className }: { readonly id: string; readonly className?: string | undefined }) {
  return (
    <code className={className} title={id}>
      {shortId(id)}
    </code>
  )
}
