import { z } from 'zod'
import { Scope } from '../../api/scopes.ts'
import { command, query } from '../define.ts'
import { Failure } from '../failure.ts'
import { accountQueries } from '../intents/intent-queries.ts'
import { Comparison, RouterCheck, SignRequest } from '../intents/signing.ts'
import { Missing, UnknownFields } from '../missing.ts'

/**
 * A limit on a key, as the service wrote it. A value that is not a number is shown as JSON text. The API document shows neither the names nor the
 * maximums of such limits (KEY-04).
 */
export const KeyQuota = z.object({ name: z.string(), value: z.string() })
export type KeyQuota = z.infer<typeof KeyQuota>

/** A limit that the user requests for a key. `value` is decimal text; the app sends it as a JSON number with the same digits. */
const AskedQuota = z.object({ name: z.string().min(1), value: z.string().max(32) })

/** The user's note on a key. Stored only on this computer, and kept even after the key is revoked. */
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
  /** The label as the service stores it, if the app appended a marker to it. The marker lets the app find the key again after a lost response. */
  markedLabel: z.string().optional(),
  /** The scopes of the key; null: unknown. */
  scopes: z.array(z.string()).nullable(),
  /**
   * Where `scopes` comes from. service: the service stated the scopes. asked: the service did not state them, so these are the scopes that the app
   * requested for the key.
   */
  scopesFrom: z.enum(['service', 'asked']).nullable(),
  /** The status of the key. unknown: the service sent no status, or a status that this app does not recognise. */
  status: z.enum(['active', 'expired', 'revoked', 'unknown']),
  createdAtMs: z.number().nullable(),
  expiresAtMs: z.number().nullable(),
  lastUsedAtMs: z.number().nullable(),
  /** true: the service says that the key was never used. If this field and `lastUsedAtMs` are both absent, the last use is unknown. */
  neverUsed: z.literal(true).optional(),
  allowlist: z.array(z.string()).nullable(),
  agent: z.object({ address: z.string().nullable(), granted: z.boolean().nullable() }).nullable(),
  executor: z.string().nullable(),
  /** The key's limits; null if the service sent none. */
  quotas: z.array(KeyQuota).nullable(),
  note: KeyNote.nullable(),
  /**
   * Where the key's secret is. keychain: stored, and verified by reading it back. memory: the keychain failed, so the secret is lost when the app
   * quits. elsewhere: created or kept outside this app. removed: this app once stored the secret and has deleted it.
   */
  secret: z.enum(['keychain', 'memory', 'elsewhere', 'removed']),
  /** The secret as the app shows it: `SVC` and dots, without any other character of the secret. */
  masked: z.string().nullable(),
  /** true: this app itself uses the key, to read data and to place orders. */
  inUse: z.boolean(),
  unknownFields: UnknownFields,
})
export type KeySummary = z.infer<typeof KeySummary>

const terms = {
  label: z.string().min(1).max(60),
  expiresInDays: z.number().int().min(1).max(2000),
  /** Allowed IP addresses. The API document limits only the size of the request (48 KiB), so the number of addresses is not limited here. */
  ipAllowlist: z.array(z.string().max(64)),
}
const quotas = z.array(AskedQuota)

/** Request for a key with a trading agent. Without `quotas`, the service applies its defaults. */
export const BotReadyRequest = z.object({ ...terms, quotas: quotas.optional() })
export type BotReadyRequest = z.infer<typeof BotReadyRequest>

/** A key with chosen scopes and no trading agent. The request always sends an explicit list of scopes (KEY-01). */
export const CustomKeyRequest = z.object({ ...terms, quotas, scopes: z.array(Scope).min(1).max(6) })
export type CustomKeyRequest = z.infer<typeof CustomKeyRequest>

export const KeyDraft = z.object({
  id: z.string(),
  request: BotReadyRequest,
  agent: z.string().nullable(),
  /** What the grant allows, for which agent, on which contract, and until when. */
  grant: z.object({
    /** The rights that the grant gives to the agent; null if the app does not recognise the limits in the message. */
    gives: z.enum(['trading', 'trading_and_collateral']).nullable(),
    agent: z.string().nullable(),
    /** true: the key already has the agent that the grant names. */
    agentKnown: z.boolean(),
    wallet: z.string(),
    contract: z.string().nullable(),
    expiresAtMs: z.number().nullable(),
  }),
  comparison: Comparison,
  /** The router contract in the message; null if the message contains none. */
  router: RouterCheck.nullable(),
  preparedAtMs: z.number(),
  expiresAtMs: z.number(),
  state: z.enum(['prepared', 'asked', 'signed', 'created', 'unknown']),
  /** The replacement that this key belongs to; null: the key is not part of a replacement. */
  replacementId: z.string().nullable(),
})
export type KeyDraft = z.infer<typeof KeyDraft>

