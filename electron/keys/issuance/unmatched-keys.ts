import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary, UnmatchedKey } from '../../../shared/ipc/keys/keys.ts'
import { isLiveKey } from '../../../shared/live-key.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { minute } from '../../../shared/time.ts'
import type { SessionCredential } from '../../service/transport/api-client.ts'
import type { SecretOperationRow } from '../../store/journal/journal.ts'
import { isOfWebhook } from '../../store/journal/tables/states.ts'
import { settleStopped } from '../../store/secrets/secret-store.ts'
import type { FoundSecret } from '../../store/secrets/stored-secrets.ts'
import { settledAfterMs } from '../calls/key-calls.ts'
import type { Revocation } from '../calls/key-changes.ts'
import { answeredNothing, type KeyListing, type KeyParts } from '../calls/key-list.ts'
import type { KeyDraftStore } from './issuance.ts'
import type { Rotation, StoreSecret } from './issue-secret.ts'

export interface UnmatchedKeys {
  /** Lists the creations and rotations of keys whose outcome is unknown, each with the keys that it may have made (KEY-16). */
  read(): Promise<Result<UnmatchedKey[], Failure>>
  resolve(operationId: string, keyId: string | null, action: 'rotate' | 'revoke' | 'dismiss'): Promise<Result<Record<never, never>, Failure>>
  /** Corrects the state of operations that the previous run of the app left unfinished. Call once at start. */
  recover(): Promise<void>
}

const lostCreation = ({ id, label, atMs }: SecretOperationRow) => ({ operationId: id, kind: 'create', label, startedAtMs: atMs, oldSecret: null }) as const

