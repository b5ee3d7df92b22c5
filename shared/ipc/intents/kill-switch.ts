import { z } from 'zod'
import { command, query } from '../define.ts'
import { Failure, NameOffer } from '../failure.ts'
import { IntentState, PreparedOrder } from './orders.ts'
import { IntentReason } from './reasons.ts'
import { OrderTicket } from './tickets.ts'
import { Title } from './titles.ts'

/** Details of a bulk action's step, as codes without further data. `shared/text/kill-switch-text.ts` has the texts. */
export const PlainDetail = z.enum([
  'not_there',
  'there_again',
  'preparation_unusable',
  'nothing_to_sign',
  'final_reading',
  'final_still_listed',
  'final_order_waits',
  'final_part_left',
  'position_without_id',
  'orders_unread',
  'positions_unread',
  'maybe_unread',
  'no_price',
  // Details of a step that revokes a key.
  'app_failed',
  'listed_as_revoked',
  'asked_to_wait',
])
export type PlainDetail = z.infer<typeof PlainDetail>

/** The outcome of a bulk action for one order, position or key. The journal stores it as JSON, so do not rename a code or change its fields. */
export const BulkDetail = z.discriminatedUnion('code', [
  z.object({ code: PlainDetail }),
  z.object({ code: z.literal('blocks'), confirmations: z.number() }),
  /** The step's intent ended or waits for this reason. */
  z.object({ code: z.literal('intent'), reason: IntentReason }),
  /** The step's intent ended without a reason. */
  z.object({ code: z.literal('ended'), state: IntentState }),
  /** The service refused. `by` and `message`: its error code and message; null if it sent none. */
  z.object({ code: z.literal('refused'), status: z.number(), by: z.string().nullable(), message: z.string().nullable() }),
  /** No answer arrived. `why`: the `reason` of the `unreachable` failure. */
  z.object({ code: z.literal('no_answer'), why: z.string() }),
  /** Any other failure. `kind`: the kind of the failure. */
  z.object({ code: z.literal('failed'), kind: z.string() }),
  /** A finished sentence that an earlier version of the app stored. */
  z.object({ code: z.literal('as_written'), text: z.string() }),
])
export type BulkDetail = z.infer<typeof BulkDetail>

/** The kind of bulk action. kill: the kill switch, which cancels all orders, then closes all positions, then revokes the keys. */
export const BulkActionKind = z.enum(['cancel_all', 'close_all', 'kill'])
export type BulkActionKind = z.infer<typeof BulkActionKind>

/** Who executes the steps: the wallet signs one after the other, or a key's executor receives them in batches. */
export const BulkActionBy = z.discriminatedUnion('way', [
  z.object({ way: z.literal('wallet') }),
  /** `keyId` null: use any key that has an executor and the required scopes. */
  z.object({ way: z.literal('executor'), keyId: z.string().max(256).nullable() }),
])
export type BulkActionBy = z.infer<typeof BulkActionBy>

export const BulkActionStep = z.object({
  /** `cancel/` followed by the order's id, or `close/` followed by the position's id. */
  id: z.string(),
  kind: z.enum(['cancel', 'close']),
  /** The id of the order or the position. */
  subject: z.string(),
  /** null if the step represents orders or positions that the app could not read. */
  title: Title.nullable(),
  /**
   * The state of the step. waiting: not started. asking: prepared, but not signed by the wallet yet. sent: on its way to the chain. unknown: the
   * response was lost, and the app checks the outcome. done: the account no longer shows the order or position. gone: the order or position no longer
   * existed when the step started. failed: the user can retry or skip the step.
   */
  state: z.enum(['waiting', 'asking', 'sent', 'unknown', 'done', 'gone', 'failed', 'skipped']),
  detail: BulkDetail.nullable(),
  /** Set for a failed step if the service asks for another field name. */
  offer: NameOffer.optional(),
  /** Reference of the intent that executes the step; null if there is none yet. */
  ref: z.string().nullable(),
  txHash: z.string().nullable(),
  atMs: z.number().nullable(),
})
export type BulkActionStep = z.infer<typeof BulkActionStep>

export const BulkActionRevocation = z.object({
  total: z.number().int(),
  /** The state of revoking the keys. waiting: not started, because earlier steps are not done or the user has not confirmed. */
  state: z.enum(['waiting', 'running', 'stopped', 'done']),
  revoked: z.number().int(),
  refused: z.number().int(),
  left: z.number().int(),
  failure: Failure.nullable(),
})
export type BulkActionRevocation = z.infer<typeof BulkActionRevocation>

export const BulkActionState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({
    state: z.enum(['open', 'done']),
    id: z.string(),
    kind: BulkActionKind,
    by: BulkActionBy,
    startedAtMs: z.number(),
    endedAtMs: z.number().nullable(),
    steps: z.array(BulkActionStep),
    /** The state of revoking the keys; null if the user chose no keys. */
    revocation: BulkActionRevocation.nullable(),
    /** true: the app is waiting for the executor's answer to a request. */
    running: z.boolean(),
    /** Why the app stopped sending steps to the executor. `bulkActions.goOn` tries again. */
    stopped: Failure.nullable(),
  }),
])
export type BulkActionState = z.infer<typeof BulkActionState>
export type KnownBulkAction = Exclude<BulkActionState, { state: 'idle' }>

