import { z } from 'zod'
import { command, query } from '../define.ts'
import { Failure, NameOffer } from '../failure.ts'
import { IntentState, PreparedOrder } from './orders.ts'
import { IntentReason } from './reasons.ts'
import { OrderTicket } from './tickets.ts'

/** Details whose code says it all. Their sentences: `shared/text/kill-switch-text.ts`. */
export const PlainDetail = z.enum([
  // Of an order or a position.
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
  // Of a key.
  'app_failed',
  'listed_as_revoked',
  'asked_to_wait',
])
export type PlainDetail = z.infer<typeof PlainDetail>

/** What became of an order, a position or a key. Kept as JSON: rename no code, and change no fact of one. */
export const BulkDetail = z.discriminatedUnion('code', [
  z.object({ code: PlainDetail }),
  z.object({ code: z.literal('blocks'), confirmations: z.number() }),
  /** Its intent ended or waits for this reason. */
  z.object({ code: z.literal('intent'), reason: IntentReason }),
  /** Its intent ended without a reason. */
  z.object({ code: z.literal('ended'), state: IntentState }),
  /** `by` and `message`: the service's own words; null: it gave none. */
  z.object({ code: z.literal('refused'), status: z.number(), by: z.string().nullable(), message: z.string().nullable() }),
  /** `why`: the reason of `unreachable`. */
  z.object({ code: z.literal('no_answer'), why: z.string() }),
  /** `kind`: of any other failure. */
  z.object({ code: z.literal('failed'), kind: z.string() }),
  /** A sentence of an earlier version. */
  z.object({ code: z.literal('as_written'), text: z.string() }),
])
export type BulkDetail = z.infer<typeof BulkDetail>

/** kill: cancels all orders, closes all positions, revokes the keys, in that order. */
export const BulkActionKind = z.enum(['cancel_all', 'close_all', 'kill'])
export type BulkActionKind = z.infer<typeof BulkActionKind>

/** Who carries the steps out: the wallet signs one after the other, or the executor of a key takes them in batches. */
export const BulkActionBy = z.discriminatedUnion('way', [
  z.object({ way: z.literal('wallet') }),
  /** `keyId` null: any key with an executor and the scopes. */
  z.object({ way: z.literal('executor'), keyId: z.string().max(256).nullable() }),
])
export type BulkActionBy = z.infer<typeof BulkActionBy>

export const BulkActionStep = z.object({
  /** `cancel/` and the order's id, or `close/` and the position's. */
  id: z.string(),
  kind: z.enum(['cancel', 'close']),
  /** The order or the position. */
  subject: z.string(),
  /** null: it is in the place of orders or positions that could not be read. */
  title: z.string().nullable(),
  /**
   * waiting: its turn has not come. asking: prepared, and the wallet has not signed. sent: on its way to the chain. unknown: the answer was lost and is
   * looked up. done: the account shows it no more. gone: it was not there any more when its turn came. failed: to be tried again or skipped by the user.
   */
  state: z.enum(['waiting', 'asking', 'sent', 'unknown', 'done', 'gone', 'failed', 'skipped']),
  detail: BulkDetail.nullable(),
  /** Of a failed one: the name that the service asks for. */
  offer: NameOffer.optional(),
  /** The intent that carries it out. */
  ref: z.string().nullable(),
  txHash: z.string().nullable(),
  atMs: z.number().nullable(),
})
export type BulkActionStep = z.infer<typeof BulkActionStep>

export const BulkActionRevocation = z.object({
  total: z.number().int(),
  /** waiting: for the steps before it, or for the user. */
  state: z.enum(['waiting', 'running', 'stopped', 'done']),
  revoked: z.number().int(),
  refused: z.number().int(),
  left: z.number().int(),
  /** Why it did not begin. */
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
    /** null: no key is to be revoked. */
    revocation: BulkActionRevocation.nullable(),
    /** The executor is being asked now. */
    running: z.boolean(),
    /** Why the executor is not asked any more; `bulkActions.goOn` tries again. */
    stopped: Failure.nullable(),
  }),
])
export type BulkActionState = z.infer<typeof BulkActionState>
export type KnownBulkAction = Exclude<BulkActionState, { state: 'idle' }>

const changes = { invalidates: ['bulkActions.state', 'intents.list', 'app.attention', 'account.summary', 'account.positions', 'account.orders'] } as const
const step = z.object({ stepId: z.string().max(300) })

