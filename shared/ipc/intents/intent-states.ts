import type { Failure } from '../failure.ts'
import type { IntentState, TransactionState } from './orders.ts'
import type { Title } from './titles.ts'

/** First the states of a successful intent, in order; then the end states of a failed one. */
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

/** The app asked the wallet and waits for its answer. */
export const isAsked = ({ state }: { readonly state: IntentState }): boolean => state === 'ASKED'

/**
 * Whether an intent with this title places an order that can stay open at the exchange: a limit or stop order, a close at a limit, or a change of an
 * order. When such an intent is FINAL, its order is placed but may still be open.
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

/** The intent state for each transaction state, for an intent that consists of one transaction. */
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

/** Whether a change may have happened although its outcome is unknown. The app then looks it up, and never repeats the call automatically. */
export const leavesUnknown = (failure: Failure): failure is Extract<Failure, { kind: 'outcome_unknown' | 'unreadable' }> =>
  failure.kind === 'outcome_unknown' || failure.kind === 'unreadable'
