import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { cx } from '../cx.ts'
import { Icon } from '../icons/icon.tsx'
import textStyles from '../text.module.css'
import tableStyles from './table.module.css'

interface TableProps {
  readonly label: string
  readonly dense?: boolean
  readonly className?: string | undefined
  readonly busy?: boolean
  /** The number of all rows including the head. Set it if not all of them are drawn; each drawn row then needs `aria-rowindex`. */
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
  readonly numeric?: boolean
  readonly sort?: 'ascending' | 'descending' | 'none'
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

/** The rows to draw: from index `first` up to but not including `end`, counted from 0. */
interface RowWindow {
  readonly first: number
  readonly end: number
}

interface View {
  readonly count: number
  readonly rowPx: number
  readonly scrolledPx: number
  readonly viewPx: number
}

/** By how many rows at once the range of drawn rows moves. Most scrolling therefore redraws nothing. */
const step = 12
/** How many rows to draw above and below the visible ones, in addition to `step`. */
const margin = 6

/** How many rows to draw in a box of this height. The number is constant except at the ends of the list, so that DOM elements can be reused. */
export const windowSize = ({ rowPx, viewPx }: Pick<View, 'rowPx' | 'viewPx'>): number => Math.ceil(viewPx / rowPx) + 1 + step + 2 * margin

/** Selects the rows to draw: the visible ones and some above and below. */
export function rowWindow({ count, rowPx, scrolledPx, viewPx }: View): RowWindow {
  const fromPx = Math.max(0, Math.min(scrolledPx, count * rowPx - viewPx))
  const first = Math.floor(fromPx / rowPx / step) * step - margin
  return { first: Math.max(0, first), end: Math.min(count, first + windowSize({ rowPx, viewPx })) }
}

/** The rows to draw, with everything that the table needs for drawing them. */
export interface ShownRows extends RowWindow {
  readonly rowPx: number
  /** The number of DOM rows that are reused. The row at `index` uses slot `index % slots`, whose earlier row it replaces. */
  readonly slots: number
}

/**
 * Selects which rows of a long table to draw while its box scrolls. `rowPx` is the row height in the style sheet; once a row (`tr[aria-rowindex]`)
 * is drawn, its real height is measured.
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
    // Measure heights only in a `ResizeObserver`, which runs after layout. At other times, measuring would force another layout.
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
/** One request loads this many rows. Requests start at every third of this number, so they overlap, and one request always covers all drawn rows. */
const pageSize = 150

interface LogWindow {
  readonly box: RefObject<HTMLDivElement | null>
  readonly shown: ShownRows
  readonly page: { readonly offset: number; readonly limit: number }
  /** The number of rows that match the filter; `null` until known. */
  readonly total: number | null
  /** Call this on every render with the query. Returns true while its rows still belong to an earlier filter, so the table must say that it is loading. */
  readonly take: (page: { readonly data: { readonly total: number } | undefined; readonly isPlaceholderData: boolean }) => boolean
}

/** For a log that is too long to load or draw as a whole: selects which rows to load and draw. A change of the filter scrolls to the newest row. */
export function useLogWindow(filter: unknown): LogWindow {
  const box = useRef<HTMLDivElement>(null)
  const [total, setTotal] = useState<number | null>(null)
  const shown = useRowWindow(box, total ?? 0, rowPx)
  const what = JSON.stringify(filter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => void box.current?.scrollTo(0, 0), [what])
  const offset = Math.floor(shown.first / (pageSize / 3)) * (pageSize / 3)
  const answered = useRef(what)
  return {
    ...{ box, shown, total },
    page: { offset, limit: pageSize },
    take: ({ data, isPlaceholderData }) => {
      const counted = data?.total ?? null
      if (counted !== total) setTotal(counted)
      if (!isPlaceholderData) answered.current = what
      return data !== undefined && answered.current !== what
    },
  }
}
