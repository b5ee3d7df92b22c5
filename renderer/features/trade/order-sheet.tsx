import { absolute, basisPointsToPercent, changePercent, compare, isZero } from '../../../shared/decimal.ts'
import type { PreparedOrder, PreparedTransaction } from '../../../shared/ipc/intents/orders.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { comparisonText } from '../../../shared/text/comparison-text.ts'
import { titleText } from '../../../shared/text/title-text.ts'
import { isOpening } from '../../../shared/ticket/actions/action-payload.ts'
import { titleOf } from '../../../shared/ticket/actions/check-action.ts'
import { ticketTitle } from '../../../shared/ticket/check-ticket.ts'
import { contractChecks } from '../../signing/parts/phone-checks.ts'
import { transactionFacts, transactionObstacle } from '../../signing/parts/router-evidence.tsx'
import type { SigningFact, SigningMessage, TransactionPart } from '../../signing/parts/signing-message.ts'
import { SigningSheet } from '../../signing/sheet/signing-sheet.tsx'
import { tradeText } from '../../text/en/trade.en.tsx'
import { hasMore, type StepsAt, signingSteps } from './order-steps.ts'
import { cents } from './ticket/ticket-model.ts'
import type { OrderFlow } from './use-order-flow.ts'

const words = {
  signature: { after: [tradeText.signatureCheckedThenRelayed, tradeText.confirmedOnBaseBlocks] },
  transaction: { after: [tradeText.broadcastByTheWallet, tradeText.confirmedOnBaseBlocks] },
  step: { after: [tradeText.broadcastByTheWallet, tradeText.inABlockOnBase] },
} as const

interface OrderSheetProps {
  readonly order: OrderFlow
  readonly mark: string | null
}

/** The signing sheet for the order that the user reviews. Draws nothing if the user reviews no order. */
export function OrderSheet({ order, mark }: OrderSheetProps) {
  const { open } = order
  if (open === null) return null
  const { prepared, ticket, steps, flow } = open
  const message = orderMessage(prepared, ticket, steps)
  if (message === null) return null
  // Only market orders use this price, so any value works for other orders.
  const price = mark ?? (ticket !== null && 'referencePrice' in ticket ? ticket.referencePrice : '0')
  return (
    <SigningSheet
      message={{ ...message, moved: priceMoved(ticket, mark) }}
      flow={flow}
      words={steps.at === null ? words.signature : hasMore(steps) ? words.step : words.transaction}
      signing={order.signing}
      intentRef={prepared.intent.ref}
      onPrepareAgain={() => void order.reprice(price)}
      preparing={order.preparing}
    />
  )
}

const costNames: Readonly<Record<PreparedOrder['costs'][number]['kind'], string>> = { network: tradeText.network, trading_fee: tradeText.tradingFee }

/** The facts on the signing sheet: first the costs of the order, then the liquidation price from the service's simulation. */
function facts(prepared: PreparedOrder): SigningFact[] {
  // The wallet pays for its own transactions, so a reported cost of zero would mislead. Leave out costs of zero.
  const listed = prepared.transactions.length === 0 ? prepared.costs : prepared.costs.filter(({ amount }) => amount !== null && !isZero(amount))
  const costs = listed.map((cost) => ({
    label: costNames[cost.kind],
    value: cost.amount === null ? '—' : cents(cost.amount),
    unit: cost.amount === null ? null : cost.unit,
  }))
  // For an action that the exchange relays, the costs come from the user's collateral. For the wallet's own transactions, the app does not know
  // who pays, so it shows no source.
  const from = listed.length === 0 || prepared.transactions.length > 0 ? [] : [{ label: tradeText.paidFrom, value: tradeText.exchangeCollateral, unit: null }]
  const end = prepared.liquidation === null ? [] : [{ label: tradeText.liquidation, value: prepared.liquidation, unit: null }]
  return [...costs, ...from, ...end]
}

/** Explains how a contract wallet handles this order. */
function contractWords({ intent, mode }: PreparedOrder, sends: boolean): string {
  if (sends) return tradeText.contractWalletSent
  if (intent.way === 'permit_deposit' || mode === 'permit_deposit') return tradeText.contractWalletSignsPermit
  return tradeText.contractWalletSigns
}

/**
 * The signing sheet's content for a prepared order; `null` if there is nothing to sign.
 * `ticket` is `null` for an order that was prepared earlier and is now continued.
 */
