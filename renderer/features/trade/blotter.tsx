import { type ReactNode, useMemo, useState } from 'react'
import { add, signOf } from '../../../shared/decimal.ts'
import type { BulkActionKind } from '../../../shared/ipc/intents/kill-switch.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { Missing } from '../../../shared/ipc/missing.ts'
import type { OpenOrder, PageCut, Position } from '../../../shared/ipc/reads/account.ts'
import type { AccountSource } from '../../../shared/ipc/reads/account-history.ts'
import type { Market, MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { reasonText } from '../../../shared/text/reason-text.ts'
import { titleText } from '../../../shared/text/title-text.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { keysTitle } from '../../kit/key-bindings.ts'
import { Link } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Empty, SkeletonRows } from '../../kit/layout/placeholders.tsx'
import { IntentState, intentLook } from '../../kit/layout/state.tsx'
import tableStyles from '../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../kit/layout/table.tsx'
import { TabPanel, Tabs } from '../../kit/layout/tabs.tsx'
import { Coin, MarketName, Side } from '../../kit/market-marks.tsx'
import marksStyles from '../../kit/marks.module.css'
import { Amount, shorten, useAmountText } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { ServiceWord } from '../../kit/visible-text.tsx'
import { sourceWords } from '../../parts/account-source.tsx'
import { MissingNote } from '../../parts/failure-note.tsx'
import partsStyles from '../../parts/parts.module.css'
import { isTerminal } from '../../signing/progress/intent-path.ts'
import { tradeText } from '../../text/en/trade.en.tsx'
import { isWhole, listCount, ordersCutText } from '../../text/page-cut-text.ts'
import { ChangedStates, type Feed, FeedBody, priceFormat, sizeFormat, type TableProps } from './market/feed.tsx'
import { PositionsTable } from './rows/positions-table.tsx'
import { moveInRows, OrderActions } from './rows/row-actions.tsx'
import type { RowActions } from './rows/row-forms.tsx'
import styles from './trade.module.css'

interface BlotterProps {
  readonly positions: Feed<Position>
  /** Which listed positions could not be read; `undefined` until the list was read. */
  readonly positionsMissing: Missing | undefined
  readonly orders: Feed<OpenOrder>
  /** Why the list may lack some orders; `null` if it is complete. */
  readonly ordersCut: PageCut | null
  /** The intents for their tab; `null` to leave out the tab. */
  readonly intents: Feed<Intent> | null
  readonly markets: readonly Market[]
  readonly summaries: readonly MarketSummary[]
  readonly source: AccountSource | undefined
  readonly selected: number | null
  readonly onPick: (pairId: number) => void
  readonly forms: RowActions
  /** Opens the page that cancels or closes everything in a table. */
  readonly onAll: (kind: AllKind) => void
  /** An element that is shown instead of a table that needs a wallet. */
  readonly noWallet: ReactNode
  readonly tools?: ReactNode
}

type AllKind = Extract<BulkActionKind, 'cancel_all' | 'close_all'>
type TabName = 'positions' | 'orders' | 'intents'

