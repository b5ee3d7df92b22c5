import { type ReactNode, useMemo, useState } from 'react'
import type { PopoutView } from '../../../shared/ipc/host/app.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { isWaiting } from '../../../shared/positions.ts'
import { pairOf } from '../../../shared/ticket/actions/check-action.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import bookStyles from '../../kit/book/book.module.css'
import { Button, IconButton, SkipButton } from '../../kit/button.tsx'
import { chartLevels, type Level } from '../../kit/chart/levels.ts'
import { cx } from '../../kit/cx.ts'
import { useNavigate, usePlace } from '../../kit/layout/navigation.tsx'
import { Empty, Loading } from '../../kit/layout/placeholders.tsx'
import { ShownAmounts } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { useStillBefore, useVisible } from '../../kit/time/time.tsx'
import { keptFromKey, wantsKey } from '../../parts/account-source.tsx'
import { FailurePanel } from '../../parts/failure-note.tsx'
import { MarketBook } from '../../parts/market-data/market-book.tsx'
import { MarketChart } from '../../parts/market-data/market-chart.tsx'
import { usePositions } from '../../parts/market-data/use-positions.ts'
import { useConnectedWallet } from '../../signing/wallet/wallet-provider.tsx'
import { tradeText } from '../../text/en/trade.en.tsx'
import { Blotter } from './blotter.tsx'
import { BulkActionPage } from './kill-switch/bulk-action-page.tsx'
import { feedOf, useSummaries } from './market/feed.tsx'
import { MarketHead } from './market/market-head.tsx'
import { OrderSheet } from './order-sheet.tsx'
import { useRowKeys } from './rows/row-actions.tsx'
import { type RowForms, RowSheets, useRowForms } from './rows/row-forms.tsx'
import { changeIssue, changePositionIssue } from './rows/row-subjects.ts'
import { freshUntil, useLastMarket, useLeaveFor, useTicketDraft } from './ticket/ticket-model.ts'
import { focusValue, TicketPanel } from './ticket/ticket-panel.tsx'
import styles from './trade.module.css'
import { TradeSheets, useAskedRow } from './trade-sheets.tsx'
import { type ExecutionForms, useExecutionForms } from './use-execution-forms.tsx'
import { type OrderFlow, useOrderFlow, useStopReview } from './use-order-flow.ts'

/** The market in the page's address, otherwise the one viewed last, otherwise the first open one. */
function chosenMarket(markets: readonly Market[], wanted: string | undefined, last: number | null): Market | undefined {
  return (
    markets.find((market) => market.symbol === wanted || String(market.id) === wanted) ??
    markets.find((market) => market.id === last) ??
    markets.find((market) => market.status === null || market.status === 'open') ??
    markets[0]
  )
}

function PopoutButton({ view, label }: { readonly view: PopoutView; readonly label: string }) {
  const open = useIpcCommand('popouts.open')
  return <IconButton icon="external" size="xs" label={label} onClick={() => open.mutate(view)} />
}

/** The trading page. `trade/stop` is the kill switch, `trade/<market>` a market. `trade/collateral` opens a sheet over the market. */
export function TradePage() {
  return usePlace().rest[0] === 'stop' ? (
    <BulkActionPage />
  ) : (
    <>
      <MarketPlace />
      <TradeSheets />
    </>
  )
}

/** One market's chart, ticket, open orders and positions. Prices need no key; account data needs one. */
function MarketPlace() {
  const place = usePlace()
  const list = useIpcQuery('markets.list', {})
  const summaries = useSummaries()
  const markets = list.data?.markets ?? []
  const last = useLastMarket()
  const market = chosenMarket(markets, place.rest[0], last)

  return (
    <TradeView
      markets={markets}
      market={market}
      summaries={summaries}
      noMarket={
        list.isPending ? null : list.error !== null ? (
          <FailurePanel failure={failureOf(list.error)} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        ) : (
          <Empty icon="markets" title={tradeText.noMarkets}>
            {tradeText.noMarketsHelp}
          </Empty>
        )
      }
    />
  )
}

function MarketSkeleton() {
  return (
    <Loading label={tradeText.readingMarkets}>
      <section className={styles.marketHead} />
      <section className={styles.chart} />
      <section className={bookStyles.book} />
      <section className={styles.ticket} />
    </Loading>
  )
}

