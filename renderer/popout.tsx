import './parts/style-order.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { PlaceInMain, PopoutView } from '../shared/ipc/host/app.ts'
import { popoutAddress, popoutOf } from '../shared/ipc/host/popout-place.ts'
import type { Market } from '../shared/ipc/reads/markets.ts'
import { isWaiting } from '../shared/positions.ts'
import { second, systemClock } from '../shared/time.ts'
import { Clipboard, ErrorBoundary, OnceLockIsKnown, ServiceTime, useProfileColour, useTheme } from './app/shell.tsx'
import { useActivity } from './features/lock/lock-watch.tsx'
import { Blotter } from './features/trade/blotter.tsx'
import { feedOf, priceFormat, useSummaries } from './features/trade/market/feed.tsx'
import { MarketPicker } from './features/trade/market/market-picker.tsx'
import type { RowActions } from './features/trade/rows/row-forms.tsx'
import styles from './features/trade/trade.module.css'
import { BridgeProvider } from './ipc/bridge.tsx'
import { failureOf } from './ipc/call-failure.ts'
import { PollingRateProvider } from './ipc/polling-rate.tsx'
import { createQueryClient, followEvents } from './ipc/query-client.ts'
import { useIpcCommand, useIpcQuery } from './ipc/use-ipc.ts'
import { Button } from './kit/button.tsx'
import { chartLevels } from './kit/chart/levels.ts'
import { cx } from './kit/cx.ts'
import { Empty, Loading, Skeleton } from './kit/layout/placeholders.tsx'
import { Amount, AmountsProvider, Percent, ShownAmounts } from './kit/number.tsx'
import textStyles from './kit/text.module.css'
import { createWindowClock, useVisible } from './kit/time/time.tsx'
import { FailurePanel } from './parts/failure-note.tsx'
import { MarketBook } from './parts/market-data/market-book.tsx'
import { MarketChart } from './parts/market-data/market-chart.tsx'
import { usePositions } from './parts/market-data/use-positions.ts'
import { PracticeNote } from './parts/practice-note.tsx'
import { appText } from './text/en/app.en.tsx'
import { tradeText } from './text/en/trade.en.tsx'

// A pop-out window, which shows only a chart, an order book, or the positions. It has no wallet. It may only read; every action opens in the main
// window.

