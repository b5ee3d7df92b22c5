import type { ReactNode } from 'react'
import type { SecretOperation } from '../../../shared/ipc/reads/activity.ts'
import { operationNoteText } from '../../../shared/text/audit-text.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import { cx } from '../../kit/cx.ts'
import type { IconName } from '../../kit/icons/icon.tsx'
import { useNavigate, usePlace } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Empty, SkeletonRows } from '../../kit/layout/placeholders.tsx'
import { State, type StateTone } from '../../kit/layout/state.tsx'
import { HeadCell, Table } from '../../kit/layout/table.tsx'
import { Segments } from '../../kit/layout/tabs.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { CodeId } from '../../kit/visible-text.tsx'
import { FailurePanel } from '../../parts/failure-note.tsx'
import { activityText } from '../../text/en/activity.en.tsx'
import styles from './activity.module.css'
import { AuditLog } from './audit-log.tsx'
import { IntentDetail } from './intent-detail.tsx'
import { IntentList } from './intent-list.tsx'
import { RequestLog } from './request-log.tsx'

type Tab = 'intents' | 'requests' | 'secrets' | 'audit'

const tabOf = (text: string | undefined): Tab => (text === 'requests' || text === 'secrets' || text === 'audit' ? text : 'intents')

const journalWords = { ready: activityText.journalOnDisk, rebuilt: activityText.journalRebuilt, memory_only: activityText.journalInMemory } as const

/** This app's orders and requests, with their outcome. `activity/<ref>` opens one intent, `activity/<id>?tab=requests` one request. */
export function ActivityPage() {
  const { rest, query } = usePlace()
  const navigate = useNavigate()
  const health = useIpcQuery('app.health', {})
  const first = useIpcQuery('intents.list', { beforeMs: null, limit: 50 })
  const tab = tabOf(query.tab)
  const named = rest[0] ?? null
  const selected = named ?? first.data?.intents[0]?.ref ?? null
  const hasDetail = tab === 'intents' || (tab === 'requests' && named !== null)
  return (
    <div className={hasDetail ? cx(panelStyles.page, styles.activityPage) : cx(panelStyles.page, styles.activityPage, styles.wide)}>
      <div className={panelStyles.pageHead}>
        <h1>{activityText.activity}</h1>
        <Segments
          label={activityText.show}
          choices={[
            { value: 'intents', label: activityText.orders },
            { value: 'requests', label: activityText.requests },
            { value: 'secrets', label: activityText.keysAndSecrets },
            { value: 'audit', label: activityText.audit },
          ]}
          value={tab}
          onChange={(next: Tab) => navigate(next === 'intents' ? 'activity' : `activity?tab=${next}`)}
        />
        {health.data === undefined ? null : (
          <div className={panelStyles.end}>
            <State tone={health.data.journal === 'ready' ? 'off' : 'warn'} icon="doc">
              {journalWords[health.data.journal]}
            </State>
          </div>
        )}
      </div>
      {tab === 'requests' ? (
        <RequestLog key={query.text ?? ''} selected={named} find={query.text ?? ''} />
      ) : tab === 'secrets' ? (
        <SecretLog />
      ) : tab === 'audit' ? (
        <AuditLog key={query.key ?? 'all'} keyId={query.key ?? null} />
      ) : (
        <>
          <IntentList selected={selected} />
          <IntentDetail key={selected ?? 'none'} reference={selected} />
        </>
      )}
    </div>
  )
}

const kinds: Readonly<Record<SecretOperation['kind'], (name: ReactNode) => ReactNode>> = {
  create: activityText.createKey,
  rotate: activityText.rotateSecret,
  revoke: activityText.revokeKey,
  expiry: activityText.changeExpiry,
  import: activityText.storeSecret,
  grant: activityText.grantAgent,
  executor: activityText.bindExecutor,
  webhook_create: activityText.createWebhook,
  webhook_disable: activityText.disableWebhook,
}

const looks: Readonly<
  Record<SecretOperation['state'], { readonly tone: StateTone; readonly icon: IconName; readonly word: string; readonly meaning: string }>
> = {
  PLANNED: { tone: 'off', icon: 'doc', word: activityText.planned, meaning: activityText.plannedMeaning },
  SENT: { tone: 'busy', icon: 'send', word: activityText.sent, meaning: activityText.sentMeaning },
  STORED: { tone: 'busy', icon: 'lock', word: activityText.stored, meaning: activityText.storedMeaning },
  VERIFIED: { tone: 'ok', icon: 'lock', word: activityText.stored, meaning: activityText.verifiedMeaning },
  FAILED: { tone: 'danger', icon: 'x', word: activityText.failed, meaning: activityText.failedMeaning },
  UNKNOWN: { tone: 'warn', icon: 'unknown', word: activityText.unknown, meaning: activityText.unknownMeaning },
  SETTLED: { tone: 'off', icon: 'check', word: activityText.resolved, meaning: activityText.resolvedMeaning },
}

/** The log of actions on keys and their secrets. Never shows a secret. */
function SecretLog() {
  const log = useIpcQuery('activity.secrets', { limit: 200 }, { every: 5 * second })
  return (
    <section className={cx(panelStyles.panel, styles.listList)} aria-label={activityText.keysAndSecrets}>
      {log.data === undefined && log.error !== null ? (
        <FailurePanel failure={failureOf(log.error)} onRetry={() => void log.refetch()} retrying={log.isFetching} />
      ) : log.data?.length === 0 ? (
        <Empty icon="key" title={activityText.noOperations}>
          {activityText.noOperationsHelp}
        </Empty>
      ) : (
        <div className={styles.listScroll}>
          <Table label={activityText.keysAndSecrets} dense busy={log.data === undefined}>
            <thead>
              <tr>
                <HeadCell>{activityText.time}</HeadCell>
                <HeadCell>{activityText.action}</HeadCell>
                <HeadCell>{activityText.state}</HeadCell>
                <HeadCell>{activityText.meaning}</HeadCell>
                <HeadCell numeric>{activityText.key}</HeadCell>
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
                      <td className={textStyles.muted}>
                        <Time ms={operation.atMs} />
                      </td>
                      <td>{kinds[operation.kind](<b className={textStyles.name}>{operation.label}</b>)}</td>
                      <td>
                        <State tone={look.tone} icon={look.icon}>
                          {look.word}
                        </State>
                      </td>
                      <td className={textStyles.muted}>{operation.note === null ? look.meaning : operationNoteText(operation.note)}</td>
                      <td className={textStyles.right}>
                        {operation.keyId === null ? <span className={textStyles.muted}>—</span> : <CodeId id={operation.keyId} />}
                      </td>
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
