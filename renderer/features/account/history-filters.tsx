import type { ReactNode } from 'react'
import { type AmountFormat, type DecimalFormat, formatDecimal } from '../../../shared/decimal.ts'
import type { HistoryFilter, HistoryRow, HistoryTable } from '../../../shared/ipc/reads/account-history.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { knownReason } from '../../../shared/text/reason-text.ts'
import { day } from '../../../shared/time.ts'
import { Button } from '../../kit/button.tsx'
import { Input } from '../../kit/input.tsx'
import { Segments } from '../../kit/layout/tabs.tsx'
import { MarketName, Side } from '../../kit/market-marks.tsx'
import { Amount, shorten } from '../../kit/number.tsx'
import { Menu } from '../../kit/overlay/menu.tsx'
import textStyles from '../../kit/text.module.css'
import { DateField, dayAt, daysLater, startOfDay } from '../../kit/time/date-field.tsx'
import { ServiceWord, VisibleText } from '../../kit/visible-text.tsx'
import { accountText } from '../../text/en/account.en.tsx'
import styles from './account.module.css'

export const noFilter: HistoryFilter = { symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '' }
export const isFiltered = (filter: HistoryFilter): boolean => JSON.stringify(filter) !== JSON.stringify(noFilter)

interface HistoryFiltersProps {
  readonly filter: HistoryFilter
  readonly onChange: (filter: HistoryFilter) => void
  readonly symbols: readonly string[]
  readonly states: readonly string[]
}

/** Filters a table's rows by market, side, state, days and text. */
export function HistoryFilters({ filter, onChange, symbols, states }: HistoryFiltersProps) {
  const set = (change: Partial<HistoryFilter>) => onChange({ ...filter, ...change })
  return (
    <search className={styles.filters}>
      <Input
        id="h-text"
        icon="search"
        value={filter.text}
        onChange={(text) => set({ text })}
        placeholder={accountText.marketIdOrHash}
        aria-label={accountText.filterRows}
        maxLength={200}
      />
      <MarketAndSide symbols={symbols} symbol={filter.symbol} side={filter.side} onChange={set} />
      {states.length === 0 ? null : (
        <PickFilter
          label={accountText.state}
          all={accountText.allStates}
          choices={states.map((one) => [one, one.replaceAll('_', ' ')])}
          value={filter.state}
          onChange={(state) => set({ state })}
        />
      )}
      <span className={styles.tableDates}>
        <span className={styles.tableDate}>
          <span>{accountText.from}</span>
          <DateField
            id="h-from"
            label={accountText.fromDay}
            placeholder={accountText.anyDate}
            value={filter.fromMs === null ? '' : dayAt(filter.fromMs)}
            onChange={(date) => set({ fromMs: date === '' ? null : startOfDay(date) })}
          />
        </span>
        <span className={styles.tableDate}>
          <span>{accountText.to}</span>
          <DateField
            id="h-to"
            label={accountText.toDay}
            placeholder={accountText.anyDate}
            value={filter.toMs === null ? '' : dayAt(filter.toMs - 1)}
            onChange={(date) => set({ toMs: date === '' ? null : startOfDay(daysLater(date, 1)) })}
          />
        </span>
      </span>
      {isFiltered(filter) ? (
        <Button size="sm" variant="ghost" icon="x" onClick={() => onChange(noFilter)}>
          {accountText.clear}
        </Button>
      ) : null}
    </search>
  )
}

