import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { roundToStep } from '../../../shared/decimal.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { pressed } from '../key-bindings.ts'
import type { ChartView } from './chart-view.ts'
import type { Level } from './levels.ts'

interface LevelDrag {
  /** The line that the user is dragging, and the price at its place, rounded to the tick. */
  readonly dragged: { readonly id: string; readonly price: string } | null
  readonly grab: (level: Level, event: PointerEvent<HTMLElement>) => void
}

/** How many pixels the pointer may move after a press before this counts as a drag. */
const slack = 3

/**
 * Converts a vertical position to a price. Floating point is precise enough here: the price is only shown and put into a form, which the user
 * checks.
 */
function priceAt(y: number, view: ChartView, market: Market): string | null {
  const value = view.yToPrice(y)
  if (value === null || !(value > 0)) return null
  const text = value.toFixed(market.priceDecimals ?? 2)
  return market.tickSize === null ? text : roundToStep(text, market.tickSize)
}

/** Lets the user drag lines to another price. Escape, a press of another button, or losing the pointer cancels the drag. */
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
        // Ignore the press that started the drag, because it still reaches this listener.
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
        // Escape cancels only the drag. Stop the event, so that it doesn't also close an open overlay.
        key.stopPropagation()
        key.preventDefault()
        end()
      },
      { signal, capture: true },
    )
  }
  return { dragged, grab }
}
