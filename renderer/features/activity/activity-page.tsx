import { useDeskQuery } from '../../ipc/use-desk.ts'
import { useNavigate, usePlace } from '../../kit/layout/navigation.tsx'
import { Segments } from '../../kit/layout/segments.tsx'
import { State } from '../../kit/layout/state.tsx'
import { AuditLog } from './audit-log.tsx'
import { IntentDetail } from './intent-detail.tsx'
import { IntentList } from './intent-list.tsx'
import { RequestLog } from './request-log.tsx'
import { SecretLog } from './secret-log.tsx'
import './activity.css'
import './requests.css'

type Tab = 'intents' | 'requests' | 'secrets' | 'audit'

const tabOf = (text: string | undefined): Tab => (text === 'requests' || text === 'secrets' || text === 'audit' ? text : 'intents')

const journalWords = { ready: 'Journal on disk', rebuilt: 'Journal rebuilt', memory_only: 'Disk full, journal in memory' } as const

/** What this app asked for, what it sent, and what became of it: `activity/<ref>` opens one intent, `activity/<id>?tab=requests` one request. */
export function ActivityPage() {
  const { rest, query } = usePlace()
  const navigate = useNavigate()
  const health = useDeskQuery('app.health', {})
  const first = useDeskQuery('orders.list', { beforeMs: null, limit: 50 })
  const tab = tabOf(query.tab)
  const named = rest[0] ?? null
  const selected = named ?? first.data?.intents[0]?.ref ?? null
  const hasDetail = tab === 'intents' || (tab === 'requests' && named !== null)
  return (
    <div className={hasDetail ? 'page ac' : 'page ac wide'}>
      <div className="page-head">
        <h1>Activity</h1>
        <Segments
          label="Show"
          choices={[
            { value: 'intents', label: 'Intents' },
            { value: 'requests', label: 'Requests' },
            { value: 'secrets', label: 'Keys and secrets' },
            { value: 'audit', label: 'Audit' },
          ]}
          value={tab}
          onChange={(next: Tab) => navigate(next === 'intents' ? 'activity' : `activity?tab=${next}`)}
        />
        {health.data === undefined ? null : (
          <div className="end">
            <State tone={health.data.journal === 'ready' ? 'off' : 'warn'} icon="doc">
              {journalWords[health.data.journal]}
            </State>
          </div>
        )}
      </div>
      {tab === 'requests' ? (
        <RequestLog selected={named} />
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
