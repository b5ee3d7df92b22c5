import { formatDecimal, isZero, percentOf } from '../../../shared/decimal.ts'
import type { MarketSummary } from '../../../shared/ipc/reads/markets.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import textStyles from '../../kit/text.module.css'
import { wholeInterest } from './market-rows.ts'
import styles from './markets.module.css'
import { shortUsdc } from './short-usdc.ts'

/** Long and short open interest, in USDC, and how they share the whole. */
export function InterestSplit({ summary }: { readonly summary: Pick<MarketSummary, 'openInterestLongUsdc' | 'openInterestShortUsdc'> | null }) {
  const total = wholeInterest(summary)
  const long = summary?.openInterestLongUsdc ?? null
  const short = summary?.openInterestShortUsdc ?? null
  if (total === null || long === null || short === null) {
    return (
      <span className={textStyles.muted} title="Not known">
        —
      </span>
    )
  }
  const share = isZero(total) ? null : percentOf(long, total, 1)
  return (
    <span className={styles.openInterest}>
      <span className={textStyles.up} title={`Long ${formatDecimal(long, { decimals: 0 })} USDC`}>
        <Icon name="arrow-up-right" size={12} label="long" />
        {shortUsdc(long)}
      </span>
      <span className={styles.marketSplit} aria-hidden="true">
        {share === null ? null : <i style={{ width: `${share}%` }} />}
      </span>
      <span className={textStyles.down} title={`Short ${formatDecimal(short, { decimals: 0 })} USDC`}>
        {shortUsdc(short)}
        <Icon name="arrow-down-right" size={12} label="short" />
      </span>
    </span>
  )
}
