import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { confirmedBlocks, finalConfirmations } from '../progress/intent-way.ts'
import './confirmations.css'

/** Confirmations as eight blocks, with the count in words for screen readers. */
export function Confirmations({ intent }: { readonly intent: Pick<Intent, 'state' | 'confirmations'> }) {
  const count = confirmedBlocks(intent.state, intent.confirmations)
  const running = intent.state === 'CONFIRMING' || intent.state === 'SUBMITTED'
  return (
    <div
      className={intent.state === 'FINAL' ? 'blocks ok' : intent.state === 'REVERTED' ? 'blocks bad' : 'blocks'}
      role="img"
      aria-label={`${count} of ${finalConfirmations} confirmations`}
    >
      {Array.from({ length: finalConfirmations }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block of the bar has no identity but its place
        <i key={index} className={index < count ? 'on' : running && index === count ? 'next' : undefined} />
      ))}
    </div>
  )
}
