import { delegatedActions, preparedActions } from '../../../shared/api/actions.ts'
import type { IntentState } from '../../../shared/ipc/intents/orders.ts'

/** What a wallet pays for a key is none. */
export const isTradingIntent = ({ action }: { readonly action: string }): boolean =>
  Object.hasOwn(preparedActions, action) || Object.hasOwn(delegatedActions, action)

/** What a state means to those who only wait for the end. `open`: nothing left this computer but a question to the wallet. */
export const phaseOf = {
  PLANNED: 'open',
  PREPARED: 'open',
  ASKED: 'open',
  SIGNED: 'open',
  SENT: 'on_its_way',
  SUBMITTED: 'on_its_way',
  CONFIRMING: 'on_its_way',
  UNKNOWN: 'unknown',
  FINAL: 'final',
  REFUSED: 'failed',
  EXPIRED: 'failed',
  REVERTED: 'failed',
  CANCELLED: 'failed',
} as const satisfies Readonly<Record<IntentState, string>>

/** Prepared, and the wallet may be asked for it, or was. */
export const isWithWallet = ({ state }: { readonly state: IntentState }): boolean => state === 'PREPARED' || state === 'ASKED'
