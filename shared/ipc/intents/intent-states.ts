import type { Failure } from '../failure.ts'
import type { IntentState, TransactionState } from './orders.ts'

/** In the order of an intent that goes well, then the ends of one that does not. */
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

/** The wallet was asked for it, and has not answered. */
export const isAsked = ({ state }: { readonly state: IntentState }): boolean => state === 'ASKED'

/** The state of an intent that is one transaction. */
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

/** Whether a change may have happened although nobody can tell what came of it: such a failure is looked up and never repeated by itself. */
export const leavesUnknown = (failure: Failure): failure is Extract<Failure, { kind: 'outcome_unknown' | 'unreadable' }> =>
  failure.kind === 'outcome_unknown' || failure.kind === 'unreadable'
