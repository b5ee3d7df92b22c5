import { z } from 'zod'
import { DoctorReport } from '../../../shared/ipc/keys/doctor.ts'
import { FleetItem, FleetPlan } from '../../../shared/ipc/keys/fleet.ts'
import { BotReadyRequest, KeyNote } from '../../../shared/ipc/keys/keys.ts'
import { Replacement, ReplacementState } from '../../../shared/ipc/keys/replacements.ts'
import { mark, record, text } from './record.ts'
import { readOperationNote } from './written-reasons.ts'

/** Facts about a key from the service's last key list. From these facts, the app knows what the key may do even when the user is not signed in. */
const StoredFacts = z.object({
  keyId: z.string(),
  wallet: z.string(),
  label: z.string(),
  /** The key's scopes as the service reported them; null if the service never reported them. */
  scopes: z.array(z.string()).nullable(),
  /** The scopes as this app requested them; null if the key was created elsewhere. */
  askedScopes: z.array(z.string()).nullable().default(null),
  status: z.enum(['active', 'expired', 'revoked', 'unknown']),
  createdAtMs: z.number().nullable(),
  expiresAtMs: z.number().nullable(),
  allowlist: z.array(z.string()).nullable().default(null),
  agent: z.object({ address: z.string().nullable(), granted: z.boolean().nullable() }).nullable().default(null),
  executor: z.string().nullable().default(null),
  /** True if the key's secret was stored here, and was removed after the key was revoked. */
  removed: z.boolean(),
})
export type StoredFacts = z.infer<typeof StoredFacts>

/**
 * An unfinished bot-ready key: an API key that the service creates only after the wallet signs the grant for the key's agent. The user can continue
 * for 30 minutes; then the service discards it.
 */
const StoredDraft = z.object({
  id: z.string(),
  wallet: z.string(),
  request: BotReadyRequest,
  /**
   * The label as sent to the service: the user's label, followed by a unique marker. If the response is lost, the app finds the key in the list by
   * this marker.
   */
  sentLabel: z.string(),
  marker: z.string(),
  preparationId: z.string(),
  agent: z.string().nullable(),
  /** The grant as the service sent it, as JSON text. */
  typedData: z.string(),
  preparedAtMs: z.number(),
  expiresAtMs: z.number(),
  state: z.enum(['prepared', 'asked', 'signed', 'created', 'unknown']),
  operationId: z.string().nullable(),
  replacementId: z.string().nullable().default(null),
})
export type StoredDraft = z.infer<typeof StoredDraft>

/**
 * The signing of a grant for an existing key's agent, from the moment the user opens the grant until the service has stored it. Saved on disk, so
 * that the user can continue after a restart.
 */
const GrantDraft = z.object({
  keyId: z.string(),
  label: z.string(),
  wallet: z.string(),
  agent: z.string().nullable(),
  /** True if the key already had this agent when the user opened the grant. */
  agentKnown: z.boolean(),
  /** True if the service already listed a grant for this agent when the user opened the present grant. */
  grantedBefore: z.boolean(),
  keyEndsAtMs: z.number().nullable(),
  /** The key's scopes, as the service reported them or this app requested them. */
  keyScopes: z.array(z.string()).nullable().default(null),
  /** The grant as the service sent it, as JSON text; null if the service offered no grant. */
  typedData: z.string().nullable(),
  openedAtMs: z.number(),
  expiresAtMs: z.number(),
  state: z.enum(['nothing_to_sign', 'to_sign', 'asked', 'signed']),
  /** ID of the operation that last sent the user's signature to the service; null if the signature was never sent. */
  operationId: z.string().nullable(),
})
export type GrantDraft = z.infer<typeof GrantDraft>

/**
 * When the grant of a key's agent ends. The app read this time from the grant before the user signed, because the service's key list doesn't contain
 * it.
 */
const GrantEnd = z.object({ keyId: z.string(), wallet: z.string(), agent: z.string().nullable(), endsAtMs: z.number(), storedAtMs: z.number() })
export type GrantEnd = z.infer<typeof GrantEnd>

/** The replacement of a key by a new one. Each step of the replacement rewrites the whole record at once, so a crash never leaves it half changed. */
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
  /** The draft of the bot-ready key that replaces the old key. The wallet signs the draft's grant. */
  draftId: z.string().nullable(),
  /** True if the new key's agent has a grant, or if the user chose to continue without a grant. */
  agentSettled: z.boolean(),
  notBeforeMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  steps: Replacement.shape.steps,
})
export type StoredReplacement = z.infer<typeof StoredReplacement>

