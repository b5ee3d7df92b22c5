import type { PreparedOrder, PreparedTransaction } from '../../../shared/ipc/intents/orders.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { isOpening } from '../../../shared/ticket/actions/action-payload.ts'
import { titleOf } from '../../../shared/ticket/actions/check-action.ts'
import { orderWords } from '../../../shared/ticket/open-payload.ts'
import type { SigningMessage, TransactionPart } from '../../signing/parts/signing-message.ts'

type Words = Pick<SigningMessage, 'title' | 'summary' | 'noun' | 'again' | 'lead'>

const nouns: Readonly<Record<string, string>> = {
  update_tpsl: 'change',
  add_isolated_margin: 'change',
  reduce_isolated_margin: 'change',
  change_isolated_leverage: 'change',
  replace_order: 'change',
  cancel_order: 'cancellation',
  add_collateral: 'deposit',
  withdraw_collateral: 'withdrawal',
}

const atMarket: ReadonlySet<string> = new Set(['open_position', 'close_position_market', 'invert_position'])

const counts = ['No', 'One', 'Two', 'Three', 'Four'] as const

/** What the wallet is asked for, and whether that takes ETH. */
function leadOf({ intent, mode, transactions }: PreparedOrder): string {
  if (transactions.length === 1) return 'One transaction, which your wallet sends itself. It needs a little ETH on Base.'
  if (transactions.length > 1)
    return `${counts[transactions.length] ?? transactions.length} transactions, which your wallet sends itself, one after the other. They need a little ETH on Base.`
  return intent.way === 'permit_deposit' || mode === 'permit_deposit'
    ? 'One signature in your wallet. It needs no ETH: an executor of the exchange sends the deposit and pays the gas.'
    : 'One signature in your wallet. It needs no ETH.'
}

function againOf({ intent, transactions, next }: PreparedOrder, ticket: OrderTicket | null): string {
  if (transactions.length > 0) return next !== null && next > 0 ? 'it gets a new deadline, and what is approved already still counts' : 'it gets a new deadline'
  if (intent.way === 'permit_deposit') return 'it gets a new deadline'
  const priced = ticket === null ? atMarket.has(intent.action) : 'referencePrice' in ticket
  return priced ? 'it becomes a new order at the price of then' : 'it becomes a new order'
}

/** How an order is spoken of. `ticket` null: it was taken up again, and its title says what it is. */
export function wordsOf(prepared: PreparedOrder, ticket: OrderTicket | null): Words {
  const { intent } = prepared
  const rest = { noun: nouns[intent.action] ?? 'order', again: againOf(prepared, ticket), lead: leadOf(prepared) }
  if (ticket === null) return { ...rest, title: intent.title, summary: intent.title }
  if (!isOpening(ticket)) {
    const title = titleOf(ticket, null)
    return { ...rest, title, summary: title }
  }
  const title = `Open a ${ticket.side} on ${intent.symbol ?? `market ${ticket.pairId}`}`
  return { ...rest, title, summary: `${title}, ${orderWords(ticket, null)}` }
}

/** What has to be typed because of what a transaction does. A layout that is new has a question of its own. */
export function wordOf({ expectedPhrase, comparison }: PreparedTransaction): TransactionPart['word'] {
  if (expectedPhrase === null || comparison.asks?.kind !== 'unreadable_call') return null
  return {
    title: 'This app cannot read what it does',
    text: `${comparison.sentence ?? 'The calldata is none that is known here.'} Only go on if you know by other means what the contract does with it.`,
    phrase: expectedPhrase,
  }
}