function useOwnPrices(pairId: number, waiting: readonly OpenOrder[] | undefined): readonly string[] {
  return useMemo(() => (waiting ?? []).flatMap((order) => (order.pairId === pairId && order.limitPrice !== null ? [order.limitPrice] : [])), [pairId, waiting])
}

interface TradeViewProps {
  readonly markets: readonly Market[]
  /** The market's rules and values; `undefined` if they cannot be read. Orders can then still be cancelled and positions closed. */
  readonly market: Market | undefined
  readonly summaries: ReturnType<typeof useSummaries>
  /** Shown in place of chart and ticket if there is no market; `null` while the markets load. Orders, positions and typed text stay available. */
  readonly noMarket: ReactNode | null
}

function TradeView({ markets, market, summaries, noMarket }: TradeViewProps) {
  const navigate = useNavigate()
  const visible = useVisible()
  const leaveFor = useLeaveFor(market)
  const order = useOrderFlow()
  useStopReview(order)

  const every = visible ? 4 * second : false
  const { read: readingPositions, positions } = usePositions(null, { every })
  const orders = useIpcQuery('account.orders', { watch: null }, { every })
  const intents = useIpcQuery('intents.list', { beforeMs: null, limit: 50 })

  const all = summaries.data?.summaries ?? []
  const waiting = orders.data?.orders.filter(isWaiting)
  const execution = useExecutionForms({ pairId: market?.id ?? null, markets, summaries: all, positions: positions ?? [], orders: waiting ?? [] })
  const rows = useRowForms(execution.over)
  useRowKeys({ market, positions, orders: waiting, forms: rows })
  useStopReview(rows.order)
  useAskedRow({ rows, busy: order.open !== null, positions, orders: waiting })
  const pick = (next: Market) => {
    if (next.id === market?.id) return
    leaveFor(next)
    order.clearOutcome()
    navigate(`trade/${next.symbol}`)
  }
  const orderPair = order.open === null ? market?.id : order.open.ticket === null ? order.open.prepared.intent.pairId : pairOf(order.open.ticket)
  const orderMark = all.find(({ id }) => id === orderPair)?.mark ?? null
  return (
    <div className={market === undefined && noMarket !== null ? cx(styles.trade, styles.unlisted) : styles.trade} data-edge-to-edge>
      <h1 className={textStyles.screenReaderOnly}>{tradeText.trade}</h1>
      {market === undefined ? null : <SkipButton onClick={focusValue}>{tradeText.skipToValue}</SkipButton>}
      {market === undefined ? (
        noMarket === null ? (
          <MarketSkeleton />
        ) : (
          <div className={styles.tradeNone}>{noMarket}</div>
        )
      ) : (
        <MarketView
          markets={markets}
          market={market}
          summaries={summaries}
          positions={positions}
          waiting={waiting}
          rows={rows}
          execution={execution}
          order={order}
          onPick={pick}
        />
      )}
      <Blotter
        positions={feedOf(positions, readingPositions)}
        orders={feedOf(waiting, orders)}
        positionsMissing={readingPositions.data?.missing}
        ordersCut={orders.data?.cut ?? null}
        intents={feedOf(intents.data?.intents, intents)}
        markets={markets}
        summaries={all}
        selected={market?.id ?? null}
        forms={rows}
        onAll={(kind) => navigate(`trade/stop?what=${kind}`)}
        tools={<PopoutButton view={{ kind: 'positions' }} label={tradeText.openPositionsApart} />}
        onPick={(pairId) => {
          const next = markets.find((one) => one.id === pairId)
          if (next !== undefined) pick(next)
        }}
        source={readingPositions.data?.source}
        noWallet={
          <Empty
            icon="account"
            title={tradeText.noWalletConnected}
            actions={
              <Button size="sm" icon="phone" onClick={() => navigate('connect')}>
                {tradeText.connectWallet}
              </Button>
            }
          >
            {tradeText.noWalletConnectedHelp}
          </Empty>
        }
      />
      <RowSheets forms={rows} positions={positions ?? null} markets={markets} summaries={all} />
      {execution.sheets}
      <OrderSheet order={order} mark={orderMark} />
    </div>
  )
}

