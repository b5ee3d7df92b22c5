import { negate } from '../../../shared/decimal.ts'
import type { CollateralBalance, Position } from '../../../shared/ipc/account.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Market } from '../../../shared/ipc/markets.ts'
import { liquidationDistance } from '../../../shared/liquidation-distance.ts'
import { Coin, MarketName } from '../../ui/coin.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FailurePanel } from '../../ui/failure-note.tsx'
import { Link } from '../../ui/navigation.tsx'
import { Amount, Percent } from '../../ui/number.tsx'
import { Side } from '../../ui/side.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { HeadCell, Table } from '../../ui/table.tsx'

interface Read<T> {
  readonly rows: readonly T[] | undefined
  readonly failure: Failure | null
  readonly retry: () => void
}

interface PositionsTabProps {
  readonly read: Read<Position>
  readonly markets: readonly Market[]
  /** Nothing is offered for a wallet that is only watched. */
  readonly watched: boolean
}

const heads = ['Notional, USDC', 'Entry', 'Mark', 'Liquidation', 'Distance', 'Margin, USDC', 'Unrealised, USDC', 'TP / SL'] as const

/** What is open now, by the service's marks. */
export function PositionsTab({ read: { rows, failure, retry }, markets, watched }: PositionsTabProps) {
  if (rows === undefined && failure !== null) return <FailurePanel failure={failure} onRetry={retry} />
  if (rows?.length === 0) return <Empty title="No open positions">An order that fills becomes a position here, with its mark and its liquidation price.</Empty>
  return (
    <div className="h-scroll">
      <Table label="Positions" dense busy={rows === undefined}>
        <thead>
          <tr>
            <HeadCell>Market</HeadCell>
            <HeadCell>Side</HeadCell>
            <HeadCell numeric>Size</HeadCell>
            {heads.map((head) => (
              <HeadCell key={head} numeric>
                {head}
              </HeadCell>
            ))}
            {watched ? null : (
              <HeadCell numeric>
                <span className="sr">Actions</span>
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
              const price = market?.priceDecimals == null ? {} : { decimals: market.priceDecimals }
              const symbol = position.symbol ?? market?.symbol ?? `Market ${position.pairId}`
              return (
                <tr key={position.id ?? `${position.pairId}/${position.side}`}>
                  <td>
                    <MarketName symbol={symbol} {...(market === undefined ? {} : { base: market.base })} />
                  </td>
                  <td>
                    <Side side={position.side} leverage={position.leverage} />
                    {position.marginMode === null ? null : <span className="side-x"> {position.marginMode}</span>}
                  </td>
                  <td className="r">
                    <Amount value={position.size === null ? null : position.side === 'short' ? negate(position.size) : position.size} />
                  </td>
                  <td className="r">
                    <Amount value={position.notionalUsdc} decimals={2} />
                  </td>
                  <td className="r">
                    <Amount value={position.entryPrice} {...price} />
                  </td>
                  <td className="r">
                    <Amount value={position.markPrice} {...price} />
                  </td>
                  <td className="r">
                    <Amount value={position.liquidationPrice} {...price} />
                  </td>
                  <td className="r">
                    <Percent value={liquidationDistance(position.markPrice, position.liquidationPrice)} decimals={1} />
                  </td>
                  <td className="r">
                    <Amount value={position.marginUsdc} decimals={2} />
                  </td>
                  <td className="r">
                    <Amount value={position.unrealisedPnl} decimals={2} signed />
                  </td>
                  <td className="r">
                    <Amount value={position.takeProfit} {...price} missing="No take profit" /> <span className="muted">/</span>{' '}
                    <Amount value={position.stopLoss} {...price} missing="No stop loss" />
                  </td>
                  {watched ? null : (
                    <td className="r">
                      <Link className="link" to={`trade/${position.pairId}`} aria-label={`Trade ${symbol}`}>
                        Trade
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

/** What the exchange holds of each token, and what the wallet does by itself. */
export function BalancesTab({ read: { rows, failure, retry } }: { readonly read: Read<CollateralBalance> }) {
  if (rows === undefined && failure !== null) return <FailurePanel failure={failure} onRetry={retry} />
  if (rows?.length === 0) return <Empty title="No collateral">What is deposited stands here, token by token.</Empty>
  return (
    <div className="h-scroll">
      <Table label="Collateral" dense busy={rows === undefined}>
        <thead>
          <tr>
            <HeadCell>Token</HeadCell>
            <HeadCell numeric>In the exchange</HeadCell>
            <HeadCell numeric>Locked</HeadCell>
            <HeadCell numeric>Free to withdraw</HeadCell>
            <HeadCell numeric>In the wallet</HeadCell>
            <HeadCell>Contract</HeadCell>
          </tr>
        </thead>
        {rows === undefined ? (
          <SkeletonRows rows={2} columns={6} numeric={[1, 2, 3, 4]} />
        ) : (
          <tbody>
            {rows.map((balance) => (
              <tr key={balance.asset}>
                <td>
                  <span className="mkt">
                    <Coin base={balance.asset} />
                    <b>{balance.asset}</b>
                  </span>
                </td>
                <td className="r">
                  <Amount value={balance.balance} minDecimals={2} />
                </td>
                <td className="r">
                  <Amount value={balance.locked} minDecimals={2} />
                </td>
                <td className="r">
                  <Amount value={balance.withdrawable} minDecimals={2} />
                </td>
                <td className="r">
                  <Amount value={balance.walletBalance} minDecimals={2} missing="The chain did not answer, or the contract is not known" />
                </td>
                <td>{balance.contract === null ? <span className="muted">—</span> : <code className="muted">{balance.contract}</code>}</td>
              </tr>
            ))}
          </tbody>
        )}
      </Table>
    </div>
  )
}
