import { z } from 'zod'
import { command, query } from './define.ts'
import { Comparison, SignRequest } from './signing.ts'

export const KeySummary = z.object({
  id: z.string(),
  label: z.string(),
  /** null: the service did not say. */
  scopes: z.array(z.string()).nullable(),
  status: z.enum(['active', 'expired', 'revoked', 'unknown']),
  createdAtMs: z.number().nullable(),
  expiresAtMs: z.number().nullable(),
  lastUsedAtMs: z.number().nullable(),
  allowlist: z.array(z.string()).nullable(),
  agent: z.object({ address: z.string().nullable(), granted: z.boolean().nullable() }).nullable(),
  executor: z.string().nullable(),
  /** keychain: stored and read back. memory: the keychain failed, kept for this run. elsewhere: made or kept outside. */
  secret: z.enum(['keychain', 'memory', 'elsewhere', 'removed']),
  /** `SVC` and dots; never a part of the secret. */
  masked: z.string().nullable(),
  /** The key that this app uses for its own reads and orders. */
  inUse: z.boolean(),
  /** Fields of the record that this app does not know, as JSON text. */
  unknownFields: z.string().nullable(),
})
export type KeySummary = z.infer<typeof KeySummary>

export const BotReadyRequest = z.object({
  label: z.string().min(1).max(60),
  expiresInDays: z.number().int().min(1).max(2000),
  ipAllowlist: z.array(z.string().max(64)).max(64),
})
export type BotReadyRequest = z.infer<typeof BotReadyRequest>

export const KeyDraft = z.object({
  id: z.string(),
  request: BotReadyRequest,
  agent: z.string().nullable(),
  /** The grant in words: who may do what, for whom, on which contract, until when. */
  grant: z.object({
    sentence: z.string(),
    may: z.array(z.string()),
    mayNot: z.array(z.string()),
    expiresAtMs: z.number().nullable(),
    contract: z.string().nullable(),
  }),
  comparison: Comparison,
  preparedAtMs: z.number(),
  expiresAtMs: z.number(),
  state: z.enum(['prepared', 'asked', 'signed', 'created', 'unknown']),
})
export type KeyDraft = z.infer<typeof KeyDraft>

export const Orphan = z.object({
  operationId: z.string(),
  kind: z.enum(['create', 'rotate']),
  label: z.string(),
  startedAtMs: z.number(),
  /** Keys that may have come of it, best first; more than one means it is not known which. */
  candidates: z.array(KeySummary),
  ambiguous: z.boolean(),
  evidence: z.enum(['id_difference', 'label_marker', 'audit', 'none']),
  /** For a lost rotation: whether the old secret still works. */
  oldSecret: z.enum(['works', 'dead', 'cannot_tell']).nullable(),
})
export type Orphan = z.infer<typeof Orphan>

/** `markets.list`: with a key it is read by its versioned route. */
const changes = { invalidates: ['keys.list', 'keys.orphans', 'keys.draft', 'markets.list', 'app.attention', 'activity.secrets'] }

export const keys = {
  'keys.list': query(z.object({}), z.object({ keys: z.array(KeySummary), active: z.number(), limit: z.number(), readAtMs: z.number() })),
  /** Writes and reads back a canary, then asks the service for a grant. Creates nothing. */
  'keys.prepare': command(BotReadyRequest, KeyDraft, { invalidates: ['keys.draft'] }),
  /** The draft that can be resumed, until its 30 minutes are over. */
  'keys.draft': query(z.object({}), KeyDraft.nullable()),
  'keys.ask': command(z.object({ draftId: z.string(), typedPhrase: z.string().nullable(), typedRouter: z.string().nullable() }), SignRequest, changes),
  /** Answers only after the secret is in the keychain and was read back, or is kept in memory (`secret: 'memory'`). */
  'keys.create': command(z.object({ draftId: z.string(), signature: z.string().max(65_536) }), KeySummary, changes),
  'keys.leave': command(z.object({ draftId: z.string() }), z.object({}), changes),
  'keys.rotate': command(z.object({ keyId: z.string(), confirmLabel: z.string() }), KeySummary, changes),
  'keys.revoke': command(z.object({ keyId: z.string(), confirmLabel: z.string() }), z.object({}), changes),
  'keys.orphans': query(z.object({}), z.array(Orphan)),
  'keys.settleOrphan': command(
    z.object({ operationId: z.string(), keyId: z.string().nullable(), action: z.enum(['rotate', 'revoke', 'dismiss']) }),
    z.object({}),
    changes,
  ),
  /** Tries again to move a secret that the keychain refused out of memory. */
  'keys.retryStore': command(z.object({ keyId: z.string() }), KeySummary, changes),
  /** Main writes the clipboard and clears it after 30 s, on lock and on quit, if unchanged. */
  'keys.copySecret': command(z.object({ keyId: z.string() }), z.object({ clearsAtMs: z.number() })),
  'keys.use': command(z.object({ keyId: z.string() }), z.object({}), { invalidates: ['keys.list', 'account.summary', 'account.positions', 'account.orders'] }),
} as const
