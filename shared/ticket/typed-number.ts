import { add, compare, decimalsOf, divide, formatDecimal, isMultipleOf, multiply, negate, parseDecimal, roundToStep, signOf, subtract } from '../decimal.ts'
import type { Market } from '../ipc/reads/markets.ts'
import { fail, ok, type Result } from '../result.ts'
import { priceStep } from './market-rules.ts'

/** Below zero as this app shows it, and as it is copied from here. */
const minus = '\u2212'
const plain = (typed: string): string => typed.trim().replace(minus, '-')
/** Thousands in threes, none of them behind a zero: much of the world writes `0,250` for a quarter. */
const grouped = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/

/**
 * A number as people type and paste it: thousands may be grouped by commas, whatever this app shows is read back. null: not a number, or one
 * that could be another. Whoever takes it shows `readAs` beside it, which `Input` does.
 */
export const typedDecimal = (typed: string): string | null => {
  const text = plain(typed)
  return parseDecimal(grouped.test(text) ? text.replaceAll(',', '') : text)
}

/** How a number with commas or an exponent was read, with two decimals at least: `1,500` is `1,500.00`. null: as it stands there. */
export function readAs(typed: string): string | null {
  const value = /[,e]/i.test(typed) ? typedDecimal(typed) : null
  if (value === null) return null
  return formatDecimal(value, decimalsOf(value) < 2 ? { decimals: 2 } : { decimals: decimalsOf(value) })
}

/** Why a text is no number: the comma was meant for a point, or else what the field asks for. */
export function numberIssue(typed: string, otherwise: string): string {
  const [, whole = '', fraction] = /^([+-]?[\d.]*),(\d+)$/.exec(plain(typed)) ?? []
  const meant = fraction === undefined ? null : parseDecimal(`${whole.replaceAll('.', '')}.${fraction}`)
  return meant === null ? otherwise : `Write ${meant} with a point. A comma only groups thousands.`
}

/** A whole number of at most four digits, for a leverage; null: something else. */
export const typedWhole = (typed: string): number | null => (/^\d{1,4}$/.test(typed.trim()) ? Number(typed) : null)

/** "0.5" percent are 50 bps; null where it is not a whole number of them. */
export function slippageBps(percent: string): number | null {
  const value = typedDecimal(percent)
  if (value === null) return null
  const bps = multiply(value, '100')
  return /^\d{1,6}$/.test(bps) ? Number(bps) : null
}

export const isBlank = (typed: string): boolean => typed.trim() === ''

/** A price as it is put into a field: at the market's precision, without grouping. */
export const priceInField = (price: string, { priceDecimals }: Market): string => formatDecimal(price, { minDecimals: priceDecimals ?? 0, grouped: false })

/** The newest mark as a price that the market takes. */
export const markInField = (mark: string, market: Market): string => priceInField(roundToStep(mark, priceStep(market)), market)

/**
 * The typed price some steps of the market further, up or down; one between two steps goes to the next of them first. An empty
 * field starts from the mark. Null where there is nothing to start from, or below the first step.
 */
export function steppedPrice(typed: string, steps: number, market: Market, mark: string | null): string | null {
  const step = priceStep(market)
  if (typed.trim() === '') return mark === null ? null : markInField(mark, market)
  const price = typedDecimal(typed)
  if (price === null) return null
  const next = isMultipleOf(price, step) ? add(price, multiply(step, steps.toString())) : roundToStep(price, step, steps > 0 ? 'up' : 'down')
  return signOf(next) > 0 ? priceInField(next, market) : null
}

/** What is wrong with one field of a form, said before anything is sent. */
export interface FieldIssue<Field extends string> {
  readonly field: Field
  /** A sentence for the field, with the market's own limits. */
  readonly text: string
  /** Nothing was typed yet: not to be shown as an error before Review is pressed. */
  readonly untouched: boolean
}

/** What a form says: its issues, and the ticket only when there are none. */
export interface FormReading<Field extends string, Ticket> {
  readonly errors: readonly FieldIssue<Field>[]
  readonly ticket: Ticket | null
}

/** Collects issues in the order of the form. */
export class Issues<Field extends string> {
  readonly list: FieldIssue<Field>[] = []

  /** Gives null, so that a reading can end in it. */
  report(field: Field, text: string, untouched = false): null {
    this.list.push({ field, text, untouched })
    return null
  }

  /** Takes a sentence, or null where all is well. */
  take(field: Field, text: string | null): void {
    if (text !== null) this.report(field, text)
  }

  reading<Ticket>(ticket: Ticket | null): FormReading<Field, Ticket> {
    return { errors: this.list, ticket: this.list.length === 0 ? ticket : null }
  }
}

/** How an exit was typed: as a price, as its distance from the entry in percent, or as the USDC that it brings or costs. */
export type ExitBy = 'price' | 'percent' | 'profit'
export type ExitKind = 'takeProfit' | 'stopLoss'

export interface ExitFacts {
  readonly side: 'long' | 'short'
  readonly entry: string
  /** Notional in USDC, which a profit is a part of; null: not known. */
  readonly orderValueUsdc: string | null
  readonly market: Market
}

/**
 * The price of an exit. Distances and profits are typed without a sign. A price that is computed is rounded to the market's step so that a take
 * profit brings at least what was typed and a stop loss costs at most that: up for a long, down for a short. Fails with a sentence.
 */
export function readExit(kind: ExitKind, typed: string, by: ExitBy, facts: ExitFacts): Result<string, string> {
  const value = typedDecimal(typed)
  if (by === 'price') return value === null ? fail(numberIssue(typed, 'Type a price.')) : ok(value)
  if (value === null) return fail(numberIssue(typed, by === 'percent' ? 'Type a distance from the price in percent.' : 'Type an amount in USDC.'))
  if (signOf(value) <= 0) return fail(by === 'percent' ? 'The distance must be above zero.' : 'The amount must be above zero.')
  const whole = by === 'percent' ? '100' : facts.orderValueUsdc
  if (whole === null || signOf(whole) <= 0) return fail('An amount takes the value of the order first.')
  const rises = (kind === 'takeProfit') === (facts.side === 'long')
  if (!rises && compare(value, whole) >= 0)
    return fail(
      by === 'percent'
        ? 'The price cannot fall by 100% or more.'
        : `That is as much as the whole ${kind === 'takeProfit' ? 'price can fall' : 'order is worth'}.`,
    )
  const moved = rises ? add(whole, value) : subtract(whole, value)
  const step = priceStep(facts.market)
  const steps = divide(multiply(facts.entry, moved), multiply(whole, step), 0, facts.side === 'long' ? 'up' : 'down')
  const price = multiply(steps, step)
  return signOf(price) > 0 ? ok(price) : fail(`No price of ${facts.market.symbol} is that low.`)
}

/** Profit or loss in USDC at an exit, to the cent. */
export function profitAt(
  price: string,
  { side, entry, orderValueUsdc }: { readonly side: 'long' | 'short'; readonly entry: string; readonly orderValueUsdc: string },
): string {
  const gain = divide(multiply(orderValueUsdc, subtract(price, entry)), entry, 2)
  return side === 'long' ? gain : negate(gain)
}
