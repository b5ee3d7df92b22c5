import { useState } from 'react'
import { negate } from '../../../shared/decimal.ts'
import type { CollateralBalance, Position } from '../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { liquidationDistance } from '../../../shared/positions.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Link } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Empty, SkeletonRows } from '../../kit/layout/placeholders.tsx'
import { HeadCell, Table } from '../../kit/layout/table.tsx'
import { Coin, MarketName, Side } from '../../kit/market-marks.tsx'
import marksStyles from '../../kit/marks.module.css'
import { Amount, Percent } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { FailurePanel, MissingNote } from '../../parts/failure-note.tsx'
import { accountText } from '../../text/en/account.en.tsx'
import styles from './account.module.css'
import { MarketAndSide, PickFilter } from './history-filters.tsx'
import type { TabRead } from './wallet-view.ts'

interface PositionsTabProps {
  readonly read: TabRead<Position>
  readonly markets: readonly Market[]
  readonly watched: boolean
}

const heads = [
  accountText.notionalUsdc,
  accountText.entry,
  accountText.mark,
  accountText.liquidation,
  accountText.distance,
  accountText.marginUsdc,
  accountText.unrealisedUsdc,
  accountText.tpSl,
] as const

/** Open positions, valued at the latest mark prices and filtered by the user. */
export function PositionsTab({ read: { rows, missing, failure, retry }, markets, watched }: PositionsTabProps) {
  const [filter, setFilter] = useState<PositionFilter>(everyPosition)
  if (rows === undefined && failure !== null) return <FailurePanel failure={failure} onRetry={retry} />
  if (rows?.length === 0) return <Empty title={accountText.noOpenPositions}>{accountText.noOpenPositionsHelp}</Empty>
  const set = (change: Partial<PositionFilter>) => setFilter({ ...filter, ...change })
  const shown = rows === undefined ? undefined : filterPositions(rows, markets, filter)
  const clear = () => setFilter(everyPosition)
  return (
    <>
      <MissingNote missing={missing} of="position" />
      <div className={styles.tableBar}>
        <search className={styles.filters}>
          <MarketAndSide
            symbols={choicesAmong((rows ?? []).map((position) => symbolOf(position, markets)))}
            symbol={filter.symbol}
            side={filter.side}
            onChange={set}
          />
          <PickFilter
            label={accountText.marginMode}
            all={accountText.allMarginModes}
            choices={choicesAmong((rows ?? []).map(({ marginMode }) => marginMode)).map((mode) => [mode, mode.replace(/^./, (letter) => letter.toUpperCase())])}
            value={filter.marginMode}
            onChange={(marginMode) => set({ marginMode })}
          />
          {narrowsPositions(filter) ? (
            <Button size="sm" variant="ghost" icon="x" onClick={clear}>
              {accountText.clear}
            </Button>
          ) : null}
        </search>
        {rows === undefined || shown === undefined || !narrowsPositions(filter) ? null : (
          <span className={cx(panelStyles.end, textStyles.muted)} aria-live="polite">
            {accountText.shownOf(shown.length, rows.length)}
          </span>
        )}
      </div>
      {shown?.length === 0 ? (
        <Empty
          icon="filter"
          title={accountText.noMatches}
          actions={
            <Button size="sm" onClick={clear}>
              {accountText.clearFilter}
            </Button>
          }
        >
          {accountText.noneOfOpenPositions}
        </Empty>
      ) : (
        <PositionRows rows={shown} markets={markets} watched={watched} />
      )}
    </>
  )
}

