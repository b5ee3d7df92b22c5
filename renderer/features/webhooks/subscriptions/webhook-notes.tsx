import type { WebhookOrphan, WebhookSummary } from '../../../../shared/ipc/webhooks/webhooks.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { isWhole, missingText } from '../../../text/page-cut-text.ts'
import { urlOf } from '../webhook-words.ts'
import styles from './webhooks.module.css'

function OrphanNote({ orphan }: { readonly orphan: WebhookOrphan }) {
  const settle = useDeskCommand('webhooks.settleOrphan')
  const { operationId, url, candidates, startedAtMs } = orphan
  const [only, ...others] = candidates
  const certain = only !== undefined && others.length === 0 && isWhole(orphan.missing)
  const act = (action: 'create_again' | 'disable' | 'dismiss', webhookId: string | null) => settle.mutate({ operationId, webhookId, action })
  return (
    <>
      <Note
        tone="warn"
        icon="unknown"
        title="The answer to creating a webhook was lost."
        end={
          <span className={styles.webhookActions}>
            {certain ? (
              <>
                <Button size="xs" icon="rotate" busy={settle.isPending} onClick={() => act('create_again', only.id)}>
                  Disable and create again
                </Button>
                <Button size="xs" variant="danger" onClick={() => act('disable', only.id)}>
                  Disable
                </Button>
              </>
            ) : null}
            <Button size="xs" variant="ghost" onClick={() => act('dismiss', null)}>
              Dismiss
            </Button>
          </span>
        }
      >
        <p>
          {certain ? (
            <>
              The service has it as <code>{only.id}</code>, to <code>{url}</code>, and its signing secret reached nobody.
            </>
          ) : only === undefined && !isWhole(orphan.missing) ? (
            <>
              No webhook to <code>{url}</code> is among those that the app can read. {missingText(orphan.missing, 'webhook', 'webhooks')}
            </>
          ) : only === undefined ? (
            <>
              No webhook to <code>{url}</code> was found at the service yet. The app does not create it again automatically.
            </>
          ) : (
            <>
              {others.length === 0 ? 'This one' : 'More than one'} to <code>{url}</code> may have come of it. Disable those that you do not know.{' '}
              {missingText(orphan.missing, 'webhook', 'webhooks')}
            </>
          )}{' '}
          <span className={textStyles.muted}>
            <Time ms={startedAtMs} />
          </span>
        </p>
        {certain ? null : (
          <ul className={styles.webhookCandidates}>
            {candidates.map((candidate) => (
              <li key={candidate.id}>
                <code>{candidate.id}</code>
                <span className={textStyles.muted}>
                  made <Time ms={candidate.createdAtMs} />
                </span>
                <Button size="xs" variant="danger" busy={settle.isPending} onClick={() => act('disable', candidate.id)}>
                  Disable this one
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Note>
      {settle.error === null ? null : <FailureNote failure={failureOf(settle.error)} />}
    </>
  )
}

function UnstoredNote({ webhook }: { readonly webhook: WebhookSummary }) {
  const store = useDeskCommand('webhooks.retryStore')
  return (
    <>
      <Note
        tone="warn"
        icon="hourglass"
        title="A signing secret is kept for this run only."
        end={
          <Button size="xs" icon="lock" busy={store.isPending} onClick={() => store.mutate({ webhookId: webhook.id })}>
            Store it now
          </Button>
        }
      >
        <p>
          The keychain did not take that of <code>{urlOf(webhook)}</code>. It is gone when the app quits.
        </p>
      </Note>
      {store.error === null ? null : <FailureNote failure={failureOf(store.error)} />}
    </>
  )
}

/** What waits for the user: lost answers, and secrets that are in no keychain. */
export function WebhookNotes({ orphans, webhooks }: { readonly orphans: readonly WebhookOrphan[]; readonly webhooks: readonly WebhookSummary[] }) {
  const unstored = webhooks.filter(({ secret }) => secret === 'memory')
  if (orphans.length + unstored.length === 0) return null
  return (
    <div className={styles.webhookNotes}>
      {orphans.map((orphan) => (
        <OrphanNote key={orphan.operationId} orphan={orphan} />
      ))}
      {unstored.map((webhook) => (
        <UnstoredNote key={webhook.id} webhook={webhook} />
      ))}
    </div>
  )
}
