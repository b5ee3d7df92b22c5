import { median, spreadOf } from './rounds.ts'

/** One measurement. */
export interface Measured {
  /** Name of the metric: what is measured, the unit, and the reference. */
  readonly metric: string
  /** Median of the product’s rounds. */
  readonly ours: number
  /** Median of the reference’s rounds from the same run. */
  readonly against: number
  readonly ratio: number
  /** The target is met if the ratio of `ours` to `against` is at most this number. */
  readonly target: number
  readonly met: boolean
  /** Interquartile ranges over the rounds, in the unit of each figure. 0 for a figure that was measured once. */
  readonly spread: { readonly ours: number; readonly against: number; readonly ratio: number }
  /** The result of each round, in order. */
  readonly rounds: { readonly ours: readonly number[]; readonly against: readonly number[] }
}

/** The results of all rounds, or one fixed figure. */
export type Series = number | readonly number[]

export interface Sides {
  readonly ours: Series
  readonly against: Series
  readonly target: number
}

const listed = (series: Series): readonly number[] => (typeof series === 'number' ? [series] : series)

/**
 * Calculates the ratio of the two medians, and the spreads. The ratio’s spread is that of the rounds’ own ratios, because both sides of a round share
 * the machine’s load. Throws if the reference is zero, because the ratio would be meaningless.
 */
export function compare(metric: string, { target, ...sides }: Sides): Measured {
  const rounds = { ours: listed(sides.ours), against: listed(sides.against) }
  const [ours, against] = [median(rounds.ours), median(rounds.against)]
  if (!(against > 0)) throw new Error(`${metric}: nothing to measure against (${against})`)
  const ratio = ours / against
  const ratios = rounds.ours.map((one, round) => one / (rounds.against.length === rounds.ours.length ? (rounds.against[round] ?? against) : against))
  const spread = { ours: spreadOf(rounds.ours), against: spreadOf(rounds.against), ratio: spreadOf(ratios) }
  return { metric, ours, against, ratio, target, met: ratio <= target, spread, rounds }
}

export function lineOf({ metric, ours, against, ratio, target, met, spread }: Measured): string {
  return `${met ? 'met    ' : 'NOT MET'} ${metric}: ours ${figure(ours)}, against ${figure(against)}, ratio ${ratio.toFixed(2)} (spread ${spread.ratio.toFixed(2)}), target ≤ ${Number(target.toFixed(2))}`
}

export const figure = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
