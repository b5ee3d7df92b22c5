import fc from 'fast-check'

/** Exact arithmetic on whole numbers alone, made apart from `shared/decimal`: what the ticket computes is held against it. For tests. */
export interface Ratio {
  readonly top: bigint
  readonly bottom: bigint
}

/** Of plain decimal text. */
export function ratio(text: string): Ratio {
  const negative = text.startsWith('-')
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const top = BigInt(whole + fraction)
  return { top: negative ? -top : top, bottom: 10n ** BigInt(fraction.length) }
}

export const times = (...all: readonly Ratio[]): Ratio => all.reduce((a, b) => ({ top: a.top * b.top, bottom: a.bottom * b.bottom }), { top: 1n, bottom: 1n })
export const over = (a: Ratio, b: Ratio): Ratio =>
  b.top < 0n ? { top: -a.top * b.bottom, bottom: -a.bottom * b.top } : { top: a.top * b.bottom, bottom: a.bottom * b.top }
export const plus = (a: Ratio, b: Ratio): Ratio => ({ top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom })
export const minus = (a: Ratio, b: Ratio): Ratio => plus(a, { top: -b.top, bottom: b.bottom })

export const floor = ({ top, bottom }: Ratio): bigint => (top >= 0n ? top / bottom : -((-top + bottom - 1n) / bottom))
export const ceiling = (value: Ratio): bigint => -floor({ top: -value.top, bottom: value.bottom })
export const isSame = (a: Ratio, b: Ratio): boolean => a.top * b.bottom === b.top * a.bottom
export const isBelow = (a: Ratio, b: Ratio): boolean => a.top * b.bottom < b.top * a.bottom
export const whole = (value: bigint): Ratio => ({ top: value, bottom: 1n })
/** 10 to the power of minus `decimals`. */
export const unit = (decimals: number): Ratio => ({ top: 1n, bottom: 10n ** BigInt(decimals) })

/** Decimal text above zero with up to so many decimals. */
export const decimals = (most: bigint, fraction: number): fc.Arbitrary<string> =>
  fc.tuple(fc.bigInt({ min: 1n, max: most * 10n ** BigInt(fraction) }), fc.integer({ min: 0, max: fraction })).map(([units, cut]) => {
    const kept = units / 10n ** BigInt(cut) || 1n
    const at = fraction - cut
    const digits = kept.toString().padStart(at + 1, '0')
    return at === 0 ? digits : `${digits.slice(0, -at)}.${digits.slice(-at)}`
  })
