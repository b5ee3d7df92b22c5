import type { ReactNode } from 'react'
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
  /** Numbers stand at the right. */
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
