import { z } from 'zod'
import { DoctorReport } from '../../../shared/ipc/keys/doctor.ts'
import { BotReadyRequest, KeyNote } from '../../../shared/ipc/keys/keys.ts'
import { Replacement, ReplacementState } from '../../../shared/ipc/keys/replacements.ts'
import { mark, record, text } from './record.ts'
import { readOperationNote } from './written-reasons.ts'

/** Facts about a key, stored from the last key list. They tell the app what the key's secret may do when it starts without a sign-in. */
const StoredFacts = z.object({
  keyId: z.string(),
  wallet: z.string(),
  label: z.string(),
  /** As the service reported them; null if it never did. */
  scopes: z.array(z.string()).nullable(),
  /** As this app requested them; null if another app created the key. */
  askedScopes: z.array(z.string()).nullable().default(null),
  status: z.enum(['active', 'expired', 'revoked', 'unknown']),
  createdAtMs: z.number().nullable(),
  expiresAtMs: z.number().nullable(),
  allowlist: z.array(z.string()).nullable().default(null),
  agent: z.object({ address: z.string().nullable(), granted: z.boolean().nullable() }).nullable().default(null),
  executor: z.string().nullable().default(null),
  /** The key's secret was stored here and removed after the key was revoked. */
  removed: z.boolean(),
})
export type StoredFacts = z.infer<typeof StoredFacts>

/** An unfinished bot-ready key. The user can continue with it until the service discards it (after 30 minutes). */
const StoredDraft = z.object({
  id: z.string(),
  wallet: z.string(),
  request: BotReadyRequest,
  /** The label sent to the service: the user's, plus the marker that identifies a lost key. */
  sentLabel: z.string(),
  marker: z.string(),
  preparationId: z.string(),
  agent: z.string().nullable(),
  /** The grant as received, JSON text. */
  typedData: z.string(),
  preparedAtMs: z.number(),
  expiresAtMs: z.number(),
  state: z.enum(['prepared', 'asked', 'signed', 'created', 'unknown']),
  operationId: z.string().nullable(),
  replacementId: z.string().nullable().default(null),
})
export type StoredDraft = z.infer<typeof StoredDraft>

/**
 * A grant for the agent of an existing key. Stored on disk from the moment it is opened until the service stores it, so that the user can continue.
 */
const GrantDraft = z.object({
  keyId: z.string(),
  label: z.string(),
  wallet: z.string(),
  agent: z.string().nullable(),
  /** Whether the key already had this agent when the grant was opened. */
  agentKnown: z.boolean(),
  /** Whether the service already listed a stored grant for this agent. */
  grantedBefore: z.boolean(),
  keyEndsAtMs: z.number().nullable(),
  /** What the key may do, as the service reported or this app requested. */
  keyScopes: z.array(z.string()).nullable().default(null),
  /** The grant as received, JSON text; null if the service offered none. */
  typedData: z.string().nullable(),
  openedAtMs: z.number(),
  expiresAtMs: z.number(),
  state: z.enum(['nothing_to_sign', 'to_sign', 'asked', 'signed']),
  /** The operation that last sent its signature. */
  operationId: z.string().nullable(),
})
export type GrantDraft = z.infer<typeof GrantDraft>

/** When the stored grant of a key's agent ends, as read before signing. The service doesn't list it with the key. */
const GrantEnd = z.object({ keyId: z.string(), wallet: z.string(), agent: z.string().nullable(), endsAtMs: z.number(), storedAtMs: z.number() })
export type GrantEnd = z.infer<typeof GrantEnd>

/** A replacement as stored. Each step writes the whole record, so that after a crash it is at one step or the next, never in between. */
const StoredReplacement = z.object({
  id: z.string(),
  wallet: z.string(),
  oldKeyId: z.string(),
  oldLabel: z.string(),
  plan: Replacement.shape.plan,
  now: ReplacementState,
  newKeyId: z.string().nullable(),
  /** The operation that creates the new key with chosen scopes. Written before the creation starts. */
  operationId: z.string().nullable(),
  /** The bot-ready draft that the wallet signs. */
  draftId: z.string().nullable(),
  /** Whether the new key's agent has its grant, or the user continues without a grant. */
  agentSettled: z.boolean(),
  notBeforeMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  steps: Replacement.shape.steps,
})
export type StoredReplacement = z.infer<typeof StoredReplacement>

const SpokenReport = z.looseObject({ report: z.looseObject({ checks: z.array(z.looseObject({ words: z.string().optional() })) }) })

/** Version 1 of a report stores sentences, which are shown unchanged. */
function withCodes(record: unknown): unknown {
  const { report, ...rest } = SpokenReport.parse(record)
  const checks = report.checks.map(({ words, ...check }) => (words === undefined ? check : { ...check, found: { code: 'as_stored', text: words } }))
  return { ...rest, report: { ...report, checks } }
}

const SpokenReplacement = z.looseObject({ steps: z.array(z.looseObject({ note: z.string().nullable() })) })

/** Version 1 of a replacement has sentences or codes in its timeline. */
function withNoteCodes(record: unknown): unknown {
  const { steps, ...rest } = SpokenReplacement.parse(record)
  return { ...rest, steps: steps.map((step) => ({ ...step, note: step.note === null ? null : readOperationNote(step.note) })) }
}

export const keyRecords = {
  keyFacts: record('key/{profile}/facts/{keyId}', StoredFacts),
  /** The ID of the key that the app reads with. */
  consoleKeys: text('key/{profile}/console/{wallet}'),
  /** The ID of the key that the user chose for the app's own calls. */
  chosenKeys: text('key/{profile}/chosen/{wallet}'),
  keyNotes: record('key/{profile}/note/{keyId}', KeyNote),
  /** Set once the keychain was searched for the key's secret. */
  soughtKeys: mark('key/{profile}/sought/{id}', 'yes'),
  soughtWebhooks: mark('webhook/{profile}/sought/{id}', 'yes'),
  /** The keychain account of the previous secret, which a newer secret replaced. */
  formerKeys: text('key/{profile}/former/{id}'),
  formerWebhooks: text('webhook/{profile}/former/{id}'),
  /** The keychain account to which an operation writes its secret. */
  writingKeys: text('key/{profile}/writing/{operationId}'),
  writingWebhooks: text('webhook/{profile}/writing/{operationId}'),
  keyDrafts: record('key-draft/{profile}/{wallet}', StoredDraft),
  grantDrafts: record('agent-grant/{profile}/{keyId}', GrantDraft),
  grantEnds: record('grant-end/{profile}/{keyId}', GrantEnd),
  replacements: record('replacement/{profile}/{id}', StoredReplacement, withNoteCodes),
  doctorReports: record('doctor/{profile}/{keyId}', z.object({ wallet: z.string(), report: DoctorReport }), withCodes),
  /** The last notification about a key's expiry: the smallest number of days left that was shown. A changed expiry date starts over. */
  endNotices: record('radar/{profile}/told/{id}', z.object({ endsAtMs: z.number(), days: z.number() })),
  leakFolders: record('leaks/{profile}/folders', z.array(z.string())),
  auditReadAt: record('audit/{profile}/read/{wallet}', z.number()),
  /** The field map with which the service's log was last read completely. */
  auditReadWith: record('audit/{profile}/whole/{wallet}', z.record(z.string(), z.unknown())),
  /** The time of the newest journal entry in the log. */
  auditSyncedTo: record('audit/{profile}/synced/{wallet}', z.number()),
}
