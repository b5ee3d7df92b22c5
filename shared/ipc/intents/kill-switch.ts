import { z } from 'zod'
import { command, query } from '../define.ts'
import { Failure, NameOffer } from '../failure.ts'
import { IntentState, PreparedOrder } from './orders.ts'
import { IntentReason } from './reasons.ts'
import { OrderTicket } from './tickets.ts'
import { Title } from './titles.ts'

/** Codes without further data. `shared/text/kill-switch-text.ts` has the sentences. */
export const PlainDetail = z.enum([
  // Details about an order or a position.
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
  // About a key.
  'app_failed',
  'listed_as_revoked',
  'asked_to_wait',
])
export type PlainDetail = z.infer<typeof PlainDetail>

/** The outcome for an order, a position or a key. The journal stores it as JSON, so do not rename a code or change its fields. */
export const BulkDetail = z.discriminatedUnion('code', [
  z.object({ code: PlainDetail }),
  z.object({ code: z.literal('blocks'), confirmations: z.number() }),
  /** The step's intent ended or waits for this reason. */
  z.object({ code: z.literal('intent'), reason: IntentReason }),
  /** The step's intent ended without a reason. */
  z.object({ code: z.literal('ended'), state: IntentState }),
  /** `by` and `message`: the service's words; null if it gave none. */
  z.object({ code: z.literal('refused'), status: z.number(), by: z.string().nullable(), message: z.string().nullable() }),
  /** `why`: the `reason` of the `unreachable` failure. */
  z.object({ code: z.literal('no_answer'), why: z.string() }),
  /** `kind`: the kind of a failure that has no code of its own here. */
  z.object({ code: z.literal('failed'), kind: z.string() }),
  /** A sentence that an earlier version stored. */
  z.object({ code: z.literal('as_written'), text: z.string() }),
])
export type BulkDetail = z.infer<typeof BulkDetail>

/** kill: cancels all orders, closes all positions and revokes the keys, in this order. */
export const BulkActionKind = z.enum(['cancel_all', 'close_all', 'kill'])
export type BulkActionKind = z.infer<typeof BulkActionKind>

/** Who executes the steps: the wallet signs one after the other, or a key's executor receives them in batches. */
export const BulkActionBy = z.discriminatedUnion('way', [
  z.object({ way: z.literal('wallet') }),
  /** `keyId` null: any key with an executor and the scopes. */
  z.object({ way: z.literal('executor'), keyId: z.string().max(256).nullable() }),
])
export type BulkActionBy = z.infer<typeof BulkActionBy>

export const BulkActionStep = z.object({
  /** `cancel/` and the id of the order, or `close/` and the id of the position. */
  id: z.string(),
  kind: z.enum(['cancel', 'close']),
  /** The id of the order or the position. */
  subject: z.string(),
  /** null for a step that represents orders or positions that the app could not read. */
  title: Title.nullable(),
  /**
   * waiting: not started. asking: prepared, but the wallet has not signed. sent: on its way to the chain. unknown: the response was lost, and the
   * app checks the outcome. done: the account no longer shows the order or position. gone: it no longer existed when the step started. failed: the
   * user can retry or skip the step.
   */
  state: z.enum(['waiting', 'asking', 'sent', 'unknown', 'done', 'gone', 'failed', 'skipped']),
  detail: BulkDetail.nullable(),
  /** Set for a failed step if the service asks for another field name. */
  offer: NameOffer.optional(),
  /** The intent that executes the step. */
  ref: z.string().nullable(),
  txHash: z.string().nullable(),
  atMs: z.number().nullable(),
})
export type BulkActionStep = z.infer<typeof BulkActionStep>

export const BulkActionRevocation = z.object({
  total: z.number().int(),
  /** waiting: the revocation waits for the steps before it, or for the user. */
  state: z.enum(['waiting', 'running', 'stopped', 'done']),
  revoked: z.number().int(),
  refused: z.number().int(),
  left: z.number().int(),
  /** Why the app could not start to revoke the keys. */
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
    /** null: the user chose no key to revoke. */
    revocation: BulkActionRevocation.nullable(),
    /** A request to the executor is in progress. */
    running: z.boolean(),
    /** Why the app stopped asking the executor; `bulkActions.goOn` retries. */
    stopped: Failure.nullable(),
  }),
])
export type BulkActionState = z.infer<typeof BulkActionState>
export type KnownBulkAction = Exclude<BulkActionState, { state: 'idle' }>

const changes = { invalidates: ['bulkActions.state', 'intents.list', 'app.attention', 'account.summary', 'account.positions', 'account.orders'] } as const
const step = z.object({ stepId: z.string().max(300) })

/**
 * Bulk actions cancel all orders, close all positions and revoke keys, step by step. No step blocks the rest: the user can skip or retry a failed
 * step, and can revoke keys at any time.
 */
