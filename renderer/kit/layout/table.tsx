import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../cx.ts'
import { Icon } from '../icons/icon.tsx'
import textStyles from '../text.module.css'
import tableStyles from './table.module.css'

interface TableProps {
  /** The table's name for screen readers. */
  readonly label: string
  readonly dense?: boolean
  readonly className?: string | undefined
  readonly busy?: boolean
  /** The number of all rows including the head, if not all are drawn. Each drawn row then has its `aria-rowindex`. */
  readonly rows?: number
  readonly children: ReactNode
}

export function Table({ label, dense = false, className, busy = false, rows, children }: TableProps) {
  return (
    <table className={cx(tableStyles.table, dense ? tableStyles.dense : '', className)} aria-label={label} aria-busy={busy || undefined} aria-rowcount={rows}>
      {children}
    </table>
  )
}

interface HeadCellProps {
  /** Aligns numbers to the right. */
  readonly numeric?: boolean
  readonly sort?: 'ascending' | 'descending' | 'none'
  /** Makes the head a button that sorts. */
  readonly onSort?: () => void
  readonly children?: ReactNode
}

export function HeadCell({ numeric = false, sort, onSort, children }: HeadCellProps) {
  return (
    <th scope="col" className={numeric ? textStyles.right : undefined} aria-sort={sort}>
      {onSort === undefined ? (
        children
      ) : (
        <button type="button" className={tableStyles.sortButton} onClick={onSort}>
          {children}
          {sort === 'ascending' ? <Icon name="arrow-up" size={12} /> : sort === 'descending' ? <Icon name="arrow-down" size={12} /> : null}
        </button>
      )}
    </th>
  )
}

/** Rows `first` up to but not including `end`, counted from 0. */
interface RowWindow {
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

/** The window of drawn rows moves by this many rows at once, so most scrolling redraws nothing. */
const step = 12
/** Rows drawn beyond the visible ones on either side, in addition to the step. */
const margin = 6

/** How many rows a window contains in a box of this height, except at the ends of the list. The number is constant, so rows can be reused. */
export const windowSize = ({ rowPx, viewPx }: Pick<View, 'rowPx' | 'viewPx'>): number => Math.ceil(viewPx / rowPx) + 1 + step + 2 * margin

/** The rows to draw: those in view and some on either side. */
export function rowWindow({ count, rowPx, scrolledPx, viewPx }: View): RowWindow {
  // The list may have become shorter than the scroll position.
  const fromPx = Math.max(0, Math.min(scrolledPx, count * rowPx - viewPx))
  const first = Math.floor(fromPx / rowPx / step) * step - margin
  return { first: Math.max(0, first), end: Math.min(count, first + windowSize({ rowPx, viewPx })) }
}

/** A row window with what a table needs to draw it. */
export interface ShownRows extends RowWindow {
  readonly rowPx: number
  /** The number of row elements to reuse: a row uses slot `index % slots`, and updates only what differs from the slot's previous row. */
  readonly slots: number
}

/**
 * Decides which rows of a long table to draw while its box scrolls. `rowPx` is their height in the style sheet.
 * The real height is measured once a body row (`tr[aria-rowindex]`) exists.
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
    // A `ResizeObserver` runs after layout. Measuring a height at any other time would force another layout.
    const resized = new ResizeObserver(() => {
      look()
      const height = element.querySelector('tbody tr[aria-rowindex]')?.getBoundingClientRect().height ?? 0
      if (height > 0 && Math.abs(height - measured) > 0.1) setMeasured(height)
    })
    resized.observe(element)
    // Watch the table's size too, because it grows when its first rows arrive.
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

/** The row height of long log tables in the style sheet. */
const rowPx = 36
/** Rows per request. Each request begins at a multiple of a third of this number, so that it always covers the drawn rows. */
const pageSize = 150

interface LogWindow {
  /** The box that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>
  /** The rows that the table must draw. */
  readonly shown: ShownRows
  /** The page to request, which covers all drawn rows. */
  readonly page: { readonly offset: number; readonly limit: number }
  /** The number of rows that match the filter; `null` if not known yet. */
  readonly total: number | null
  /** Call on every render with the answer's total. */
  readonly count: (total: number | null) => void
}

/** Draws and requests only part of a log that is too long to draw or request whole. A new filter scrolls to the newest row. */
export function useLogWindow(filter: unknown): LogWindow {
  const box = useRef<HTMLDivElement>(null)
  const [total, setTotal] = useState<number | null>(null)
  const shown = useRowWindow(box, total ?? 0, rowPx)
  const what = JSON.stringify(filter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => void box.current?.scrollTo(0, 0), [what])
  const offset = Math.floor(shown.first / (pageSize / 3)) * (pageSize / 3)
  return { box, shown, page: { offset, limit: pageSize }, total, count: (counted) => (counted === total ? undefined : setTotal(counted)) }
}
