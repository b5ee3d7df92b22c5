import { formatDecimal } from '../decimal.ts'
import type { Intent } from '../ipc/intents/orders.ts'
import type { StepNote } from '../ipc/intents/reasons.ts'
import { catalogue } from './catalogue.ts'
import { reasonText } from './reason-text.ts'

/** What became of an intent, and the notes of its timeline by `StepNote`. */
export const intentWords = catalogue('intents', {
  final: 'Final.',
  final_because: (why: string) => `Final. ${why}`,
  reverted: 'It reverted on chain.',
  unknown: 'It is unknown whether it was accepted.',

  found_at_start: 'Found at start',
  found_reverted: 'Found: reverted',
  found_in_trades: 'Found in your trades',
  found_in_orders: 'Found in your orders',
  found_on_chain: 'Found on the chain',
  found_by_effect: 'Found on the chain by its effect',
  named_by_service: 'Named by the service and found on the chain',
  settled_by_account: 'Confirmed by what the account shows',
  unknown_to_nodes: 'No node knows its transaction',
  other_transaction: 'Another transaction',
  sent_by_wallet: 'Sent by the wallet',
  late_answer: 'Late answer from the wallet',
  to_executor: 'To the executor. If the answer is lost, the app asks for the same order again',
  taken_without_command: 'Accepted without a command',
  already_prepared: 'Already prepared: the service returned the earlier preparation',
  found: (state: string) => `Found: ${state}`,
  found_with_transaction: 'Found: with a transaction',
  looked_up: (state: string) => `Status check: ${state}`,
  looked_up_missing: 'Status check: not found',
  relayed: (state: string) => `Relay: ${state}`,
  relayed_without_state: 'Relay: no status',
  command: (id: string) => `Command ${id}`,
  not_on_chain: (upToBlock: number) => `Not on the chain up to block ${upToBlock}`,
})

/** What became of an intent, for a notice. */
export function intentEndText({ state, reason }: Pick<Intent, 'state' | 'reason'>): string {
  const why = reason === null ? null : reasonText(reason)
  switch (state) {
    case 'FINAL':
      return why === null ? intentWords.final : intentWords.final_because(why)
    case 'REVERTED':
      return why ?? intentWords.reverted
    default:
      return why ?? intentWords.unknown
  }
}

/** The title of an intent that is a payment. The journal keeps it, so that it is English in every language. */
export const paymentTitle = (amountUsdc: string, label: string): string =>
  `Execution payment of ${formatDecimal(amountUsdc, { minDecimals: 2 })} USDC for ${label}`

/** A single word from the wire says less than the state does. */
const foreign = (text: string): string | null => (text.includes(' ') ? text.charAt(0).toUpperCase() + text.slice(1) : null)

/** A note of a timeline; null if the state says more. */
export function noteText(note: StepNote): string | null {
  switch (note.code) {
    case 'reason':
      return note.reason.code === 'as_written' ? foreign(reasonText(note.reason)) : reasonText(note.reason)
    case 'found':
      return note.state === null ? intentWords.found_with_transaction : intentWords.found(note.state)
    case 'looked_up':
      return note.state === null ? intentWords.looked_up_missing : intentWords.looked_up(note.state)
    case 'relayed':
      return note.state === null ? intentWords.relayed_without_state : intentWords.relayed(note.state)
    case 'command':
      return intentWords.command(note.id)
    case 'not_on_chain':
      return intentWords.not_on_chain(note.upToBlock)
    case 'said':
    case 'as_written':
      return foreign(note.text)
    default:
      return intentWords[note.code]
  }
}
