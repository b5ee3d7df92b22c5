/** One row of `out/bench.json`. */
export interface Measured {
  /** What was measured, in which unit, and compared with what. */
  readonly metric: string
  /** The product's median. */
  readonly ours: number
  /** The reference’s median, from the same run. */
  readonly against: number
  readonly ratio: number
  /** The highest ratio that meets the target. */
  readonly target: number
  readonly met: boolean
}

/** Turns the two medians into a row. Throws if the reference is zero, because the ratio would be meaningless. */
export function compare(metric: string, { ours, against, target }: Pick<Measured, 'ours' | 'against' | 'target'>): Measured {
  if (!(against > 0)) throw new Error(`${metric}: nothing to measure against (${against})`)
  const ratio = ours / against
  return { metric, ours, against, ratio, target, met: ratio <= target }
}

/** Formats a row as one readable line. */
export function lineOf({ metric, ours, against, ratio, target, met }: Measured): string {
  return `${met ? 'met    ' : 'NOT MET'} ${metric}: ours ${figure(ours)}, against ${figure(against)}, ratio ${ratio.toFixed(2)}, target ≤ ${Number(target.toFixed(2))}`
}

const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
