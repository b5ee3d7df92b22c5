import { useRef } from 'react'
import { multiply } from '../../../shared/decimal.ts'
import type { Liquidation } from '../../../shared/ipc/reads/market-state.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { second } from '../../../shared/time.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import { CopyButton } from '../../kit/copy-button.tsx'
import { LongRows } from '../../kit/layout/long-rows.tsx'
import { Link } from '../../kit/layout/navigation.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import { Empty, Loading } from '../../kit/layout/placeholders.tsx'
import { HeadCell, Table, useRowWindow } from '../../kit/layout/table.tsx'
import { MarketName, Side } from '../../kit/market-marks.tsx'
import { Amount, shorten } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { VisibleText } from '../../kit/visible-text.tsx'
import { MissingNote } from '../../parts/failure-note.tsx'
import partsStyles from '../../parts/parts.module.css'
import { marketsText } from '../../text/en/markets.en.tsx'
import styles from './markets.module.css'
import { missing, ReadAge, Unread } from './read-age.tsx'

/** The page of liquidations, either on all markets or on one market. */
export function LiquidationsView({ markets, pairId = null }: { readonly markets: readonly Market[]; readonly pairId?: number | null }) {
  const read = useIpcQuery('markets.liquidations', {}, { every: 10 * second })
  const symbol = markets.find(({ id }) => id === pairId)?.symbol
  const all = read.data?.liquidations
  const shown = pairId === null ? all : all?.filter((one) => (one.pairId === null ? one.symbol === symbol : one.pairId === pairId))
  return (
    <Panel
      title={marketsText.recentLiquidations}
      count={shown === undefined ? undefined : shown.length}
      className={styles.marketLiquidations}
      end={<ReadAge atMs={read.data?.readAtMs ?? null} source="public" failed={read.error !== null} />}
      ruled
    >
      <MissingNote missing={read.data?.missing} of="liquidation" />
      {missing(read) !== null ? (
        <Unread query={read} level={3} />
      ) : shown === undefined ? (
        <Loading label={marketsText.readingLiquidations}>
          <div className={partsStyles.readWait} />
        </Loading>
      ) : shown.length === 0 ? (
        <Empty icon="shield-check" title={marketsText.noLiquidations} level={3}>
          {pairId === null ? marketsText.noLiquidationsHelp : marketsText.noLiquidationsOfMarket}
        </Empty>
      ) : (
        <LiquidationTable liquidations={shown} markets={markets} ofOne={pairId !== null} />
      )}
    </Panel>
  )
}

const none = <Amount value={null} />

const Hex = ({ text }: { readonly text: string }) => (
  <code title={text}>
    <VisibleText text={shorten(text)} />
  </code>
)

interface Columns {
  readonly market: boolean
  readonly wallet: boolean
  readonly transaction: boolean
}

/** A liquidation's value: as the service reports it, otherwise size times price. */
const worthOf = ({ valueUsdc, size, price }: Liquidation): string | null => valueUsdc ?? (size === null || price === null ? null : multiply(size, price))

interface LiquidationTableProps {
  readonly liquidations: readonly Liquidation[]
  readonly markets: readonly Market[]
  /** True on the page of a single market, where the rows leave out the market's name. */
  readonly ofOne?: boolean
}

interface LineProps {
  readonly liquidation: Liquidation
  readonly markets: readonly Market[]
  readonly columns: Columns
  readonly index: number
}

function Line({ liquidation, markets, columns, index }: LineProps) {
  const { pairId, symbol, side, size, price, wallet, txHash, atMs } = liquidation
  const market = markets.find((one) => (pairId === null ? one.symbol === symbol : one.id === pairId))
  return (
    <tr aria-rowindex={index + 2}>
      <td className={textStyles.muted}>
        <Time ms={atMs} />
      </td>
      {!columns.market ? null : (
        <td>
          {market !== undefined ? (
            <Link to={`markets/${market.id}`}>
              <MarketName symbol={market.symbol} base={market.base} />
            </Link>
          ) : symbol !== null ? (
            <VisibleText text={symbol} />
          ) : (
            none
          )}
        </td>
      )}
      <td>{side === null ? none : <Side side={side} />}</td>
      <td className={textStyles.right}>
        <Amount value={size} {...(market?.sizeDecimals == null ? {} : { minDecimals: market.sizeDecimals })} />
      </td>
      <td className={textStyles.right}>
        <Amount value={price} {...(market?.priceDecimals == null ? {} : { decimals: market.priceDecimals })} />
      </td>
      <td className={textStyles.right}>
        <Amount value={worthOf(liquidation)} decimals={2} />
      </td>
      {columns.wallet ? <td>{wallet === null ? none : <Hex text={wallet} />}</td> : null}
      {columns.transaction ? (
        <td>
          {txHash === null ? (
            none
          ) : (
            <span className={styles.marketHash}>
              <Hex text={txHash} />
              <CopyButton text={txHash} what={marketsText.transactionHash} />
            </span>
          )}
        </td>
      ) : null}
    </tr>
  )
}

/** Positions that the exchange closed by force, newest first. */
function LiquidationTable({ liquidations, markets, ofOne = false }: LiquidationTableProps) {
  const box = useRef<HTMLDivElement>(null)
  const columns = {
    market: !ofOne,
    wallet: liquidations.some(({ wallet }) => wallet !== null),
    transaction: liquidations.some(({ txHash }) => txHash !== null),
  }
  const window = useRowWindow(box, liquidations.length, 32)
  return (
    <div ref={box} className={styles.marketScroll}>
      <Table label={marketsText.liquidations} dense className={styles.marketLiquidation} rows={liquidations.length + 1}>
        <thead>
          <tr>
            <HeadCell>{marketsText.time}</HeadCell>
            {columns.market ? <HeadCell>{marketsText.market}</HeadCell> : null}
            <HeadCell>{marketsText.side}</HeadCell>
            <HeadCell numeric>{marketsText.size}</HeadCell>
            <HeadCell numeric>{marketsText.price}</HeadCell>
            <HeadCell numeric>{marketsText.valueUsdc}</HeadCell>
            {columns.wallet ? <HeadCell>{marketsText.wallet}</HeadCell> : null}
            {columns.transaction ? <HeadCell>{marketsText.transaction}</HeadCell> : null}
          </tr>
        </thead>
        <LongRows
          window={window}
          count={liquidations.length}
          columns={5 + Object.values(columns).filter(Boolean).length}
          row={(index) => {
            const liquidation = liquidations[index]
            return liquidation === undefined ? null : (
              <Line key={liquidation.id ?? liquidation.txHash ?? index} liquidation={liquidation} markets={markets} columns={columns} index={index} />
            )
          }}
        />
      </Table>
    </div>
  )
}