export function createUnmatchedKeys(
  parts: KeyParts,
  work: {
    readonly storeSecret: StoreSecret
    readonly rotation: Rotation
    readonly revocation: Revocation
    readonly drafts: KeyDraftStore
    readonly reindex: Reindex
  },
): UnmatchedKeys {
  const { profile, journal, credentials, calls, list, signIn, clock } = parts
  const operations = journal.secretOperations
  const oldSecrets = new Map<string, 'works' | 'dead'>()

  const waiting = (wallet: string): SecretOperationRow[] =>
    operations
      .unsettled(profile.id)
      .filter((row) => row.wallet === wallet && row.state === 'UNKNOWN' && (row.kind === 'create' || row.kind === 'rotate') && !work.storeSecret.holds(row.id))

  /**
   * Finds the key of a creation whose response was lost. Looks for new ids in the key list, then for the marker in a label, then in the audit log. If
   * several candidates remain, shows all of them.
   */
  const afterCreate = async (
    row: SecretOperationRow,
    { keys, sentLabels: labels, whole }: KeyListing,
    session: SessionCredential,
  ): Promise<UnmatchedKey | null> => {
    const kept = keys.filter(
      ({ id }) =>
        !row.keyIdsBefore.includes(id) &&
        credentials.whereIs(id) === 'keychain' &&
        // If the key list from before the call was incomplete, a key that looks new may be older. In that case, only the marker in its label
        // identifies the key.
        (labels.get(id)?.includes(row.marker) ?? row.keyIdsWhole) &&
        !operations.list(profile.id, 500).some(({ keyId }) => keyId === id),
    )
    if (kept.length === 1) {
      operations.move(row.id, 'VERIFIED', { keyId: kept[0]?.id ?? null, note: 'secret_found' })
      await dropDraft(row)
      return null
    }
    const bears = (id: string, marker: string) => labels.get(id)?.includes(marker) === true
    // A key whose label contains another creation's marker cannot be the key of this creation.
    const others = operations.list(profile.id, 500).filter(({ kind, marker }) => kind === 'create' && marker !== row.marker && marker !== '')
    const isOver = ({ id, status }: KeySummary) => status === 'revoked' || credentials.whereIs(id) !== 'elsewhere'
    const since = keys.filter(({ id }) => !row.keyIdsBefore.includes(id) && !others.some(({ marker }) => bears(id, marker)))
    const fresh = since.filter((key) => !isOver(key))
    const end = async ({ id }: KeySummary): Promise<null> => {
      operations.move(row.id, 'SETTLED', { keyId: id, note: 'key_over' })
      await dropDraft(row)
      return null
    }
    const over = since.find((key) => isOver(key) && bears(key.id, row.marker))
    if (over !== undefined) return end(over)
    const incomplete = !row.keyIdsWhole || !whole
    const unmatched = (candidates: KeySummary[], evidence: UnmatchedKey['evidence'], ambiguous: boolean): UnmatchedKey => ({
      ...lostCreation(row),
      candidates,
      ambiguous,
      incomplete,
      evidence,
    })
    const marked = fresh.filter(({ id }) => bears(id, row.marker))
    if (marked.length === 1) return unmatched(marked, fresh.length === 1 && !incomplete ? 'id_difference' : 'label_marker', false)

    const audit = await calls.audit(session)
    const created = audit.ok
      ? audit.value.filter(({ event, atMs }) => /created/i.test(event) && /key/i.test(event) && (atMs === null || atMs >= row.atMs - settledAfterMs))
      : []
    const ours = created.filter(({ label }) => label?.includes(row.marker) === true)
    const named = since.filter(({ id }) => ours.some(({ keyId }) => keyId === id))
    const [reported] = named
    if (named.length === 1 && reported !== undefined) return isOver(reported) ? end(reported) : unmatched(named, 'audit', false)
    // If only one new key exists and it has no label, this operation created it. The exception: the audit log says that this key was created with a
    // label.
    const [only] = fresh
    const another = created.some(({ keyId, label }) => keyId === only?.id && label !== null)
    if (fresh.length === 1 && only !== undefined && labels.get(only.id) == null && !another && !incomplete) return unmatched([only], 'id_difference', false)
    if (fresh.length > 0) return unmatched(fresh, 'none', true)
    // If the key list has reached its size limit, it may lack the key that this operation created. So the app must not conclude that no key was
    // created.
    if (!whole || ours.length > 0 || clock.now() < row.updatedAtMs + settledAfterMs) return unmatched([], 'none', false)
    operations.move(row.id, 'SETTLED', { note: 'no_new_key' })
    return null
  }

  const afterRotate = async (row: SecretOperationRow, keys: readonly KeySummary[]): Promise<UnmatchedKey | null> => {
    const since = operations.list(profile.id, 500).filter(({ kind, keyId, atMs }) => kind === 'rotate' && keyId === row.keyId && atMs >= row.atMs)
    const revoked = keys.find(({ id }) => id === row.keyId)?.status === 'revoked'
    if (revoked || since.some(({ id, state }) => id !== row.id && (state === 'VERIFIED' || state === 'STORED'))) {
      operations.move(row.id, 'SETTLED', { note: revoked ? 'key_revoked' : 'rotated_since' })
      return null
    }
    if (await foundBeside(row)) return null
    return {
      operationId: row.id,
      kind: 'rotate',
      label: row.label,
      startedAtMs: row.atMs,
      candidates: keys.filter(({ id }) => id === row.keyId),
      ambiguous: false,
      incomplete: false,
      evidence: 'none',
      oldSecret: await oldSecret(row),
    }
  }

  /**
   * Describes an unmatched operation when the key list cannot be read. A rotation is still matched to its key, because the operation names the key.
   */
  const unlisted = async (row: SecretOperationRow): Promise<UnmatchedKey> => {
    if (row.kind === 'create') return { ...lostCreation(row), candidates: [], ambiguous: false, incomplete: true, evidence: 'none' }
    const key = row.keyId === null ? null : list.known(row.keyId, row.wallet)
    const candidates = key === null ? [] : [key]
    return { ...lostCreation(row), kind: 'rotate', candidates, ambiguous: false, incomplete: true, evidence: 'none', oldSecret: await oldSecret(row) }
  }

  /**
   * Looks in the keychain for a new secret beside the key’s old one. The app may have stopped after writing the new secret and before recording it.
   */
  const foundBeside = async (row: SecretOperationRow): Promise<boolean> => {
    const { keyId, label, wallet } = row
    if (keyId === null) return false
    const account = credentials.newAccount(keyId)
    const beside = await credentials.staged(account)
    if (!beside.ok || beside.value === null) return false
    const secret = beside.value
    if ((await calls.probe({ kind: 'key', keyId, label, apiKey: secret }, credentials.facts(keyId)?.scopes ?? null)) !== 'works') return false
    credentials.promote({ wallet, keyId, label, account, secret })
    await work.rotation.verify(operations.move(row.id, 'STORED', { note: 'new_secret_found' }))
    return true
  }

  /** Drops the draft of a creation whose response was lost. Its key was found, so the app must not send the request again. */
  const dropDraft = async (row: SecretOperationRow): Promise<void> => {
    const draft = row.draft === null ? null : work.drafts.byId(row.draft, row.wallet)
    if (draft !== null) await work.drafts.drop(draft)
  }

  /**
   * Finds out by test calls whether the old secret still works after a rotation whose response was lost. Waits until the lost request can no longer
   * reach the service. Makes two test calls; different results prove nothing.
   */
  const oldSecret = async (row: SecretOperationRow): Promise<UnmatchedKey['oldSecret']> => {
    const known = oldSecrets.get(row.id)
    if (known !== undefined) return known
    if (row.keyId === null || clock.now() < row.updatedAtMs + settledAfterMs) return 'cannot_tell'
    const secret = await credentials.secretOf(row.keyId)
    if (!secret.ok || secret.value === null) return 'cannot_tell'
    const credential = { kind: 'key', keyId: row.keyId, label: row.label, apiKey: secret.value, wallet: row.wallet } as const
    const scopes = credentials.facts(row.keyId)?.scopes ?? null
    const first = await calls.probe(credential, scopes)
    const again = first === 'cannot_tell' ? first : await calls.probe(credential, scopes)
    if (first !== again || first === 'cannot_tell') return 'cannot_tell'
    oldSecrets.set(row.id, first)
    return first
  }

  return {
    read: async () => {
      const connected = parts.wallet.connected()
      if (!connected.ok) return connected
      const rows = waiting(connected.value.address)
      if (rows.length === 0) return ok([])
      const signed = await signIn()
      if (!signed.ok) return signed
      const { session, wallet } = signed.value
      let listed = await list.read(session, wallet)
      if (listed.ok && (await work.reindex.run(wallet, listed.value.keys))) listed = await list.read(session, wallet)
      if (!listed.ok) return answeredNothing(listed.failure) ? ok(await Promise.all(rows.map(unlisted))) : listed
      const unmatched: UnmatchedKey[] = []
      for (const row of rows) {
        const found = row.kind === 'create' ? await afterCreate(row, listed.value, session) : await afterRotate(row, listed.value.keys)
        if (found !== null) unmatched.push(found)
      }
      return ok(unmatched)
    },
    resolve: async (operationId, keyId, action) => {
      const row = operations.get(operationId)
      if (row === null || row.profileId !== profile.id) return fail({ kind: 'not_found', what: 'operation' })
      if (row.state !== 'UNKNOWN') return fail({ kind: 'wrong_state', state: row.state, wanted: 'UNKNOWN' })
      const target = action === 'dismiss' ? row.keyId : (keyId ?? row.keyId)
      if (action !== 'dismiss') {
        if (target === null) return fail({ kind: 'bad_input', field: 'keyId', issue: 'key_needed' })
        const done = action === 'rotate' ? await work.rotation.rotate(target, null) : await work.revocation.revoke(target, null)
        if (!done.ok) return done
      }
      if (action !== 'dismiss') await dropDraft(row)
      operations.move(operationId, 'SETTLED', {
        keyId: target,
        note: action === 'dismiss' ? 'dismissed' : action === 'rotate' ? 'orphan_rotated' : 'orphan_revoked',
      })
      return ok({})
    },
    recover: async () => {
      settleStopped(operations, profile.id, ({ kind }) => !isOfWebhook(kind))
      for (const row of operations.list(profile.id, 100)) {
        if (row.state !== 'STORED' || isOfWebhook(row.kind) || !(await work.storeSecret.resume(row))) continue
        if (row.kind === 'create') {
          operations.move(row.id, 'VERIFIED')
          await dropDraft(row)
        } else await work.rotation.verify(row)
      }
    },
  }
}

