import { useState } from 'react'
import { limits } from '../../../shared/api/limits.ts'
import { decimalsOf, formatDecimal, multiply } from '../../../shared/decimal.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { groupings } from '../../kit/book/book-rows.ts'
import { OrderBook } from '../../kit/book/order-book.tsx'
import { Icon } from '../../kit/icons/icon.tsx'
import { Empty } from '../../kit/layout/empty.tsx'
import { Loading, Skeleton } from '../../kit/layout/skeleton.tsx'
import { Menu } from '../../kit/overlay/menu.tsx'
import { useNow } from '../../kit/time/now.tsx'
import { durationText, exactTime } from '../../kit/time/time-text.ts'
import { FailurePanel } from '../failure-note.tsx'
import { useOrderBook } from './use-order-book.ts'

interface MarketBookProps {
  readonly market: Market
  /** Prices of the user's own waiting orders on this market. */
  readonly own: readonly string[]
  readonly onPrice?: (price: string) => void
}

/** The tick; where the service does not say it, the last decimal of a price. */
const tickOf = ({ tickSize, priceDecimals }: Market): string => tickSize ?? ((priceDecimals ?? 2) === 0 ? '1' : `0.${'1'.padStart(priceDecimals ?? 2, '0')}`)

/** The order book of a market, grouped as is chosen. Fills its place. */
export function MarketBook({ market, own, onPrice }: MarketBookProps) {
  const data = useOrderBook(market.id)
  const [ticks, setTicks] = useState<number>(1)
  const tick = tickOf(market)
  const steps = groupings.map((count) => ({ count, step: multiply(tick, String(count)) }))
  const step = multiply(tick, String(ticks))
  const decimals = Math.max(market.priceDecimals ?? 0, decimalsOf(tick))
  const stepText = (value: string) => formatDecimal(value, { minDecimals: Math.min(1, decimals) })
  const now = useNow(1_000)
  const age = data.atMs === null ? 0 : Math.max(0, now - data.atMs)
  const stale = age > limits.priceAgeMs
  return (
    <section className={stale ? 'book bk-stale' : 'book'} aria-label="Order book">
      <div className="panel-head ruled">
        <h2>Book</h2>
        {stale && data.atMs !== null ? (
          <span className="bk-age" role="status" title={`As of ${exactTime(data.atMs)}`}>
            {durationText(age)} old
          </span>
        ) : null}
        <span className="end">
          <Menu
            label="Group prices by"
            align="end"
            entries={steps.map(({ count, step: value }) => ({ label: stepText(value), checked: count === ticks, onSelect: () => setTicks(count) }))}
            trigger={(props) => (
              <button type="button" {...props} className="bk-group" aria-label={`Group prices by: ${stepText(step)}`}>
                {stepText(step)}
                <Icon name="chevron-down" size={14} />
              </button>
            )}
          />
        </span>
      </div>
      {data.failure !== null ? (
        <FailurePanel failure={data.failure} onRetry={data.retry} />
      ) : data.loading ? (
        <Loading label="Reading the order book">
          <div className="bk-wait">
            {Array.from({ length: 12 }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity but their place
              <Skeleton key={row} width="100%" height={12} />
            ))}
          </div>
        </Loading>
      ) : data.empty ? (
        <Empty icon="inbox" title="The book is empty">
          Nobody offers to buy or sell this market now.
        </Empty>
      ) : (
        <>
          <div className="bk-cols" aria-hidden="true">
            <span>Price</span>
            <span {...(data.sizesKnown ? {} : { title: 'The service does not say the unit of its sizes.' })}>
              {data.sizesKnown ? `Size, ${market.base}` : 'Size'}
            </span>
            <span>Total</span>
          </div>
          <OrderBook
            market={market}
            book={data.book}
            step={step}
            decimals={decimals}
            sizesKnown={data.sizesKnown}
            own={own}
            {...(onPrice === undefined ? {} : { onPrice })}
          />
        </>
      )}
    </section>
  )
}
