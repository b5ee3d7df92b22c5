import { type AmountFormat, formatDecimal } from '../decimal.ts'
import type { Notice } from '../ipc/host/notices.ts'
import type { Remark } from '../ipc/intents/comparison-lines.ts'
import { placesOrder } from '../ipc/intents/intent-states.ts'
import type { Fill } from '../ipc/intents/orders.ts'
import type { StepNote } from '../ipc/intents/reasons.ts'
import { dateText } from '../signing/wording.ts'
import { catalogue } from './catalogue.ts'
import { reasonText } from './reason-text.ts'

/** Texts about the outcome of an intent, and notes of its timeline (keyed by `StepNote`). */
export const intentWords = catalogue('intents', {
  final: 'Final.',
  final_because: (why: string) => `Final. ${why}`,
  placed: 'Placed. Final on Base.',
  placed_because: (why: string) => `Placed. ${why}`,
  filled: (size: string, price: string) => `Filled ${size} at ${price}.`,
  unknown_size: 'an unknown size',
  unknown_price: 'an unknown price',
  fill_unknown: 'Fill price, size and fee are unknown.',
  fee: (fee: string) => `Fee ${fee} USDC.`,
  fee_unknown: 'Fee unknown.',
  realised: (result: string) => `Realised ${result} USDC.`,
  realised_unknown: 'Realised result unknown.',
  sentences: (all: readonly string[]) => all.join(' '),
  reverted: 'The transaction reverted on chain.',
  unknown: 'It is unknown whether the order was accepted.',

  found_at_start: 'Noticed when the app started',
  found_reverted: 'Found: reverted',
  found_in_trades: 'Found in your trades',
  found_in_orders: 'Found in your orders',
  found_on_chain: 'Found on the chain',
  found_by_effect: 'Found on the chain by its effect',
  named_by_service: 'Named by the service and found on the chain',
  settled_by_account: 'Confirmed by what the account shows',
  unknown_to_nodes: 'No node knows the transaction',
  other_transaction: 'The hash belongs to another transaction',
  sent_by_wallet: 'Sent by the wallet',
  late_answer: 'Late answer from the wallet',
  to_executor: 'Sent to the executor. If the answer is lost, the app asks for the same order again',
  taken_without_command: 'Accepted, without a command ID',
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

/** Says what an order traded: size, price and fee, and the result if the order closed a position. `amount`: the format for sizes and money. */
function fillText({ price, size, base, feeUsdc, realisedPnlUsdc }: Fill, amount: AmountFormat): readonly string[] {
  const filled = size === null ? intentWords.unknown_size : [amount(size), base ?? []].flat().join(' ')
  const texts = [
    intentWords.filled(filled, price ?? intentWords.unknown_price),
    feeUsdc === null ? intentWords.fee_unknown : intentWords.fee(amount(feeUsdc, { minDecimals: 2 })),
  ]
  if (realisedPnlUsdc === undefined) return texts
  return [...texts, realisedPnlUsdc === null ? intentWords.realised_unknown : intentWords.realised(amount(realisedPnlUsdc, { minDecimals: 2, sign: 'always' }))]
}

/**
 * The outcome of an intent, for a notice. A final intent that places an order is “Placed”, because the order may still be open. An order that traded
 * states its fill. `amount`: the format for sizes and money.
 */
export function intentEndText({ title, state, reason, fill }: Omit<Extract<Notice, { code: 'intent' }>, 'code'>, amount: AmountFormat = formatDecimal): string {
  const why = reason === null ? null : reasonText(reason)
  switch (state) {
    case 'FINAL': {
      const isPlaced = placesOrder(title)
      const ended = isPlaced ? intentWords.placed : intentWords.final
      const because = isPlaced ? intentWords.placed_because : intentWords.final_because
      const traded = fill === undefined ? [] : fill === null ? [intentWords.fill_unknown] : fillText(fill, amount)
      // A stated fill says that a market order has ended, so “Final” would only make the notice longer.
      if (why === null && !isPlaced && fill != null) return intentWords.sentences(traded)
      // “Final” would sound like success although an action failed.
      if (why !== null && reason?.code === 'partly_executed') return intentWords.sentences([why, ...traded])
      return intentWords.sentences([why === null ? ended : because(why), ...traded])
    }
    case 'REVERTED':
      return why ?? intentWords.reverted
    default:
      return why ?? intentWords.unknown
  }
}

/** Returns text from the service or the wallet as a timeline note. null if the text is a single code word, which would not explain anything. */
const foreign = (text: string): string | null => (text.includes(' ') ? text.charAt(0).toUpperCase() + text.slice(1) : null)

/** Returns the note for a step in an intent's timeline; null: the step's state needs no note. */
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

/** Remarks that explain the verdict on a comparison line, keyed by `Remark`. */
export const remarkWords = catalogue('remarks', {
  unasked: 'Not in your request',
  unasked_empty: 'Empty, and not in your request',
  own_wallet: 'Your wallet',
  trusted_contract: 'A contract that you trust',
  as_agreed: 'As agreed',
  chain_id: 'The chain',
  empty: 'Empty',
  time_of_now: 'The current time',
  by_chance: 'A random number',
  two_scales: 'Can be read at two scales',
  not_this_number: 'Not the agreed meaning of this number',
  number_unknown: 'A number whose meaning is not documented',
  decimals_unknown: 'The decimals are unknown',
  nothing_known: 'No known value to compare with',
  not_shown: 'Not shown before',
  unreadable: 'Not in your request',
  router_not_pinned: 'No router is trusted yet',
  token_not_known: 'Unknown token',
  not_pinned: 'Not trusted yet',
  signed_before: 'Signed before',
  never_ends: 'Would never expire',
  over: 'Already expired',
  too_long: 'Longer than agreed',
  not_the_tokens_name: 'The token has another name',
  agent_is_wallet: 'Your own wallet',
  agent_is_zero: 'The zero address',
  agent_not_named: 'The service named no agent beside the grant',
  more_than_trading: 'More than trading',
  more_than_collateral: 'More than trading and collateral',
  left_out: 'Left out by the service',
  added: 'Added by the service',
  changed: 'Changed by the service',
  unread_amount: 'The calldata cannot be read',
  unread_call: 'This app cannot read what the call does',
  unread_token_call: 'This app blocks calls of a token that it cannot read',
  never_unread: 'The app blocks calls to this contract that it cannot read',
  by_arguments: 'The call’s arguments are compared with your ticket',
  other_call: 'Not in your request',
  other_amount: 'Not the amount that you requested',
  not_the_next: 'The token would not accept this nonce',
  not_the_pinned: (address: string) => `Not the contract that you trust, ${address}`,
  outlives_key: (date: string) => `Longer than the key, which expires on ${date}`,
  outlives_key_undated: 'Longer than the key',
  called_approval: 'The service calls this an approval',
  called_action: 'The service calls this an action',
  also: (value: string) => `Could also be read as ${value}`,
  /** The texts below compare a value with another value. `what`: the name of the other value from `againstWords`, for example "your order". */
  times: (by: string, what: string) => `${by} times ${what}`,
  part: (by: string, what: string) => `1/${by} of ${what}`,
  more_times: (by: string, what: string) => `More than ${by} times ${what}`,
  more: (by: string, what: string) => `${by}% more than ${what}`,
  less: (by: string, what: string) => `${by}% less than ${what}`,
})

/** The values that a remark such as "10 times your order" compares with, keyed by `Against`. */
export const againstWords = catalogue('against', {
  order: 'your order',
  size: 'your size',
  position: 'your position',
  leverage: 'your leverage',
  slippage: 'your slippage',
  margin: 'your margin',
  close: 'what you close',
  asked: 'what you requested',
  deposit: 'your deposit',
  referencePrice: 'your reference price',
  limitPrice: 'your limit price',
  triggerPrice: 'your trigger price',
  takeProfit: 'your take profit',
  stopLoss: 'your stop loss',
})

/** Returns a remark in a few words; null if the comparison line already says the same. */
export function remarkText(remark: Remark | null): string | null {
  if (remark === null) return null
  switch (remark.code) {
    case 'ratio':
      return remarkWords[remark.is](formatDecimal(remark.by), againstWords[remark.of])
    case 'also':
      return remarkWords.also(remark.unit === null ? remark.value : `${remark.value} ${remark.unit}`)
    case 'no_limit':
    case 'other_contract':
    case 'unknown_contract':
      return null
    case 'not_the_pinned':
      return remarkWords.not_the_pinned(remark.pinned)
    case 'outlives_key': {
      const date = dateText(remark.endsAtMs)
      return date === null ? remarkWords.outlives_key_undated : remarkWords.outlives_key(date)
    }
    case 'called':
      return remark.kind === 'approval' ? remarkWords.called_approval : remarkWords.called_action
    default:
      return remarkWords[remark.code]
  }
}