function PositionRows({ rows, markets, watched }: Omit<PositionsTabProps, 'read'> & { readonly rows: readonly Position[] | undefined }) {
  return (
    <div className={styles.tableScroll} data-part="scroll">
      <Table label={accountText.positions} className={styles.positions} dense busy={rows === undefined}>
        <thead>
          <tr>
            <HeadCell>{accountText.market}</HeadCell>
            <HeadCell>{accountText.side}</HeadCell>
            <HeadCell numeric>{accountText.size}</HeadCell>
            {heads.map((head) => (
              <HeadCell key={head} numeric>
                {head}
              </HeadCell>
            ))}
            {watched ? null : (
              <HeadCell numeric>
                <span className={textStyles.screenReaderOnly}>{accountText.actions}</span>
              </HeadCell>
            )}
          </tr>
        </thead>
        {rows === undefined ? (
          <SkeletonRows rows={4} columns={11} numeric={[2, 3, 4, 5, 6, 7, 8, 9, 10]} />
        ) : (
          <tbody>
            {rows.map((position) => {
              const market = markets.find(({ id }) => id === position.pairId)
              const price = { isShown: true, ...(market?.priceDecimals == null ? {} : { decimals: market.priceDecimals }) }
              const symbol = symbolOf(position, markets)
              return (
                <tr key={position.id ?? `${position.pairId}/${position.side}`}>
                  <td>
                    <MarketName symbol={symbol} {...(market === undefined ? {} : { base: market.base })} />
                  </td>
                  <td>
                    <Side side={position.side} leverage={position.leverage} />
                    {position.marginMode === null ? null : <span className={marksStyles.leverage}> {position.marginMode}</span>}
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={position.size === null ? null : position.side === 'short' ? negate(position.size) : position.size} />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={position.notionalUsdc} decimals={2} />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={position.entryPrice} {...price} />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={position.markPrice} {...price} />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={position.liquidationPrice} {...price} />
                  </td>
                  <td className={textStyles.right}>
                    <Percent value={liquidationDistance(position.markPrice, position.liquidationPrice)} decimals={1} />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={position.marginUsdc} decimals={2} />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={position.unrealisedPnl} decimals={2} signed />
                  </td>
                  <td className={textStyles.right}>
                    <Amount value={position.takeProfit} {...price} missing={accountText.noTakeProfit} /> <span className={textStyles.muted}>/</span>{' '}
                    <Amount value={position.stopLoss} {...price} missing={accountText.noStopLoss} />
                  </td>
                  {watched ? null : (
                    <td className={textStyles.right}>
                      <Link className={textStyles.link} to={`trade/${position.pairId}`} aria-label={accountText.tradeMarket(symbol)}>
                        {accountText.tradeLink}
                      </Link>
                    </td>
                  )}
                </tr>
              )
            })}
          </tbody>
        )}
      </Table>
    </div>
  )
}

interface PositionFilter {
  readonly symbol: string | null
  readonly side: 'long' | 'short' | null
  readonly marginMode: string | null
}

export const everyPosition: PositionFilter = { symbol: null, side: null, marginMode: null }
export const narrowsPositions = ({ symbol, side, marginMode }: PositionFilter): boolean => symbol !== null || side !== null || marginMode !== null

export const symbolOf = (position: Position, markets: readonly Market[]): string =>
  position.symbol ?? markets.find(({ id }) => id === position.pairId)?.symbol ?? accountText.marketNumber(position.pairId)

export function filterPositions(positions: readonly Position[], markets: readonly Market[], filter: PositionFilter): readonly Position[] {
  return positions.filter(
    (position) =>
      (filter.symbol === null || symbolOf(position, markets) === filter.symbol) &&
      (filter.side === null || position.side === filter.side) &&
      (filter.marginMode === null || position.marginMode === filter.marginMode),
  )
}

/** The distinct values among which a filter lets the user choose, sorted. */
export const choicesAmong = (values: readonly (string | null)[]): readonly string[] => [...new Set(values.filter((value) => value !== null))].sort()

/** The balance of each token, on the exchange and in the wallet. */
export function BalancesTab({ read: { rows, missing, failure, retry } }: { readonly read: TabRead<CollateralBalance> }) {
  if (rows === undefined && failure !== null) return <FailurePanel failure={failure} onRetry={retry} />
  if (rows?.length === 0) return <Empty title={accountText.noCollateral}>{accountText.noCollateralHelp}</Empty>
  return (
    <div className={styles.tableScroll} data-part="scroll">
      <MissingNote missing={missing} of="token" />
      <Table label={accountText.collateral} className={styles.collateral} dense busy={rows === undefined}>
        <thead>
          <tr>
            <HeadCell>{accountText.token}</HeadCell>
            <HeadCell numeric>{accountText.inTheExchange}</HeadCell>
            <HeadCell numeric>{accountText.locked}</HeadCell>
            <HeadCell numeric>{accountText.availableToWithdraw}</HeadCell>
            <HeadCell numeric>{accountText.inTheWallet}</HeadCell>
            <HeadCell>{accountText.contract}</HeadCell>
          </tr>
        </thead>
        {rows === undefined ? (
          <SkeletonRows rows={2} columns={6} numeric={[1, 2, 3, 4]} />
        ) : (
          <tbody>
            {rows.map((balance) => (
              <tr key={balance.asset}>
                <td>
                  <span className={marksStyles.market}>
                    <Coin base={balance.asset} />
                    <b>{balance.asset}</b>
                  </span>
                </td>
                <td className={textStyles.right}>
                  <Amount value={balance.balance} minDecimals={2} />
                </td>
                <td className={textStyles.right}>
                  <Amount value={balance.locked} minDecimals={2} />
                </td>
                <td className={textStyles.right}>
                  <Amount value={balance.withdrawable} minDecimals={2} />
                </td>
                <td className={textStyles.right}>
                  <Amount value={balance.walletBalance} minDecimals={2} missing={accountText.walletBalanceUnknown} />
                </td>
                <td>
                  {balance.contract === null ? <span className={textStyles.muted}>—</span> : <code className={textStyles.muted}>{balance.contract}</code>}
                </td>
              </tr>
            ))}
          </tbody>
        )}
      </Table>
    </div>
  )
}
