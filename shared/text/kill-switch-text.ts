import { type AmountFormat, formatDecimal } from '../decimal.ts'
import type { BulkActionStep, BulkDetail } from '../ipc/intents/kill-switch.ts'
import { catalogue } from './catalogue.ts'
import { knownReason, reasonText } from './reason-text.ts'
import { titleText } from './title-text.ts'

/** Texts for the outcome of a bulk action for one order, position or key, keyed by `BulkDetail`. */
export const killSwitchWords = catalogue('killSwitch', {
  not_there: 'The order or position no longer existed.',
  there_again: 'The order or position exists again.',
  preparation_unusable: 'The preparation can no longer be used.',
  nothing_to_sign: 'The service prepared nothing to sign.',
  final_reading: 'Final. The app is checking the account.',
  final_still_listed: 'Final, but still in the service’s list. Checking again.',
  final_order_waits: 'Final, but the order is still open.',
  final_part_left: 'Final, but a part of the position is left.',
  position_without_id: 'The service does not give the ID of this position.',
  orders_unread: 'The service did not return the full list of orders. More may be open: check on the exchange itself.',
  positions_unread: 'The app could not read every position. More may be open: check on the exchange itself.',
  maybe_unread: 'The service lists positions that the app cannot read. This may be one of them.',
  no_price: 'There is no price for this market.',
  app_failed: 'Svc Desk failed during the request',
  listed_as_revoked: 'The service lists the key as revoked.',
  asked_to_wait: 'The service asked to wait',

  blocks: (confirmations: number) => `${confirmations} of 8 blocks`,
  ended: (state: string) => `Final status: ${state}.`,
  no_answer: (why: string) => `No response: ${why}`,
  unlisted_orders: 'Orders that could not be listed',
  unread_positions: 'Positions that could not be read',
  secret_left: 'The key’s secret is still in the keychain.',
})

/** Describes the outcome of a bulk action for a single order, position or key; empty if there is none yet. */
export function bulkDetailText(detail: BulkDetail | null): string {
  if (detail === null) return ''
  switch (detail.code) {
    case 'blocks':
      return killSwitchWords.blocks(detail.confirmations)
    case 'intent':
      return reasonText(detail.reason)
    case 'ended':
      return killSwitchWords.ended(detail.state.toLowerCase())
    case 'refused':
      return [detail.by === null ? null : knownReason(detail.by), `HTTP ${detail.status}`, detail.by, detail.message]
        .filter((part) => part !== null)
        .join(' · ')
    case 'no_answer':
      return killSwitchWords.no_answer(detail.why)
    case 'failed':
      return detail.kind
    case 'as_written':
      return detail.text
    default:
      return killSwitchWords[detail.code]
  }
}

export const stepTitle = ({ kind, title }: Pick<BulkActionStep, 'kind' | 'title'>, amount: AmountFormat = formatDecimal): string =>
  title !== null ? titleText(title, amount) : kind === 'cancel' ? killSwitchWords.unlisted_orders : killSwitchWords.unread_positions
