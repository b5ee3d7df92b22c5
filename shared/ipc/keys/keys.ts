import { z } from 'zod'
import { Scope } from '../../api/scopes.ts'
import { command, query } from '../define.ts'
import { Failure } from '../failure.ts'
import { accountQueries } from '../intents/intent-queries.ts'
import { Comparison, RouterCheck, SignRequest } from '../intents/signing.ts'
import { Missing, UnknownFields } from '../missing.ts'

/** A limit of a key, as the service wrote it: a value that is no number is its JSON text (KEY-04: neither names nor caps are shown). */
export const KeyQuota = z.object({ name: z.string(), value: z.string() })
export type KeyQuota = z.infer<typeof KeyQuota>

/** A limit to ask for. `value` is decimal text; it is sent as a JSON number, as typed. */
const AskedQuota = z.object({ name: z.string().min(1), value: z.string().max(32) })

/** What the user wrote down about a key. Kept on this computer only, also after the key was revoked. */
export const KeyNote = z.object({
  owner: z.string().max(80),
  environment: z.string().max(40),
  group: z.string().max(40),
  text: z.string().max(2_000),
})
export type KeyNote = z.infer<typeof KeyNote>

export const KeySummary = z.object({
  id: z.string(),
  label: z.string(),
  /** The label as the service has it, with the mark that the app put behind it. Absent: there is none. */
  markedLabel: z.string().optional(),
  /** null: nobody knows. */
  scopes: z.array(z.string()).nullable(),
  /** asked: the service does not say them; this app asked for them when it made the key. */
  scopesFrom: z.enum(['service', 'asked']).nullable(),
  /** unknown: the service does not say it in words that this app knows. */
  status: z.enum(['active', 'expired', 'revoked', 'unknown']),
  createdAtMs: z.number().nullable(),
  expiresAtMs: z.number().nullable(),
  lastUsedAtMs: z.number().nullable(),
  allowlist: z.array(z.string()).nullable(),
  agent: z.object({ address: z.string().nullable(), granted: z.boolean().nullable() }).nullable(),
  executor: z.string().nullable(),
  /** null: the service did not say. */
  quotas: z.array(KeyQuota).nullable(),
  note: KeyNote.nullable(),
  /** keychain: stored and read back. memory: the keychain failed, kept for this run. elsewhere: made or kept outside. */
  secret: z.enum(['keychain', 'memory', 'elsewhere', 'removed']),
  /** `SVC` and dots; never a part of the secret. */
  masked: z.string().nullable(),
  /** The key that this app uses for its own reads and orders. */
  inUse: z.boolean(),
  unknownFields: UnknownFields,
})
export type KeySummary = z.infer<typeof KeySummary>

const terms = {
  label: z.string().min(1).max(60),
  expiresInDays: z.number().int().min(1).max(2000),
  /** As many as the request's 48 KiB take: no other bound is shown. */
  ipAllowlist: z.array(z.string().max(64)),
}
const quotas = z.array(AskedQuota)

/** Absent quotas: the service's own. */
export const BotReadyRequest = z.object({ ...terms, quotas: quotas.optional() })
export type BotReadyRequest = z.infer<typeof BotReadyRequest>

/** A key with chosen scopes, without a trading agent. Always an explicit list (KEY-01). */
export const CustomKeyRequest = z.object({ ...terms, quotas, scopes: z.array(Scope).min(1).max(6) })
export type CustomKeyRequest = z.infer<typeof CustomKeyRequest>

export const KeyDraft = z.object({
  id: z.string(),
  request: BotReadyRequest,
  agent: z.string().nullable(),
  /** Who may do what, for whom, on which contract, until when. */
  grant: z.object({
    /** null: no limit is named that this app knows. */
    gives: z.enum(['trading', 'trading_and_collateral']).nullable(),
    agent: z.string().nullable(),
    /** The key has this agent already. */
    agentKnown: z.boolean(),
    wallet: z.string(),
    contract: z.string().nullable(),
    expiresAtMs: z.number().nullable(),
  }),
  comparison: Comparison,
  /** As in `PreparedOrder`. */
  router: RouterCheck.nullable(),
  preparedAtMs: z.number(),
  expiresAtMs: z.number(),
  state: z.enum(['prepared', 'asked', 'signed', 'created', 'unknown']),
  /** The replacement that the key is made for; null: for itself. */
  replacementId: z.string().nullable(),
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
  /** The list could not be read before, or is full: what it does not name may exist all the same, and what is new in it may be old. */
  incomplete: z.boolean(),
  evidence: z.enum(['id_difference', 'label_marker', 'audit', 'none']),
  /** For a lost rotation: whether the old secret still works. */
  oldSecret: z.enum(['works', 'dead', 'cannot_tell']).nullable(),
})
export type Orphan = z.infer<typeof Orphan>

