import type { Intent } from '../../../../shared/ipc/intents/orders.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { IntentState } from '../../../kit/layout/state.tsx'
import { Time } from '../../../kit/time/time.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'

/** "Execution payment of 25.50 USDC for bot" without what every row has in common. */
const amountOf = (title: string): string => /[\d,.]+ USDC/.exec(title)?.[0] ?? title

interface PaymentListProps {
  readonly payments: readonly Intent[]
  /** Takes up one that is prepared and was not sent. */
  readonly onGoOn: (ref: string) => void
  readonly opening: boolean
}

/** What was paid for the execution of a key, newest first. */
export function PaymentList({ payments, onGoOn, opening }: PaymentListProps) {
  const lookUp = useDeskCommand('agents.lookUpPayment')
  if (payments.length === 0) return null
  return (
    <section aria-label="Earlier payments">
      <h3>Earlier payments</h3>
      <ul className="pays">
        {payments.map((intent) => (
          <li key={intent.ref}>
            <span>
              <Link to={`activity/${intent.ref}`}>{amountOf(intent.title)}</Link>
              <span className="muted">
                <Time ms={intent.createdAtMs} />
              </span>
            </span>
            <IntentState state={intent.state} confirmations={intent.confirmations} />
            {intent.state === 'UNKNOWN' ? (
              <Button size="xs" icon="search" busy={lookUp.isPending} onClick={() => lookUp.mutate({ ref: intent.ref })}>
                Look it up
              </Button>
            ) : intent.state === 'PREPARED' ? (
              <Button size="xs" busy={opening} onClick={() => onGoOn(intent.ref)}>
                Go on
              </Button>
            ) : null}
            {intent.reason === null || intent.state === 'FINAL' ? null : <p className="muted">{intent.reason}</p>}
          </li>
        ))}
      </ul>
      {lookUp.error === null ? null : <FailureNote failure={failureOf(lookUp.error)} />}
    </section>
  )
}
