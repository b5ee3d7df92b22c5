import { absolute, basisPointsToPercent, changePercent, compare, isZero } from '../../../shared/decimal.ts'
import type { PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import { contractChecks } from '../../signing/parts/contract-checks.ts'
import type { SigningFact, SigningMessage } from '../../signing/parts/signing-message.ts'
import { transactionFacts, transactionObstacle } from '../../signing/parts/transaction-facts.ts'
import { hasMore, type StepsAt, signingSteps } from './order-steps.ts'
import { wordOf, wordsOf } from './order-words.ts'
import { cents } from './ticket/ticket-model.ts'

/** Costs first, then what the simulation says about the end of the position. */
function facts(prepared: PreparedOrder): SigningFact[] {
  // What the wallet sends itself it pays for itself; a cost of nothing says nothing there.
  const told = prepared.transactions.length === 0 ? prepared.costs : prepared.costs.filter(({ amount }) => amount !== null && !isZero(amount))
  const costs = told.map((cost) => ({
    label: cost.label,
    value: cost.amount === null ? '—' : cents(cost.amount),
    unit: cost.amount === null ? null : cost.unit,
  }))
  // So it is of relayed actions; what the wallet sends itself may be charged elsewhere.
  const from = told.length === 0 || prepared.transactions.length > 0 ? [] : [{ label: 'Taken from', value: 'Exchange collateral', unit: null }]
  const end = prepared.simulation
    .filter((row) => /liquidation/i.test(row.label))
    .slice(0, 1)
    .map((row) => ({ label: row.label, value: row.value, unit: null }))
  return [...costs, ...from, ...end]
}

/** What it means for a message that the wallet is a contract. */
function contractWords({ intent, mode }: PreparedOrder, sends: boolean): string {
  if (sends) return 'Others send its transactions, so it is looked for by what it changes on the chain if the wallet gives no hash.'
  if (intent.way === 'permit_deposit' || mode === 'permit_deposit')
    return 'Its signature of a permit counts only where the token asks contracts about theirs (ERC-1271). If it does not, the deposit is refused; an approval and a deposit always work.'
  return 'This app asks it on the chain whether the signature is its own (ERC-1271, ERC-6492) before anything is relayed.'
}

/** What the sheet shows of a prepared order; null where there is nothing to agree to. `ticket` null: it was taken up again. */
export function orderMessage(prepared: PreparedOrder, ticket: OrderTicket | null, steps: StepsAt): SigningMessage | null {
  const { comparison, intent } = prepared
  if (comparison === null) return null
  const transaction = steps.at === null ? null : (prepared.transactions[steps.at] ?? null)
  const words = wordsOf(prepared, ticket)
  return {
    thing: transaction === null ? 'order' : 'transaction',
    ...words,
    // What a wallet shows of a transaction is the transaction, and no digest.
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
            obstacle: transactionObstacle(transaction, words.noun),
            steps: signingSteps(steps, words.title),
            more: hasMore(steps),
          },
  }
}

/**
 * How far the mark went from the price that was reviewed, in percent with its sign; null while it stays within the
 * slippage that was allowed. What does not go at market names its own price.
 */
export function priceMoved(ticket: OrderTicket | null, mark: string | null): string | null {
  if (ticket === null || !('referencePrice' in ticket) || mark === null) return null
  const change = changePercent(ticket.referencePrice, mark, 2)
  if (change === null) return null
  return compare(absolute(change), basisPointsToPercent(ticket.maxSlippageBps)) > 0 ? change : null
}