export const bulkActions = {
  'bulkActions.state': query(z.object({}), BulkActionState, 'wallet'),
  /**
   * `typed`: the phrase of `shared/phrases/bulk-action-phrase.ts`, which the user must type. `keyIds`: the keys that a kill revokes. Fails with
   * `not_found` if there is no open order to cancel or no open position to close.
   */
  'bulkActions.start': command(
    z.object({ kind: BulkActionKind, by: BulkActionBy, keyIds: z.array(z.string()).max(64), typed: z.string().max(100) }),
    BulkActionState,
    changes,
  ),
  /**
   * Prepares the next step for the wallet, from the current account. Marks and skips a step whose order or position no longer exists, or that cannot
   * be prepared. null: no step remains. Fails, and marks nothing, if the wallet or the service is unreachable.
   */
  'bulkActions.next': command(
    z.object({}),
    z.object({ order: z.object({ stepId: z.string(), ticket: OrderTicket, prepared: PreparedOrder }).nullable() }),
    changes,
  ),
  /** Records that a new intent, prepared at a new price, continues the step for the same order or position. */
  'bulkActions.took': command(step.extend({ ref: z.string() }), BulkActionState, changes),
  'bulkActions.again': command(step, BulkActionState, changes),
  'bulkActions.skip': command(step, BulkActionState, changes),
  /** Asks the executor again for the remaining steps. */
  'bulkActions.goOn': command(z.object({}), BulkActionState, changes),
  /** Revokes the keys now, regardless of open steps. */
  'bulkActions.revoke': command(z.object({ keyIds: z.array(z.string()).min(1).max(64) }), BulkActionState, {
    invalidates: [...changes.invalidates, 'revokeAll.state', 'revokeAll.report', 'keys.list'],
  }),
  /** Ends the bulk action and leaves the remaining orders, positions and keys unchanged. */
  'bulkActions.end': command(z.object({}), BulkActionState, changes),
  /** Saves a CSV table to a file that the user chooses. `path` is null if the user closed the dialog. */
  'bulkActions.saveReport': command(z.object({}), z.object({ path: z.string().nullable() })),
} as const

export const RevokeAllState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({
    /**
     * running: requests are in progress. stopped: keys remain after the run ended or the app was closed; `revokeAll.resume` continues. done: the
     * service answered for every key.
     */
    state: z.enum(['running', 'stopped', 'done']),
    id: z.string(),
    startedAtMs: z.number(),
    endedAtMs: z.number().nullable(),
    total: z.number().int(),
    revoked: z.number().int(),
    /** Keys that the service refused to revoke or does not know. The app does not retry automatically. */
    refused: z.number().int(),
    /** Keys not yet asked for, or whose request got no answer. */
    left: z.number().int(),
    /** Why the run stopped; null while it runs and once it is done. */
    waitsFor: z.enum(['sign_in', 'wallet', 'service', 'restart']).nullable(),
  }),
])
export type RevokeAllState = z.infer<typeof RevokeAllState>

export const RevokeAllRow = z.object({
  keyId: z.string(),
  label: z.string(),
  /** waiting: not asked yet. unknown: asked, but the response was lost; the app asks again. */
  outcome: z.enum(['waiting', 'revoked', 'refused', 'unknown']),
  detail: BulkDetail.nullable(),
  requestId: z.string().nullable(),
  /** When the answer arrived, or when the app last tried. */
  atMs: z.number().nullable(),
  /** The service revoked the key, but the app could not delete its secret from the keychain. The secret no longer works. */
  leftInKeychain: z.boolean(),
})
export type RevokeAllRow = z.infer<typeof RevokeAllRow>

const keyChanges = {
  invalidates: ['revokeAll.state', 'revokeAll.report', 'keys.list', 'keys.unmatched', 'replacements.list', 'markets.list', 'app.attention', 'activity.secrets'],
} as const

/** Revokes many keys at once, below the limit of 10 requests per second (LIM-01). No risk limit of the app blocks it. */
export const revokeAll = {
  'revokeAll.state': query(z.object({}), RevokeAllState, 'wallet'),
  /** `typed`: the words of `shared/phrases.ts` for that number of keys. Returns at once; `revokeAll.state` reports the progress. */
  'revokeAll.start': command(z.object({ keyIds: z.array(z.string()).min(1).max(64), typed: z.string() }), RevokeAllState, keyChanges),
  'revokeAll.resume': command(z.object({}), RevokeAllState, keyChanges),
  /** The rows of the last run, in the order in which the app requested the revocations; empty if there was no run. */
  'revokeAll.report': query(z.object({}), z.array(RevokeAllRow), 'wallet'),
  /** Saves a CSV table to a file that the user chooses. `path` is null if the user closed the dialog. */
  'revokeAll.saveReport': command(z.object({}), z.object({ path: z.string().nullable() })),
} as const
