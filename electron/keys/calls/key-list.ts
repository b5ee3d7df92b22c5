import { limits } from '../../../shared/api/limits.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeyNote, KeyQuota, KeySummary, SeenAddress } from '../../../shared/ipc/keys/keys.ts'
import type { Missing } from '../../../shared/ipc/missing.ts'
import { parseIpAddress } from '../../../shared/net/ip-address.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { Emit } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { type Credentials, markersOf, withoutMarker } from '../../service/credentials/credentials.ts'
import type { ApiClient, SessionCredential } from '../../service/transport/api-client.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { Records } from '../../store/records/registry.ts'
import type { SecretStore } from '../../store/secrets/secret-store.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { KeyCalls, KeyRecord } from './key-calls.ts'

export interface KeyListing {
  readonly keys: KeySummary[]
  /** The number of active keys. null if the service sent neither this number nor a status for every key. */
  readonly active: number | null
  readonly limit: number
  readonly readAtMs: number
  /** Fields that the service omitted or sent in an unreadable form. */
  readonly missing: Missing
  /** True if the list contains all keys of the wallet. The service lists at most 64 (Limits). */
  readonly whole: boolean
  /** The keys’ labels as stored by the service, by key id. A label contains the mark that this app appends when it creates a key. */
  readonly sentLabels: ReadonlyMap<string, string | null>
}

export interface KeyList {
  /** Reads the service’s key list, adds where each secret is stored, and remembers the keys’ permissions. */
  read(session: SessionCredential, wallet: string): Promise<Result<KeyListing, Failure>>
  summary(record: KeyRecord, wallet: string): KeySummary
  /** Records that the service bound an executor to the key. */
  bound(keyId: string, executor: string): void
  /** Returns a key as this app last saw it, without asking the service; null if the app has never seen the key. */
  known(keyId: string, wallet: string): KeySummary | null
  /** All keys of the wallet that may still be active, sorted by label. */
  allKnown(wallet: string): KeySummary[]
}

/**
 * True if the service answered, but with a key list that the app cannot use. Other requests may then still succeed. False if the service did not
 * answer or requires a sign-in, because other requests would fail too.
 */
export const answeredNothing = (failure: Failure): boolean =>
  failure.kind === 'refused' || (failure.kind === 'unreachable' && ['malformed', 'html', 'too_large', 'server_error'].includes(failure.reason))

export function createKeyList({
  profile,
  journal,
  credentials,
  calls,
  notes,
}: {
  profile: ProfileFacts
  journal: Journal
  credentials: Credentials
  calls: KeyCalls
  notes: KeyNotes
}): KeyList {
  const markers = () => markersOf(journal, profile.id)

  const summarise = (record: KeyRecord, known: ReadonlySet<string>, inUse: string | null): KeySummary => {
    const where = credentials.whereIs(record.id)
    const facts = credentials.facts(record.id)
    const label = shown(record, known)
    return {
      ...record,
      scopes: record.scopes ?? facts?.scopes ?? null,
      scopesFrom: record.scopes === null ? (facts?.scopesFrom ?? null) : 'service',
      label,
      ...(record.label !== null && record.label !== label && { markedLabel: record.label }),
      quotas: shownQuotas(record.quotas),
      note: notes.of(record.id),
      secret: where === 'elsewhere' && facts?.removed === true ? 'removed' : where,
      masked: where === 'elsewhere' ? null : 'SVC••••••••',
      inUse: inUse === record.id,
    }
  }

  const shown = ({ label, id }: Pick<KeyRecord, 'label' | 'id'>, known: ReadonlySet<string>): string =>
    label === null ? (credentials.facts(id)?.label ?? id) : withoutMarker(label, known)

  const known: KeyList['known'] = (keyId, wallet) => {
    const held = [...credentials.entries(), ...credentials.inMemory()].find((entry) => entry.keyId === keyId)
    const facts = credentials.facts(keyId)
    const label = facts?.label ?? held?.label
    if (label === undefined || (facts?.wallet ?? held?.wallet) !== wallet) return null
    const unsaid = { scopes: null, status: 'unknown', createdAtMs: null, expiresAtMs: null, allowlist: null, agent: null, executor: null } as const
    const record: KeyRecord = { ...unsaid, ...facts, id: keyId, label, lastUsedAtMs: null, quotas: null, unknownFields: null }
    return { ...summarise(record, new Set(), credentials.inUse(wallet)), scopesFrom: facts?.scopesFrom ?? null }
  }

  return {
    read: async (session, wallet) => {
      const answer = await calls.list(session)
      if (!answer.ok) return fail(answer.failure.failure)
      const { records, missing, active, readAtMs } = answer.value
      const known = markers()
      credentials.learn(
        wallet,
        records.map((record) => ({ ...record, label: shown(record, known) })),
      )
      const inUse = credentials.inUse(wallet)
      const whole = missing.unreadable === 0 && !missing.more && records.length < limits.keysListed
      const keys = records.map((record) => summarise(record, known, inUse))
      return ok({
        keys,
        active: active ?? (whole ? countActive(keys) : null),
        limit: limits.activeKeysPerWallet,
        readAtMs,
        missing,
        whole,
        sentLabels: new Map(records.map(({ id, label }) => [id, label])),
      })
    },
    summary: (record, wallet) => summarise(record, markers(), credentials.inUse(wallet)),
    bound: credentials.bound,
    known,
    allKnown: (wallet) => {
      const ids = [...credentials.known(wallet), ...credentials.entries(), ...credentials.inMemory()].map(({ keyId }) => keyId)
      return [...new Set(ids)]
        .flatMap((id) => known(id, wallet) ?? [])
        .filter(({ status }) => status !== 'revoked')
        .sort((a, b) => a.label.localeCompare(b.label))
    },
  }
}