interface PickFilterProps {
  readonly label: string
  readonly all: string
  readonly choices: readonly (readonly [string, string])[]
  /** The chosen value; `null` means that all rows are shown. */
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

export const PickFilter = ({ label, all, choices, value, onChange }: PickFilterProps) => (
  <Menu
    label={label}
    entries={[
      { label: all, checked: value === null, onSelect: () => onChange(null) },
      ...choices.map(([one, words]) => ({ label: words.slice(0, 60), checked: value === one, onSelect: () => onChange(one) })),
    ]}
    trigger={(props) => (
      <Button size="sm" variant={value === null ? 'ghost' : 'standard'} icon="chevron-down" {...props}>
        {choices.find(([one]) => one === value)?.[1].slice(0, 24) ?? all}
      </Button>
    )}
  />
)

const sides = [
  ['long', accountText.long],
  ['short', accountText.short],
] as const

/** Two filter menus of a table: one for the markets that occur in its rows, one for the side (long or short). */
export function MarketAndSide({
  symbols,
  symbol,
  side,
  onChange,
}: {
  readonly symbols: readonly string[]
  readonly symbol: string | null
  readonly side: 'long' | 'short' | null
  readonly onChange: (change: { readonly symbol: string | null } | { readonly side: 'long' | 'short' | null }) => void
}) {
  return (
    <>
      <PickFilter
        label={accountText.market}
        all={accountText.allMarkets}
        choices={symbols.map((one) => [one, one])}
        value={symbol}
        onChange={(chosen) => onChange({ symbol: chosen })}
      />
      <PickFilter
        label={accountText.side}
        all={accountText.bothSides}
        choices={sides}
        value={side}
        onChange={(chosen) => onChange({ side: chosen === 'long' || chosen === 'short' ? chosen : null })}
      />
    </>
  )
}

export type Span = '7d' | '30d' | '1y' | 'all'
const days: Readonly<Record<Span, number | null>> = { '7d': 7, '30d': 30, '1y': 365, all: null }

/**
 * Midnight UTC of the period's first day; `null` for the whole history. The value changes only once a day, so that queries with it are not repeated
 * every second.
 */
export const spanStart = (span: Span, nowMs: number): number | null => {
  const length = days[span]
  return length === null ? null : (Math.floor(nowMs / day) - length + 1) * day
}

interface SpanChoiceProps {
  readonly label: string
  readonly value: Span
  readonly onChange: (span: Span) => void
}

export function SpanChoice({ label, value, onChange }: SpanChoiceProps) {
  return (
    <Segments
      label={label}
      choices={[
        { value: '7d', label: accountText.sevenDays },
        { value: '30d', label: accountText.thirtyDays },
        { value: '1y', label: accountText.oneYear },
        { value: 'all', label: accountText.all },
      ]}
      value={value}
      onChange={onChange}
    />
  )
}

/** The widths, in CSS pixels, up to which windows fold columns away. 880 covers a 1440 px wide window at 200 % zoom. */
export const foldWidths = [1199, 880] as const
type FoldWidth = (typeof foldWidths)[number]

interface Column {
  readonly id: string
  readonly head: string
  readonly numeric?: boolean
  /** The column folds away in windows up to this width, in CSS pixels. A row's details always show the value. */
  readonly foldsAt?: FoldWidth
  /** Draws the column's cell. `text` formats amounts. */
  readonly cell: (row: HistoryRow, market: Market | undefined, text: AmountFormat) => ReactNode
}

const dash = <span className={textStyles.muted}>—</span>
const known = (text: string | null): ReactNode => (text === null ? dash : <VisibleText text={text.slice(0, 80)} title={text.slice(0, 200)} />)
/** One of the service's words in the app's words, or readable: `open_position` becomes `Open position`. */
const phrase = (text: string | null): ReactNode => (text === null ? dash : <ServiceWord word={text.slice(0, 80)} />)
const id = (text: string | null): ReactNode =>
  text === null ? dash : <code className={textStyles.muted}>{text.length > 16 ? shorten(text, 6, 4) : <VisibleText text={text} />}</code>
/** An amount as plain text without an element, because a table has thousands of cells. */
const amount = (value: string | null, text: AmountFormat, format: DecimalFormat = {}): ReactNode =>
  value === null ? <Amount value={null} /> : text(value, format)
const price = (value: string | null, market: Market | undefined) =>
  amount(value, formatDecimal, market?.priceDecimals == null ? {} : { decimals: market.priceDecimals })

const market: Column = {
  id: 'market',
  head: accountText.market,
  cell: ({ symbol }, found) => (symbol === null ? dash : <MarketName symbol={symbol.slice(0, 24)} {...(found === undefined ? {} : { base: found.base })} />),
}
const side: Column = {
  id: 'side',
  head: accountText.side,
  cell: (row) => (row.side === 'long' || row.side === 'short' ? <Side side={row.side} /> : known(row.side)),
}
const what = (head: string): Column => ({ foldsAt: 880, id: 'what', head, cell: (row) => phrase(row.what) })
/** What a row of the transactions did. Shown in every window, because that names the row. */
const action: Column = { id: 'what', head: accountText.action, cell: (row) => phrase(row.what) }
const state: Column = { id: 'state', head: accountText.state, cell: (row) => phrase(row.state) }
const size: Column = {
  id: 'size',
  head: accountText.size,
  numeric: true,
  cell: (row, found, text) => amount(row.size, text, found?.sizeDecimals == null ? {} : { minDecimals: found.sizeDecimals }),
}
const filled: Column = { foldsAt: 1199, id: 'filled', head: accountText.filled, numeric: true, cell: (row, _, text) => amount(row.filledSize, text) }
const at = (head: string): Column => ({ id: 'price', head, numeric: true, cell: (row, found) => price(row.price, found) })
const entry: Column = { foldsAt: 1199, id: 'entry', head: accountText.entry, numeric: true, cell: (row, found) => price(row.entryPrice, found) }
const value: Column = {
  foldsAt: 880,
  id: 'value',
  head: accountText.valueUsdc,
  numeric: true,
  cell: (row, _, text) => amount(row.valueUsdc, text, { decimals: 2 }),
}
const fee: Column = { foldsAt: 880, id: 'fee', head: accountText.fee, numeric: true, cell: (row, _, text) => amount(row.feeUsdc, text, { decimals: 4 }) }
const realised: Column = {
  id: 'realised',
  head: accountText.realised,
  numeric: true,
  cell: (row) => <Amount value={row.realisedPnlUsdc} decimals={2} signed />,
}
const funding: Column = {
  foldsAt: 880,
  id: 'funding',
  head: accountText.funding,
  numeric: true,
  cell: (row) => <Amount value={row.fundingUsdc} decimals={2} signed />,
}
const role: Column = { foldsAt: 1199, id: 'role', head: accountText.role, cell: (row) => phrase(row.role) }
const reason: Column = {
  foldsAt: 880,
  id: 'reason',
  head: accountText.why,
  cell: (row) => phrase(row.reason === null ? null : (knownReason(row.reason) ?? row.reason)),
}
const order: Column = { foldsAt: 1199, id: 'order', head: accountText.order, numeric: true, cell: (row) => id(row.orderId) }
const clientOrder: Column = { foldsAt: 1199, id: 'client', head: accountText.clientId, numeric: true, cell: (row) => id(row.clientOrderId) }
const intent: Column = { foldsAt: 1199, id: 'intent', head: accountText.intentId, numeric: true, cell: (row) => id(row.intentId) }
const position: Column = { foldsAt: 1199, id: 'position', head: accountText.position, numeric: true, cell: (row) => id(row.positionId) }
const transaction: Column = { foldsAt: 1199, id: 'transaction', head: accountText.transaction, numeric: true, cell: (row) => id(row.txHash) }

/** The columns of a table besides the time, which is always shown. */
export const historyColumns: Readonly<Record<HistoryTable, readonly Column[]>> = {
  orders: [market, side, what(accountText.type), state, size, filled, at(accountText.price), value, order, clientOrder],
  trades: [market, side, what(accountText.action), size, at(accountText.price), value, fee, realised, role, transaction],
  history: [market, side, size, entry, at(accountText.exit), realised, funding, what(accountText.closedBy), position],
  transactions: [action, market, side, state, reason, intent, transaction],
}
