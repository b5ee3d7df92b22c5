import { compare, formatDecimal } from '../../../shared/decimal.ts'
import type { Candle, Interval, Market } from '../../../shared/ipc/reads/markets.ts'

interface LegendProps {
  readonly market: Market
  readonly interval: Interval
  /** The one under the pointer, else the newest. */
  readonly candle: Candle | undefined
}

/** One candle in numbers. */
export function ChartLegend({ market, interval, candle }: LegendProps) {
  if (candle === undefined) return null
  const tone = compare(candle.close, candle.open) >= 0 ? 'up' : 'down'
  const price = (value: string) => formatDecimal(value, market.priceDecimals === null ? {} : { decimals: market.priceDecimals })
  return (
    <p className="legend">
      <b>{market.symbol}</b> {interval}
      {(
        [
          ['O', candle.open],
          ['H', candle.high],
          ['L', candle.low],
          ['C', candle.close],
        ] as const
      ).map(([name, value]) => (
        <span key={name}>
          {name} <em className={tone}>{price(value)}</em>
        </span>
      ))}
      <span>
        Vol <em>{candle.volume === null ? '—' : `${formatDecimal(candle.volume, { decimals: 2 })} ${market.base}`}</em>
      </span>
    </p>
  )
}
