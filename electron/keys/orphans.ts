import type { Failure } from '../../shared/ipc/failure.ts'
import type { KeySummary, Orphan } from '../../shared/ipc/keys.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { second } from '../../shared/time.ts'
import type { SessionCredential } from '../api/api-client.ts'
import type { SecretOperationRow } from '../journal/journal.ts'
import type { KeyParts } from './key-deps.ts'
import type { KeyDraftStore } from './key-draft-store.ts'
import type { Revocation } from './revoke.ts'
import type { Rotation } from './rotate.ts'
import type { TakeIn } from './take-in.ts'

/** A request lives 10 s at most; nothing of it arrives later than this after it was given up. */
const settledAfterMs = 15 * second

export interface Orphans {
  /** Operations whose outcome is not known, with the keys that may have come of them (KEY-16). */
  read(): Promise<Result<Orphan[], Failure>>
  settle(operationId: string, keyId: string | null, action: 'rotate' | 'revoke' | 'dismiss'): Promise<Result<Record<never, never>, Failure>>
  /** At start: what the last run left half done is given its true state. */
  recover(): Promise<void>
}

export function createOrphans(
  parts: KeyParts,
  work: { readonly takeIn: TakeIn; readonly rotation: Rotation; readonly revocation: Revocation; readonly drafts: KeyDraftStore },
): Orphans {
  const { profile, journal, credentials, calls, list, signIn, clock } = parts
  const operations = journal.secretOperations
  const oldSecrets = new Map<string, 'works' | 'dead'>()

  const waiting = (wallet: string): SecretOperationRow[] =>
    operations
      .unsettled(profile.id)
      .filter((row) => row.wallet === wallet && row.state === 'UNKNOWN' && (row.kind === 'create' || row.kind === 'rotate') && !work.takeIn.holds(row.id))

  /** Difference of ids, then the label's marker, then the audit log; whatever leaves more than one key is shown as it is. */
  const afterCreate = async (
    row: SecretOperationRow,
    keys: readonly KeySummary[],
    labels: ReadonlyMap<string, string | null>,
    session: SessionCredential,
  ): Promise<Orphan | null> => {
    const fresh = keys.filter(({ id, status }) => !row.keyIdsBefore.includes(id) && status !== 'revoked' && credentials.whereIs(id) === 'elsewhere')
    const orphan = (candidates: KeySummary[], evidence: Orphan['evidence'], ambiguous: boolean): Orphan => ({
      operationId: row.id,
      kind: 'create',
      label: row.label,
      startedAtMs: row.atMs,
      candidates,
      ambiguous,
      evidence,
      oldSecret: null,
    })
    const marked = fresh.filter(({ id }) => labels.get(id)?.includes(row.marker) === true)
    const only = fresh[0]
    if (fresh.length === 1 && only !== undefined && (marked.length === 1 || labels.get(only.id) === null)) return orphan([only], 'id_difference', false)
    if (marked.length === 1) return orphan(marked, 'label_marker', false)

    const audit = await calls.audit(session)
    const created = audit.ok
      ? audit.value.filter(
          ({ event, atMs, label }) =>
            /created/i.test(event) && /key/i.test(event) && (atMs === null || atMs >= row.atMs - settledAfterMs) && label?.includes(row.marker) === true,
        )
      : []
    const named = fresh.filter(({ id }) => created.some(({ keyId }) => keyId === id))
    if (named.length === 1) return orphan(named, 'audit', false)
    if (fresh.length > 0) return orphan(fresh, 'none', true)
    if (created.length > 0 || clock.now() < row.updatedAtMs + settledAfterMs) return orphan([], 'none', false)
    operations.move(row.id, 'SETTLED', { note: 'The service lists no new key: nothing was created.' })
    return null
  }

  const afterRotate = async (row: SecretOperationRow, keys: readonly KeySummary[]): Promise<Orphan> => ({
    operationId: row.id,
    kind: 'rotate',
    label: row.label,
    startedAtMs: row.atMs,
    candidates: keys.filter(({ id }) => id === row.keyId),
    ambiguous: false,
    evidence: 'none',
    oldSecret: await oldSecret(row),
  })

  /** Asked twice, and only once the lost request can no longer arrive; two answers that differ tell nothing. */
  const oldSecret = async (row: SecretOperationRow): Promise<Orphan['oldSecret']> => {
    const known = oldSecrets.get(row.id)
    if (known !== undefined) return known
    if (row.keyId === null || clock.now() < row.updatedAtMs + settledAfterMs) return 'cannot_tell'
    const secret = await credentials.secretOf(row.keyId)
    if (!secret.ok || secret.value === null) return 'cannot_tell'
    const credential = { kind: 'key', keyId: row.keyId, label: row.label, apiKey: secret.value } as const
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
      const listed = await list.read(signed.value.session, signed.value.wallet)
      if (!listed.ok) return listed
      const orphans: Orphan[] = []
      for (const row of rows) {
        const orphan =
          row.kind === 'create'
            ? await afterCreate(row, listed.value.keys, listed.value.sentLabels, signed.value.session)
            : await afterRotate(row, listed.value.keys)
        if (orphan !== null) orphans.push(orphan)
      }
      return ok(orphans)
    },
    settle: async (operationId, keyId, action) => {
      const row = operations.get(operationId)
      if (row === null || row.profileId !== profile.id) return fail({ kind: 'not_found', what: 'operation' })
      if (row.state !== 'UNKNOWN') return fail({ kind: 'wrong_state', state: row.state, wanted: 'UNKNOWN' })
      if (action !== 'dismiss') {
        const target = keyId ?? row.keyId
        if (target === null) return fail({ kind: 'bad_input', field: 'keyId', issue: 'name the key' })
        const done = action === 'rotate' ? await work.rotation.rotate(target, null) : await work.revocation.revoke(target, null)
        if (!done.ok) return done
      }
      // A draft whose key is accounted for must not be sent once more.
      const draft = row.draft === null ? null : work.drafts.byId(row.draft, row.wallet)
      if (draft !== null && action !== 'dismiss') await work.drafts.drop(draft)
      operations.move(operationId, 'SETTLED', {
        note: action === 'dismiss' ? 'Dismissed by the user.' : `The key was ${action === 'rotate' ? 'rotated: it has a fresh secret here' : 'revoked'}.`,
      })
      return ok({})
    },
    recover: async () => {
      for (const row of operations.unsettled(profile.id)) {
        if (row.state === 'PLANNED') operations.move(row.id, 'FAILED', { note: 'The app stopped before it was sent.' })
        if (row.state === 'SENT') operations.move(row.id, 'UNKNOWN', { note: 'The app stopped before the answer was stored.' })
      }
      for (const row of operations.list(profile.id, 100)) {
        if (row.state !== 'STORED' || row.keyId === null) continue
        const account = credentials.newAccount(row.keyId, row.id)
        const secret = await credentials.staged(account)
        // A locked keychain tells nothing; the next start looks again.
        if (!secret.ok || secret.value === null) continue
        credentials.promote({ wallet: row.wallet, keyId: row.keyId, label: row.label, account, secret: secret.value })
        if (row.kind === 'create') operations.move(row.id, 'VERIFIED')
        else await work.rotation.verify(row)
      }
    },
  }
}
