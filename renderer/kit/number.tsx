import { createContext, type ReactNode, useContext } from 'react'
import { type AmountFormat, compare, formatDecimal, hiddenAmount } from '../../shared/decimal.ts'
import { kitText } from '../text/en/kit.en.tsx'
import styles from './text.module.css'

const AmountContext = createContext<AmountFormat>(formatDecimal)

/** Hides the user's amounts in its children: money, sizes and results. Prices and other public figures stay visible. */
export function AmountsProvider({ hidden, children }: { readonly hidden: boolean; readonly children: ReactNode }) {
  return <AmountContext value={hidden ? hiddenAmount : formatDecimal}>{children}</AmountContext>
}

/** Shows every amount in its children, even if the user hides amounts. Used for public figures, and for what the user types or signs. */
export const ShownAmounts = ({ children }: { readonly children: ReactNode }) => <AmountsProvider hidden={false}>{children}</AmountsProvider>

/** Formats one of the user's own amounts as text, for example in a label or tooltip. Hidden if the user hides amounts. */
export const useAmountText = (): AmountFormat => useContext(AmountContext)

interface AmountProps {
  /** Decimal text; `null` means unknown and shows a dash, never 0. */
  readonly value: string | null
  /** Shows exactly this many decimals. */
  readonly decimals?: number
  readonly minDecimals?: number
  /** The value's unit, for example "USDC". Leave it out in a column whose head already names the unit. */
  readonly unit?: string
  /** For gains and losses: shows a plus sign above zero, and a colour that repeats the sign. */
  readonly signed?: boolean
  readonly missing?: string
  /** True to show the value even if the user hides amounts: for a price, a ratio, or what the user types. */
  readonly isShown?: boolean
  /** A value above this is shown as "more than" this maximum. The tooltip shows the exact value. */
  readonly most?: string
}

/** A health factor above this only means "far from liquidation", so it is not shown exactly. */
export const mostHealth = '99'

/** An amount for display: grouped, rounded as requested, with its sign and unit. */
export function Amount({ value, decimals, minDecimals, unit, signed = false, missing = kitText.unknown, isShown = false, most }: AmountProps) {
  const own = useAmountText()
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
  const isHidden = !isShown && own === hiddenAmount
  const isBeyond = !isHidden && most !== undefined && compare(value, most) > 0
  const text = isHidden ? hiddenAmount(value) : isBeyond ? `> ${formatDecimal(most)}` : formatDecimal(value, format)
  // The colour repeats the sign that is shown. A value that rounds to zero has none.
  const tone = isHidden || !signed ? undefined : text.startsWith('+') ? styles.up : text.startsWith('−') ? styles.down : undefined
  return (
    <span className={tone} title={isBeyond ? formatDecimal(value, format) : undefined}>
      {isHidden ? (
        <>
          <span aria-hidden="true">{text}</span>
          <span className={styles.screenReaderOnly}>{kitText.hiddenAmount}</span>
        </>
      ) : (
        text
      )}
      {unit === undefined ? null : (
        <span className={styles.unitAfter} translate="no">
          {' '}
          {unit}
        </span>
      )}
    </span>
  )
}

/** Shows decimal text as percent: "-1.84" becomes "−1.84 %". `isOwn`: the user's own result, which is hidden if the user hides amounts. */
export function Percent({
  value,
  decimals = 2,
  signed = false,
  missing,
  isOwn = false,
}: {
  readonly value: string | null
  readonly decimals?: number
  readonly signed?: boolean
  readonly missing?: string
  readonly isOwn?: boolean
}) {
  return <Amount value={value} decimals={decimals} unit="%" signed={signed} isShown={!isOwn} {...(missing === undefined ? {} : { missing })} />
}

/** Shortens a long address, hash or id to its first and last characters: `0x7A3f…c91E`. */
export function shorten(text: string, head = 6, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

/** Matches whole addresses, and addresses that main has shortened. A longer run of hex digits is not an address. */
export const addressPattern = /(0x[0-9a-fA-F]{40}(?![0-9a-fA-F])|0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4})/

const longestId = 24

/** A service id, shortened if it is too long for a table. */
export const shortId = (id: string): string => (id.length <= longestId ? id : shorten(id, 10, 10))
