import { z } from 'zod'
import { command, query } from '../define.ts'
import { Failure } from '../failure.ts'
import { UnknownFields } from '../missing.ts'
import { accountQueries, movedQueries } from './intent-queries.ts'
import { Intent } from './orders.ts'
import { DelegatedTicket, OrderTicket } from './tickets.ts'

/** What became of one action of a delegated execution. */
export const ExecutionItem = z.object({
  /** From 0, in the order of the batch. */
  index: z.number().int(),
  action: z.string(),
  title: z.string(),
  /** As the service says it, for example `executed`; null: it said nothing of it yet. */
  state: z.string().nullable(),
  reason: z.string().nullable(),
  orderId: z.string().nullable(),
  positionId: z.string().nullable(),
})
export type ExecutionItem = z.infer<typeof ExecutionItem>

export const Execution = z.object({
  commandId: z.string().nullable(),
  /** As the service says it; null: it was not read yet. */
  state: z.string().nullable(),
  txHash: z.string().nullable(),
  /** The key that it was ordered with, and the executor that was bound to it, as far as it was known. */
  keyLabel: z.string().nullable(),
  executor: z.string().nullable(),
  items: z.array(ExecutionItem),
  unknownFields: UnknownFields,
  /** When the service was last asked; null: not yet. */
  readAtMs: z.number().nullable(),
  /** Until when the same order may be sent again as its own replay; null: it is not needed, or no longer possible (Idempotency rules 2 and 6). */
  replayUntilMs: z.number().nullable(),
})
export type Execution = z.infer<typeof Execution>

export const DryRun = z.object({
  valid: z.boolean(),
  /** Why it was refused. */
  failure: Failure.nullable(),
  /** untold: the service stopped at another action before it said anything of this one. */
  items: z.array(
    z.object({ index: z.number().int(), action: z.string(), title: z.string(), verdict: z.enum(['valid', 'refused', 'untold']), issue: z.string().nullable() }),
  ),
  /** The service named a command although nothing was to be submitted: it may have been carried out. */
  submittedCommandId: z.string().nullable(),
  unknownFields: UnknownFields,
})
export type DryRun = z.infer<typeof DryRun>

/** Why a way cannot be taken now. */
export const WayIssue = z.discriminatedUnion('code', [
  z.object({ code: z.enum(['no_wallet', 'no_key']) }),
  /** Of the key with this label. */
  z.object({ code: z.literal('no_executor'), label: z.string() }),
  z.object({ code: z.literal('lacks_scope'), label: z.string(), scope: z.string() }),
  /** In words of the ticket. */
  z.object({ code: z.literal('not_delegated'), text: z.string() }),
])
export type WayIssue = z.infer<typeof WayIssue>

/** A way to have a ticket carried out. `why`: where it is not usable now. */
const way = { usable: z.boolean(), why: WayIssue.nullable() }

export const ExecutorWay = z.object({ keyId: z.string(), label: z.string(), executor: z.string().nullable(), ...way })
export type ExecutorWay = z.infer<typeof ExecutorWay>

export const Ways = z.object({
  wallet: z.object(way),
  /** Null: no executor carries this out, whichever key is used; `why` says so. */
  executors: z.array(ExecutorWay),
  /** Why no executor carries this out, whichever key is used. */
  why: WayIssue.nullable(),
  /** The wallet, unless none is connected and an executor can do it. */
  preferred: z.union([z.object({ by: z.literal('wallet') }), z.object({ by: z.literal('executor'), keyId: z.string() })]),
})
export type Ways = z.infer<typeof Ways>

const moves = { invalidates: [...movedQueries, ...accountQueries] } as const

export const execution = {
  /**
   * Journals the intent, then has the executor of a key carry it out; no wallet signs. `keyId` null: a key with the scopes, one with an executor
   * first. A lost answer gives the intent as UNKNOWN. Fails with `executor_required` where none is bound (Flow rules 6).
   */
  'intents.execute': command(z.object({ ticket: DelegatedTicket, keyId: z.string().max(256).nullable() }), Intent, moves),
  /** Has the service validate without submitting, under an idempotency key of its own. */
  'intents.dryRun': command(z.object({ ticket: DelegatedTicket, keyId: z.string().max(256).nullable() }), DryRun),
  'intents.execution': query(z.object({ ref: z.string() }), Execution, 'wallet'),
  /**
   * Sends an UNKNOWN execution again, byte for byte: the service gives its first answer again, and carries it out now if it never got it
   * (Idempotency rules 6). Fails with `expired` once its key may be forgotten.
   */
  'intents.replay': command(z.object({ ref: z.string() }), Intent, moves),
  'intents.ways': query(z.object({ ticket: OrderTicket }), Ways, 'wallet'),
} as const
