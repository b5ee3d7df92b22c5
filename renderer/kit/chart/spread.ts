/** Something with a height that wants to stand at `at`. */
export interface Placed {
  /** The wanted place in pixels from the top. */
  readonly at: number
  /** How far it reaches above and below its place. */
  readonly above: number
  readonly below: number
}

/**
 * Where each may stand so that none covers another: moved down as little as needed, and up again where that would leave
 * the room of `height` pixels. The answer has the order of `items`; equal places keep that order from top to bottom.
 */
export function spread(items: readonly Placed[], height: number): readonly number[] {
  const order = items.map((item, index) => ({ ...item, index })).sort((a, b) => a.at - b.at || a.index - b.index)
  let floor = 0
  const down = order.map((item) => {
    const at = Math.max(item.at, floor + item.above)
    floor = at + item.below
    return { ...item, at }
  })
  let ceiling = height
  const places: number[] = items.map((item) => item.at)
  for (const item of down.toReversed()) {
    const at = Math.min(item.at, ceiling - item.below)
    ceiling = at - item.above
    places[item.index] = at
  }
  return places
}
