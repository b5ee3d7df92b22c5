import type { ReactNode } from 'react'
import { type DecimalFormat, formatDecimal } from '../../../shared/decimal.ts'
import type { HistoryRow, HistoryTable } from '../../../shared/ipc/reads/account-history.ts'
import type { Market } from '../../../shared/ipc/reads/markets.ts'
import { MarketName } from '../../kit/coin.tsx'
import { Amount } from '../../kit/number.tsx'
import { shorten } from '../../kit/short.ts'
import { Side } from '../../kit/side.tsx'
import textStyles from '../../kit/text.module.css'
import { VisibleText } from '../../kit/visible-text.tsx'

interface Column {
  readonly id: string
  readonly head: string
  readonly numeric?: boolean
  /** Shown only where there is room; a row's details always have it. */
  readonly roomy?: boolean
  readonly cell: (row: HistoryRow, market: Market | undefined) => ReactNode
}

const dash = <span className={textStyles.muted}>—</span>
const known = (text: string | null): ReactNode => (text === null ? dash : <VisibleText text={text.slice(0, 80)} title={text.slice(0, 200)} />)
/** `open_position` as people read it. */
const phrase = (text: string | null): ReactNode => (text === null ? dash : known(text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ')))
const id = (text: string | null): ReactNode =>
  text === null ? dash : <code className={textStyles.muted}>{text.length > 16 ? shorten(text, 6, 4) : <VisibleText text={text} />}</code>
/** Text alone, without an element of its own: there are thousands of them. */
const amount = (value: string | null, format: DecimalFormat = {}): ReactNode => (value === null ? <Amount value={null} /> : formatDecimal(value, format))
const price = (value: string | null, market: Market | undefined) => amount(value, market?.priceDecimals == null ? {} : { decimals: market.priceDecimals })

const market: Column = {
  id: 'market',
  head: 'Market',
  cell: ({ symbol }, found) => (symbol === null ? dash : <MarketName symbol={symbol.slice(0, 24)} {...(found === undefined ? {} : { base: found.base })} />),
}
const side: Column = { id: 'side', head: 'Side', cell: (row) => (row.side === 'long' || row.side === 'short' ? <Side side={row.side} /> : known(row.side)) }
const what = (head: string): Column => ({ id: 'what', head, cell: (row) => phrase(row.what) })
const state: Column = { id: 'state', head: 'State', cell: (row) => phrase(row.state) }
const size: Column = {
  id: 'size',
  head: 'Size',
  numeric: true,
  cell: (row, found) => amount(row.size, found?.sizeDecimals == null ? {} : { minDecimals: found.sizeDecimals }),
}
const filled: Column = { roomy: true, id: 'filled', head: 'Filled', numeric: true, cell: (row) => amount(row.filledSize) }
const at = (head: string): Column => ({ id: 'price', head, numeric: true, cell: (row, found) => price(row.price, found) })
const entry: Column = { roomy: true, id: 'entry', head: 'Entry', numeric: true, cell: (row, found) => price(row.entryPrice, found) }
const value: Column = { id: 'value', head: 'Value, USDC', numeric: true, cell: (row) => amount(row.valueUsdc, { decimals: 2 }) }
const fee: Column = { id: 'fee', head: 'Fee', numeric: true, cell: (row) => amount(row.feeUsdc, { decimals: 4 }) }
const realised: Column = { id: 'realised', head: 'Realised', numeric: true, cell: (row) => <Amount value={row.realisedPnlUsdc} decimals={2} signed /> }
const funding: Column = { id: 'funding', head: 'Funding', numeric: true, cell: (row) => <Amount value={row.fundingUsdc} decimals={2} signed /> }
const role: Column = { roomy: true, id: 'role', head: 'Role', cell: (row) => phrase(row.role) }
const reason: Column = { id: 'reason', head: 'Why', cell: (row) => phrase(row.reason) }
const order: Column = { roomy: true, id: 'order', head: 'Order', numeric: true, cell: (row) => id(row.orderId) }
const clientOrder: Column = { roomy: true, id: 'client', head: 'Client id', numeric: true, cell: (row) => id(row.clientOrderId) }
const intent: Column = { roomy: true, id: 'intent', head: 'Intent', numeric: true, cell: (row) => id(row.intentId) }
const position: Column = { roomy: true, id: 'position', head: 'Position', numeric: true, cell: (row) => id(row.positionId) }
const transaction: Column = { roomy: true, id: 'transaction', head: 'Transaction', numeric: true, cell: (row) => id(row.txHash) }

/** What a table can show beside the time, which it always does. */
export const historyColumns: Readonly<Record<HistoryTable, readonly Column[]>> = {
  orders: [market, side, what('Type'), state, size, filled, at('Price'), value, order, clientOrder],
  trades: [market, side, what('Did'), size, at('Price'), value, fee, realised, role, transaction],
  history: [market, side, size, entry, at('Exit'), realised, funding, what('Closed by'), position],
  transactions: [what('Action'), market, side, state, reason, intent, transaction],
}
