import { hash } from 'node:crypto'

export type Options<T> = readonly [T, ...T[]]

/** Makes random choices. A choice depends only on the seed and its own name, so adding another choice later changes no existing one. */
export interface Draw {
  readonly seed: number
  below(dimension: string, count: number): number
  pick<T>(dimension: string, options: Options<T>): T
  /**
   * Decides at random between true and false.
   * @param share the probability of true, from 0 to 1
   */
  chance(dimension: string, share: number): boolean
  shuffled<T>(dimension: string, list: readonly T[]): T[]
}

const resolution = 2 ** 32
const partsOfHash = 8

export function createDraw(seed: number): Draw {
  /** Returns `count` numbers from 0 to below 1, for one choice. */
  const parts = (dimension: string, count: number): number[] => {
    const digests = Array.from({ length: Math.ceil(count / partsOfHash) }, (_, index) => hash('sha256', `${seed}:${dimension}:${index}`, 'buffer'))
    return Array.from({ length: count }, (_, index) => (digests[Math.floor(index / partsOfHash)]?.readUInt32BE((index % partsOfHash) * 4) ?? 0) / resolution)
  }
  const part = (dimension: string): number => parts(dimension, 1)[0] ?? 0
  const below: Draw['below'] = (dimension, count) => Math.floor(part(dimension) * count)
  return {
    seed,
    below,
    pick: (dimension, options) => options[below(dimension, options.length)] ?? options[0],
    chance: (dimension, share) => part(dimension) < share,
    shuffled: (dimension, list) => {
      const places = parts(dimension, list.length)
      return list
        .map((item, index) => ({ item, place: places[index] ?? 0 }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ item }) => item)
    },
  }
}
