import { decimalsOf, formatDecimal, multiply, parseDecimal } from '../decimal.ts'
import type { FormIssue } from '../ipc/form-issue.ts'

/** The minus sign that the app displays. Users may copy it into a field, so fields must accept it. */
const minus = '\u2212'
const plain = (typed: string): string => typed.trim().replace(minus, '-')
/** Matches a number with commas between thousands. The first digit must not be zero, because in many countries `0,250` means a quarter. */
const grouped = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/

/**
 * Reads a number that the user typed or pasted, in any format in which the app shows numbers. Commas may separate thousands. null if the text is not
 * a number, or is ambiguous. A user may mean 1.5 by `1,500`, so the caller must show `readAs` beside the field, as `Input` does.
 */
export const typedDecimal = (typed: string): string | null => {
  const text = plain(typed)
  return parseDecimal(grouped.test(text) ? text.replaceAll(',', '') : text)
}

/**
 * Returns how the app read a number with commas or an exponent, with at least two decimals: `1,500` becomes `1,500.00`. null if the text is not a
 * number, or contains neither commas nor an exponent.
 */
export function readAs(typed: string): string | null {
  const value = /[,e]/i.test(typed) ? typedDecimal(typed) : null
  if (value === null) return null
  return formatDecimal(value, decimalsOf(value) < 2 ? { decimals: 2 } : { decimals: decimalsOf(value) })
}

/**
 * Returns the message for text that is not a number. If the text has a decimal comma, the message asks for a decimal point. Otherwise it is
 * `otherwise`, which should name what the field accepts.
 */
export function numberIssue(typed: string, otherwise: FormIssue): FormIssue {
  const [, whole = '', fraction] = /^([+-]?[\d.]*),(\d+)$/.exec(plain(typed)) ?? []
  const meant = fraction === undefined ? null : parseDecimal(`${whole.replaceAll('.', '')}.${fraction}`)
  return meant === null ? otherwise : ['writeWithPoint', meant]
}

/** Reads a leverage: a whole number of at most four digits. null for any other text. */
export const typedWhole = (typed: string): number | null => (/^\d{1,4}$/.test(typed.trim()) ? Number(typed) : null)

/** Converts percent to basis points: "0.5" percent are 50 bps; null if the result is not a whole number. */
export function slippageBps(percent: string): number | null {
  const value = typedDecimal(percent)
  if (value === null) return null
  const bps = multiply(value, '100')
  return /^\d{1,6}$/.test(bps) ? Number(bps) : null
}

export const isBlank = (typed: string): boolean => typed.trim() === ''

/** A problem in one field of a form. It is reported before anything is sent. */
export interface FieldIssue<Field extends string> {
  readonly field: Field
  readonly issue: FormIssue
  /** true: the user has not filled in the field yet. The form then shows the error only after the user presses Review. */
  readonly untouched: boolean
}

/** The result of reading a form: its issues, and a ticket if there are no issues. */
export interface FormReading<Field extends string, Ticket> {
  readonly errors: readonly FieldIssue<Field>[]
  readonly ticket: Ticket | null
}

/** Collects the issues of a form, in the order in which they are reported. */
export class Issues<Field extends string> {
  readonly list: FieldIssue<Field>[] = []

  /** Adds an issue. Returns null, so that a caller that must return a value can write `return issues.report(…)`. */
  report(field: Field, issue: FormIssue, untouched = false): null {
    this.list.push({ field, issue, untouched })
    return null
  }

  take(field: Field, issue: FormIssue | null): void {
    if (issue !== null) this.report(field, issue)
  }

  reading<Ticket>(ticket: Ticket | null): FormReading<Field, Ticket> {
    return { errors: this.list, ticket: this.list.length === 0 ? ticket : null }
  }
}
