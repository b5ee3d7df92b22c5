import { memo, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { formatCount } from '../../../shared/decimal.ts'
import type { HistoryFilter, HistoryRow, HistoryTable as TableName } from '../../../shared/ipc/reads/account-history.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { LoadingRows, LongRows, WaitingRow } from '../../kit/layout/long-rows.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Empty, SkeletonRows } from '../../kit/layout/placeholders.tsx'
import { HeadCell, Table, useLogWindow } from '../../kit/layout/table.tsx'
import { useAmountText } from '../../kit/number.tsx'
import { ExportMenu, Menu } from '../../kit/overlay/menu.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import textStyles from '../../kit/text.module.css'
import { rowTime, Time, titleTime, useVisible } from '../../kit/time/time.tsx'
import { FailureNote, FailurePanel } from '../../parts/failure-note.tsx'
import { accountText } from '../../text/en/account.en.tsx'
import { tableCutText, tableUnreadText } from '../../text/page-cut-text.ts'
import styles from './account.module.css'
import { foldWidths, HistoryFilters, historyColumns, isFiltered, noFilter } from './history-filters.tsx'
import type { WalletView } from './wallet-view.ts'

const newerEvery = 5 * second
/** The table requests the next page when the user scrolls to within this many rows of the last row. */
const readAhead = 40
/**
 * Up to this scroll position, the table counts as scrolled to the top, and newer rows appear automatically. Further down, they would move the rows
 * that the user is reading.
 */
const topPx = 4

const empty: Readonly<Record<TableName, { readonly title: string; readonly text: string }>> = {
  orders: { title: accountText.noOrdersYet, text: accountText.noOrdersYetHelp },
  trades: { title: accountText.noTradesYet, text: accountText.noTradesYetHelp },
  history: { title: accountText.noClosedYet, text: accountText.noClosedYetHelp },
  transactions: { title: accountText.noActionsYet, text: accountText.noActionsYetHelp },
}

const folds = foldWidths.map((width) => ({ width, query: matchMedia(`(max-width: ${width}px)`) }))
const followWidth = (listener: () => void): (() => void) => {
  for (const { query } of folds) query.addEventListener('change', listener)
  return () => {
    for (const { query } of folds) query.removeEventListener('change', listener)
  }
}
/** The smallest fold width that the window does not exceed; infinite for a wide window. Columns with at least this fold width fold away. */
const foldedFrom = (): number => Math.min(...folds.map(({ width, query }) => (query.matches ? width : Number.POSITIVE_INFINITY)))

interface LineProps {
  readonly row: HistoryRow
  readonly index: number
  readonly market: Market | undefined
  readonly columns: (typeof historyColumns)[TableName]
  readonly onOpen: (row: HistoryRow) => void
}

/** Compares the content of two rows, because another page may contain the same row as a different object. */
const isSame = (one: HistoryRow, other: HistoryRow): boolean => one === other || (one.key === other.key && JSON.stringify(one) === JSON.stringify(other))
const isSameLine = (before: LineProps, now: LineProps): boolean =>
  before.index === now.index && before.market === now.market && before.columns === now.columns && before.onOpen === now.onOpen && isSame(before.row, now.row)

const Line = memo(function Line({ row, index, market, columns, onOpen }: LineProps) {
  const text = useAmountText()
  return (
    <tr aria-rowindex={index + 2}>
      <td>
        <button
          key={row.key}
          type="button"
          className={styles.tableOpen}
          onClick={() => onOpen(row)}
          title={row.atMs === null ? accountText.details : titleTime(row.atMs)}
        >
          {row.atMs === null ? accountText.noTime : rowTime(row.atMs)}
        </button>
      </td>
      {columns.map((column) => (
        <td key={column.id} className={column.numeric ? textStyles.right : undefined}>
          {column.cell(row, market, text)}
        </td>
      ))}
    </tr>
  )
}, isSameLine)

const looks: Readonly<Partial<Record<TableName, string | undefined>>> = {
  orders: styles.orders,
  trades: styles.trades,
  history: styles.history,
  transactions: styles.transactions,
}

