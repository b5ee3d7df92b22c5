import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { roundToStep } from '../../../shared/decimal.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { pressed } from '../key-bindings.ts'
import type { ChartView } from './chart-view.ts'
import type { Level } from './levels.ts'

interface LevelDrag {
  /** The line being dragged, and the price it is dragged to, a multiple of the tick. */
  readonly dragged: { readonly id: string; readonly price: string } | null
  readonly grab: (level: Level, event: PointerEvent<HTMLElement>) => void
}

/** A press may move this many pixels before it counts as a drag. */
const slack = 3

/** Converts a screen position to a price. The price is only shown and filled into a form: nothing uses it before the user sees it there. */
function priceAt(y: number, view: ChartView, market: Market): string | null {
  const value = view.yToPrice(y)
  if (value === null || !(value > 0)) return null
  const text = value.toFixed(market.priceDecimals ?? 2)
  return market.tickSize === null ? text : roundToStep(text, market.tickSize)
}

/** Lets the user drag lines to another price. Escape, a second button or a lost pointer cancels the drag. */
export function useLevelDrag(
  layer: RefObject<HTMLElement | null>,
  view: RefObject<ChartView | null>,
  market: Market,
  onMove: (level: Level, price: string) => void,
): LevelDrag {
  const [dragged, setDragged] = useState<LevelDrag['dragged']>(null)
  const stop = useRef<(() => void) | null>(null)
  useEffect(() => () => stop.current?.(), [])

  const grab = (level: Level, event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || stop.current !== null) return
    event.preventDefault()
    const startY = event.clientY
    let price: string | null = null
    const follow = (move: globalThis.PointerEvent) => {
      const box = layer.current?.getBoundingClientRect()
      if (box === undefined || view.current === null || (price === null && Math.abs(move.clientY - startY) < slack)) return
      const y = Math.min(Math.max(move.clientY - box.top, 0), box.height)
      price = priceAt(y, view.current, market) ?? price
      if (price !== null) setDragged({ id: level.id, price })
    }
    const end = () => {
      listening.abort()
      stop.current = null
      setDragged(null)
    }
    const listening = new AbortController()
    const { signal } = listening
    stop.current = end
    globalThis.addEventListener('pointermove', follow, { signal })
    globalThis.addEventListener(
      'pointerup',
      () => {
        const at = price
        end()
        if (at !== null && at !== level.price) onMove(level, at)
      },
      { signal },
    )
    globalThis.addEventListener(
      'pointerdown',
      (other) => {
        // The press that started the drag is still bubbling up, and must not end it.
        if (other !== event.nativeEvent) end()
      },
      { signal },
    )
    globalThis.addEventListener('pointercancel', end, { signal })
    globalThis.addEventListener('blur', end, { signal })
    globalThis.addEventListener(
      'keydown',
      (key) => {
        if (pressed(key, 'escape') === null) return
        // Escape cancels only the drag, not an open overlay.
        key.stopPropagation()
        key.preventDefault()
        end()
      },
      { signal, capture: true },
    )
  }
  return { dragged, grab }
}