/** The number of active keys. null if the status of any key is unknown, because such a key may be active. */
const countActive = (keys: readonly KeySummary[]): number | null =>
  keys.some(({ status }) => status === 'unknown') ? null : keys.filter(({ status }) => status === 'active').length

export interface KeyParts {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly secrets: SecretStore
  readonly credentials: Credentials
  readonly calls: KeyCalls
  readonly list: KeyList
  readonly wallet: WalletReport
  /** Returns the connected wallet’s sign-in session. Fails with `no_wallet` or `sign_in_required`. */
  readonly signIn: () => Promise<Result<{ readonly session: SessionCredential; readonly wallet: string }, Failure>>
  readonly clock: Clock
  readonly emit: Emit
  /** Returns an unguessable id of at least 32 hexadecimal digits. */
  readonly newId: () => string
}

interface KeyNotes {
  of(keyId: string): KeyNote | null
  /** Stores the note of a key. If the note is null or empty, deletes the stored note. */
  set(keyId: string, note: KeyNote | null): void
}

/**
 * The user’s own notes about keys, stored only on this computer. A note stays after its key was revoked, so that the user can still see the key’s
 * purpose.
 */
export function createKeyNotes({ profile, records }: { readonly profile: ProfileFacts; readonly records: Records }): KeyNotes {
  const keyOf = (keyId: string) => ({ profile: profile.id, keyId })
  return {
    of: (keyId) => records.keyNotes.read(keyOf(keyId)),
    set: (keyId, note) => {
      if (note === null || Object.values(note).every((text) => text.trim() === '')) records.keyNotes.delete(keyOf(keyId))
      else records.keyNotes.write(keyOf(keyId), note)
    },
  }
}

/**
 * The accepted form of a quota: a number that JSON can represent exactly. The API document does not show which values the service accepts (Limits).
 */
const number = /^\d{1,15}(\.\d{1,6})?$/

/** Returns `bad_input` for the first quota that is not a number or has a duplicate name; null if all quotas are valid. */
export function quotaIssue(quotas: readonly KeyQuota[]): Failure | null {
  for (const [index, { name, value }] of quotas.entries()) {
    if (!number.test(value)) return { kind: 'bad_input', field: `quotas.${index}.value`, issue: 'not_a_number' }
    if (quotas.findIndex((other) => other.name === name) !== index) return { kind: 'bad_input', field: `quotas.${index}.name`, issue: 'named_twice' }
  }
  return null
}

/** The quotas of a key’s record for display. A value that is not a number becomes JSON text. */
const shownQuotas = (quotas: Readonly<Record<string, unknown>> | null): KeyQuota[] | null =>
  quotas === null
    ? null
    : Object.entries(quotas).map(([name, value]) => ({
        name,
        value: typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value),
      }))

/** How many of this app’s newest requests to compare with audit entries. */
const ownRequests = 500

/**
 * Finds the IP address from which the exchange sees this computer’s requests. Takes it from an audit entry of one of this app’s requests, or from a
 * refusal that named the address. null if neither contains an address. Asks no other server.
 */
export function createSeenAddress({ profile, journal, calls, signIn }: KeyParts, api: Pick<ApiClient, 'seenAs'>): () => Promise<SeenAddress | null> {
  return async () => {
    const refused = api.seenAs()
    const fromRefusal: SeenAddress | null = refused === null || parseIpAddress(refused.address) === null ? null : { ...refused, source: 'refusal' }
    const signed = await signIn()
    if (!signed.ok) return fromRefusal
    const log = await calls.audit(signed.value.session)
    if (!log.ok) return fromRefusal

    const own = new Map(journal.requests.list(profile.id, ownRequests).flatMap((row) => [row.id, row.requestId].map((id) => [id, row.atMs] as const)))
    const seen = log.value.flatMap(({ ip, requestId, atMs }): SeenAddress[] => {
      const sentAtMs = requestId === null ? undefined : own.get(requestId)
      return ip === null || parseIpAddress(ip) === null || sentAtMs === undefined ? [] : [{ address: ip, source: 'audit', atMs: atMs ?? sentAtMs }]
    })
    const newest = [...seen, ...(fromRefusal === null ? [] : [fromRefusal])].sort((a, b) => b.atMs - a.atMs)[0]
    return newest ?? null
  }
}
