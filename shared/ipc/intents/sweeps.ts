import { z } from 'zod'
import { command, query } from '../define.ts'
import { Failure, NameOffer } from '../failure.ts'
import { PreparedOrder } from './orders.ts'
import { OrderTicket } from './tickets.ts'

/** kill: cancels all orders, closes all positions, revokes the keys, in that order. */
export const SweepKind = z.enum(['cancel_all', 'close_all', 'kill'])
export type SweepKind = z.infer<typeof SweepKind>

/** Who carries the steps out: the wallet signs one after the other, or the executor of a key takes them in batches. */
export const SweepBy = z.discriminatedUnion('way', [
  z.object({ way: z.literal('wallet') }),
  /** `keyId` null: any key with an executor and the scopes. */
  z.object({ way: z.literal('executor'), keyId: z.string().max(256).nullable() }),
])
export type SweepBy = z.infer<typeof SweepBy>

export const SweepStep = z.object({
  /** `cancel/` and the order's id, or `close/` and the position's. */
  id: z.string(),
  kind: z.enum(['cancel', 'close']),
  /** The order or the position. */
  subject: z.string(),
  title: z.string(),
  /**
   * waiting: its turn has not come. asking: prepared, and the wallet has not signed. sent: on its way to the chain. unknown: the answer was lost and is
   * looked up. done: the account shows it no more. gone: it was not there any more when its turn came. failed: to be tried again or skipped by the user.
   */
  state: z.enum(['waiting', 'asking', 'sent', 'unknown', 'done', 'gone', 'failed', 'skipped']),
  detail: z.string().nullable(),
  /** Of a failed one: the name that the service asks for. */
  offer: NameOffer.optional(),
  /** The intent that carries it out. */
  ref: z.string().nullable(),
  txHash: z.string().nullable(),
  atMs: z.number().nullable(),
})
export type SweepStep = z.infer<typeof SweepStep>

export const SweepRevocation = z.object({
  total: z.number().int(),
  /** waiting: for the steps before it, or for the user. */
  state: z.enum(['waiting', 'running', 'stopped', 'done']),
  revoked: z.number().int(),
  refused: z.number().int(),
  left: z.number().int(),
  /** Why it did not begin. */
  failure: Failure.nullable(),
})
export type SweepRevocation = z.infer<typeof SweepRevocation>

export const SweepState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({
    state: z.enum(['open', 'done']),
    id: z.string(),
    kind: SweepKind,
    by: SweepBy,
    startedAtMs: z.number(),
    endedAtMs: z.number().nullable(),
    steps: z.array(SweepStep),
    /** null: no key is to be revoked. */
    revocation: SweepRevocation.nullable(),
    /** The executor is being asked now. */
    running: z.boolean(),
    /** Why the executor is not asked any more; `sweeps.goOn` tries again. */
    stopped: Failure.nullable(),
  }),
])
export type SweepState = z.infer<typeof SweepState>
export type KnownSweep = Exclude<SweepState, { state: 'idle' }>

const changes = { invalidates: ['sweeps.state', 'intents.list', 'app.attention', 'account.summary', 'account.positions', 'account.orders'] } as const
const step = z.object({ stepId: z.string().max(300) })

/** Ends what is open, step by step. Nothing blocks: what fails is skipped or tried again, and keys can be revoked at any time. */
export const sweeps = {
  'sweeps.state': query(z.object({}), SweepState, 'wallet'),
  /** `typed`: `shared/phrases/sweep-phrase.ts`. `keyIds`: what a kill revokes. Fails with `not_found` where nothing is open. */
  'sweeps.start': command(z.object({ kind: SweepKind, by: SweepBy, keyIds: z.array(z.string()).max(64), typed: z.string().max(100) }), SweepState, changes),
  /**
   * The next step for the wallet, prepared as the account stands now; steps whose order or position is gone, or that cannot be prepared, are marked and
   * passed over. null: none is left. Fails, and marks nothing, where the wallet or the service is away.
   */
  'sweeps.next': command(z.object({}), z.object({ order: z.object({ stepId: z.string(), ticket: OrderTicket, prepared: PreparedOrder }).nullable() }), changes),
  /** The step goes on with another intent for the same: one that was priced anew. */
  'sweeps.took': command(step.extend({ ref: z.string() }), SweepState, changes),
  'sweeps.again': command(step, SweepState, changes),
  'sweeps.skip': command(step, SweepState, changes),
  /** Asks the executor again for what is left. */
  'sweeps.goOn': command(z.object({}), SweepState, changes),
  /** Revokes the keys now, whatever else is open. */
  'sweeps.revoke': command(z.object({ keyIds: z.array(z.string()).min(1).max(64) }), SweepState, {
    invalidates: [...changes.invalidates, 'panic.state', 'panic.report', 'keys.list'],
  }),
  /** Leaves what is left as it is, keys included. */
  'sweeps.end': command(z.object({}), SweepState, changes),
  /** A table with commas, where the user chooses. `path` null: the dialog was closed. */
  'sweeps.saveReport': command(z.object({}), z.object({ path: z.string().nullable() })),
} as const
