import { z } from 'zod'
import { command, query } from '../define.ts'
import { Failure } from '../failure.ts'
import { SentFormIssue } from '../form-issue.ts'
import { UnknownFields } from '../missing.ts'
import { accountQueries, movedQueries } from './intent-queries.ts'
import { Intent } from './orders.ts'
import { DelegatedTicket, OrderTicket } from './tickets.ts'
import { Title } from './titles.ts'

/** The outcome of one action that an executor carries out. */
export const ExecutionItem = z.object({
  /** Index in the batch, starting at 0. */
  index: z.number().int(),
  action: z.string(),
  title: Title,
  /** The state in the service's words, for example `executed`; null if the service has not reported it yet. */
  state: z.string().nullable(),
  reason: z.string().nullable(),
  orderId: z.string().nullable(),
  positionId: z.string().nullable(),
})
export type ExecutionItem = z.infer<typeof ExecutionItem>

export const Execution = z.object({
  commandId: z.string().nullable(),
  /** The execution's state in the service's words; null if the app has not read it yet. */
  state: z.string().nullable(),
  txHash: z.string().nullable(),
  /** Label of the key that placed the order. `executor`: the executor that was bound to the key at that time, if known. */
  keyLabel: z.string().nullable(),
  executor: z.string().nullable(),
  items: z.array(ExecutionItem),
  unknownFields: UnknownFields,
  /** When the app last asked the service; null if it has not asked yet. */
  readAtMs: z.number().nullable(),
  /**
   * Until this time, the app may send the same order again as a replay; null if a replay is not needed or no longer possible (Idempotency rules 2
   * and 6).
   */
  replayUntilMs: z.number().nullable(),
})
export type Execution = z.infer<typeof Execution>

export const DryRun = z.object({
  valid: z.boolean(),
  failure: Failure.nullable(),
  /** The result of the dry run for each action. untold: the service stopped at another action and did not report on this one. */
  items: z.array(
    z.object({ index: z.number().int(), action: z.string(), title: Title, verdict: z.enum(['valid', 'refused', 'untold']), issue: z.string().nullable() }),
  ),
  /** Set if the service returned a command, although a dry run must submit nothing. The command may have been executed. */
  submittedCommandId: z.string().nullable(),
  unknownFields: UnknownFields,
})
export type DryRun = z.infer<typeof DryRun>

export const MethodIssue = z.discriminatedUnion('code', [
  z.object({ code: z.enum(['no_wallet', 'no_key']) }),
  z.object({ code: z.literal('no_executor'), label: z.string() }),
  z.object({ code: z.literal('lacks_scope'), label: z.string(), scope: z.string() }),
  /** No executor can execute the order ticket, for the reason in `issue`. */
  z.object({ code: z.literal('not_delegated'), issue: SentFormIssue }),
])
export type MethodIssue = z.infer<typeof MethodIssue>

/** An execution method for an order ticket. `why`: why the method is unavailable now; null if it is usable. */
const method = { why: MethodIssue.nullable() }

export const ExecutorChoice = z.object({ keyId: z.string(), label: z.string(), executor: z.string().nullable(), ...method })
export type ExecutorChoice = z.infer<typeof ExecutorChoice>

export const ExecutionMethods = z.object({
  wallet: z.object(method),
  /** The executors of all keys that could execute the order ticket. Empty if there is none; `why` then has the reason. */
  executors: z.array(ExecutorChoice),
  /** Why no executor can execute the order ticket with any key; null if an executor can. */
  why: MethodIssue.nullable(),
  /** The method that the app selects by default: the wallet, or an executor if no wallet is connected and an executor can execute the ticket. */
  preferred: z.union([z.object({ by: z.literal('wallet') }), z.object({ by: z.literal('executor'), keyId: z.string() })]),
})
export type ExecutionMethods = z.infer<typeof ExecutionMethods>

const moves = { invalidates: [...movedQueries, ...accountQueries] } as const

export const execution = {
  /**
   * Stores the intent in the journal, then asks a key's executor to execute it without a wallet signature. `keyId` null: uses a key with the
   * required scopes, preferably one with an executor. If the response is lost, the intent becomes UNKNOWN. Fails with `executor_required` if the key
   * has no bound executor (Flow rules 6).
   */
  'intents.execute': command(z.object({ ticket: DelegatedTicket, keyId: z.string().max(256).nullable() }), Intent, moves),
  /** Asks the service to validate the order ticket without executing it. Uses a separate idempotency key. */
  'intents.dryRun': command(z.object({ ticket: DelegatedTicket, keyId: z.string().max(256).nullable() }), DryRun),
  'intents.execution': query(z.object({ ref: z.string() }), Execution, 'wallet'),
  /**
   * Sends an execution of unknown outcome again, byte for byte. The service repeats its first answer. If it never received the first request, it
   * executes the order now (Idempotency rules 6). Fails with `expired` if the service may have forgotten the idempotency key.
   */
  'intents.replay': command(z.object({ ref: z.string() }), Intent, moves),
  'intents.methods': query(z.object({ ticket: OrderTicket }), ExecutionMethods, 'wallet'),
} as const