export const UnmatchedKey = z.object({
  operationId: z.string(),
  kind: z.enum(['create', 'rotate']),
  label: z.string(),
  startedAtMs: z.number(),
  /**
   * Keys that the call with the lost response may have created or rotated, best match first. If there are several, the app cannot tell which is
   * right.
   */
  candidates: z.array(KeySummary),
  ambiguous: z.boolean(),
  /** true: `candidates` may be wrong or incomplete, because the key list from before the call was unreadable or the current list is full. */
  incomplete: z.boolean(),
  evidence: z.enum(['id_difference', 'label_marker', 'audit', 'none']),
  /** Whether the old secret still works, if the call with the lost response was a rotation. */
  oldSecret: z.enum(['works', 'dead', 'cannot_tell']).nullable(),
})
export type UnmatchedKey = z.infer<typeof UnmatchedKey>

const ConsoleChoice = z.object({ id: z.string(), label: z.string(), scopes: z.array(z.string()).nullable(), expiresAtMs: z.number().nullable() })

/**
 * The key with which the app reads. own: a key for the app's own reads. borrowed: another key of the wallet. none: no key, so the app reads only
 * public data.
 */
export const ConsoleKey = z.object({ state: z.enum(['own', 'borrowed', 'none']), key: ConsoleChoice.nullable(), choices: z.array(ConsoleChoice) })
export type ConsoleKey = z.infer<typeof ConsoleKey>

/** An IP address under which the exchange saw this computer. */
export const SeenAddress = z.object({
  address: z.string(),
  /**
   * How the app found the address. audit: the service's log shows the address with a request of this app. refusal: the service named the address
   * when it refused a request.
   */
  source: z.enum(['audit', 'refusal']),
  atMs: z.number(),
})
export type SeenAddress = z.infer<typeof SeenAddress>

/** The result of reading a secret from a file or the clipboard, to import it. Only main reads the secret; the renderer never receives it. */
export const ImportRead = z.discriminatedUnion('state', [
  z.object({ state: z.literal('cancelled') }),
  /** The file or clipboard contains no text with the prefix of an API key. */
  z.object({ state: z.literal('nothing_found'), from: z.string().nullable() }),
  /** The file contains several keys. `keys.importPick` selects one of them. */
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
     * Result of a test call with the secret. works: the service accepted the secret. dead: the service does not recognise the secret. address: the
     * secret is valid, but the key does not allow this IP address. other_wallet: the secret belongs to another wallet's key. cannot_tell: the
     * response proves nothing. Main refuses to store only `dead` and `other_wallet`.
     */
    verdict: z.enum(['works', 'dead', 'address', 'other_wallet', 'cannot_tell']),
    /** Keys to which the secret may belong. A single key if the app identified it; if `evidence` is `none`, the user must pick the key. */
    candidates: z.array(KeySummary),
    /**
     * How the app identified the key. audit: the service's log shows the test call under this key. last_used: only this key's last-used time changed
     * after each of two test calls. held: the app already stores the same secret. none: not identified.
     */
    evidence: z.enum(['audit', 'last_used', 'held', 'none']),
    requestId: z.string().nullable(),
    expiresAtMs: z.number(),
  }),
])
export type ImportRead = z.infer<typeof ImportRead>

/**
 * Queries that are stale after any change of a key. Market and account queries use other routes with a key than without. `markets.meta` works only
 * with a key. `leaks.findings` shows whether a found secret is still current.
 */