/** The tabs below the chart: positions, orders and intents. */
export function Blotter({
  positions,
  positionsMissing,
  orders,
  ordersCut,
  intents,
  markets,
  summaries,
  source,
  selected,
  onPick,
  forms,
  onAll,
  noWallet,
  tools,
}: BlotterProps) {
  const [tab, setTab] = useState<TabName>('positions')
  const open = intents?.rows?.filter((intent) => !isTerminal(intent.state)).length ?? 0
  const pnl =
    positionsMissing === undefined ||
    !isWhole(positionsMissing) ||
    positions.rows === null ||
    positions.rows.length === 0 ||
    positions.rows.some((position) => position.unrealisedPnl === null)
      ? null
      : positions.rows.reduce((sum, position) => add(sum, position.unrealisedPnl ?? '0'), '0')
  const counted = (feed: Feed<unknown>, whole: boolean) => (feed.rows === null ? {} : { count: listCount(feed.rows.length, whole) })
  return (
    <section className={styles.blotter} aria-label={tradeText.positionsAndOrders}>
      <div className={styles.blotterHead}>
        <Tabs
          id="blotter"
          label={tradeText.positionsAndOrders}
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'positions', label: tradeText.positions, ...counted(positions, positionsMissing === undefined || isWhole(positionsMissing)) },
            { value: 'orders', label: tradeText.orders, ...counted(orders, ordersCut === null) },
            ...(intents === null ? [] : [{ value: 'intents' as const, label: tradeText.activity, ...(open === 0 ? {} : { count: open, warn: true }) }]),
          ]}
        />
        <span>
          {tab === 'positions' ? <BulkActionButton kind="close_all" count={positions.rows?.length ?? 0} onAll={onAll} /> : null}
          {tab === 'orders' ? <BulkActionButton kind="cancel_all" count={orders.rows?.length ?? 0} onAll={onAll} /> : null}
        </span>
        {source?.route === 'public' && tab !== 'intents' ? (
          <span className={cx(styles.blotterSource, textStyles.muted)} title={tradeText.publicRoutesWarning}>
            <Icon name="nokey" />
            {sourceWords(source)}
          </span>
        ) : null}
        <span className={panelStyles.end}>
          {pnl === null ? null : (
            <>
              <span className={textStyles.muted}>{tradeText.unrealised}</span>
              <b>
                <Amount value={pnl} decimals={2} signed />
              </b>
              <span className={textStyles.muted}>{tradeText.usdc}</span>
            </>
          )}
          {tools}
        </span>
      </div>
      <TabPanel id="blotter" value={tab} className={styles.blotterScroll}>
        {tab === 'positions' ? (
          <>
            <MissingNote missing={positionsMissing} of="position" />
            <PositionsTable feed={positions} markets={markets} summaries={summaries} selected={selected} onPick={onPick} forms={forms} noWallet={noWallet} />
          </>
        ) : tab === 'orders' ? (
          <>
            {ordersCut === null ? null : (
              <p className={cx(partsStyles.missingNote, textStyles.warn)} role="status">
                {ordersCutText(ordersCut)}
              </p>
            )}
            <OrdersTable feed={orders} markets={markets} forms={forms} noWallet={noWallet} />
          </>
        ) : intents === null ? null : (
          <IntentsTable feed={intents} noWallet={noWallet} />
        )}
      </TabPanel>
      <ChangedStates rows={useStates(orders.rows, intents?.rows ?? null)} />
    </section>
  )
}

/** The state of each order and request, which `ChangedStates` announces to screen readers. */
function useStates(orders: readonly OpenOrder[] | null, intents: readonly Intent[] | null) {
  const amount = useAmountText()
  return useMemo(() => {
    if (orders === null && intents === null) return null
    return [
      ...(orders ?? []).map(({ id, type, side, symbol, status }) => ({
        key: `order/${id}`,
        name: tradeText.orderName([type, side].filter((word) => word !== null).join(' '), symbol ?? '—'),
        state: status ?? '—',
      })),
      ...(intents ?? []).map((intent) => ({ key: intent.ref, name: titleText(intent.title, amount), state: intentLook(intent).word })),
    ]
  }, [amount, intents, orders])
}

/** A button in a table's header. It opens the page that cancels or closes everything in the table. Draws nothing if the table is empty. */
function BulkActionButton({ kind, count, onAll }: { readonly kind: AllKind; readonly count: number } & Pick<BlotterProps, 'onAll'>) {
  if (count === 0) return null
  return (
    <Button size="xs" variant="danger" icon="x" title={kind === 'cancel_all' ? keysTitle('cancelAll') : undefined} onClick={() => onAll(kind)}>
      {kind === 'cancel_all' ? tradeText.cancelAll : tradeText.closeAll}
    </Button>
  )
}