/** Ends what is open, step by step. Nothing blocks: what fails is skipped or tried again, and keys can be revoked at any time. */
export const bulkActions = {
  'bulkActions.state': query(z.object({}), BulkActionState, 'wallet'),
  /** `typed`: `shared/phrases/bulk-action-phrase.ts`. `keyIds`: what a kill revokes. Fails with `not_found` where nothing is open. */
  'bulkActions.start': command(
    z.object({ kind: BulkActionKind, by: BulkActionBy, keyIds: z.array(z.string()).max(64), typed: z.string().max(100) }),
    BulkActionState,
    changes,
  ),
  /**
   * The next step for the wallet, prepared as the account stands now; steps whose order or position is gone, or that cannot be prepared, are marked and
   * passed over. null: none is left. Fails, and marks nothing, where the wallet or the service is away.
   */
  'bulkActions.next': command(
    z.object({}),
    z.object({ order: z.object({ stepId: z.string(), ticket: OrderTicket, prepared: PreparedOrder }).nullable() }),
    changes,
  ),
  /** The step goes on with another intent for the same: one that was priced anew. */
  'bulkActions.took': command(step.extend({ ref: z.string() }), BulkActionState, changes),
  'bulkActions.again': command(step, BulkActionState, changes),
  'bulkActions.skip': command(step, BulkActionState, changes),
  /** Asks the executor again for what is left. */
  'bulkActions.goOn': command(z.object({}), BulkActionState, changes),
  /** Revokes the keys now, whatever else is open. */
  'bulkActions.revoke': command(z.object({ keyIds: z.array(z.string()).min(1).max(64) }), BulkActionState, {
    invalidates: [...changes.invalidates, 'revokeAll.state', 'revokeAll.report', 'keys.list'],
  }),
  /** Leaves what is left as it is, keys included. */
  'bulkActions.end': command(z.object({}), BulkActionState, changes),
  /** A table with commas, where the user chooses. `path` null: the dialog was closed. */
  'bulkActions.saveReport': command(z.object({}), z.object({ path: z.string().nullable() })),
} as const

export const RevokeAllState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({
    /** running: requests are leaving. stopped: it ended with keys left, or the app was closed; `revokeAll.resume` goes on. done: every key was answered for. */
    state: z.enum(['running', 'stopped', 'done']),
    id: z.string(),
    startedAtMs: z.number(),
    endedAtMs: z.number().nullable(),
    total: z.number().int(),
    revoked: z.number().int(),
    /** The service refused, or does not know the key. Not asked again by itself. */
    refused: z.number().int(),
    /** Not asked yet, or without an answer. */
    left: z.number().int(),
    /** Why it stopped; null while it runs and once it is done. */
    waitsFor: z.enum(['sign_in', 'wallet', 'service', 'restart']).nullable(),
  }),
])
export type RevokeAllState = z.infer<typeof RevokeAllState>

export const RevokeAllRow = z.object({
  keyId: z.string(),
  label: z.string(),
  /** waiting: not asked yet. unknown: asked, and the answer was lost; it is asked again. */
  outcome: z.enum(['waiting', 'revoked', 'refused', 'unknown']),
  detail: BulkDetail.nullable(),
  requestId: z.string().nullable(),
  /** Of the answer, or of the last try. */
  atMs: z.number().nullable(),
  /** The key is revoked and its secret could not be removed from the keychain. It is worth nothing any more. */
  leftInKeychain: z.boolean(),
})
export type RevokeAllRow = z.infer<typeof RevokeAllRow>

const keyChanges = {
  invalidates: ['revokeAll.state', 'revokeAll.report', 'keys.list', 'keys.orphans', 'replacements.list', 'markets.list', 'app.attention', 'activity.secrets'],
} as const

/** Revokes many keys at once, below the service's 10 requests a second (LIM-01). Nothing on this computer holds it back. */
export const revokeAll = {
  'revokeAll.state': query(z.object({}), RevokeAllState, 'wallet'),
  /** `typed`: the words of `shared/phrases.ts` for that many keys. Answers at once; `revokeAll.state` tells how it goes. */
  'revokeAll.start': command(z.object({ keyIds: z.array(z.string()).min(1).max(64), typed: z.string() }), RevokeAllState, keyChanges),
  'revokeAll.resume': command(z.object({}), RevokeAllState, keyChanges),
  /** Of the last one; empty where there was none. In the order of asking. */
  'revokeAll.report': query(z.object({}), z.array(RevokeAllRow), 'wallet'),
  /** A table with commas, where the user chooses. `path` null: the dialog was closed. */
  'revokeAll.saveReport': command(z.object({}), z.object({ path: z.string().nullable() })),
} as const