const ConsoleChoice = z.object({ id: z.string(), label: z.string(), scopes: z.array(z.string()).nullable(), expiresAtMs: z.number().nullable() })

/** own: a key for the app's own reads. borrowed: another key of the wallet reads. none: only what is public is read. */
export const ConsoleKey = z.object({ state: z.enum(['own', 'borrowed', 'none']), key: ConsoleChoice.nullable(), choices: z.array(ConsoleChoice) })
export type ConsoleKey = z.infer<typeof ConsoleKey>

/** An address at which the exchange saw this computer. */
export const SeenAddress = z.object({
  address: z.string(),
  /** audit: the log names it beside a request of this app. refusal: an answer that refused this address named it. */
  source: z.enum(['audit', 'refusal']),
  atMs: z.number(),
})
export type SeenAddress = z.infer<typeof SeenAddress>

/** A secret that the user brings, read by main. The page never has it. */
export const ImportRead = z.discriminatedUnion('state', [
  z.object({ state: z.literal('cancelled') }),
  /** Nothing there begins as an API key does. */
  z.object({ state: z.literal('nothing_found'), from: z.string().nullable() }),
  /** The file holds several keys: `keys.importPick` takes one. */
  z.object({
    state: z.literal('several'),
    importId: z.string(),
    from: z.string().nullable(),
    entries: z.array(z.object({ entry: z.number().int(), name: z.string().nullable(), line: z.number().int() })),
    expiresAtMs: z.number(),
  }),
  z.object({
    state: z.literal('read'),
    importId: z.string(),
    from: z.string().nullable(),
    /**
     * works: a call with it was answered. dead: the service does not know it. address: it exists and may not be used from here.
     * other_wallet: it is another wallet's. cannot_tell: no answer that says so. Only `dead` and `other_wallet` cannot be stored.
     */
    verdict: z.enum(['works', 'dead', 'address', 'other_wallet', 'cannot_tell']),
    /** Keys that it may belong to. One with evidence: it is this one. Without evidence the user says which. */
    candidates: z.array(KeySummary),
    /** audit: the log names the key beside the trial call. last_used: only its last use moved with two trial calls. held: the same secret is here. */
    evidence: z.enum(['audit', 'last_used', 'held', 'none']),
    requestId: z.string().nullable(),
    expiresAtMs: z.number(),
  }),
])
export type ImportRead = z.infer<typeof ImportRead>

/**
 * `markets.list`, `markets.status` and the account: with a key they are read by their versioned routes; `markets.meta` takes one. `leaks.findings`: a secret
 * may be a former one now.
 */
const changes = {
  invalidates: [
    'keys.list',
    'keys.console',
    'keys.orphans',
    'keys.draft',
    'replacements.list',
    'markets.list',
    'markets.status',
    'markets.meta',
    'account.summary',
    'account.positions',
    'account.orders',
    'account.collateral',
    'app.attention',
    'serviceCheck.state',
    'activity.secrets',
    'leaks.findings',
  ],
} as const

