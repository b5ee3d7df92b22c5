import type { ChartView } from './chart-view.ts'

/** Half of a label's height with a pixel between two, and how far the mark's own label, which also counts down, reaches below. */
const labelReach = 11
const markReach = 29

/**
 * Moves every line to where its price is now, and its labels beside it where they would cover another's. Runs before each
 * drawing, so it writes the DOM and touches no state.
 */
export function placeLevels(layer: HTMLElement, view: ChartView): void {
  const height = layer.clientHeight
  const shown: { readonly line: HTMLElement; readonly y: number; readonly mark: boolean }[] = []
  for (const line of layer.querySelectorAll<HTMLElement>('[data-price]')) {
    const price = view.priceToY(Number(line.dataset.price))
    const y = price === null || price < 0 || price > height ? null : Math.round(price)
    line.style.setProperty('visibility', y === null ? 'hidden' : 'visible')
    if (y === null) continue
    // Not by a transform: that would stack each line with its labels over the labels of those before it.
    line.style.setProperty('top', `${y}px`)
    shown.push({ line, y, mark: line.dataset.mark === 'true' })
  }
  const shift = (lines: typeof shown, name: string) => {
    const places = spread(
      lines.map(({ y, mark }) => ({ at: y, above: labelReach, below: mark ? markReach : labelReach })),
      height,
    )
    for (const [index, { line, y }] of lines.entries()) line.style.setProperty(name, `${(places[index] ?? y) - y}px`)
  }
  shift(
    shown.filter(({ mark }) => !mark),
    '--tag-shift',
  )
  shift(shown, '--price-shift')
}

/** Moves the edges between sources of candles to where their time is now. */
export function placeEdges(layer: HTMLElement, view: ChartView): void {
  for (const edge of layer.querySelectorAll<HTMLElement>('[data-edge]')) {
    const x = view.edgeToX(Number(edge.dataset.edge))
    edge.style.setProperty('visibility', x === null ? 'hidden' : 'visible')
    if (x !== null) edge.style.setProperty('transform', `translateX(${Math.round(x)}px)`)
  }
}

/** Something with a height that wants to stand at `at`. */
interface Placed {
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