const accountEvery = 4 * second

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${appText.svcDesk}`
  }, [title])
}

function useAccountRows() {
  const every = useVisible() ? accountEvery : false
  const { read, positions } = usePositions(null, { every })
  const orders = useIpcQuery('account.orders', { watch: null }, { every })
  return { read, positions, orders, waiting: orders.data?.orders.filter(isWaiting) }
}

type MarketKind = Exclude<PopoutView['kind'], 'positions'>

/** The chart or the order book of a market. The user can switch to another market inside the window. */
function MarketWindow({ kind, pairId, onMarket }: { readonly kind: MarketKind; readonly pairId: number; readonly onMarket: (pairId: number) => void }) {
  const list = useIpcQuery('markets.list', {})
  const markets = list.data?.markets ?? []
  const market = markets.find(({ id }) => id === pairId)
  if (market !== undefined) return <MarketContent kind={kind} market={market} markets={markets} onMarket={onMarket} />
  return (
    <div className={styles.tradeNone}>
      {list.isPending ? (
        <Loading label={tradeText.readingMarkets}>
          <Skeleton width="60%" />
        </Loading>
      ) : list.data === undefined ? (
        <FailurePanel failure={failureOf(list.error)} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : (
        <Empty icon="markets" title={tradeText.marketGone}>
          {tradeText.marketGoneHelp}
        </Empty>
      )}
    </div>
  )
}

interface MarketContentProps {
  readonly kind: MarketKind
  readonly market: Market
  readonly markets: readonly Market[]
  readonly onMarket: (pairId: number) => void
}

function MarketContent({ kind, market, markets, onMarket }: MarketContentProps) {
  const summaries = useSummaries()
  const { positions, waiting } = useAccountRows()
  const all = summaries.data?.summaries ?? []
  const summary = all.find(({ id }) => id === market.id)
  const title = (kind === 'chart' ? tradeText.chartOf : tradeText.bookOf)(market.symbol)
  useTitle(title)
  const own = useMemo(
    () => (waiting ?? []).flatMap(({ pairId, limitPrice }) => (pairId === market.id && limitPrice !== null ? [limitPrice] : [])),
    [waiting, market.id],
  )
  return (
    <div className={cx(styles.trade, styles.popout)} data-view={kind}>
      <h1 className={textStyles.screenReaderOnly}>{title}</h1>
      <section className={styles.marketHead} aria-label={tradeText.market}>
        <MarketPicker markets={markets} summaries={all} market={market} onPick={({ id }) => onMarket(id)} />
        <ShownAmounts>
          <span className={styles.popoutPrice}>
            <b>
              <Amount value={summary?.mark ?? null} {...priceFormat(market)} />
            </b>
            <Percent value={summary?.change24h ?? null} signed />
          </span>
        </ShownAmounts>
      </section>
      {kind === 'chart' ? (
        <section className={styles.chart} aria-label={tradeText.chart}>
          <MarketChart
            market={market}
            summary={summary}
            readAtMs={summaries.data?.readAtMs ?? null}
            levels={chartLevels(market.id, positions ?? [], waiting ?? [])}
          />
        </section>
      ) : (
        <MarketBook key={market.id} market={market} own={own} />
      )}
    </div>
  )
}

function PositionsWindow() {
  const handOver = useIpcCommand('popouts.handOver').mutate
  const list = useIpcQuery('markets.list', {})
  const summaries = useSummaries()
  const { read, positions, orders, waiting } = useAccountRows()
  useTitle(tradeText.positionsAndOrders)
  const forms = useMemo(() => rowActions(handOver), [handOver])
  return (
    <div className={cx(styles.trade, styles.popout)} data-view="positions">
      <h1 className={textStyles.screenReaderOnly}>{tradeText.positionsAndOrders}</h1>
      <Blotter
        positions={feedOf(positions, read)}
        orders={feedOf(waiting, orders)}
        positionsMissing={read.data?.missing}
        ordersCut={orders.data?.cut ?? null}
        intents={null}
        markets={list.data?.markets ?? []}
        summaries={summaries.data?.summaries ?? []}
        source={read.data?.source}
        selected={null}
        forms={forms}
        onAll={(kind) => handOver({ kind })}
        onPick={(pairId) => handOver({ kind: 'market', pairId })}
        noWallet={
          <Empty
            icon="account"
            title={tradeText.noWalletConnected}
            actions={
              <Button size="sm" icon="phone" onClick={() => handOver({ kind: 'connect' })}>
                {tradeText.connectWallet}
              </Button>
            }
          >
            {tradeText.noWalletConnectedHelp}
          </Empty>
        }
      />
    </div>
  )
}

const rowActions = (handOver: (place: PlaceInMain) => void): RowActions => ({
  underway: [],
  cancelling: null,
  onPosition: ({ id }, action) => {
    if (id !== null) handOver({ kind: 'position', id, action })
  },
  onOrder: ({ id }, action) => handOver({ kind: 'order', id, action }),
})

function PopoutPage() {
  const lock = useIpcQuery('lock.state', {}).data
  const settings = useIpcQuery('app.settings', {}).data
  const [view, setView] = useState(() => popoutOf(window.location.hash))
  useTheme(settings?.theme ?? lock?.theme, settings?.directionColours)
  useProfileColour(lock === undefined ? null : lock.practice ? 'practice' : 'live')
  useActivity()
  // While the app is locked, this window shows nothing until the main process closes it.
  if (lock === undefined || lock.state === 'locked' || view === null) return null
  const show = (next: PopoutView) => {
    // The main process reads the market from this address when it opens the same window again later.
    window.history.replaceState(null, '', popoutAddress(next))
    setView(next)
  }
  return (
    <AmountsProvider hidden={settings?.hideAmounts ?? true}>
      <Framed practice={lock.practice}>
        {view.kind === 'positions' ? (
          <PositionsWindow />
        ) : (
          <MarketWindow kind={view.kind} pairId={view.pairId} onMarket={(pairId) => show({ kind: view.kind, pairId })} />
        )}
      </Framed>
    </AmountsProvider>
  )
}

const Framed = ({ practice, children }: { readonly practice: boolean; readonly children: ReactNode }) => (
  <div className={styles.popoutPage}>
    {practice ? <PracticeNote /> : null}
    <main>{children}</main>
  </div>
)

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root')
const client = createQueryClient()
const clock = createWindowClock(systemClock)
followEvents(window.appBridge, client, {
  onNotice: () => undefined,
  onOpen: () => undefined,
  onReload: () => window.location.reload(),
  onReopen: () => undefined,
})
createRoot(root).render(
  <BridgeProvider bridge={window.appBridge}>
    <QueryClientProvider client={client}>
      <OnceLockIsKnown>
        <PollingRateProvider>
          <ServiceTime clock={clock}>
            <Clipboard>
              <ErrorBoundary name="popout">
                <PopoutPage />
              </ErrorBoundary>
            </Clipboard>
          </ServiceTime>
        </PollingRateProvider>
      </OnceLockIsKnown>
    </QueryClientProvider>
  </BridgeProvider>,
)
