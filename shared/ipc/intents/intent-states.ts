import { compare } from '../../decimal.ts'
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
 * How much of an order its trades fill. `whole` and `part` are certain: the order and its trades give a size in the same unit. Otherwise `some`: a
 * value in USDC or the whole of a position says nothing about the size that the service executed.
 */
export function fillExtent(title: Title, { size, base }: Pick<Fill, 'size' | 'base'>): 'whole' | 'part' | 'some' {
  const ordered = title.code === 'close' || title.code === 'reduce' ? title.size : null
  if (ordered === null || size === null || base === null) return 'some'
  return compare(size, ordered) < 0 ? 'part' : 'whole'
}
