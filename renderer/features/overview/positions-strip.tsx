import { absolute, changePercent, compare, negate } from '../../../shared/decimal.ts'
import type { Position } from '../../../shared/ipc/account.ts'
import type { Market } from '../../../shared/ipc/markets.ts'
import { MarketName } from '../../ui/coin.tsx'
import { Link } from '../../ui/navigation.tsx'
import { Amount } from '../../ui/number.tsx'
import { Side } from '../../ui/side.tsx'

/** How far the mark may move before liquidation, in percent; null where one of the two is not known. */
export function toLiquidation(position: Pick<Position, 'markPrice' | 'liquidationPrice'>): string | null {
  if (position.markPrice === null || position.liquidationPrice === null) return null
  const change = changePercent(position.markPrice, position.liquidationPrice, 1)
  return change === null ? null : absolute(change)
}

/** Below this many percent the distance is said as a warning. */
const close = '10'

/** The open positions, side by side. */
export function PositionsStrip({ positions, markets }: { readonly positions: readonly Position[]; readonly markets: readonly Market[] }) {
  if (positions.length === 0) return null
  return (
    <section className="panel pos" aria-label="Open positions">
      <ul>
        {positions.map((position) => {
          const market = markets.find((one) => one.id === position.pairId)
          const symbol = position.symbol ?? market?.symbol ?? `Market ${position.pairId}`
          const distance = toLiquidation(position)
          const size = position.size === null || position.side === 'long' ? position.size : negate(position.size)
          return (
            <li key={`${position.pairId}/${position.side}`}>
              <Link to={`trade/${symbol}`} aria-label={`Trade ${symbol}`}>
                <div>
                  <MarketName symbol={symbol} {...(market === undefined ? {} : { base: market.base })} />
                  <Side side={position.side} leverage={position.leverage} />
                  <b>
                    <Amount value={position.unrealisedPnl} decimals={2} signed />
                  </b>
                </div>
                <div className="sub">
                  <span>
                    <Amount
                      value={size}
                      {...(market?.sizeDecimals == null ? {} : { minDecimals: market.sizeDecimals })}
                      {...(market === undefined ? {} : { unit: market.base })}
                    />
                  </span>
                  {distance === null ? (
                    <span>liquidation not known</span>
                  ) : (
                    <span className={compare(distance, close) < 0 ? 'warn-t' : undefined}>{distance} % to liquidation</span>
                  )}
                </div>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
