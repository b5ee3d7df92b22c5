import { createHash } from 'node:crypto'

export type Options<T> = readonly [T, ...T[]]

/**
 * Choices that follow from a seed and the name of what is chosen, and from nothing else: another choice, added or asked for
 * earlier, changes none of them.
 */
export interface Draw {
  readonly seed: number
  /** From 0 to below `count`. */
  below(dimension: string, count: number): number
  pick<T>(dimension: string, options: Options<T>): T
  /** @param share from 0 to 1 */
  chance(dimension: string, share: number): boolean
  shuffled<T>(dimension: string, list: readonly T[]): T[]
}

const resolution = 2 ** 32

export function createDraw(seed: number): Draw {
  const part = (dimension: string): number => createHash('sha256').update(`${seed}:${dimension}`).digest().readUInt32BE(0) / resolution
  const below: Draw['below'] = (dimension, count) => Math.floor(part(dimension) * count)
  return {
    seed,
    below,
    pick: (dimension, options) => options[below(dimension, options.length)] ?? options[0],
    chance: (dimension, share) => part(dimension) < share,
    shuffled: (dimension, list) =>
      list
        .map((item, index) => ({ item, at: part(`${dimension}:${index}`) }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ item }) => item),
  }
}
