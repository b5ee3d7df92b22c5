import { basename } from 'node:path'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { ImportRead, KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { minute } from '../../../shared/time.ts'
import type { Parsing } from '../../kernel/parsing/parsing.ts'
import { Secret } from '../../kernel/secret.ts'
import type { ApiClient, ApiFailure, KeyCredential, SessionCredential } from '../../service/transport/api-client.ts'
import type { KeyParts } from '../calls/key-list.ts'
import type { ClipboardSource } from '../delivery/clipboard.ts'
import type { Rotation, StoreSecret } from '../issuance/issue-secret.ts'
import { type KeyInText, keyTextJob } from './key-text-job.ts'

/** Where the secret to import comes from. The page chooses only the kind of source and never passes a path or the text. */
export interface ImportSources {
  readonly clipboard: ClipboardSource
  /** Opens the system’s dialog for choosing a file. Returns null if the user chose no file. */
  chooseFile(): Promise<string | null>
}

export interface KeyImport {
  read(source: 'clipboard' | 'file'): Promise<Result<ImportRead, Failure>>
  pick(importId: string, entry: number): Promise<Result<ImportRead, Failure>>
  /**
   * Stores the secret for the key. Fails with `keychain`, `wrong_state` or `bad_input`. After `keychain`, the secret stays in memory, so the user can
   * try again.
   */
  store(importId: string, keyId: string): Promise<Result<{ key: KeySummary; clipboard: 'cleared' | 'changed' | null }, Failure>>
  leave(importId: string): void
  /** Forgets secrets that were read but not stored. */
  rest(): void
}

const waitsMs = 5 * minute

interface FoundKey extends Omit<KeyInText, 'text'> {
  readonly secret: Secret
}

interface Pending {
  readonly id: string
  readonly wallet: string
  /** The clipboard’s content; null if the keys come from a file. */
  readonly copied: Secret | null
  readonly from: string | null
  readonly found: readonly FoundKey[]
  readonly expiresAtMs: number
  /** The test of a key: the tested secret, the result of the test call, and the keys that the secret may belong to. Null before the test. */
  readonly tried: {
    readonly secret: Secret
    readonly verdict: Extract<ImportRead, { state: 'read' }>['verdict']
    readonly candidates: readonly KeySummary[]
  } | null
}

export function createKeyImport(
  parts: KeyParts,
  work: {
    readonly api: ApiClient
    readonly sources: ImportSources
    readonly parsing: Parsing
    readonly storeSecret: StoreSecret
    readonly rotation: Rotation
    readonly mayKeep: () => boolean
  },
): KeyImport {
  const { profile, journal, credentials, list, signIn, clock, newId } = parts
  const operations = journal.secretOperations
  const ownerOf = createKeyOwner(parts, createKeyTrial({ api: work.api }))
  let pending: Pending | null = null

  const current = (importId: string): Pending | null => (pending?.id === importId && pending.expiresAtMs > clock.now() ? pending : null)

  /** Reads the keys in the source, in a separate process; null if the user chose no file. */
  const keysFrom = async (source: 'clipboard' | 'file'): Promise<Result<Pick<Pending, 'copied' | 'from' | 'found'> | null, Failure>> => {
    const copied = source === 'clipboard' ? await work.sources.clipboard.text() : null
    const path = copied === null ? await work.sources.chooseFile() : ''
    if (path === null) return ok(null)
    const given = copied === null ? { path } : { text: copied.reveal() }
    const read = await work.parsing.run(keyTextJob, given)
    if (!read.ok) return read
    if (!read.value.ok) return read.value
    const found = read.value.value.map(({ text, name, line }) => ({ secret: new Secret(text), name, line }))
    return ok({ copied, from: copied === null ? basename(path) : null, found })
  }

  const attempt = async (asked: Pending, { secret }: FoundKey): Promise<Result<ImportRead, Failure>> => {
    const signed = await signIn()
    if (!signed.ok) return signed
    const { session, wallet } = signed.value
    if (wallet !== asked.wallet) return fail({ kind: 'wrong_wallet', wallet, expected: asked.wallet })
    const before = await list.read(session, wallet)
    if (!before.ok) return before
    const { verdict, candidates, evidence, requestId } = await ownerOf(secret, session, wallet, before.value.keys)
    pending = work.mayKeep() ? { ...asked, tried: { secret, verdict, candidates } } : null
    return ok({ state: 'read', importId: asked.id, from: asked.from, verdict, candidates, evidence, requestId, expiresAtMs: asked.expiresAtMs })
  }

  return {
    read: async (source) => {
      // Check the sign-in before reading the source. Without a sign-in, the app cannot find out which wallet owns the key.
      const signed = await signIn()
      if (!signed.ok) return signed
      const given = await keysFrom(source)
      if (!given.ok) return given
      if (given.value === null) return ok({ state: 'cancelled' })
      const { copied, from, found } = given.value
      const [only, ...more] = found
      if (only === undefined) return ok({ state: 'nothing_found', from })
      const asked: Pending = { id: newId(), wallet: signed.value.wallet, copied, from, found, expiresAtMs: clock.now() + waitsMs, tried: null }
      pending = work.mayKeep() ? asked : null
      if (more.length === 0) return attempt(asked, only)
      const entries = found.map(({ name, line }, entry) => ({ entry, name, line }))
      return ok({ state: 'several', importId: asked.id, from, entries, expiresAtMs: asked.expiresAtMs })
    },

    pick: async (importId, entry) => {
      const asked = current(importId)
      if (asked === null) return fail({ kind: 'not_found', what: 'import' })
      const chosen = asked.found[entry]
      return chosen === undefined ? fail({ kind: 'bad_input', field: 'entry', issue: 'not_found_there' }) : attempt(asked, chosen)
    },

    store: async (importId, keyId) => {
      const asked = current(importId)
      if (asked === null) return fail({ kind: 'not_found', what: 'import' })
      const connected = parts.wallet.connected()
      if (!connected.ok) return connected
      if (connected.value.address !== asked.wallet) return fail({ kind: 'wrong_wallet', wallet: connected.value.address, expected: asked.wallet })
      const { tried } = asked
      if (tried === null) return fail({ kind: 'wrong_state', state: 'several', wanted: 'read' })
      if (tried.verdict === 'dead' || tried.verdict === 'other_wallet') return fail({ kind: 'wrong_state', state: tried.verdict, wanted: 'works' })
      const key = tried.candidates.find(({ id }) => id === keyId)
      if (key === undefined) return fail({ kind: 'bad_input', field: 'keyId', issue: 'no_candidate' })

      const replaces = credentials.whereIs(keyId) === 'keychain'
      const planned = operations.plan({ id: newId(), kind: 'import', label: key.label, keyId, profileId: profile.id, wallet: asked.wallet })
      const taken = await work.storeSecret.attempt(operations.move(planned.id, 'SENT'), keyId, tried.secret)
      if (!taken.ok) {
        operations.move(planned.id, 'FAILED', { note: `keychain_refused ${taken.failure.code}` })
        return taken
      }
      // Test the new secret with a call before removing the old one, so that the app never deletes the secret that works.
      if (replaces) await work.rotation.verify(taken.value)
      else operations.move(planned.id, 'VERIFIED')
      pending = null
      const clipboard = asked.copied === null ? null : (await work.sources.clipboard.clearIf(asked.copied)) ? 'cleared' : 'changed'
      const signed = await signIn()
      const listing = signed.ok ? await list.read(signed.value.session, asked.wallet) : null
      const listed = listing?.ok === true ? listing.value.keys.find(({ id }) => id === keyId) : undefined
      return ok({ key: listed ?? { ...key, secret: 'keychain', masked: 'SVC••••••••', inUse: credentials.inUse(asked.wallet) === keyId }, clipboard })
    },

    leave: (importId) => {
      if (pending?.id === importId) pending = null
    },
    rest: () => {
      pending = null
    },
  }
}

type Read = Extract<ImportRead, { state: 'read' }>

interface Belonging extends Pick<Read, 'verdict' | 'candidates' | 'evidence'> {
  readonly requestId: string | null
}

/**
 * Finds which listed key a secret belongs to. Tries, in this order: an identical stored secret, the audit entry of the test call, and the only key
 * whose last-used time changed with both test calls.
 * If none of these identifies the key, returns every key without a stored secret as a candidate, so that the user can choose.
 */
export function createKeyOwner({ credentials, calls, list }: KeyParts, trial: KeyTrial) {
  const held = async (keys: readonly KeySummary[], secret: Secret): Promise<KeySummary | null> => {
    for (const key of keys) {
      const kept = await credentials.secretOf(key.id)
      if (kept.ok && kept.value?.equals(secret) === true) return key
    }
    return null
  }

  const byAudit = async (keys: readonly KeySummary[], { requestIds }: Trial, session: SessionCredential): Promise<KeySummary | null> => {
    if (requestIds.length === 0) return null
    const log = await calls.audit(session)
    if (!log.ok) return null
    const named = new Set(
      log.value.filter(({ requestId, keyId }) => requestId !== null && keyId !== null && requestIds.includes(requestId)).map(({ keyId }) => keyId),
    )
    const [only, ...more] = keys.filter(({ id }) => named.has(id))
    return more.length === 0 ? (only ?? null) : null
  }

  const moved = (before: readonly KeySummary[], after: readonly KeySummary[]): KeySummary[] =>
    after.filter(({ id, lastUsedAtMs }) => lastUsedAtMs !== null && before.some((key) => key.id === id && key.lastUsedAtMs !== lastUsedAtMs))

  return async (secret: Secret, session: SessionCredential, wallet: string, before: readonly KeySummary[]): Promise<Belonging> => {
    const first = await trial.run(secret, wallet)
    const requestId = first.requestIds.at(-1) ?? null
    const found = (evidence: Read['evidence'], candidates: KeySummary[]): Belonging => ({ verdict: first.verdict, requestId, evidence, candidates })
    if (first.verdict === 'dead' || first.verdict === 'other_wallet') return found('none', [])

    const same = await held(before, secret)
    if (same !== null) return found('held', [same])
    // The audit log contains only this wallet's requests. If it contains the test call, the secret's key belongs to this wallet.
    const named = await byAudit(before, first, session)
    if (named !== null) return found('audit', [named])

    const once = await list.read(session, wallet)
    const after = once.ok ? moved(before, once.value.keys) : []
    if (once.ok && after.length === 1) {
      await trial.run(secret, wallet)
      const twice = await list.read(session, wallet)
      const again = twice.ok ? moved(once.value.keys, twice.value.keys) : []
      const [only] = again
      if (only !== undefined && again.length === 1 && only.id === after[0]?.id) return found('last_used', [only])
    }
    const lacking = before.filter(({ secret: where, status }) => (where === 'elsewhere' || where === 'removed') && status !== 'revoked')
    // The secret works, but no response and no list shows which wallet it belongs to. It may belong to another wallet.
    const unproven = first.verdict === 'works' && first.wallet === null
    return { ...found('none', after.length > 1 ? after : lacking), ...(unproven ? { verdict: 'cannot_tell' as const } : {}) }
  }
}

type Verdict = Extract<ImportRead, { state: 'read' }>['verdict']

interface Trial {
  readonly verdict: Verdict
  /** The wallet that the service’s response names; null if the response names no wallet. */
  readonly wallet: string | null
  /** Ids of the requests made with the secret, newest last. */
  readonly requestIds: readonly string[]
}

export interface KeyTrial {
  /**
   * Tests a secret of unknown origin with one GET request for the account, whose response names the wallet. If the key may not read the account,
   * requests the status instead. Only a 401 proves that the secret is invalid. A 403 about the IP address proves that the key exists.
   */
  run(secret: Secret, wallet: string): Promise<Trial>
}

export function createKeyTrial({ api }: { readonly api: Pick<ApiClient, 'call'> }): KeyTrial {
  const nothing = { params: {}, query: {}, body: undefined } as const

  return {
    run: async (secret, wallet) => {
      const credential: KeyCredential = { kind: 'key', keyId: 'import', label: null, apiKey: secret, wallet }
      const account = await api.call(endpoints.getAccount, { ...nothing, credential })
      if (account.ok) {
        const said = account.value.value.wallet
        const verdict = said !== null && said.toLowerCase() !== wallet.toLowerCase() ? 'other_wallet' : 'works'
        return { verdict, wallet: said, requestIds: ids(account.value.requestId) }
      }
      const first = ids(account.failure.requestId)
      // Only a 403 can be about the scope. A key without `account:read` may still read market data (Authentication 4), so try the status next.
      if (!saysForbidden(account.failure)) return { verdict: verdictOf(account.failure.failure), wallet: null, requestIds: first }
      const status = await api.call(endpoints.getStatus, { ...nothing, credential })
      if (status.ok) return { verdict: 'works', wallet: null, requestIds: [...first, ...ids(status.value.requestId)] }
      return { verdict: verdictOf(status.failure.failure), wallet: null, requestIds: [...first, ...ids(status.failure.requestId)] }
    },
  }
}

const ids = (id: string | null | undefined): string[] => (id == null ? [] : [id])

/**
 * True for a 403 that is not about the IP address. Such a 403 may mean a missing scope, because the API document does not show the code for a
 * missing scope.
 */
const saysForbidden = ({ failure }: ApiFailure): boolean => failure.kind === 'scope_missing' || (failure.kind === 'refused' && failure.status === 403)

function verdictOf(failure: Failure): Verdict {
  if (failure.kind === 'ip_not_allowed') return 'address'
  return failure.kind === 'refused' && failure.status === 401 ? 'dead' : 'cannot_tell'
}