interface HistoryTableProps {
  readonly view: WalletView
  readonly table: TableName
  readonly label: string
  readonly markets: readonly Market[]
  readonly onOpen: (row: HistoryRow) => void
  /** Opens the search for an order by its client order id. Absent for watch-only wallets and for tables other than orders and transactions. */
  readonly onFind?: (() => void) | undefined
}

/** A history table. Loads further pages while the user scrolls, adds newer rows as they arrive, and shows each row once (ACC-02). */
export function HistoryTable({ view: { watch }, table, label, markets, onOpen, onFind }: HistoryTableProps) {
  const toast = useToast()
  const visible = useVisible()
  const [filter, setFilter] = useState<HistoryFilter>(noFilter)
  const subject = { watch, table }
  const { box, shown, total, take, page: place } = useLogWindow({ ...subject, ...filter })
  const page = useIpcQuery('account.history', { ...subject, ...filter, ...place }, { keepPrevious: true })
  const data = page.data
  const isOld = take(page)
  const hidden = useIpcQuery('account.columns', {})
  const saveColumns = useIpcCommand('account.saveColumns')
  const older = useIpcCommand('account.readOlder')
  const newer = useIpcCommand('account.readNewer')
  const save = useIpcCommand('account.export')
  const stop = useIpcCommand('account.stopReading')

  const hiddenIds = hidden.data?.hidden ?? []
  const folded = useSyncExternalStore(followWidth, foldedFrom)
  const columns = useMemo(() => {
    const away = new Set(hidden.data?.hidden)
    return historyColumns[table].filter(({ id, foldsAt = 0 }) => !away.has(`${table}.${id}`) && foldsAt < folded)
  }, [table, hidden.data, folded])
  const byId = useMemo(() => new Map(markets.map((market) => [market.id, market])), [markets])

  const wantsMore = data !== undefined && !data.complete && !older.isPending && older.error === null && !save.isPending && shown.end + readAhead >= data.total
  const { mutate: readOlder } = older
  const asked = useRef({ ...subject, ...filter })
  asked.current = { ...subject, ...filter }
  useEffect(() => {
    if (wantsMore) readOlder(asked.current)
  }, [wantsMore, readOlder])

  const { mutate: readNewer } = newer
  const ready = data !== undefined && visible
  useEffect(() => {
    if (!ready) return
    const look = () => readNewer({ watch, table, show: (box.current?.scrollTop ?? 0) <= topPx })
    // Check for newer rows at once, because the last read may be long ago.
    look()
    const timer = setInterval(look, newerEvery)
    return () => clearInterval(timer)
  }, [ready, readNewer, watch, table, box])

  const write = (format: 'csv' | 'json') =>
    save.mutate(
      { ...subject, ...filter, format },
      {
        onSuccess: ({ state, rows, path, incomplete }) => {
          if (state !== 'saved') return
          const text = incomplete ? `${accountText.fileIncomplete} ${path ?? ''}` : (path ?? '')
          toast({ tone: incomplete ? 'warn' : 'ok', title: accountText.rowsSaved(formatCount(rows), rows), text, action: null })
        },
      },
    )
  const showNewer = () => {
    readNewer({ ...subject, show: true })
    box.current?.scrollTo(0, 0)
  }
  const rowAt = (index: number) => {
    const row = data?.rows[index - data.offset]
    return row === undefined ? (
      <WaitingRow index={index} columns={columns.length + 1} />
    ) : (
      <Line row={row} index={index} market={row.pairId === null ? undefined : byId.get(row.pairId)} columns={columns} onOpen={onOpen} />
    )
  }
  const failure = page.error ?? newer.error
  return (
    <>
      <div className={styles.tableBar}>
        <HistoryFilters filter={filter} onChange={setFilter} symbols={data?.symbols ?? []} states={data?.states ?? []} />
        <span className={panelStyles.end}>
          <Menu
            label={accountText.columns}
            align="end"
            entries={historyColumns[table].map(({ id, head, foldsAt = 0 }) => {
              const name = `${table}.${id}`
              const isHidden = hiddenIds.includes(name)
              return {
                label: head,
                checked: !isHidden,
                ...(foldsAt < folded ? {} : { note: accountText.inDetails }),
                onSelect: () => saveColumns.mutate({ hidden: isHidden ? hiddenIds.filter((one) => one !== name) : [...hiddenIds, name] }),
              }
            })}
            trigger={(props) => (
              <Button size="sm" variant="ghost" icon="eye" {...props}>
                {accountText.columns}
              </Button>
            )}
          />
          <ExportMenu label={accountText.export} busy={save.isPending} onExport={write} />
        </span>
      </div>
      {save.error === null ? null : <FailureNote failure={failureOf(save.error)} />}
      {older.error === null ? null : <FailureNote failure={failureOf(older.error)} onRetry={() => older.mutate(asked.current)} retrying={older.isPending} />}
      {data === undefined && page.error !== null ? (
        <FailurePanel failure={failureOf(page.error)} onRetry={() => void page.refetch()} retrying={page.isFetching} />
      ) : data !== undefined && data.total === 0 && data.complete && !isOld ? (
        isFiltered(filter) ? (
          <Empty
            icon="filter"
            title={accountText.noMatches}
            actions={
              <Button size="sm" onClick={() => setFilter(noFilter)}>
                {accountText.clearFilter}
              </Button>
            }
          >
            {accountText.noMatchesHelp(formatCount(data.read))}
          </Empty>
        ) : (
          <Empty title={empty[table].title}>{empty[table].text}</Empty>
        )
      ) : (
        <div className={styles.tableScroll} data-part="scroll" ref={box}>
          <Table label={label} className={looks[table]} dense busy={data === undefined || isOld} rows={(total ?? 0) + 1}>
            <thead>
              <tr>
                <HeadCell sort="descending">{accountText.time}</HeadCell>
                {columns.map(({ id, head, numeric }) => (
                  <HeadCell key={id} numeric={numeric ?? false}>
                    {head}
                  </HeadCell>
                ))}
              </tr>
            </thead>
            {data === undefined ? (
              <SkeletonRows rows={10} columns={columns.length + 1} numeric={[]} />
            ) : (
              <LongRows window={shown} count={data.total} columns={columns.length + 1} row={rowAt} />
            )}
          </Table>
        </div>
      )}
      <div className={cx(panelStyles.panelFoot, styles.tableFoot)} data-part="foot" aria-live="polite">
        {data === undefined ? (
          <span>{accountText.readingTheFirstRows}</span>
        ) : isOld ? (
          <LoadingRows />
        ) : (
          <span>
            {rowsText(data.total, isFiltered(filter) ? data.read : null, data.complete)}
            {data.cut ? <b className={textStyles.warn}> · {tableCutText}</b> : null}
            {data.unreadable ? <b className={textStyles.warn}> · {tableUnreadText}</b> : null}
          </span>
        )}
        {onFind === undefined ? null : (
          <Button size="xs" variant="ghost" icon="search" onClick={onFind}>
            {accountText.findByClientOrderId}
          </Button>
        )}
        {data === undefined || data.newer === 0 ? null : (
          <button type="button" className={styles.newer} onClick={showNewer}>
            <Icon name="arrow-up" size={12} />
            {accountText.newer(formatCount(data.newer))}
          </button>
        )}
        {save.isPending && data !== undefined && !data.complete ? (
          <>
            <span className={textStyles.warn}>{accountText.readingForExport(formatCount(data.read))}</span>
            <Button size="xs" onClick={() => stop.mutate({ watch })}>
              {accountText.stop}
            </Button>
          </>
        ) : null}
        {data === undefined ? null : (
          <span className={failure === null ? panelStyles.end : cx(panelStyles.end, textStyles.warn)}>
            {(failure === null ? accountText.readAgo : accountText.staleReadAgo)(<Time ms={data.readAtMs} />)}
          </span>
        )}
      </div>
    </>
  )
}

/** A text that says how many rows match, how many rows were read, and whether the app has not read older rows yet. */
function rowsText(total: number, read: number | null, complete: boolean): string {
  const rows = formatCount(total)
  const filtered = read === null ? null : formatCount(read)
  if (filtered === null) return complete ? accountText.rowCount(rows, total) : accountText.rowCountSoFar(rows, total)
  return complete ? accountText.filteredRows(rows, total, filtered) : accountText.filteredRowsSoFar(rows, total, filtered)
}
