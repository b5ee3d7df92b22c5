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

/** The window moves by so many rows at once: most scrolling draws nothing anew. */
const step = 12
/** Rows beyond what is seen until the next step, on either side. */
const margin = 6

/** Rows of any window of a box of that height, but for the ends of the list: those that leave it are as many as those that come. */
export const windowSize = ({ rowPx, viewPx }: Pick<View, 'rowPx' | 'viewPx'>): number => Math.ceil(viewPx / rowPx) + 1 + step + 2 * margin

/** The rows to draw: those in view and some on either side. */
export function rowWindow({ count, rowPx, scrolledPx, viewPx }: View): RowWindow {
  // A list that became shorter may still be scrolled to where its rows were.
  const fromPx = Math.max(0, Math.min(scrolledPx, count * rowPx - viewPx))
  const first = Math.floor(fromPx / rowPx / step) * step - margin
  return { first: Math.max(0, first), end: Math.min(count, first + windowSize({ rowPx, viewPx })) }
}

/** A window as a table needs it. */
export interface ShownRows extends RowWindow {
  readonly rowPx: number
  /** A row stands in the place that its index gives modulo this, and is drawn anew only as far as it differs from the one before it there. */
  readonly slots: number
}

/**
 * Which rows of a long table are drawn while its box scrolls; `rowPx` is their height by the style sheet, measured once one of them
 * (`tr[aria-rowindex]` of a body) is there.
 */
export function useRowWindow(box: RefObject<HTMLElement | null>, count: number, rowPx: number): ShownRows {
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
    // Told once everything has its place: to ask for a height at any other time would have the page laid out once more.
    const resized = new ResizeObserver(() => {
      look()
      const height = element.querySelector('tbody tr[aria-rowindex]')?.getBoundingClientRect().height ?? 0
      if (height > 0 && Math.abs(height - measured) > 0.1) setMeasured(height)
    })
    resized.observe(element)
    // It grows as its first rows come.
    const table = element.querySelector('table')
    if (table !== null) resized.observe(table)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [box, count, measured])

  return { first, end, rowPx: measured, slots: windowSize({ rowPx: measured, viewPx: view.viewPx }) }
}