function IntentsTable({ feed, noWallet }: TableProps<Intent>) {
  const amount = useAmountText()
  return (
    <FeedBody feed={feed} columns={4} noWallet={noWallet} empty={<Empty title={tradeText.noActivityYet}>{tradeText.noActivityYetHelp}</Empty>}>
      <Table label={tradeText.activity} dense busy={feed.rows === null}>
        <thead>
          <tr>
            <HeadCell>{tradeText.market}</HeadCell>
            <HeadCell>{tradeText.action}</HeadCell>
            <HeadCell>{tradeText.state}</HeadCell>
            <HeadCell>{tradeText.why}</HeadCell>
            <HeadCell numeric>{tradeText.id}</HeadCell>
            <HeadCell numeric>{tradeText.time}</HeadCell>
          </tr>
        </thead>
        {feed.rows === null ? (
          <SkeletonRows rows={3} columns={6} numeric={[4, 5]} />
        ) : (
          <tbody>
            {feed.rows.map((intent) => (
              <tr key={intent.ref}>
                <td>
                  {intent.symbol === null ? (
                    <span className={textStyles.muted}>—</span>
                  ) : (
                    <span className={marksStyles.market}>
                      <Coin base={intent.symbol.split('-')[0] ?? intent.symbol} />
                      <b>{intent.symbol}</b>
                    </span>
                  )}
                </td>
                <td>
                  <Link to={`activity/${intent.ref}`} className={textStyles.name}>
                    {titleText(intent.title, amount)}
                  </Link>
                </td>
                <td>
                  <IntentState intent={intent} />
                </td>
                <td className={cx(textStyles.muted, textStyles.cut, styles.why)}>{intent.reason === null ? '' : reasonText(intent.reason)}</td>
                <td className={textStyles.right}>
                  {intent.intentId === null ? (
                    <span className={textStyles.muted}>{tradeText.local}</span>
                  ) : (
                    <code className={textStyles.muted}>{shorten(intent.intentId, 7, 3)}</code>
                  )}
                </td>
                <td className={cx(textStyles.right, textStyles.muted)}>
                  <Time ms={intent.createdAtMs} />
                </td>
              </tr>
            ))}
          </tbody>
        )}
      </Table>
    </FeedBody>
  )
}

/** The state of an order, with the size that is filled so far, if any. */
export const OrderState = ({
  order: { status, filledSize },
  market,
}: {
  readonly order: Pick<OpenOrder, 'status' | 'filledSize'>
  readonly market: Market | undefined
}) => (
  <>
    <ServiceWord word={status} />
    {filledSize === null || signOf(filledSize) === 0 ? null : (
      <span className={textStyles.muted}> {tradeText.filledSoFar(<Amount value={filledSize} {...sizeFormat(market)} />)}</span>
    )}
  </>
)

interface OrdersProps extends TableProps<OpenOrder> {
  readonly markets: readonly Market[]
  readonly forms: RowActions
}

function OrdersTable({ feed, markets, forms, noWallet }: OrdersProps) {
  return (
    <FeedBody feed={feed} columns={8} noWallet={noWallet} empty={<Empty title={tradeText.noOpenOrders}>{tradeText.noOpenOrdersHelp}</Empty>}>
      <Table label={tradeText.orders} dense busy={feed.rows === null}>
        <thead>
          <tr>
            <HeadCell>{tradeText.market}</HeadCell>
            <HeadCell>{tradeText.side}</HeadCell>
            <HeadCell>{tradeText.type}</HeadCell>
            <HeadCell numeric>{tradeText.price}</HeadCell>
            <HeadCell numeric>{tradeText.size}</HeadCell>
            <HeadCell>{tradeText.state}</HeadCell>
            <HeadCell numeric>{tradeText.placed}</HeadCell>
            <HeadCell numeric>
              <span className={textStyles.screenReaderOnly}>{tradeText.actions}</span>
            </HeadCell>
          </tr>
        </thead>
        {feed.rows === null ? (
          <SkeletonRows rows={3} columns={8} numeric={[3, 4, 6]} />
        ) : (
          <tbody onKeyDown={moveInRows}>
            {feed.rows.map((order) => {
              const market = markets.find((one) => one.id === order.pairId)
              const symbol = order.symbol ?? market?.symbol ?? '—'
              return (
                <tr key={order.id} data-row={order.id}>
                  <td>
                    <MarketName symbol={symbol} {...(market === undefined ? {} : { base: market.base })} />
                  </td>
                  <td>{order.side === 'long' || order.side === 'short' ? <Side side={order.side} /> : (order.side ?? '—')}</td>
                  <td>
                    <ServiceWord word={order.type} />
                    {order.reduceOnly === true ? <span className={textStyles.muted}> {tradeText.reduceOnly}</span> : null}
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={order.price} {...priceFormat(market)} missing={tradeText.marketOrderNoPrice} />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={order.size} {...sizeFormat(market)} />
                  </td>
                  <td>
                    <OrderState order={order} market={market} />
                  </td>
                  <td className={cx(textStyles.right, textStyles.muted)}>
                    <Time ms={order.atMs} />
                  </td>
                  <td className={tableStyles.actions}>
                    <OrderActions row={order} market={market} symbol={symbol} forms={forms} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        )}
      </Table>
    </FeedBody>
  )
}
