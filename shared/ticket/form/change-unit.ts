import { absolute, changePercent, divide, multiply, roundTo, signOf } from '../../decimal.ts'
import { baseOfValue, readSize, type SizeFacts, type SizeUnit } from '../order-size.ts'
import { type ExitBy, type ExitFacts, type ExitKind, profitAt, readExit } from '../read-exit.ts'

/** Cents, and hundredths of a percent. */
const shownDecimals = 2

const unlessZero = (value: string): string => (signOf(value) === 0 ? '' : value)

/**
 * The typed size in another unit, rounded down: it never becomes more. Empty where it cannot be told, since the same digits
 * in another unit would be another order.
 */
export function sizeInUnit(typed: string, from: SizeUnit, to: SizeUnit, facts: SizeFacts): string {
  if (from === to) return typed
  const size = readSize(typed, from, facts)
  if (!size.ok) return ''
  switch (to) {
    case 'usdc': {
      const cents = roundTo(size.value, shownDecimals, 'down')
      return signOf(cents) === 0 ? unlessZero(size.value) : cents
    }
    case 'base':
      return facts.entry === null || signOf(facts.entry) <= 0 ? '' : unlessZero(baseOfValue(size.value, facts.entry, facts.market))
    case 'free_margin': {
      const { freeMargin, leverage } = facts
      if (freeMargin === null || signOf(freeMargin) <= 0 || leverage === null || leverage < 1) return ''
      return unlessZero(divide(multiply(size.value, '100'), multiply(freeMargin, leverage.toString()), shownDecimals, 'down'))
    }
  }
}

/** The typed exit by another measure; empty where it cannot be told, or lies on the wrong side of the entry, where a distance has no sense. */
export function exitBy(kind: ExitKind, typed: string, from: ExitBy, to: ExitBy, facts: ExitFacts): string {
  if (from === to) return typed
  const price = readExit(kind, typed, from, facts)
  if (!price.ok) return ''
  if (to === 'price') return price.value
  const moved = to === 'percent' ? changePercent(facts.entry, price.value, shownDecimals) : gainAt(price.value, facts)
  const gains = (facts.side === 'long') === signOf(changePercent(facts.entry, price.value, 8) ?? '0') > 0
  return moved === null || gains !== (kind === 'takeProfit') ? '' : unlessZero(absolute(moved))
}

const gainAt = (price: string, { side, entry, orderValueUsdc }: ExitFacts): string | null =>
  orderValueUsdc === null ? null : profitAt(price, { side, entry, orderValueUsdc })
