import type { KeyboardEvent } from 'react'
import type { OpenOrder, Position } from '../../../../shared/ipc/reads/account.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { keysTitle, pressed, usePageKeys } from '../../../kit/key-bindings.ts'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import notesStyles from '../../../kit/layout/notes.module.css'
import { Menu, type MenuEntry } from '../../../kit/overlay/menu.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from '../trade.module.css'
import type { RowActions } from './row-forms.tsx'
import { changeIssue, changePositionIssue, marginIssue, positionIssue, type RowUnderway, underwayAt } from './row-subjects.ts'

function UnderwayLink({ at }: { readonly at: RowUnderway | null }) {
  if (at === null) return null
  return (
    <Link
      to={`activity/${at.ref}`}
      className={at.unknown ? cx(notesStyles.state, notesStyles.warn, styles.rowBusy) : cx(notesStyles.state, notesStyles.busy, styles.rowBusy)}
    >
      <Icon name={at.unknown ? 'unknown' : 'hourglass'} />
      {at.text}
    </Link>
  )
}

/** A Close button, and a menu of a position's other actions. */
export function PositionActions({ position, market, symbol, forms }: { position: Position; market: Market | undefined; symbol: string; forms: RowActions }) {
  const name = tradeText.positionName(position.side, symbol)
  const issue = positionIssue(position)
  const change = changePositionIssue(position, market)
  const isolated = marginIssue(position)
  const busy = underwayAt(forms.underway, { positionId: position.id })
  const entry = (
    label: string,
    icon: 'x' | 'swap' | 'target' | 'coins' | 'settings',
    action: Parameters<RowActions['onPosition']>[1],
    why: string | null = null,
  ) => ({
    ...{ label, icon, disabled: (action === 'close' ? issue : change) !== null || why !== null, onSelect: () => forms.onPosition(position, action) },
    ...(why === null ? {} : { note: why }),
  })
  const entries: readonly MenuEntry[] = [
    ...(change === null ? [] : [{ type: 'heading' as const, label: change }]),
    entry(tradeText.closeRow, 'x', 'close'),
    entry(tradeText.invert, 'swap', 'invert'),
    entry(tradeText.takeProfitAndStopLoss, 'target', 'exits'),
    { type: 'separator' },
    entry(tradeText.addOrRemoveMargin, 'coins', 'margin', isolated),
    entry(tradeText.changeLeverage, 'settings', 'leverage', isolated),
  ]
  return (
    <span className={styles.rowActions}>
      <UnderwayLink at={busy} />
      {busy?.left === true ? null : (
        <Button
          size="xs"
          disabled={issue !== null}
          title={issue ?? keysTitle('closeWhole')}
          onClick={() => forms.onPosition(position, 'close')}
          aria-label={tradeText.closeNamed(name, issue)}
        >
          {tradeText.closeRow}
        </Button>
      )}
      <Menu
        label={tradeText.actionsFor(name)}
        align="end"
        entries={entries}
        trigger={(props) => <IconButton icon="more" size="xs" label={tradeText.actionsFor(name)} {...props} />}
      />
    </span>
  )
}

/** Buttons to cancel or change an order. If an order only closes a position, the labels say so. */
export function OrderActions({ row, market, symbol, forms }: { row: OpenOrder; market: Market | undefined; symbol: string; forms: RowActions }) {
  const name = tradeText.orderName([row.type, row.side].filter((word) => word !== null).join(' '), symbol)
  const issue = row.id === '' ? tradeText.serviceGivesNoId : null
  const change = issue ?? changeIssue(row, market)
  const busy = underwayAt(forms.underway, { orderId: row.id })
  return (
    <span className={styles.rowActions}>
      <UnderwayLink at={busy} />
      <Button
        size="xs"
        variant="ghost"
        disabled={change !== null}
        title={change ?? undefined}
        onClick={() => forms.onOrder(row, 'replace')}
        aria-label={tradeText.changeNamed(name, change)}
      >
        {tradeText.change}
      </Button>
      {busy?.left === true ? null : (
        <Button
          size="xs"
          busy={forms.cancelling === row.id}
          disabled={issue !== null}
          title={issue ?? keysTitle('cancelOrder')}
          onClick={() => forms.onOrder(row, 'cancel')}
          aria-label={tradeText.cancelNamed(name, issue)}
        >
          {tradeText.cancelRow}
        </Button>
      )}
    </span>
  )
}

