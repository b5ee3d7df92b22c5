import type { BulkActionStep, BulkDetail, PlainDetail } from '../ipc/intents/kill-switch.ts'
import { reasonText } from './intent-text.ts'

const plain: Readonly<Record<PlainDetail, string>> = {
  not_there: 'It was not there any more.',
  there_again: 'It is there again.',
  preparation_unusable: 'Its preparation cannot be used any more.',
  nothing_to_sign: 'The service prepared nothing to sign.',
  final_reading: 'Final; the account is read to see it.',
  final_still_listed: 'Final; the service still lists it. Reading it again.',
  final_order_waits: 'It is final, and the order still waits.',
  final_part_left: 'It is final, and a part of the position is left.',
  position_without_id: 'The service does not tell the id of this position.',
  orders_unread: 'The service did not list all orders to the end. More may be waiting: look at the exchange itself.',
  positions_unread: 'The app could not read every position. More may be open: look at the exchange itself.',
  maybe_unread: 'The service lists positions that the app cannot read. It may be one of them.',
  no_price: 'There is no price for this market.',
  app_failed: 'This app failed while it was asked',
  listed_as_revoked: 'The list says that it is revoked.',
  asked_to_wait: 'The service asked to wait',
}

/** What became of an order, a position or a key. Empty: there is nothing to say. */
export function bulkDetailText(detail: BulkDetail | null): string {
  if (detail === null) return ''
  switch (detail.code) {
    case 'blocks':
      return `${detail.confirmations} of 8 blocks`
    case 'intent':
      return reasonText(detail.reason)
    case 'ended':
      return `It ended ${detail.state.toLowerCase()}.`
    case 'refused':
      return [`HTTP ${detail.status}`, detail.by, detail.message].filter((part) => part !== null).join(' · ')
    case 'no_answer':
      return `No answer: ${detail.why}`
    case 'failed':
      return detail.kind
    case 'as_written':
      return detail.text
    default:
      return plain[detail.code]
  }
}

export const stepTitle = ({ kind, title }: Pick<BulkActionStep, 'kind' | 'title'>): string =>
  title ?? (kind === 'cancel' ? 'Orders that could not be listed' : 'Positions that could not be read')

/** Of a revoked key. */
export const secretLeftText = 'Its secret is still in the keychain.'
