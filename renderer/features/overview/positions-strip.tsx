import { absolute, changePercent, compare, negate } from '../../../shared/decimal.ts'
import type { Position } from '../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { MarketName } from '../../kit/coin.tsx'
import { Link } from '../../kit/layout/navigation.tsx'
import { returnOn } from '../../kit/layout/return-on.ts'
import { Amount, Percent } from '../../kit/number.tsx'
import { Side } from '../../kit/side.tsx'

/** How far the mark may move before liquidation, in percent; null where one of the two is not known. */
export function toLiquidation(position: Pick<Position, 'markPrice' | 'liquidationPrice'>): string | null {
  if (position.markPrice === null || position.liquidationPrice === null) return null
  const change = changePercent(position.markPrice, position.liquidationPrice, 1)
  return change === null ? null : absolute(change)
}

/** Below this many percent the distance is said as a warning. */
const close = '10'

function Stat({ name, value, decimals }: { readonly name: string; readonly value: string | null; readonly decimals?: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Amount value={value} {...(decimals === undefined ? {} : { decimals })} />
      </dd>
    </div>
  )
}

/** The open positions, side by side; a few of them have room for their prices. */
export function PositionsStrip({ positions, markets }: { readonly positions: readonly Position[]; readonly markets: readonly Market[] }) {
  if (positions.length === 0) return null
  return (
    <section className="panel pos" aria-label="Open positions">
      <ul>
        {positions.map((position) => {
          const market = markets.find((one) => one.id === position.pairId)
          const symbol = position.symbol ?? market?.symbol ?? `Market ${position.pairId}`
          const distance = toLiquidation(position)
          const price = market?.priceDecimals == null ? {} : { decimals: market.priceDecimals }
          const size = position.size === null || position.side === 'long' ? position.size : negate(position.size)
          return (
            <li key={`${position.pairId}/${position.side}`}>
              <Link to={`trade/${symbol}`} aria-label={`Trade ${symbol}`}>
                <span className="pos-who">
                  <MarketName symbol={symbol} {...(market === undefined ? {} : { base: market.base })} />
                  <Side side={position.side} leverage={position.leverage} />
                </span>
                <span className="pos-size">
                  <Amount
                    value={size}
                    {...(market?.sizeDecimals == null ? {} : { minDecimals: market.sizeDecimals })}
                    {...(market === undefined ? {} : { unit: market.base })}
                  />
                  {distance === null ? (
                    <span>liquidation unknown</span>
                  ) : (
                    <span className={compare(distance, close) < 0 ? 'warn-t' : undefined}>{distance} % to liquidation</span>
                  )}
                </span>
                <dl>
                  <Stat name="Notional, USDC" value={position.notionalUsdc} decimals={2} />
                  <Stat name="Entry" value={position.entryPrice} {...price} />
                  <Stat name="Mark" value={position.markPrice} {...price} />
                  <Stat name="Liquidation" value={position.liquidationPrice} {...price} />
                </dl>
                <b className="pos-pnl">
                  <Amount value={position.unrealisedPnl} decimals={2} signed {...(positions.length === 1 ? { unit: 'USDC' } : {})} />
                </b>
                <span className="pos-roe">
                  <Percent value={returnOn(position, position.markPrice)} decimals={1} signed missing="Entry or leverage is not known" />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
