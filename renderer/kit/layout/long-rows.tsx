import { Fragment, type ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'
import styles from './table.module.css'
import type { ShownRows } from './table.tsx'

interface LongRowsProps {
  readonly window: ShownRows
  readonly count: number
  readonly columns: number
  /**
   * Renders the row at an index (counted from 0), with its `aria-rowindex`. Its elements are reused for other rows.
   * Give every element that has state or can have the focus, or else the whole row, a `key` of the row's data.
   */
  readonly row: (index: number) => ReactNode
}

const Space = ({ rows, rowPx, columns }: { readonly rows: number; readonly rowPx: number; readonly columns: number }) =>
  rows <= 0 ? null : (
    <tr className={styles.rowSpace} data-part="space">
      <td colSpan={columns} style={{ height: rows * rowPx }} />
    </tr>
  )

/** The body of a long table: the rows of the window, and empty space for rows that are not drawn. The table needs `aria-rowcount`. */
export function LongRows({ window: { first, end, rowPx, slots }, count, columns, row }: LongRowsProps) {
  return (
    <tbody>
      <Space rows={first} rowPx={rowPx} columns={columns} />
      {Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset).map((index) => (
        <Fragment key={index % slots}>{row(index)}</Fragment>
      ))}
      <Space rows={count - end} rowPx={rowPx} columns={columns} />
    </tbody>
  )
}

/** Takes the place of a row whose page is not loaded yet. `index` counts from 0. */
export const WaitingRow = ({ index, columns }: { readonly index: number; readonly columns: number }) => (
  <tr aria-rowindex={index + 2}>
    <td colSpan={columns}>
      <Skeleton width={240} />
    </td>
  </tr>
)
