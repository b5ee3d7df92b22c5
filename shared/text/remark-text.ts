import { formatDecimal } from '../decimal.ts'
import type { Against, Remark } from '../ipc/intents/line-remark.ts'
import { dateText, shortAddress } from '../signing/wording.ts'

type Plain = Exclude<
  Remark['code'],
  'ratio' | 'also' | 'other_amount' | 'other_contract' | 'unknown_contract' | 'not_the_pinned' | 'not_the_next' | 'outlives_key' | 'called'
>

/** null: the line says it itself. */
const plain: Readonly<Record<Plain, string | null>> = {
  unasked: 'Nobody asked for this',
  unasked_empty: 'Empty, and nobody asked for it',
  own_wallet: 'Your wallet',
  trusted_contract: 'A contract that you trust',
  as_agreed: 'As agreed',
  chain_id: 'The chain',
  empty: 'Empty',
  time_of_now: 'A time of now',
  by_chance: 'Made by chance',
  two_scales: 'Readable at two scales',
  not_this_number: 'Not what this number was agreed to mean',
  number_unknown: 'A number whose meaning is not documented',
  decimals_unknown: 'Its decimals are not known',
  nothing_known: 'Nothing is known to hold it against',
  not_shown: 'It was not shown before',
  no_limit: null,
  unreadable: 'Nobody asked for this',
  router_not_pinned: 'No router is pinned',
  token_not_known: 'The token is not known',
  not_pinned: 'Not pinned yet',
  signed_before: 'Signed before',
  never_ends: 'It would never end',
  over: 'Over already',
  too_long: 'Longer than agreed',
  not_the_tokens_name: 'The token calls itself otherwise',
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
  unread_token_call: 'A token is never called with what cannot be read',
  never_unread: 'Never called with what cannot be read',
  by_arguments: 'Held against your ticket by its arguments',
  other_call: 'Nobody asked for this',
}

const against: Readonly<Record<Against, string>> = {
  order: 'your order',
  size: 'your size',
  position: 'your position',
  leverage: 'your leverage',
  slippage: 'your slippage',
  margin: 'your margin',
  close: 'what you close',
  asked: 'what you asked for',
  deposit: 'your deposit',
  referencePrice: 'your reference price',
  limitPrice: 'your limit price',
  triggerPrice: 'your trigger price',
  takeProfit: 'your take profit',
  stopLoss: 'your stop loss',
}

function ratioText({ is, by, of }: Extract<Remark, { readonly code: 'ratio' }>): string {
  const number = formatDecimal(by)
  switch (is) {
    case 'times':
      return `${number} times ${against[of]}`
    case 'part':
      return `1/${number} of ${against[of]}`
    case 'more_times':
      return `More than ${number} times ${against[of]}`
    case 'more':
    case 'less':
      return `${number}% ${is} than ${against[of]}`
  }
}

/** Why a line stands as it does, in a few words; null: nothing more is to be said. */
export function remarkText(remark: Remark | null): string | null {
  if (remark === null) return null
  switch (remark.code) {
    case 'ratio':
      return ratioText(remark)
    case 'also':
      return `Could also be read as ${remark.value} ${remark.unit ?? ''}`.trim()
    case 'other_amount':
      return 'Not the amount you asked for'
    case 'other_contract':
    case 'unknown_contract':
      return null
    case 'not_the_pinned':
      return `Not the one you pinned, ${shortAddress(remark.pinned)}`
    case 'not_the_next':
      return 'The token would not take it'
    case 'outlives_key':
      return `Longer than the key, which ends ${dateText(remark.endsAtMs) ?? 'later'}`
    case 'called':
      return `The service calls it an ${remark.kind}`
    default:
      return plain[remark.code]
  }
}
