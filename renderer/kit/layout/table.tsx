import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../cx.ts'
import { Icon } from '../icons/icon.tsx'
import textStyles from '../text.module.css'
import tableStyles from './table.module.css'

interface TableProps {
  /** Its name for screen readers. */
  readonly label: string
  readonly dense?: boolean
  readonly className?: string | undefined
  readonly busy?: boolean
  /** All its rows with the head, where not all of them are drawn; each drawn one then says its `aria-rowindex`. */
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

/** The window moves by this many rows at once, so most scrolling redraws nothing. */
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
  /** A row uses the slot of its index modulo this number, and redraws only what differs from the slot's previous row. */
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

/** Of a row of these tables, by the style sheet. */
const rowPx = 36
/** Asked for at a time, beginning at a multiple of a third of it: more than a window of rows, wherever it stands. */
const pageSize = 150

interface LogWindow {
  /** The box that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>
  /** The rows that are drawn. */
  readonly shown: ShownRows
  /** What to ask for, so that all of them are there. */
  readonly page: { readonly offset: number; readonly limit: number }
  /** Rows that fit; null: not known yet. */
  readonly total: number | null
  /** Call on every render with the answer's total. */
  readonly count: (total: number | null) => void
}

/** A log that is too long to be drawn or asked for whole. Another filter begins at its newest row. */
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
