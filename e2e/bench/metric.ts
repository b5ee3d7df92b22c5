/** One measurement in `out/bench.json`. */
export interface Measured {
  /** Name of the metric: what is measured, the unit, and the reference. */
  readonly metric: string
  /** Median of the product’s samples. */
  readonly ours: number
  /** Median of the reference’s samples from the same run. */
  readonly against: number
  readonly ratio: number
  /** The target is met if the ratio of `ours` to `against` is at most this number. */
  readonly target: number
  readonly met: boolean
}

/** Calculates the ratio of the two medians. Throws if the reference is zero, because the ratio would be meaningless. */
export function compare(metric: string, { ours, against, target }: Pick<Measured, 'ours' | 'against' | 'target'>): Measured {
  if (!(against > 0)) throw new Error(`${metric}: nothing to measure against (${against})`)
  const ratio = ours / against
  return { metric, ours, against, ratio, target, met: ratio <= target }
}

export function lineOf({ metric, ours, against, ratio, target, met }: Measured): string {
  return `${met ? 'met    ' : 'NOT MET'} ${metric}: ours ${figure(ours)}, against ${figure(against)}, ratio ${ratio.toFixed(2)}, target ≤ ${Number(target.toFixed(2))}`
}

const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