export const keys = {
  /**
   * `active` null: the service gave neither a count nor the state of every key. `limit`: how many may be active (Authentication 7). `unread`: why the
   * service's list told nothing; the keys are then those that this app knows, with what it last knew of them.
   */
  'keys.list': query(
    z.object({}),
    z.object({
      keys: z.array(KeySummary),
      active: z.number().nullable(),
      limit: z.number(),
      readAtMs: z.number().nullable(),
      missing: Missing,
      unread: Failure.nullable(),
    }),
    'wallet',
  ),
  /** Writes and reads back a canary, then asks the service for a grant. Creates nothing. */
  'keys.prepare': command(BotReadyRequest, KeyDraft, { invalidates: ['keys.draft', 'replacements.list'] }),
  /** The draft that can be resumed, until its 30 minutes are over. */
  'keys.draft': query(z.object({}), KeyDraft.nullable(), 'wallet'),
  'keys.ask': command(z.object({ draftId: z.string(), typedPhrase: z.string().nullable(), typedRouter: z.string().nullable() }), SignRequest, {
    // `profiles.list`: a contract that was confirmed is pinned in the profile.
    invalidates: [...changes.invalidates, 'profiles.list'],
  }),
  /** Answers only after the secret is in the keychain and was read back, or is kept in memory (`secret: 'memory'`). */
  'keys.create': command(z.object({ draftId: z.string(), signature: z.string().max(65_536) }), KeySummary, changes),
  'keys.leave': command(z.object({ draftId: z.string() }), z.object({}), changes),
  /** As `keys.create`, in one step: the service decides about an 11th key. */
  'keys.createCustom': command(CustomKeyRequest, KeySummary, changes),
  /** The span counts from now (KEY-08). */
  'keys.setExpiry': command(
    z.object({ keyId: z.string(), days: z.union([z.literal(30), z.literal(90), z.literal(360), z.literal(2000)]) }),
    KeySummary,
    changes,
  ),
  /** null takes the note away. */
  'keys.annotate': command(z.object({ keyId: z.string(), note: KeyNote.nullable() }), z.object({}), { invalidates: ['keys.list'] }),
  /** null: it cannot be known now. Asks nobody but the exchange. */
  'keys.seenAddress': query(z.object({}), SeenAddress.nullable(), 'wallet'),
  'keys.rotate': command(z.object({ keyId: z.string(), confirmLabel: z.string() }), KeySummary, changes),
  /** Gives a key whose secret is not here a fresh one, stored here. Whatever used the old one stops at once. */
  'keys.adopt': command(z.object({ keyId: z.string(), confirmLabel: z.string() }), KeySummary, changes),
  /** Main reads the clipboard, or a file that the user chooses in the system's dialog, and tries the key with one reading call. */
  'keys.importRead': command(z.object({ source: z.enum(['clipboard', 'file']) }), ImportRead),
  'keys.importPick': command(z.object({ importId: z.string(), entry: z.number().int() }), ImportRead),
  /** `clipboard`: cleared where the secret still stood there; null where it came from a file. */
  'keys.importStore': command(
    z.object({ importId: z.string(), keyId: z.string() }),
    z.object({ key: KeySummary, clipboard: z.enum(['cleared', 'changed']).nullable() }),
    changes,
  ),
  'keys.importLeave': command(z.object({ importId: z.string() }), z.object({})),
  'keys.revoke': command(z.object({ keyId: z.string(), confirmLabel: z.string() }), z.object({}), changes),
  'keys.orphans': query(z.object({}), z.array(Orphan), 'wallet'),
  'keys.settleOrphan': command(
    z.object({ operationId: z.string(), keyId: z.string().nullable(), action: z.enum(['rotate', 'revoke', 'dismiss']) }),
    z.object({}),
    changes,
  ),
  /** Tries again to move a secret that the keychain refused out of memory. */
  'keys.retryStore': command(z.object({ keyId: z.string() }), KeySummary, changes),
  /** Main writes the clipboard and clears it after 30 s, on lock and on quit, if unchanged. */
  'keys.copySecret': command(z.object({ keyId: z.string() }), z.object({ clearsAtMs: z.number() })),
  /** What this app reads with. Asks nobody. */
  'keys.console': query(z.object({}), ConsoleKey, 'wallet'),
  /** A key for the app's own reads, in one step: `market:read` and `account:read`, 90 days. It counts among the 10 of the wallet. */
  'keys.createConsole': command(z.object({}), KeySummary, changes),
  /** Takes an existing key for them; null goes back to whichever may read. */
  'keys.useForConsole': command(z.object({ keyId: z.string().nullable() }), z.object({}), changes),
  'keys.use': command(z.object({ keyId: z.string() }), z.object({}), {
    invalidates: ['keys.list', ...accountQueries],
  }),
} as const
