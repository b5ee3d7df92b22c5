import { Fragment, type ReactNode } from 'react'
import { kitText } from '../../text/en/kit.en.tsx'
import { Skeleton } from './placeholders.tsx'
import styles from './table.module.css'
import type { ShownRows } from './table.tsx'

interface LongRowsProps {
  readonly window: ShownRows
  readonly count: number
  readonly columns: number
  /**
   * Draws the row with this index (from 0), including its `aria-rowindex`. DOM elements are reused for other rows. So an element that has state or
   * can have the focus needs a `key` made from the row's data.
   */
  readonly row: (index: number) => ReactNode
}

const Space = ({ rows, rowPx, columns }: { readonly rows: number; readonly rowPx: number; readonly columns: number }) =>
  rows <= 0 ? null : (
    <tr className={styles.rowSpace} data-part="space">
      <td colSpan={columns} style={{ height: rows * rowPx }} />
    </tr>
  )

/** The body of a long table: the rows that `window` selects, and empty space in place of all others. The table needs `aria-rowcount`. */
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

/** The text beside a table that still shows the rows of an earlier filter. */
export const LoadingRows = () => (
  <span className={styles.loadingRows} role="status">
    {kitText.loadingRows}
  </span>
)

/** Drawn in place of a row that is not loaded yet. `index` counts from 0. */
export const WaitingRow = ({ index, columns }: { readonly index: number; readonly columns: number }) => (
  <tr aria-rowindex={index + 2}>
    <td colSpan={columns}>
      <Skeleton width={240} />
    </td>
  </tr>
)
