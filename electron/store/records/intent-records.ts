import { z } from 'zod'
import { Failure } from '../../../shared/ipc/failure.ts'
import { CheckOutcome } from '../../../shared/ipc/host/service-check.ts'
import { BulkActionBy, BulkActionKind, BulkActionStep, RevokeAllRow } from '../../../shared/ipc/intents/kill-switch.ts'
import { Fill } from '../../../shared/ipc/intents/orders.ts'
import { TicketPreset, TicketSettings } from '../../../shared/ipc/intents/presets.ts'
import { RiskLimits } from '../../../shared/ipc/intents/risk-limits.ts'
import { mark, record, text } from './record.ts'

/**
 * The record of an execution: an intent that a key's executor carries out instead of the wallet. Contains the key that sent the command and the last
 * status from the service.
 */
const ExecutionRecord = z.object({
  keyId: z.string(),
  keyLabel: z.string().nullable(),
  executor: z.string().nullable(),
  state: z.string().nullable(),
  reason: z.string().nullable(),
  items: z.array(
    z.object({
      index: z.number().int(),
      state: z.string().nullable(),
      reason: z.string().nullable(),
      orderId: z.string().nullable(),
      positionId: z.string().nullable(),
    }),
  ),
  unknownFields: z.string().nullable(),
  readAtMs: z.number().nullable(),
})
export type ExecutionRecord = z.infer<typeof ExecutionRecord>

/** The transaction that the service prepared for an execution payment. Stored with the payment's intent. */
const PaymentRecord = z.object({
  kind: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string(),
  data: z.string(),
  /** The transaction's `value` as the service sent it; null if the service sent no `value`. */
  value: z.string().nullable(),
  chainId: z.number().nullable(),
  deadlineMs: z.number().nullable(),
  amountUsdc: z.string().nullable(),
  preparedAtMs: z.number(),
  requestId: z.string().nullable(),
  /**
   * Set only for payments that an earlier version of the app tracked. `nonce`: the wallet's transaction count when the app first asked the wallet to
   * pay. `askedAtMs`: when the app last asked, as Unix ms.
   */
  nonce: z.number().nullable(),
  askedAtMs: z.number().nullable(),
})
export type PaymentRecord = z.infer<typeof PaymentRecord>

/** A bulk action (cancel, close or revoke): one step for each order, position or key, with the step's outcome. */
const bulkRun = <Step extends z.ZodType>(step: Step) =>
  z.object({ id: z.string(), wallet: z.string(), startedAtMs: z.number(), endedAtMs: z.number().nullable(), steps: z.array(step) })

const BulkActionRecord = bulkRun(BulkActionStep).extend({
  kind: BulkActionKind,
  by: BulkActionBy,
  /** The keys to revoke after all steps; null if none. `panicId` is the ID of that revocation, null until it is requested. */
  revocation: z.object({ keyIds: z.array(z.string()), panicId: z.string().nullable() }).nullable(),
})
export type BulkActionRecord = z.infer<typeof BulkActionRecord>

const RevokeAllRecord = bulkRun(RevokeAllRow)
export type RevokeAllRecord = z.infer<typeof RevokeAllRecord>

const SpokenSteps = z.array(z.looseObject({ detail: z.string().nullable() })).optional()
const SpokenRun = z.looseObject({ steps: SpokenSteps, rows: SpokenSteps })

/**
 * Converts version 1 of a bulk action's record. That version stores outcomes as sentences, and the app shows them unchanged. If the record revokes
 * keys, also renames `rows` to `steps`.
 */
function runWithCodes(written: unknown): unknown {
  const spoken = SpokenRun.safeParse(written)
  if (!spoken.success) return written
  const { rows, steps = rows, ...run } = spoken.data
  return { ...run, steps: steps?.map(({ detail, ...step }) => ({ ...step, detail: detail === null ? null : { code: 'as_written', text: detail } })) }
}

const TitledRun = z.looseObject({ steps: z.array(z.looseObject({ title: z.string().nullable() })) })

/** Converts versions 1 and 2 of a kill switch's record, which store each step's title as text. The app shows that text unchanged. */
function runWithTitles(written: unknown): unknown {
  const titled = TitledRun.safeParse(written)
  if (!titled.success) return written
  const { steps, ...run } = titled.data
  return { ...run, steps: steps.map(({ title, ...step }) => ({ ...step, title: title === null ? null : { code: 'as_written', text: title } })) }
}

const StoredStep = z.object({
  outcome: CheckOutcome,
  scope: z.string().nullable(),
  failure: Failure.nullable(),
  checkedAtMs: z.number(),
  /** The request that this step sent. Stored because the app may compare the service's answer with the request again later. */
  asked: z.object({ ticket: z.string(), body: z.string(), clientOrderId: z.string().nullable(), symbol: z.string().nullable() }).nullable(),
})
export type StoredStep = z.infer<typeof StoredStep>

const StoredCheck = z.object({
  version: z.literal(1),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  dryRuns: z.boolean(),
  steps: z.record(z.string(), StoredStep),
})
export type StoredCheck = z.infer<typeof StoredCheck>

export const intentRecords = {
  /** For each nonce that the wallet signed: the intent that used it. So the app never uses a nonce for two intents. */
  nonces: text('nonce/{profile}/{wallet}/{nonce}'),
  /** When the user allowed new orders although this intent's outcome is still UNKNOWN, as Unix ms. */
  passed: record('passed/{profile}/{ref}', z.number()),
  /** What a final order traded, by the intent’s reference. */
  fills: record('fill/{profile}/{ref}', Fill),
  executions: record('execution/{profile}/{ref}', ExecutionRecord),
  payments: record('payment/{profile}/{ref}', PaymentRecord),
  presets: record('ticket/{profile}/preset/{name}', TicketPreset),
  ticketSettings: record('ticket/{profile}/settings', TicketSettings),
  guardRails: record('guards/{profile}/{wallet}', RiskLimits),
  bulkActions: record('sweep/{profile}', BulkActionRecord, runWithCodes, runWithTitles),
  revokeAllRuns: record('panic/{profile}', RevokeAllRecord, runWithCodes),
  serviceChecks: record('service-check/{profile}/{wallet}', StoredCheck),
  /** The service's answer in a service check, with secrets removed. */
  checkAnswers: text('service-check/{profile}/{wallet}/answer/{step}'),
  checkDismissed: mark('service-check/{profile}/dismissed', 'yes'),
}
