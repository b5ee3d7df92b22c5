import { useState } from 'react'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { Interval, Market } from '../../../shared/ipc/markets.ts'
import { minute, second } from '../../../shared/time.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Empty } from '../../ui/empty.tsx'
import { useNow } from '../../ui/now.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { TimePicture } from '../../ui/time-picture.tsx'
import { missing, Unread } from './read-note.tsx'

const intervals: readonly Interval[] = ['1m', '3m', '5m', '15m', '1h', '4h', '1d', '1w']

/** Closing prices of a market. The candles with everything that can be done on them are on the trade page. */
export function MarketChart({ market, mark }: { readonly market: Market; readonly mark: string | null }) {
  const now = useNow(10 * second)
  const [interval, setInterval] = useState<Interval>('1h')
  const read = useDeskQuery('markets.candles', { pairId: market.id, interval, limit: 200 }, { every: 20 * second, keepPrevious: true })
  const candles = read.data?.candles
  const last = candles?.at(-1)
  const decimals = market.priceDecimals === null ? {} : { decimals: market.priceDecimals }
  const points = (candles ?? []).map(({ timeMs, close }) => ({ atMs: timeMs, value: close }))
  const withMark = mark !== null && last !== undefined ? [...points.slice(0, -1), { atMs: last.timeMs, value: mark }] : points
  return (
    <Panel
      title="Price"
      className="mk-chart"
      end={<Segments label="Interval" choices={intervals.map((value) => ({ value, label: value }))} value={interval} onChange={setInterval} />}
    >
      {missing(read) !== null ? (
        <Unread query={read} />
      ) : candles === undefined ? (
        <Loading label="Reading candles">
          <div className="mk-wait" />
        </Loading>
      ) : withMark.length < 2 ? (
        <Empty icon="trade" title="No candles yet">
          This market has not traded in the chosen interval.
        </Empty>
      ) : (
        <div className="panel-body mk-chart-pic">
          <TimePicture
            label={`${market.symbol}, closing prices of ${interval}`}
            series={[{ id: 'close', name: 'Close', tone: 'accent', points: withMark }]}
            format={(value) => formatDecimal(value, decimals)}
            formatTick={(value) => formatDecimal(value.toFixed(Math.min(market.priceDecimals ?? 2, 10)), decimals)}
            filled
            nowMs={Math.floor(now / minute) * minute}
          />
        </div>
      )}
    </Panel>
  )
}
