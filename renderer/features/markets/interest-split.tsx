import { absolute, compare, divide, formatDecimal, isZero, percentOf } from '../../../shared/decimal.ts'
import type { MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import textStyles from '../../kit/text.module.css'
import { marketsText } from '../../text/en/markets.en.tsx'
import { wholeInterest } from './market-rows.ts'
import styles from './markets.module.css'

/** Long and short open interest in USDC, and each side's share of the total. */
export function InterestSplit({ summary }: { readonly summary: Pick<MarketSummary, 'openInterestLongUsdc' | 'openInterestShortUsdc'> | null }) {
  const total = wholeInterest(summary)
  const long = summary?.openInterestLongUsdc ?? null
  const short = summary?.openInterestShortUsdc ?? null
  if (total === null || long === null || short === null) {
    return (
      <span className={textStyles.muted} title={marketsText.unknown}>
        —
      </span>
    )
  }
  const share = isZero(total) ? null : percentOf(long, total, 1)
  return (
    <span className={styles.openInterest}>
      <span className={textStyles.up} title={marketsText.longUsdc(formatDecimal(long, { decimals: 0 }))}>
        <Icon name="arrow-up-right" size={12} label={marketsText.longName} />
        {shortUsdc(long)}
      </span>
      <span className={styles.marketSplit} aria-hidden="true">
        {share === null ? null : <i style={{ width: `${share}%` }} />}
      </span>
      <span className={textStyles.down} title={marketsText.shortUsdc(formatDecimal(short, { decimals: 0 }))}>
        {shortUsdc(short)}
        <Icon name="arrow-down-right" size={12} label={marketsText.shortName} />
      </span>
    </span>
  )
}

const units = [
  ['1000000000', 'B'],
  ['1000000', 'M'],
  ['1000', 'k'],
] as const

/** Shortens an amount where space is tight, for example `184.27 M`. */
export function shortUsdc(value: string): string {
  const unit = units.find(([least]) => compare(absolute(value), least) >= 0)
  return unit === undefined ? formatDecimal(value, { decimals: 2 }) : `${formatDecimal(divide(value, unit[0], 2), { decimals: 2 })} ${unit[1]}`
}
