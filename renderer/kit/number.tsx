import { formatDecimal, signOf } from '../../shared/decimal.ts'
import { kitText } from '../text/en/kit.en.tsx'
import styles from './text.module.css'

interface AmountProps {
  /** Decimal text; `null` means unknown and shows a dash, never 0. */
  readonly value: string | null
  /** Shows exactly this many decimals. */
  readonly decimals?: number
  readonly minDecimals?: number
  /** For example "USDC". Leave it out in a column whose head names the unit. */
  readonly unit?: string
  /** For gains and losses: shows a plus sign above zero, and a colour that repeats the sign. */
  readonly signed?: boolean
  /** Why the value is unknown, as the dash's tooltip. */
  readonly missing?: string
}

/** An amount for display: grouped, rounded as requested, with its sign and unit. */
export function Amount({ value, decimals, minDecimals, unit, signed = false, missing = kitText.unknown }: AmountProps) {
  if (value === null) {
    return (
      <span className={styles.muted} title={missing}>
        —
      </span>
    )
  }
  const format = {
    ...(decimals === undefined ? {} : { decimals }),
    ...(minDecimals === undefined ? {} : { minDecimals }),
    sign: signed ? 'always' : 'auto',
  } as const
  const text = formatDecimal(value, format)
  const tone = !signed || signOf(value) === 0 ? undefined : signOf(value) > 0 ? styles.up : styles.down
  return (
    <span className={tone}>
      {text}
      {unit === undefined ? null : (
        <span className={styles.unitAfter} translate="no">
          {' '}
          {unit}
        </span>
      )}
    </span>
  )
}

/** Percent, as decimal text: "-1.84" is shown as "−1.84 %". */
export function Percent({
  value,
  decimals = 2,
  signed = false,
  missing,
}: {
  readonly value: string | null
  readonly decimals?: number
  readonly signed?: boolean
  readonly missing?: string
}) {
  return <Amount value={value} decimals={decimals} unit="%" signed={signed} {...(missing === undefined ? {} : { missing })} />
}

/** Shortens a long address, hash or id to its first and last characters: `0x7A3f…c91E`. */
export function shorten(text: string, head = 6, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

/** Matches whole addresses and those that main already shortened. A longer run of digits is no address. */
export const addressPattern = /(0x[0-9a-fA-F]{40}(?![0-9a-fA-F])|0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4})/

const longestId = 24

/** A service id, shortened if it is too long for a table. */
export const shortId = (id: string): string => (id.length <= longestId ? id : shorten(id, 10, 10))