interface RowKeys {
  /** The market that the page shows; `undefined` if it shows none. */
  readonly market: Market | undefined
  readonly positions: readonly Position[] | undefined
  readonly orders: readonly OpenOrder[] | undefined
  readonly forms: RowActions
}

/** The row on which a shortcut acts: the row with the focus, otherwise the first row of the market shown (its first position or newest order). */
function chosenRow<Row extends OpenOrder | Position>(rows: readonly Row[], pairId: number | undefined): Row | undefined {
  const focused = document.activeElement?.closest<HTMLElement>('tr[data-row]')?.dataset.row
  return rows.find(({ id }) => id === focused) ?? rows.find((row) => row.pairId === pairId)
}

/** The shortcuts that cancel orders and close positions. Each leads to the review, and nothing is sent before the wallet signs. */
export function useRowKeys({ market, positions = [], orders = [], forms }: RowKeys): void {
  const navigate = useNavigate()
  const toast = useToast()
  const nothing = (title: string) => toast({ tone: 'info', title, text: '', action: null })
  const close = (part: string) => {
    const closable = positions.filter((one) => positionIssue(one) === null && underwayAt(forms.underway, { positionId: one.id })?.left !== true)
    const position = chosenRow(closable, market?.id)
    if (position === undefined) nothing(tradeText.noPositionToClose(market?.symbol ?? null))
    else forms.onPosition(position, 'close', { part })
  }
  usePageKeys({
    cancelOrder: () => {
      const open = orders.filter(({ id }) => id !== '' && underwayAt(forms.underway, { orderId: id })?.left !== true)
      const order = chosenRow(
        open.toSorted((a, b) => (b.atMs ?? 0) - (a.atMs ?? 0)),
        market?.id,
      )
      if (order === undefined) nothing(tradeText.noOrderToCancel(market?.symbol ?? null))
      else forms.onOrder(order, 'cancel')
    },
    cancelAll: () => navigate('trade/stop?what=cancel_all'),
    closeQuarter: () => close('25'),
    closeHalf: () => close('50'),
    closeWhole: () => close('100'),
  })
}

const control = 'button:not(:disabled), a[href]'
const isShown = (element: HTMLElement): boolean => element.closest('[role=menu]') === null

/**
 * Moves the focus in a table whose rows have the same controls. Up and down move to the same control in another row; left and right move within
 * the row.
 */
export function moveInRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const from = event.target instanceof HTMLElement ? event.target : null
  const row = from?.closest('tr') ?? null
  if (from === null || row === null || !isShown(from)) return
  const rows = [...event.currentTarget.rows]
  const controlsOf = (of: HTMLTableRowElement) => [...of.querySelectorAll<HTMLElement>(control)].filter(isShown)
  const own = controlsOf(row)
  const [at, line] = [own.indexOf(from), rows.indexOf(row)]
  const to = target(pressed(event, ...rowKeys), at, line, rows.length, own.length)
  if (to === null) return
  const next = rows[to.line]
  if (next === undefined) return
  event.preventDefault()
  const there = controlsOf(next)
  // A row with a running action has fewer controls. Its controls line up on the right, so count their positions from the right.
  const fromEnd = own.length - 1 - to.at
  ;(to.line === line ? there[to.at] : (there[there.length - 1 - fromEnd] ?? there[0]))?.focus()
}

const rowKeys = ['rowDown', 'rowUp', 'rowRight', 'rowLeft', 'rowFirst', 'rowLast'] as const

function target(
  key: (typeof rowKeys)[number] | null,
  at: number,
  line: number,
  lines: number,
  width: number,
): { readonly line: number; readonly at: number } | null {
  switch (key) {
    case 'rowDown':
      return { line: Math.min(line + 1, lines - 1), at }
    case 'rowUp':
      return { line: Math.max(line - 1, 0), at }
    case 'rowRight':
      return { line, at: Math.min(at + 1, width - 1) }
    case 'rowLeft':
      return { line, at: Math.max(at - 1, 0) }
    case 'rowFirst':
      return { line: 0, at }
    case 'rowLast':
      return { line: lines - 1, at }
    case null:
      return null
  }
}