export function orderMessage(prepared: PreparedOrder, ticket: OrderTicket | null, steps: StepsAt): SigningMessage | null {
  const { comparison, intent } = prepared
  if (comparison === null) return null
  const transaction = steps.at === null ? null : (prepared.transactions[steps.at] ?? null)
  const words = wordsOf(prepared, ticket)
  return {
    thing: transaction === null ? 'order' : 'transaction',
    ...words,
    // For a transaction, the wallet shows the content and no digest. So the sheet shows no digest either.
    comparison: transaction === null ? comparison : { ...comparison, digest: '' },
    facts: [...(transaction === null ? [] : transactionFacts(transaction)), ...facts(prepared)],
    contracts: contractChecks(prepared),
    spending: prepared.spending,
    contractWallet: prepared.contractWallet === true ? contractWords(prepared, transaction !== null) : null,
    moved: null,
    preparedAtMs: prepared.preparedAtMs,
    deadlineMs: prepared.deadlineMs,
    requestId: prepared.requestId,
    intentId: intent.intentId,
    unknownFields: prepared.unknownFields,
    transaction:
      transaction === null
        ? null
        : {
            word: wordOf(transaction),
            obstacle: transactionObstacle(transaction, words.subject),
            steps: signingSteps(steps, words.title),
            more: hasMore(steps),
          },
  }
}

/**
 * How far the mark price moved from the reviewed price, in percent with a sign. `null` if the move is within the allowed slippage, or if the order
 * is not a market order.
 */
function priceMoved(ticket: OrderTicket | null, mark: string | null): string | null {
  if (ticket === null || !('referencePrice' in ticket) || mark === null) return null
  const change = changePercent(ticket.referencePrice, mark, 2)
  if (change === null) return null
  return compare(absolute(change), basisPointsToPercent(ticket.maxSlippageBps)) > 0 ? change : null
}

type Words = Pick<SigningMessage, 'title' | 'summary' | 'subject' | 'preparedAgain' | 'lead'>

const subjects: Readonly<Record<string, SigningMessage['subject']>> = {
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

/** Text about what the wallet is asked to do, and whether that needs ETH. */
function leadOf({ intent, mode, transactions }: PreparedOrder): string {
  if (transactions.length > 0) return tradeText.transactionsLead(transactions.length)
  return intent.way === 'permit_deposit' || mode === 'permit_deposit' ? tradeText.signPermitLead : tradeText.signLead
}

function preparedAgainOf({ intent, transactions, next }: PreparedOrder, ticket: OrderTicket | null): SigningMessage['preparedAgain'] {
  if (transactions.length > 0) return next !== null && next > 0 ? 'new_deadline_approved' : 'new_deadline'
  if (intent.way === 'permit_deposit') return 'new_deadline'
  const priced = ticket === null ? atMarket.has(intent.action) : 'referencePrice' in ticket
  return priced ? 'new_price' : 'new_order'
}

/** The sheet's texts for an order. `ticket` is `null` if the user continues an earlier order; the intent's title then describes it. */
function wordsOf(prepared: PreparedOrder, ticket: OrderTicket | null): Words {
  const { intent } = prepared
  const rest = { subject: subjects[intent.action] ?? 'order', preparedAgain: preparedAgainOf(prepared, ticket), lead: leadOf(prepared) } as const
  if (ticket === null) return { ...rest, title: titleText(intent.title), summary: titleText(intent.title) }
  if (!isOpening(ticket)) {
    const title = titleText(titleOf(ticket, null))
    return { ...rest, title, summary: title }
  }
  const title = tradeText.openTitle(ticket.side, intent.symbol ?? tradeText.marketInSentence(ticket.pairId))
  return { ...rest, title, summary: titleText({ ...ticketTitle(ticket, null), symbol: intent.symbol }) }
}

/**
 * The phrase that the user must type before the wallet sends a transaction that the app cannot read; `null` for other transactions. A new signing
 * format is confirmed separately.
 */
function wordOf({ expectedPhrase, comparison }: PreparedTransaction): TransactionPart['word'] {
  if (expectedPhrase === null || comparison.asks?.kind !== 'unreadable_call') return null
  return {
    title: tradeText.unreadableCall,
    text: tradeText.unreadableCallHelp(comparisonText(comparison) ?? tradeText.calldataUnknown),
    phrase: expectedPhrase,
  }
}
