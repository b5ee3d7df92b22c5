import { type PreparedAction, unknownOfPrepared } from '../../shared/api/schemas/prepared-action.ts'
import type { PreparedOrder } from '../../shared/ipc/orders.ts'
import type { IntentRow } from '../journal/journal.ts'
import { shownRouter } from '../pins/agreement.ts'
import type { Assessment } from './assessment.ts'
import type { IntentBook } from './intent-book.ts'

/** How the preparation came. */
export interface Arrival {
  readonly replayed: boolean
  /** Unix ms, the service's time. */
  readonly receivedAtMs: number
  readonly requestId: string | null
}

/** A preparation as the window shows it. */
export type PreparedView = (row: IntentRow, assessed: Assessment, prepared: PreparedAction, arrival: Arrival) => PreparedOrder

export const createPreparedView =
  (book: Pick<IntentBook, 'view'>): PreparedView =>
  (row, assessed, prepared, { replayed, receivedAtMs, requestId }) => ({
    intent: book.view(row),
    ready: assessed.ready,
    status: assessed.status,
    mode: assessed.mode,
    reason: assessed.reason,
    idempotentReplay: replayed,
    comparison: assessed.compared?.comparison ?? null,
    spending: null,
    expectedPhrase: null,
    transactions: [],
    next: null,
    router: shownRouter(assessed.router),
    token: null,
    costs: assessed.costs,
    simulation: assessed.simulation,
    deadlineMs: assessed.deadlineMs,
    preparedAtMs: receivedAtMs,
    requestId,
    unknownFields: unknownOfPrepared(prepared),
  })
