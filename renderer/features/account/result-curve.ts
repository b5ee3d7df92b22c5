import { add, compare, divide, isZero, maximum, minimum, multiply, subtract } from '../../../shared/decimal.ts'
import type { ReportLine } from '../../../shared/ipc/reads/account-report.ts'
import { day } from '../../../shared/time.ts'

/** One day of UTC: what it brought, and what all days so far did. USDC, exact; null: an amount of it, or of a day before, is not known. */
export interface CurvePoint {
  /** `2026-11-22` */
  readonly day: string
  readonly net: string | null
  readonly sum: string | null
}

const plus = (sum: string | null, net: string | null): string | null => (sum === null || net === null ? null : add(sum, net))

/** Days that are drawn at most; what is older is in the first sum. */
const mostDays = 400

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The days from the first that has a result, or the given one, to today, those without one too. From a day whose result is not known on, no sum is. */
export function resultCurve(lines: readonly ReportLine[], nowMs: number, fromMs: number | null): CurvePoint[] {
  const nets = new Map(lines.flatMap(({ name, net }) => (name === null ? [] : [[name, net] as const])))
  const first = [...nets.keys()].toSorted()[0]
  const begin = fromMs ?? (first === undefined ? nowMs : Date.parse(first))
  const from = Math.max(Math.floor(begin / day), Math.floor(nowMs / day) - mostDays + 1)
  let sum = [...nets].filter(([name]) => name < dayOf(from * day)).reduce<string | null>((all, [, net]) => plus(all, net), '0')
  const points: CurvePoint[] = []
  for (let at = from; at <= Math.floor(nowMs / day); at += 1) {
    const name = dayOf(at * day)
    // A day that the report does not name had neither trade nor closing.
    const net = nets.has(name) ? (nets.get(name) ?? null) : '0'
    sum = plus(sum, net)
    points.push({ day: name, net, sum })
  }
  return points
}

/** The span of all values and 0, so that a picture of them has its ground. */
export function spanOf(values: readonly string[]): { readonly low: string; readonly high: string } {
  const low = values.reduce((all, value) => minimum(all, value), '0')
  const high = values.reduce((all, value) => maximum(all, value), '0')
  return compare(low, high) === 0 ? { low, high: add(high, '1') } : { low, high }
}

/** Where a value stands between the two, from 0 at the top to 1,000 at the bottom. */
export function heightOf(value: string, { low, high }: { readonly low: string; readonly high: string }): number {
  const span = subtract(high, low)
  return isZero(span) ? 1_000 : Number(multiply(divide(subtract(high, value), span, 6), '1000'))
}