/**
 * A key of a fleet plan. Its state follows from this record, from its replacement and from the last key list, so a crash never leaves it half changed.
 * `revocationIds`: the plan's requests to revoke the old key; each is written before it leaves. `earlierKeyIds`: the new keys before `newKeyId`.
 * `earlierAttempts`: how many attempts to deliver `newKeyId` are no longer in `deliveries`. `over`: how the plan's
 * work on this key ended; `isRotated`: whether the new key's secret changed between its last delivery and then.
 */
const StoredFleetItem = FleetItem.pick({ id: true, wallet: true, target: true, deliveries: true, proof: true, steps: true }).extend({
  oldKeyId: z.string(),
  oldLabel: z.string(),
  replacementId: z.string().nullable(),
  newKeyId: z.string().nullable(),
  revocationIds: z.array(z.string()).default([]),
  earlierKeyIds: z.array(z.string()).default([]),
  earlierAttempts: z.number().default(0),
  over: z.object({ as: z.enum(['done', 'stopped', 'skipped', 'ended']), atMs: z.number(), isRotated: z.boolean().default(false) }).nullable(),
})
export type StoredFleetItem = z.infer<typeof StoredFleetItem>

const StoredFleetPlan = FleetPlan.omit({ isDue: true, items: true }).extend({ items: z.array(StoredFleetItem) })
export type StoredFleetPlan = z.infer<typeof StoredFleetPlan>

const SpokenReport = z.looseObject({ report: z.looseObject({ checks: z.array(z.looseObject({ words: z.string().optional() })) }) })

/** Converts version 1 of a key check's report, which stores findings as sentences. The app shows those sentences unchanged. */
function withCodes(record: unknown): unknown {
  const { report, ...rest } = SpokenReport.parse(record)
  const checks = report.checks.map(({ words, ...check }) => (words === undefined ? check : { ...check, found: { code: 'as_stored', text: words } }))
  return { ...rest, report: { ...report, checks } }
}

const SpokenReplacement = z.looseObject({ steps: z.array(z.looseObject({ note: z.string().nullable() })) })

/** Converts version 1 of a key replacement: its timeline's notes, which are sentences or codes, become codes. */
function withNoteCodes(record: unknown): unknown {
  const { steps, ...rest } = SpokenReplacement.parse(record)
  return { ...rest, steps: steps.map((step) => ({ ...step, note: step.note === null ? null : readOperationNote(step.note) })) }
}

export const keyRecords = {
  keyFacts: record('key/{profile}/facts/{keyId}', StoredFacts),
  /** The ID of the key that the app uses for its own read requests. */
  consoleKeys: text('key/{profile}/console/{wallet}'),
  /** The ID of the key that the user chose for the app's own calls. */
  chosenKeys: text('key/{profile}/chosen/{wallet}'),
  keyNotes: record('key/{profile}/note/{keyId}', KeyNote),
  /** A record with this name exists once the app has searched the keychain for the key's secret. */
  soughtKeys: mark('key/{profile}/sought/{id}', 'yes'),
  soughtWebhooks: mark('webhook/{profile}/sought/{id}', 'yes'),
  /** The keychain entry of a key's previous secret, after a newer secret replaced it. */
  formerKeys: text('key/{profile}/former/{id}'),
  formerWebhooks: text('webhook/{profile}/former/{id}'),
  /** The keychain entry to which an operation is writing its secret. */
  writingKeys: text('key/{profile}/writing/{operationId}'),
  writingWebhooks: text('webhook/{profile}/writing/{operationId}'),
  keyDrafts: record('key-draft/{profile}/{wallet}', StoredDraft),
  grantDrafts: record('agent-grant/{profile}/{keyId}', GrantDraft),
  grantEnds: record('grant-end/{profile}/{keyId}', GrantEnd),
  replacements: record('replacement/{profile}/{id}', StoredReplacement, withNoteCodes),
  fleetPlans: record('fleet/{profile}/{id}', StoredFleetPlan),
  doctorReports: record('doctor/{profile}/{keyId}', z.object({ wallet: z.string(), report: DoctorReport }), withCodes),
  /**
   * The last notice about a key's expiry: `days` is the smallest number of remaining days for which the user was notified. If the expiry date
   * changes, all notices can appear again.
   */
  endNotices: record('radar/{profile}/told/{id}', z.object({ endsAtMs: z.number(), days: z.number() })),
  leakFolders: record('leaks/{profile}/folders', z.array(z.string())),
  auditReadAt: record('audit/{profile}/read/{wallet}', z.number()),
  /**
   * Where the field map found each field of an audit log entry when the app last read the service's whole log. If one of these places has changed
   * since, the app reads the whole log again.
   */
  auditReadWith: record('audit/{profile}/whole/{wallet}', z.record(z.string(), z.unknown())),
  /** The time of the newest journal change that was copied to this computer's audit log, as Unix ms. */
  auditSyncedTo: record('audit/{profile}/synced/{wallet}', z.number()),
}
