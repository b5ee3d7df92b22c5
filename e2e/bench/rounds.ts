/** The middle value; for an even count, the mean of the two middle values. Throws for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  if (upper === undefined || lower === undefined) throw new Error('There is no median of nothing')
  return (upper + lower) / 2
}

/**
 * The spread of the values: their interquartile range, from the first quartile to the third, interpolated between neighbours. 0 for a single value.
 * Throws for an empty list.
 */
export function spreadOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const quantile = (share: number): number => {
    const place = (sorted.length - 1) * share
    const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
    if (below === undefined || above === undefined) throw new Error('There is no spread of nothing')
    return below + (above - below) * (place - Math.floor(place))
  }
  return quantile(0.75) - quantile(0.25)
}

/** Measures one implementation once. All samples of a comparison use the same unit. */
export type Sample = () => Promise<number> | number

export interface Rounds {
  /** Number of measured rounds. An additional first round only warms up and is not measured. */
  readonly rounds: number
  /** How often each compared implementation is sampled in one round. */
  readonly turns: number
  readonly seed: number
}

/** Returns a random number generator (mulberry32) with results from 0 to below 1. The same seed gives the same numbers. */
export function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  const order: T[] = []
  for (const value of values) order.splice(Math.floor(random() * (order.length + 1)), 0, value)
  return order
}

/**
 * Samples the compared implementations (`sides`) in turn, so that other load on the machine affects all of them equally. The order changes each turn,
 * because each implementation inherits the caches and the garbage of the previous one. A round’s result is the median of its samples. Returns the
 * results of all rounds for each implementation, in order.
 */
export async function interleave<N extends string>(sides: Readonly<Record<N, Sample>>, { rounds, turns, seed }: Rounds): Promise<Record<N, number[]>> {
  const random = createRandom(seed)
  const names = Object.keys(sides) as N[] // safe cast: these are the keys of `sides`
  const figures = new Map<N, number[]>(names.map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    const samples = new Map<N, number[]>(names.map((name) => [name, []]))
    for (let turn = 0; turn < turns; turn += 1) for (const name of shuffled(names, random)) samples.get(name)?.push(await sides[name]())
    if (round > 0) for (const name of names) figures.get(name)?.push(median(samples.get(name) ?? []))
  }
  return Object.fromEntries(figures) as Record<N, number[]> // safe cast: the object has one entry for each name
}
