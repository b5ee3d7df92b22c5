import { absolute, add, divide, isZero, maximum, multiply, negate, signOf } from '../../../shared/decimal.ts'
import type { ReportSums } from '../../../shared/ipc/reads/account-report.ts'

/** What a net result is made of. */
export type PartOf = 'realised' | 'funding' | 'fees'

/** USDC, exact; a loss is negative. */
interface Part {
  readonly of: PartOf
  readonly amount: string
}

/** One part as drawn, in thousandths of the picture's width. */
export interface DrawnPart {
  readonly of: PartOf
  readonly isLoss: boolean
  readonly from: number
  readonly width: number
}

/** How the lines of a report are drawn upon one scale, so that they can be compared. */
export interface ResultScale {
  /** Where losses end and gains begin, in thousandths of the width. */
  readonly zero: number
  partsOf(sums: ReportSums): readonly DrawnPart[]
}

const whole = '1000'

const partsIn = ({ realised, funding, fees }: ReportSums): Part[] => {
  const amounts = [
    ['realised', realised],
    ['funding', funding],
    ['fees', fees === null ? null : negate(fees)],
  ] as const
  return amounts.flatMap(([of, amount]) => (amount === null || isZero(amount) ? [] : [{ of, amount }]))
}
const sumOf = (parts: readonly Part[], sign: 1 | -1): string =>
  parts.reduce((sum, { amount }) => (signOf(amount) === sign ? add(sum, absolute(amount)) : sum), '0')

/** Parts that were paid lie to the left of zero, those that were received to the right, beginning at zero. What the service does not tell is not drawn. */
export function resultScale(lines: readonly ReportSums[]): ResultScale {
  const all = lines.map(partsIn)
  const most = (sign: 1 | -1) => all.reduce((so, parts) => maximum(so, sumOf(parts, sign)), '0')
  const lost = most(-1)
  const span = add(lost, most(1))
  const share = (amount: string): number => (isZero(span) ? 0 : Number(divide(multiply(amount, whole), span, 3)))
  const zero = share(lost)
  return {
    zero,
    partsOf: (sums) => {
      const ends = { left: zero, right: zero }
      return partsIn(sums).map(({ of, amount }) => {
        const isLoss = signOf(amount) < 0
        const width = share(absolute(amount))
        const from = isLoss ? ends.left - width : ends.right
        if (isLoss) ends.left -= width
        else ends.right += width
        return { of, isLoss, from, width }
      })
    },
  }
}
