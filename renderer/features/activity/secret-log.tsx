import type { SecretOperation } from '../../../shared/ipc/reads/activity.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { CodeId } from '../../kit/code-id.tsx'
import type { IconName } from '../../kit/icons/icon.tsx'
import { Empty } from '../../kit/layout/empty.tsx'
import { SkeletonRows } from '../../kit/layout/skeleton.tsx'
import { State, type StateTone } from '../../kit/layout/state.tsx'
import { HeadCell, Table } from '../../kit/layout/table.tsx'
import { Time } from '../../kit/time/time.tsx'
import { FailurePanel } from '../../parts/failure-note.tsx'

const kinds: Readonly<Record<SecretOperation['kind'], string>> = {
  create: 'Create key',
  rotate: 'Rotate secret of',
  revoke: 'Revoke',
  expiry: 'Change the end of',
  import: 'Take in the secret of',
  grant: 'Grant to the agent of',
  executor: 'Bind an executor to',
  webhook_create: 'Create webhook',
  webhook_disable: 'Disable webhook',
}

const looks: Readonly<
  Record<SecretOperation['state'], { readonly tone: StateTone; readonly icon: IconName; readonly word: string; readonly meaning: string }>
> = {
  PLANNED: { tone: 'off', icon: 'doc', word: 'Planned', meaning: 'Written down, not sent' },
  SENT: { tone: 'busy', icon: 'send', word: 'Sent', meaning: 'The answer is being waited for' },
  STORED: { tone: 'busy', icon: 'lock', word: 'Stored', meaning: 'In the keychain, not yet read back' },
  VERIFIED: { tone: 'ok', icon: 'lock', word: 'Stored', meaning: 'In the keychain and read back' },
  FAILED: { tone: 'danger', icon: 'x', word: 'Failed', meaning: 'Nothing was made' },
  UNKNOWN: { tone: 'warn', icon: 'unknown', word: 'Unknown', meaning: 'The answer was lost; see Keys or Webhooks' },
  SETTLED: { tone: 'off', icon: 'check', word: 'Settled', meaning: 'Dealt with by you' },
}

/** What was done with keys and their secrets. Never a secret itself. */
export function SecretLog() {
  const log = useDeskQuery('activity.secrets', { limit: 200 })
  return (
    <section className="panel a-list" aria-label="Keys and secrets">
      {log.data === undefined && log.error !== null ? (
        <FailurePanel failure={failureOf(log.error)} onRetry={() => void log.refetch()} retrying={log.isFetching} />
      ) : log.data?.length === 0 ? (
        <Empty icon="key" title="No key was made here yet">
          Making, rotating and revoking keys is written down here before anything is sent.
        </Empty>
      ) : (
        <div className="a-scroll">
          <Table label="Keys and secrets" dense busy={log.data === undefined}>
            <thead>
              <tr>
                <HeadCell>Time</HeadCell>
                <HeadCell>What</HeadCell>
                <HeadCell>State</HeadCell>
                <HeadCell>Meaning</HeadCell>
                <HeadCell numeric>Key</HeadCell>
              </tr>
            </thead>
            {log.data === undefined ? (
              <SkeletonRows rows={8} columns={5} numeric={[4]} />
            ) : (
              <tbody>
                {log.data.map((operation) => {
                  const look = looks[operation.state]
                  return (
                    <tr key={operation.id}>
                      <td className="muted">
                        <Time ms={operation.atMs} />
                      </td>
                      <td>
                        {kinds[operation.kind]} <b className="name">{operation.label}</b>
                      </td>
                      <td>
                        <State tone={look.tone} icon={look.icon}>
                          {look.word}
                        </State>
                      </td>
                      <td className="muted">{operation.note ?? look.meaning}</td>
                      <td className="r">{operation.keyId === null ? <span className="muted">—</span> : <CodeId id={operation.keyId} />}</td>
                    </tr>
                  )
                })}
              </tbody>
            )}
          </Table>
        </div>
      )}
    </section>
  )
}
