import { type RefObject, useLayoutEffect, useState } from 'react'

/** Rows `first` up to but not including `end`, counted from 0. */
export interface RowWindow {
  readonly first: number
  readonly end: number
}

interface View {
  readonly count: number
  /** Height of every row. */
  readonly rowPx: number
  readonly scrolledPx: number
  readonly viewPx: number
}

/** The window moves in steps of so many rows, and reaches so many beyond what is seen: most scrolling draws nothing anew. */
const step = 12

/** The rows to draw: those in view and up to two steps on either side. */
export function rowWindow({ count, rowPx, scrolledPx, viewPx }: View): RowWindow {
  // A list that became shorter may still be scrolled to where its rows were.
  const fromPx = Math.max(0, Math.min(scrolledPx, count * rowPx - viewPx))
  const top = Math.floor(fromPx / rowPx / step) * step
  const bottom = Math.ceil((fromPx + viewPx) / rowPx / step) * step
  return { first: Math.max(0, top - step), end: Math.min(count, bottom + step) }
}

/**
 * Which rows of a long table are drawn while its box scrolls; `rowPx` is their height by the style sheet, measured once one of them
 * (`tr[aria-rowindex]` of a body) is there.
 */
export function useRowWindow(box: RefObject<HTMLElement | null>, count: number, rowPx: number): RowWindow & { readonly rowPx: number } {
  const [measured, setMeasured] = useState(rowPx)
  const [view, setView] = useState({ scrolledPx: 0, viewPx: 0 })
  const { first, end } = rowWindow({ count, rowPx: measured, ...view })

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const look = () => {
      const next = { scrolledPx: element.scrollTop, viewPx: element.clientHeight }
      setView((last) => {
        const [was, is] = [last, next].map((one) => rowWindow({ count, rowPx: measured, ...one }))
        return was?.first === is?.first && was?.end === is?.end ? last : next
      })
    }
    look()
    const resized = new ResizeObserver(look)
    resized.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [box, count, measured])

  useLayoutEffect(() => {
    const height = box.current?.querySelector('tbody tr[aria-rowindex]')?.getBoundingClientRect().height ?? 0
    if (height > 0 && Math.abs(height - measured) > 0.1) setMeasured(height)
  })

  return { first, end, rowPx: measured }
}
