import { cx } from '../kit/cx.ts'
import marksStyles from '../kit/marks.module.css'
import textStyles from '../kit/text.module.css'
import { appText } from '../text/en/app.en.tsx'
import { useIpcQuery } from './use-ipc.ts'

/** Shows that the receiver lab has an open port; otherwise renders nothing. Every link to the lab contains it. */
export function LabLight({ className }: { readonly className?: string | undefined }) {
  const lab = useIpcQuery('lab.state', {})
  if (lab.data?.status !== 'listening') return null
  return (
    <span className={className} title={lab.data.url === null ? undefined : appText.receivingAt(lab.data.url)}>
      <span className={cx(marksStyles.dot, marksStyles.ok)} aria-hidden="true" />
      <span className={textStyles.screenReaderOnly}> {appText.listening}</span>
    </span>
  )
}