const changes = {
  invalidates: [
    'keys.list',
    'keys.console',
    'keys.unmatched',
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
   * Lists the wallet's keys. `active`: number of active keys; null if the service sent neither a count nor the state of every key. `limit`: maximum
   * number of active keys (Authentication 7). `unread`: why the app could not read the service's list; the result then contains the keys that the
   * app knows, with their last known state.
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
  /** Prepares a new key. First tests the keychain by writing and reading a value, then requests a grant from the service. Creates no key yet. */
  'keys.prepare': command(BotReadyRequest, KeyDraft, { invalidates: ['keys.draft', 'replacements.list'] }),
  /** Returns the draft of a new key. The user can resume a draft for 30 minutes. */
  'keys.draft': query(z.object({}), KeyDraft.nullable(), 'wallet'),
  'keys.ask': command(z.object({ draftId: z.string(), typedPhrase: z.string().nullable(), typedRouter: z.string().nullable() }), SignRequest, {
    // `profiles.list` is stale too: if the user confirmed a new contract, the profile now stores it as trusted.
    invalidates: [...changes.invalidates, 'profiles.list'],
  }),
  /**
   * Creates the key from the draft. Returns only after the secret was stored in the keychain and read back, or kept in memory (`secret: 'memory'`).
   */
  'keys.create': command(z.object({ draftId: z.string(), signature: z.string().max(65_536) }), KeySummary, changes),
  'keys.leave': command(z.object({ draftId: z.string() }), z.object({}), changes),
  /**
   * Creates a key with chosen scopes, in one step without a draft. Like `keys.create`, returns only once the secret is stored. The app does not
   * check the limit of 10 active keys; the service decides about an 11th key.
   */
  'keys.createCustom': command(CustomKeyRequest, KeySummary, changes),
  /** Sets a key's lifetime. The service counts the days from now, not from the creation of the key (KEY-08). */
  'keys.setExpiry': command(
    z.object({ keyId: z.string(), days: z.union([z.literal(30), z.literal(90), z.literal(360), z.literal(2000)]) }),
    KeySummary,
    changes,
  ),
  /** Saves the user's note on a key; `note` null removes it. */
  'keys.annotate': command(z.object({ keyId: z.string(), note: KeyNote.nullable() }), z.object({}), { invalidates: ['keys.list'] }),
  /** Returns the IP address under which the exchange last saw this computer; null if unknown. Sends requests only to the exchange. */
  'keys.seenAddress': query(z.object({}), SeenAddress.nullable(), 'wallet'),
  'keys.rotate': command(z.object({ keyId: z.string(), confirmLabel: z.string() }), KeySummary, changes),
  /**
   * Creates a new secret for a key whose secret is not on this computer, and stores the new secret here. The old secret stops working at once,
   * everywhere.
   */
  'keys.adopt': command(z.object({ keyId: z.string(), confirmLabel: z.string() }), KeySummary, changes),
  /** Main reads the clipboard, or a file that the user picks in the system dialog. It then tests the key with one read call. */
  'keys.importRead': command(z.object({ source: z.enum(['clipboard', 'file']) }), ImportRead),
  'keys.importPick': command(z.object({ importId: z.string(), entry: z.number().int() }), ImportRead),
  /**
   * Stores the imported secret. `clipboard` true: main cleared the clipboard, because it still contained the secret. null: the secret came from a
   * file.
   */
  'keys.importStore': command(
    z.object({ importId: z.string(), keyId: z.string() }),
    z.object({ key: KeySummary, clipboard: z.enum(['cleared', 'changed']).nullable() }),
    changes,
  ),
  'keys.importLeave': command(z.object({ importId: z.string() }), z.object({})),
  /** `leftInKeychain`: the key is revoked, but the keychain did not delete its secret. */
  'keys.revoke': command(z.object({ keyId: z.string(), confirmLabel: z.string() }), z.object({ leftInKeychain: z.boolean() }), changes),
  'keys.unmatched': query(z.object({}), z.array(UnmatchedKey), 'wallet'),
  'keys.resolveUnmatched': command(
    z.object({ operationId: z.string(), keyId: z.string().nullable(), action: z.enum(['rotate', 'revoke', 'dismiss']) }),
    z.object({}),
    changes,
  ),
  /** Tries again to move a secret from memory to the keychain. */
  'keys.retryStore': command(z.object({ keyId: z.string() }), KeySummary, changes),
  /**
   * Main copies the secret to the clipboard. Main clears the clipboard after 30 s, on lock and on quit, unless the user has copied something else
   * since.
   */
  'keys.copySecret': command(z.object({ keyId: z.string() }), z.object({ clearsAtMs: z.number() })),
  /** Returns the key with which this app reads. Sends no request. */
  'keys.console': query(z.object({}), ConsoleKey, 'wallet'),
  /**
   * Creates a key for the app's own reads, in one step: scopes `market:read` and `account:read`, 90 days. The key counts towards the wallet's limit
   * of 10 keys.
   */
  'keys.createConsole': command(z.object({}), KeySummary, changes),
  /** Makes the app read with this key. `keyId` null: the app chooses any key with the scope to read. */
  'keys.useForConsole': command(z.object({ keyId: z.string().nullable() }), z.object({}), changes),
  'keys.use': command(z.object({ keyId: z.string() }), z.object({}), {
    invalidates: ['keys.list', ...accountQueries],
  }),
} as const
