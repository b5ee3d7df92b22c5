import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { limits } from '../../../shared/api/limits.ts'
import { decimalsOf, formatDecimal, multiply } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import bookStyles from '../../kit/book/book.module.css'
import { createLiveBook, groupings, type LiveBook } from '../../kit/book/book-rows.ts'
import { OrderBook } from '../../kit/book/order-book.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Empty, Loading, Skeleton } from '../../kit/layout/placeholders.tsx'
import { Menu } from '../../kit/overlay/menu.tsx'
import { durationText, titleTime, useNow, useStillBefore, useVisible } from '../../kit/time/time.tsx'
import { partsText } from '../../text/en/parts.en.tsx'
import { FailurePanel } from '../failure-note.tsx'

interface MarketBookProps {
  readonly market: Market
  /** Prices of the user's own open orders on this market. */
  readonly own: readonly string[]
  readonly onPrice?: (price: string) => void
  readonly tools?: ReactNode
}

/** The market's tick. If the service does not report it, the smallest step of the market's price decimals. */
const tickOf = ({ tickSize, priceDecimals }: Market): string => tickSize ?? ((priceDecimals ?? 2) === 0 ? '1' : `0.${'1'.padStart(priceDecimals ?? 2, '0')}`)

function BookAge({ atMs }: { readonly atMs: number }) {
  const now = useNow(1_000)
  return (
    <span className={bookStyles.bookAge} role="status" title={partsText.asOf(titleTime(atMs))}>
      {partsText.ageOld(durationText(now - atMs))}
    </span>
  )
}

/** The order book of a market, with the chosen grouping. Fills its container. */
export function MarketBook({ market, own, onPrice, tools }: MarketBookProps) {
  const data = useOrderBook(market.id)
  const [ticks, setTicks] = useState<number>(1)
  const tick = tickOf(market)
  const steps = groupings.map((count) => ({ count, step: multiply(tick, String(count)) }))
  const step = multiply(tick, String(ticks))
  const decimals = Math.max(market.priceDecimals ?? 0, decimalsOf(tick))
  const stepText = (value: string) => formatDecimal(value, { minDecimals: Math.min(1, decimals) })
  const isFresh = useStillBefore(data.atMs === null ? null : data.atMs + limits.priceAgeMs)
  const stale = data.atMs !== null && !isFresh
  return (
    <section className={stale ? cx(bookStyles.book, bookStyles.bookStale) : bookStyles.book} aria-label={partsText.orderBook}>
      <div className={cx(panelStyles.panelHead, panelStyles.ruled)}>
        <h2>{partsText.book}</h2>
        {stale && data.atMs !== null ? <BookAge atMs={data.atMs} /> : null}
        <span className={panelStyles.end}>
          <Menu
            label={partsText.groupPricesBy}
            align="end"
            entries={steps.map(({ count, step: value }) => ({ label: stepText(value), checked: count === ticks, onSelect: () => setTicks(count) }))}
            trigger={(props) => (
              <button type="button" {...props} className={bookStyles.bookGroup} aria-label={partsText.groupPricesByStep(stepText(step))}>
                {stepText(step)}
                <Icon name="chevron-down" size={14} />
              </button>
            )}
          />
          {tools}
        </span>
      </div>
      {data.failure !== null ? (
        <FailurePanel failure={data.failure} onRetry={data.retry} level={3} />
      ) : data.loading ? (
        <Loading label={partsText.readingBook}>
          <div className={bookStyles.bookWait}>
            {Array.from({ length: 12 }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity but their place
              <Skeleton key={row} width="100%" height={12} />
            ))}
          </div>
        </Loading>
      ) : data.empty ? (
        <Empty icon="inbox" title={partsText.bookEmpty} level={3}>
          {partsText.bookEmptyHelp}
        </Empty>
      ) : (
        <>
          <div className={bookStyles.bookColumns} aria-hidden="true">
            <span>{partsText.price}</span>
            <span {...(data.sizesKnown ? {} : { title: partsText.sizeUnitUnknown })}>{data.sizesKnown ? partsText.sizeIn(market.base) : partsText.size}</span>
            <span>{partsText.total}</span>
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

interface OrderBookData {
  readonly book: LiveBook
  readonly loading: boolean
  readonly empty: boolean
  /** Why the first read failed. After a later failure, the page shows the old book and its age. */
  readonly failure: Failure | null
  /** Whether the service reports sizes in base units. */
  readonly sizesKnown: boolean
  /** The book's time as the service reports it, otherwise the time of the read. */
  readonly atMs: number | null
  readonly source: 'versioned' | 'public' | null
  readonly retry: () => void
}

const bookEvery = 1_000

/** The order book of one market, reread every second while the window is visible. */
function useOrderBook(pairId: number): OrderBookData {
  const visible = useVisible()
  const query = useIpcQuery('markets.orderbook', { pairId }, { every: visible ? bookEvery : false })
  const { data } = query
  // biome-ignore lint/correctness/useExhaustiveDependencies: another market has another book
  const book = useMemo(createLiveBook, [pairId])
  useEffect(() => {
    if (data !== undefined) book.replace(data)
  }, [book, data])
  return {
    book,
    loading: query.isPending,
    empty: data !== undefined && data.bids.length === 0 && data.asks.length === 0,
    failure: data === undefined && query.error !== null ? failureOf(query.error) : null,
    sizesKnown: data === undefined || data.sizeUnit === 'base',
    atMs: data === undefined ? null : (data.atMs ?? data.readAtMs),
    source: data?.source ?? null,
    retry: () => void query.refetch(),
  }
}
