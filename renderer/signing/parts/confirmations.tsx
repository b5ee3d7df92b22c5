import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { cx } from '../../kit/cx.ts'
import { signingText } from '../../text/en/signing.en.tsx'
import { confirmedBlocks, finalConfirmations } from '../progress/intent-path.ts'
import styles from './confirmations.module.css'

/** Shows a transaction's confirmations as eight blocks, with the count in words for screen readers. */
export function Confirmations({ intent }: { readonly intent: Pick<Intent, 'state' | 'confirmations'> }) {
  const count = confirmedBlocks(intent.state, intent.confirmations)
  const running = intent.state === 'CONFIRMING' || intent.state === 'SUBMITTED'
  return (
    <div
      className={intent.state === 'FINAL' ? cx(styles.blocks, styles.ok) : intent.state === 'REVERTED' ? cx(styles.blocks, styles.bad) : styles.blocks}
      role="img"
      aria-label={signingText.confirmationCount(count, finalConfirmations)}
    >
      {Array.from({ length: finalConfirmations }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block of the bar has no identity but its place
        <i key={index} className={index < count ? styles.on : running && index === count ? styles.next : undefined} />
      ))}
    </div>
  )
}
