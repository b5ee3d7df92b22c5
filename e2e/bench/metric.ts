/** One row of `out/bench.json`. */
export interface Measured {
  /** What was measured, in which unit, against what. */
  readonly metric: string
  /** The product's median. */
  readonly ours: number
  /** The median of what it is measured against, from the same run. */
  readonly against: number
  readonly ratio: number
  /** The most that the ratio may be. */
  readonly target: number
  readonly met: boolean
}

/** The two medians as a row. Throws where the reference measured nothing: a ratio to it would be made up. */
export function compare(metric: string, { ours, against, target }: Pick<Measured, 'ours' | 'against' | 'target'>): Measured {
  if (!(against > 0)) throw new Error(`${metric}: nothing to measure against (${against})`)
  const ratio = ours / against
  return { metric, ours, against, ratio, target, met: ratio <= target }
}

/** One line for people. */
export function lineOf({ metric, ours, against, ratio, target, met }: Measured): string {
  return `${met ? 'met    ' : 'NOT MET'} ${metric}: ours ${figure(ours)}, against ${figure(against)}, ratio ${ratio.toFixed(2)}, target ≤ ${Number(target.toFixed(2))}`
}

const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