interface Reindex {
  /**
   * Finds secrets of listed keys that are in the keychain but missing from the index. This happens if the journal was damaged or lost, or if a full
   * disk prevented writing the index.
   * Searches once per journal for each key, and only in keychain entries named after the key. Tests each secret with a call, and skips a secret that
   * the service rejects as invalid. Returns whether any secret was found.
   */
  run(wallet: string, keys: readonly KeySummary[]): Promise<boolean>
}

/** How long (ms) the app waits after a keychain failure before it tries the keychain again. */
const patienceMs = minute

export function createReindex({ profile, journal, credentials, calls, clock, emit }: Omit<KeyParts, 'list'>): Reindex {
  const { soughtKeys } = journal.records
  let notBefore = Number.NEGATIVE_INFINITY
  let running: Promise<boolean> | null = null

  /**
   * Tests each secret that was found for the key, and drops those that the service rejects. If exactly one is left, picks it. If several are left,
   * picks none, because the app cannot tell which of them belongs to the key.
   */
  const choose = async (found: readonly FoundSecret[], { id, label, scopes }: KeySummary): Promise<FoundSecret | 'none' | 'cannot_tell'> => {
    const verdicts = await Promise.all(found.map(({ secret }) => calls.probe({ kind: 'key', keyId: id, label, apiKey: secret }, scopes)))
    const alive = found.filter((_, index) => verdicts[index] !== 'dead')
    const [only, ...more] = alive
    return only === undefined ? 'none' : more.length === 0 ? only : 'cannot_tell'
  }

  const search = async (wallet: string, keys: readonly KeySummary[]): Promise<boolean> => {
    const found: KeySummary[] = []
    for (const key of keys) {
      const secrets = await credentials.inKeychain(key.id)
      if (!secrets.ok) {
        notBefore = clock.monotonic() + patienceMs
        break
      }
      const chosen = await choose(secrets.value, key)
      if (chosen === 'cannot_tell') continue
      // Check again, because a rotation may have stored a new secret for this key while the test calls ran.
      if (chosen !== 'none' && credentials.whereIs(key.id) === 'elsewhere') {
        credentials.promote({ wallet, keyId: key.id, label: key.label, ...chosen })
        found.push(key)
      }
      soughtKeys.write({ profile: profile.id, id: key.id }, 'yes')
    }
    if (found.length > 0) tell(found)
    return found.length > 0
  }

  const tell = (found: readonly KeySummary[]) => {
    const [first] = found
    emit({ type: 'invalidate', queries: ['keys.list', 'app.attention', 'account.summary', 'account.positions', 'account.orders', 'account.riskPreview'] })
    emit({
      type: 'notice',
      severity: 'ok',
      notice: { code: 'secrets_found', count: found.length, label: first?.label ?? '' },
      to: '/keys',
    })
  }

  return {
    run: async (wallet, keys) => {
      const lost = keys.filter((key) => isLiveKey(key) && key.secret === 'elsewhere' && soughtKeys.read({ profile: profile.id, id: key.id }) === null)
      if (lost.length === 0 || clock.monotonic() < notBefore) return false
      running ??= search(wallet, lost).finally(() => {
        running = null
      })
      return running
    },
  }
}
