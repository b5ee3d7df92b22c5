import { useDeskQuery } from './use-desk.ts'

/** Whether the receiver lab has a port open now: told wherever it leads there. */
export function LabLight({ className }: { readonly className?: string }) {
  const lab = useDeskQuery('lab.state', {})
  if (lab.data?.status !== 'listening') return null
  return (
    <span className={className} title={`Deliveries are received at ${lab.data.url}`}>
      <span className="dot ok" aria-hidden="true" />
      <span className="sr">, listening</span>
    </span>
  )
}