const changes = { invalidates: ['bulkActions.state', 'intents.list', 'app.attention', 'account.summary', 'account.positions', 'account.orders'] } as const
const step = z.object({ stepId: z.string().max(300) })

/**
 * Calls for bulk actions, which cancel all orders, close all positions and revoke keys, step by step. A failed step does not block the steps after
 * it: the user can skip or retry it, and can revoke keys at any time.
 */
export const bulkActions = {
  'bulkActions.state': query(z.object({}), BulkActionState, 'wallet'),
  /**
   * Starts a bulk action. `typed`: the phrase of `shared/phrases/bulk-action-phrase.ts`, which the user must type. `keyIds`: the keys that a kill
   * revokes. Fails with `not_found` if there is nothing to cancel or close.
   */
  'bulkActions.start': command(
    z.object({ kind: BulkActionKind, by: BulkActionBy, keyIds: z.array(z.string()).max(64), typed: z.string().max(100) }),
    BulkActionState,
    changes,
  ),
  /**
   * Prepares the next step for the wallet, based on the current account. Marks and skips a step that cannot be prepared, or whose order or position
   * no longer exists. null if no step remains. If the wallet or the service is unreachable, fails without marking a step.
   */
  'bulkActions.next': command(
    z.object({}),
    z.object({ order: z.object({ stepId: z.string(), ticket: OrderTicket, prepared: PreparedOrder }).nullable() }),
    changes,
  ),
  /** Records that a new intent at a new price replaces the step's intent for the same order or position. */
  'bulkActions.took': command(step.extend({ ref: z.string() }), BulkActionState, changes),
  'bulkActions.again': command(step, BulkActionState, changes),
  'bulkActions.skip': command(step, BulkActionState, changes),
  /** Sends the remaining steps to the executor again. */
  'bulkActions.goOn': command(z.object({}), BulkActionState, changes),
  /** Revokes the keys now, without waiting for the remaining steps. */
  'bulkActions.revoke': command(z.object({ keyIds: z.array(z.string()).min(1).max(64) }), BulkActionState, {
    invalidates: [...changes.invalidates, 'revokeAll.state', 'revokeAll.report', 'keys.list'],
  }),
  /** Ends the bulk action. Orders, positions and keys that were not processed yet stay unchanged. */
  'bulkActions.end': command(z.object({}), BulkActionState, changes),
  /** Saves a report of the bulk action as CSV to a file that the user chooses. `path` is null if the user cancelled. */
  'bulkActions.saveReport': command(z.object({}), z.object({ path: z.string().nullable() })),
} as const

export const RevokeAllState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({
    /**
     * The state of the run. running: requests are in progress. stopped: some keys are not revoked yet, because the run ended early or the app was
     * closed; `revokeAll.resume` continues. done: the service answered for every key.
     */
    state: z.enum(['running', 'stopped', 'done']),
    id: z.string(),
    startedAtMs: z.number(),
    endedAtMs: z.number().nullable(),
    total: z.number().int(),
    revoked: z.number().int(),
    /** Number of keys that the service refused to revoke or does not know. The app does not retry automatically. */
    refused: z.number().int(),
    /** Number of keys whose revocation was not requested yet, or whose request got no answer. */
    left: z.number().int(),
    /** What must happen before the stopped run can continue; null while the run is in progress or done. */
    waitsFor: z.enum(['sign_in', 'wallet', 'service', 'restart']).nullable(),
  }),
])
export type RevokeAllState = z.infer<typeof RevokeAllState>

export const RevokeAllRow = z.object({
  keyId: z.string(),
  label: z.string(),
  /**
   * The outcome for this key. waiting: the revocation was not requested yet. unknown: requested, but the response was lost, so the app requests it
   * again.
   */
  outcome: z.enum(['waiting', 'revoked', 'refused', 'unknown']),
  detail: BulkDetail.nullable(),
  requestId: z.string().nullable(),
  /** When the service answered, or when the app last tried. */
  atMs: z.number().nullable(),
  /** true: the service revoked the key, but the app could not delete its secret from the keychain. The secret no longer works. */
  leftInKeychain: z.boolean(),
})
export type RevokeAllRow = z.infer<typeof RevokeAllRow>

const keyChanges = {
  invalidates: ['revokeAll.state', 'revokeAll.report', 'keys.list', 'keys.unmatched', 'replacements.list', 'markets.list', 'app.attention', 'activity.secrets'],
} as const

/**
 * Calls that revoke many keys at once, below the service's limit of 10 requests per second (LIM-01). The app's risk limits never block a revocation.
 */
export const revokeAll = {
  'revokeAll.state': query(z.object({}), RevokeAllState, 'wallet'),
  /**
   * Starts revoking the keys. `typed`: the phrase of `shared/phrases.ts` for that number of keys, which the user must type. Returns at once;
   * `revokeAll.state` reports the progress.
   */
  'revokeAll.start': command(z.object({ keyIds: z.array(z.string()).min(1).max(64), typed: z.string() }), RevokeAllState, keyChanges),
  'revokeAll.resume': command(z.object({}), RevokeAllState, keyChanges),
  /** Returns one row per key of the last run, in the order in which the revocations were requested; empty if there was no run. */
  'revokeAll.report': query(z.object({}), z.array(RevokeAllRow), 'wallet'),
  /** Saves the report as CSV to a file that the user chooses. `path` is null if the user cancelled. */
  'revokeAll.saveReport': command(z.object({}), z.object({ path: z.string().nullable() })),
} as const
