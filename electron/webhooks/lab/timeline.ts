interface Placed {
  /** Unix seconds. */
  readonly createdAt: number
  /** In the order of arrival. */
  readonly number: number
}

/** Ordered by `created_at`, then by arrival (Delivery rule 7: the seconds tie). */
export interface Timeline<T extends Placed> {
  /** Its place is found in O(log n). */
  add(item: T): void
  remove(item: T): void
  slice(from: number, to: number): readonly T[]
}

export function createTimeline<T extends Placed>(): Timeline<T> {
  const items: T[] = []
  const placeOf = (item: T): number => {
    let [low, high] = [0, items.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = items[middle]
      if (other !== undefined && (other.createdAt - item.createdAt || other.number - item.number) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    add: (item) => void items.splice(placeOf(item), 0, item),
    remove(item) {
      const place = placeOf(item)
      if (items[place] === item) items.splice(place, 1)
    },
    slice: (from, to) => items.slice(from, to),
  }
}