interface MarketViewProps extends Pick<TradeViewProps, 'markets' | 'summaries'> {
  readonly market: Market
  readonly positions: readonly Position[] | undefined
  readonly waiting: readonly OpenOrder[] | undefined
  readonly rows: RowForms
  readonly execution: ExecutionForms
  readonly order: OrderFlow
  readonly onPick: (market: Market) => void
}

function MarketView({ markets, market, summaries, positions, waiting, rows, execution, order, onPick }: MarketViewProps) {
  const visible = useVisible()
  const wallet = useConnectedWallet()
  const draft = useTicketDraft(market)
  const account = useIpcQuery('account.summary', { watch: null }, { every: visible ? 4 * second : false })
  const why = keptFromKey(account.data?.source)
  // Outdated data, for example from before a key was created, must not make the ticket say that a key is missing.
  const [keyMissing, setKeyMissing] = useState(false)
  const isMissing = why !== null && wantsKey(why)
  if (!account.isStale && keyMissing !== isMissing) setKeyMissing(isMissing)
  const all = summaries.data?.summaries ?? []
  const summary = all.find((one) => one.id === market.id)
  const readAtMs = summaries.data?.readAtMs ?? null
  const isFresh = useStillBefore(freshUntil(summary, readAtMs))
  const own = useOwnPrices(market.id, waiting)
  const levels = chartLevels(market.id, positions ?? [], waiting ?? [])
  const lines = lineMoves({ rows, market, positions, orders: waiting })
  return (
    <>
      <ShownAmounts>
        <MarketHead
          markets={markets}
          summaries={all}
          market={market}
          summary={summary}
          source={summaries.data?.source ?? null}
          readAtMs={readAtMs}
          onPick={onPick}
        />
      </ShownAmounts>
      <section className={styles.chart} aria-label={tradeText.chart}>
        <MarketChart
          market={market}
          summary={summary}
          readAtMs={readAtMs}
          levels={levels}
          tools={<PopoutButton view={{ kind: 'chart', pairId: market.id }} label={tradeText.openChartApart} />}
          {...lines}
        />
      </section>
      <MarketBook
        key={market.id}
        market={market}
        own={own}
        tools={<PopoutButton view={{ kind: 'book', pairId: market.id }} label={tradeText.openBookApart} />}
        onPrice={(price) => draft.edit({ orderType: 'limit', limitPrice: price })}
      />
      <TicketPanel
        draft={draft}
        market={market}
        mark={summary?.mark ?? null}
        fresh={isFresh}
        account={account.data}
        keyMissing={keyMissing}
        walletConnected={wallet !== null || execution.byExecutor}
        byExecutor={execution.byExecutor}
        foot={execution.foot}
        order={execution.over(order)}
      />
    </>
  )
}

interface LineFacts {
  readonly rows: RowForms
  readonly market: Market
  readonly positions: readonly Position[] | undefined
  readonly orders: readonly OpenOrder[] | undefined
}

interface LineMoves {
  readonly movable: (level: Level) => boolean
  readonly onMove: (level: Level, price: string) => void
}

const exitOf = { take_profit: 'takeProfit', stop_loss: 'stopLoss' } as const

/** If the user drags a line in the chart, opens the form of that row with the new price. Nothing is sent before the review. */
function lineMoves({ rows, market, positions, orders }: LineFacts): LineMoves {
  const begin = (level: Level): ((price: string) => void) | null => {
    if (level.kind === 'take_profit' || level.kind === 'stop_loss') {
      const field = exitOf[level.kind]
      const position = positions?.find(({ id }) => id !== null && id === level.positionId)
      if (position === undefined || changePositionIssue(position, market) !== null) return null
      return (price) => rows.onPosition(position, 'exits', { [field]: price })
    }
    const order = orders?.find(({ id }) => id !== '' && id === level.orderId)
    if (level.kind !== 'order' || order === undefined || changeIssue(order, market) !== null) return null
    const field = order.limitPrice !== null ? 'limitPrice' : 'triggerPrice'
    return (price) => rows.onOrder(order, 'replace', { [field]: price })
  }
  return { movable: (level) => begin(level) !== null, onMove: (level, price) => begin(level)?.(price) }
}
