import { absolute, compare, multiply, parseDecimal, subtract } from '../../decimal.ts'
import type { Failure } from '../failure.ts'
import type { Fill, IntentState, TransactionState } from './orders.ts'
import type { Title } from './titles.ts'

/** The states of an intent: first those of a successful intent, in order, then the end states of a failed intent. */
export const intentStates = [
  'PLANNED',
  'PREPARED',
  'ASKED',
  'SIGNED',
  'SENT',
  'SUBMITTED',
  'CONFIRMING',
  'FINAL',
  'REFUSED',
  'EXPIRED',
  'REVERTED',
  'CANCELLED',
  'UNKNOWN',
] as const

/** Whether the app has sent the request to the wallet and waits for the answer. */
export const isAsked = ({ state }: { readonly state: IntentState }): boolean => state === 'ASKED'

/**
 * Whether an intent with this title places an order that can remain open at the exchange: a limit or stop order, a close at a limit price, or a
 * changed order. If such an intent is FINAL, the order is placed but may still be open.
 */
export function placesOrder(title: Title): boolean {
  switch (title.code) {
    case 'open':
      return title.orderType !== 'market'
    case 'close':
      return title.limitPrice !== null
    default:
      return title.code === 'replace'
  }
}

/** The intent state that corresponds to each transaction state, for an intent with a single transaction. */
export const stateOfTransaction: Readonly<Record<TransactionState, IntentState>> = {
  waiting: 'PREPARED',
  asked: 'ASKED',
  submitted: 'SUBMITTED',
  confirming: 'CONFIRMING',
  final: 'FINAL',
  reverted: 'REVERTED',
  unknown: 'UNKNOWN',
  cancelled: 'CANCELLED',
}

/**
 * Whether the change may have happened despite this failure. The app then reads the outcome from the service, and never repeats the call
 * automatically.
 */
export const leavesUnknown = (failure: Failure): failure is Extract<Failure, { kind: 'outcome_unknown' | 'unreadable' }> =>
  failure.kind === 'outcome_unknown' || failure.kind === 'unreadable'

/**
 * By how much the value of a whole fill may differ from the ordered value, as a share of it: the price may move within the order’s slippage, and the
 * service may deduct its fee.
 */
const valueTolerance = '0.02'

/**
 * How much of an order its trades fill. `whole` and `part` are certain: the order and its trades give a size in the same unit, or the trades’ value is
 * the ordered value (Actions: `order_value_usdc` is a notional in USDC). Otherwise `some`.
 */
export function fillExtent(title: Title, { size, base, price }: Pick<Fill, 'size' | 'base' | 'price'>): 'whole' | 'part' | 'some' {
  if (size === null || base === null) return 'some'
  if ((title.code === 'close' || title.code === 'reduce') && title.size !== null) return compare(size, title.size) < 0 ? 'part' : 'whole'
  if (title.code !== 'open' && title.code !== 'increase') return 'some'
  const paid = price === null ? null : parseDecimal(price.replaceAll(',', ''))
  const ordered = parseDecimal(title.orderValueUsdc)
  if (paid === null || ordered === null) return 'some'
  const difference = absolute(subtract(ordered, multiply(size, paid)))
  return compare(difference, multiply(ordered, valueTolerance)) <= 0 ? 'whole' : 'some'
}
