import { decimalsOf, formatDecimal, multiply, parseDecimal } from '../decimal.ts'

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
