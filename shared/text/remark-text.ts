import { formatDecimal } from '../decimal.ts'
import type { Remark } from '../ipc/intents/reasons.ts'
import { dateText, shortAddress } from '../signing/wording.ts'
import { catalogue } from './catalogue.ts'

/** Why a line of a comparison was accepted, refused or left open, by `Remark`. */
export const remarkWords = catalogue('remarks', {
  unasked: 'Not in what you requested',
  unasked_empty: 'Empty, and not in what you requested',
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
  decimals_unknown: 'Its decimals are unknown',
  nothing_known: 'Nothing known to compare it with',
  not_shown: 'Not shown before',
  unreadable: 'Not in what you requested',
  router_not_pinned: 'No router is trusted yet',
  token_not_known: 'Unknown token',
  not_pinned: 'Not trusted yet',
  signed_before: 'Signed before',
  never_ends: 'It would never expire',
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
  unread_call: 'This app cannot read what it does',
  unread_token_call: 'A token is never called with unreadable data',
  never_unread: 'Never called with unreadable data',
  by_arguments: 'Its arguments are compared with your ticket',
  other_call: 'Not in what you requested',
  other_amount: 'Not the amount that you requested',
  not_the_next: 'The token would not accept it',
  not_the_pinned: (address: string) => `Not the one that you trust, ${address}`,
  outlives_key: (date: string) => `Longer than the key, which expires on ${date}`,
  outlives_key_undated: 'Longer than the key',
  called_approval: 'The service calls it an approval',
  called_action: 'The service calls it an action',
  also: (value: string) => `Could also be read as ${value}`,
  /** `what`: one of the nouns below, in the form that it has on its own. */
  times: (by: string, what: string) => `${by} times ${what}`,
  part: (by: string, what: string) => `1/${by} of ${what}`,
  more_times: (by: string, what: string) => `More than ${by} times ${what}`,
  more: (by: string, what: string) => `${by}% more than ${what}`,
  less: (by: string, what: string) => `${by}% less than ${what}`,
})

/** What a remark compares with, by `Against`. */
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

/** The remark in a few words; null if the line itself says enough. */
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
      return remarkWords.not_the_pinned(shortAddress(remark.pinned))
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
