import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { useNow } from '../../kit/time/now.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { ContractSending } from './contract-sending.tsx'
import { WayOut } from './way-out.tsx'

/** A signature that is kept and was not sent: the user decides. */
export function Unsent({ intent }: { readonly intent: Intent }) {
  const resume = useDeskCommand('orders.resume')
  const now = useNow(1_000)
  const over = intent.deadlineMs !== null && now >= intent.deadlineMs
  return (
    <div className="a-ask">
      <Note tone="warn" icon="pen" title="You signed this, and it was not sent.">
        <p>
          {over
            ? 'Its time is over, so it can no longer be sent. Drop the signature.'
            : 'The app was closed in between. Send it now, or drop the signature; it is kept encrypted until you choose.'}
        </p>
        <span className="acts-r">
          <Button
            size="sm"
            variant="primary"
            icon="send"
            busy={resume.isPending}
            disabled={over}
            onClick={() => resume.mutate({ ref: intent.ref, action: 'relay' })}
          >
            Send it
          </Button>
          <Button size="sm" variant="danger" onClick={() => resume.mutate({ ref: intent.ref, action: 'drop' })}>
            Drop the signature
          </Button>
        </span>
      </Note>
      {resume.error === null ? null : <FailureNote failure={failureOf(resume.error)} />}
    </div>
  )
}

/** Its answer was lost: it is looked up, and ended by the user where nothing tells its end. */
export function Unknown({ intent }: { readonly intent: Intent }) {
  const lookUp = useDeskCommand('orders.lookUp')
  return (
    <div className="a-ask">
      <Note
        tone="warn"
        icon="unknown"
        title="The answer was lost."
        end={
          <Button size="sm" icon="search" busy={lookUp.isPending} onClick={() => lookUp.mutate({ ref: intent.ref })}>
            Look again
          </Button>
        }
      >
        {intent.reason ?? 'It may or may not have been executed.'} The app sends it only once and looks it up.
      </Note>
      {intent.way === 'transactions' && intent.action !== 'execution_payment' ? <ContractSending intent={intent} /> : null}
      {intent.action === 'execution_payment' ? null : <WayOut intent={intent} />}
      {lookUp.error === null ? null : <FailureNote failure={failureOf(lookUp.error)} />}
    </div>
  )
}

/** Prepared, and neither signed nor sent to its end: one that a key's page or an executor carries out is not taken up here. */
export const mayContinue = ({ state, way, action }: Intent): boolean =>
  state === 'PREPARED' && way !== null && way !== 'executor' && action !== 'execution_payment'

/** It waits for a signature or for its next transaction: nothing happens before the user goes on. Draws nothing for any other intent. */
export function Unfinished({ intent }: { readonly intent: Intent }) {
  const navigate = useNavigate()
  const now = useNow(1_000)
  if (!mayContinue(intent)) return null
  if (intent.deadlineMs !== null && now >= intent.deadlineMs) return null
  return (
    <div className="a-ask">
      <Note
        tone="warn"
        icon={intent.way === 'transactions' ? 'send' : 'pen'}
        title={intent.way === 'transactions' ? 'It waits for a transaction of your wallet.' : 'It waits for your signature.'}
        end={
          <Button size="sm" variant="primary" onClick={() => navigate(`trade/continue/${encodeURIComponent(intent.ref)}`)}>
            Continue
          </Button>
        }
      >
        {intent.reason} You see it line by line before your wallet is asked.
      </Note>
    </div>
  )
}
