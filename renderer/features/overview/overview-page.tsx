import { minute, second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Page } from '../../kit/layout/panel.tsx'
import { useNow } from '../../kit/time/now.tsx'
import { timeOfDay, weekdayText } from '../../kit/time/time-text.ts'
import { keptFromKey, PublicNote } from '../../parts/account-source.tsx'
import { usePositions } from '../../parts/market-data/use-positions.ts'
import { useConnectedWallet } from '../../signing/wallet/wallet-provider.tsx'
import { AccountPanel } from './account-panel.tsx'
import { FirstSteps } from './first-steps.tsx'
import { KeyExpiry } from './key-expiry.tsx'
import { MarketGlimpse } from './market-glimpse.tsx'
import { NeedsYou } from './needs-you.tsx'
import { PositionsStrip } from './positions-strip.tsx'
import { Recent } from './recent.tsx'
import './overview.css'

/** The kinds of attention that the first steps say better. */
const firstKinds: ReadonlySet<string> = new Set(['no_key', 'sign_in_required'])

/** What needs the user first, then how things stand. */
export function OverviewPage() {
  const navigate = useNavigate()
  const now = useNow(minute / 6)
  const wallet = useConnectedWallet()
  const attention = useDeskQuery('app.attention', {}, { every: 10 * second })
  const account = useDeskQuery('account.summary', { watch: null }, { every: 5 * second })
  const { positions } = usePositions(null, { every: 5 * second })
  const markets = useDeskQuery('markets.list', {})
  const keys = useDeskQuery('keys.list', {})
  const session = useDeskQuery('session.status', {})
  const intents = useDeskQuery('orders.list', { beforeMs: null, limit: 10 }, { every: 5 * second })
  const operations = useDeskQuery('activity.secrets', { limit: 10 })

  const failure = account.error === null ? null : failureOf(account.error)
  const why = keptFromKey(account.data?.source)
  const hasKey = why?.kind !== 'api_key_required'
  const answered = !account.isPending && !intents.isPending
  const isNew = answered && (wallet === null || !hasKey)
  const summaries = useDeskQuery('markets.summaries', {}, { enabled: isNew, every: 3 * second })
  const pressing = isNew ? attention.data?.filter((item) => !firstKinds.has(item.kind)) : attention.data
  const shownKeys = keys.data?.keys ?? []
  const held = (
    <>
      <AccountPanel summary={account.data} failure={failure} onRetry={() => void account.refetch()} />
      <PositionsStrip positions={positions ?? []} markets={markets.data?.markets ?? []} />
    </>
  )
  return (
    <Page
      title="Overview"
      className={isNew ? 'ov new' : 'ov'}
      note={`${weekdayText(now)}, ${timeOfDay(now).slice(0, 5)} UTC`}
      end={
        isNew ? undefined : (
          <>
            <Button icon="plus" onClick={() => navigate('keys/new')}>
              New key
            </Button>
            <Button variant="primary" icon="trade" onClick={() => navigate('trade')}>
              Trade
            </Button>
          </>
        )
      }
    >
      {isNew ? (
        <FirstSteps
          state={{
            connected: wallet !== null,
            signedIn: session.data?.state === 'active' || session.data?.state === 'ending',
            hasKey,
            hasOrder: (intents.data?.total ?? 0) > 0,
          }}
        />
      ) : null}
      {isNew || why === null ? null : <PublicNote why={why} />}
      {isNew && (pressing === undefined || pressing.length === 0) ? null : <NeedsYou items={pressing} />}
      {isNew && wallet !== null ? held : null}
      {isNew ? <MarketGlimpse markets={markets.data?.markets ?? []} summaries={summaries.data?.summaries ?? []} /> : null}
      {isNew ? null : (
        <>
          {held}
          {keys.data === undefined || shownKeys.length === 0 ? null : <KeyExpiry keys={shownKeys} active={keys.data.active} limit={keys.data.limit} />}
          <Recent intents={intents.data?.intents} operations={operations.data} />
        </>
      )}
    </Page>
  )
}
