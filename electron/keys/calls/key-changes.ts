import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import type { OperationNote } from '../../../shared/ipc/reads/activity.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { outcomeOf } from '../../service/api/call-outcome.ts'
import type { ApiFailure } from '../../service/transport/api-client.ts'
import { heldBack, type Journal, type PlannedOperation, type SecretOperationRow } from '../../store/journal/journal.ts'
import type { StoredSecrets } from '../../store/secrets/stored-secrets.ts'
import { type ExpiryDays, settledAfterMs } from './key-calls.ts'
import type { KeyParts } from './key-list.ts'

/** An operation, as the journal records it. By default, `id` is a new one. */
export type CallOperation = Omit<PlannedOperation, 'id' | 'profileId'> & Partial<Pick<PlannedOperation, 'id'>>

/** A call that changes a key or webhook. `T` is the call's result. */
export interface RecordedCall<T> {
  readonly operation: CallOperation
  /** Called after the operation is saved, before any request is sent. */
  readonly planned?: (operation: SecretOperationRow) => void
  /** True if a crash must not make the app forget the call. If the disk became full while the operation was saved, the app then sends nothing. */
  readonly needsDisk?: boolean
  readonly send: () => Promise<Result<T, ApiFailure>>
  /** The journal’s notes while the app waits for the answer, and if the answer was lost or (`unread`) is unreadable. */
  readonly notes: { readonly asked?: OperationNote; readonly unanswered: OperationNote; readonly unread?: OperationNote }
  /** The failure to report if the answer was lost; by default the failure of the call. */
  readonly lost?: Failure
  /** The note with which the answer settles the operation. If absent, the operation stays SENT, and the caller moves it. */
  readonly settled?: (answer: T) => OperationNote
}

/** What recording calls needs. */
export interface RecordedCallsDeps extends Pick<KeyParts, 'profile' | 'newId'> {
  readonly journal: Pick<Journal, 'secretOperations' | 'state' | 'trouble'>
}

/** Makes calls that change keys or webhooks. Records each call in the journal before sending it, and then what became of it. */
export function createRecordedCalls({ profile, journal, newId }: RecordedCallsDeps) {
  const operations = journal.secretOperations
  return {
    /** Makes one call. Returns the answer and the operation as it was when the request was sent. */
    call: async <T>(call: RecordedCall<T>): Promise<Result<{ readonly answer: T; readonly sent: SecretOperationRow }, Failure>> => {
      const { notes } = call
      const planned = operations.plan({ id: newId(), profileId: profile.id, ...call.operation })
      call.planned?.(planned)
      const sent = operations.move(planned.id, 'SENT', { note: notes.asked ?? null })
      if (call.needsDisk === true && journal.state() === 'memory_only') {
        operations.move(sent.id, 'FAILED', { note: 'disk_full' })
        return fail(heldBack(journal))
      }
      const answer = await call.send()
      if (!answer.ok) {
        const { failure } = answer.failure
        if (outcomeOf(answer.failure) !== 'unknown') {
          operations.move(sent.id, 'FAILED', { note: failure.kind })
          return fail(failure)
        }
        const isUnread = failure.kind === 'unreadable'
        operations.move(sent.id, 'UNKNOWN', { note: (isUnread ? notes.unread : null) ?? notes.unanswered })
        return fail(isUnread ? failure : (call.lost ?? failure))
      }
      if (call.settled !== undefined) operations.move(sent.id, 'SETTLED', { note: call.settled(answer.value) })
      return ok({ answer: answer.value, sent })
    },
    /** The calls of one kind whose answers were lost, each with its key or webhook from the service’s list. Omits calls about anything unlisted. */
    unanswered: <L extends { readonly id: string }>(kind: SecretOperationRow['kind'], listed: readonly L[]) =>
      operations.unsettled(profile.id).flatMap((operation) => {
        const found = operation.kind === kind && operation.state === 'UNKNOWN' ? listed.find(({ id }) => id === operation.keyId) : undefined
        return found === undefined ? [] : [{ operation, found }]
      }),
    /** Ends the earlier calls with the same effect whose answers were lost. */
    settleEarlier: ({ kind, keyId }: SecretOperationRow): void => {
      for (const row of operations.unsettled(profile.id))
        if (row.kind === kind && row.keyId === keyId && row.state === 'UNKNOWN') operations.move(row.id, 'SETTLED', { note: 'confirmed' })
    },
  }
}

interface TidyUpDeps extends Pick<RecordedCallsDeps, 'profile' | 'journal'> {
  readonly kind: 'revoke' | 'webhook_disable'
  readonly stored: Pick<StoredSecrets, 'whereIs' | 'forget'>
  /** Called after a secret was deleted. */
  readonly changed: () => void
}

/**
 * Deletes the secrets that the keychain refused to delete after the service had confirmed a call of this app. `over`: the ids of the keys or webhooks
 * that the service lists as revoked or disabled. Never throws. Do not wait for it, because the keychain may not respond for a minute.
 */
export function createTidyUp({ profile, journal, kind, stored, changed }: TidyUpDeps): (over: readonly string[]) => Promise<void> {
  let isRunning = false
  const tidyUp = async (keyIds: readonly string[]): Promise<void> => {
    for (const { keyId } of journal.secretOperations.list(profile.id, mostRecent, { keyIds }).filter((row) => row.kind === kind && row.state === 'SETTLED')) {
      if (keyId === null || stored.whereIs(keyId) === 'elsewhere') continue
      if (!(await stored.forget(keyId)).ok) return
      changed()
    }
  }
  return async (over) => {
    const left = over.filter((id) => stored.whereIs(id) !== 'elsewhere')
    if (isRunning || left.length === 0) return
    isRunning = true
    // The journal may have closed meanwhile. The next list tries again.
    await tidyUp(left).catch(() => undefined)
    isRunning = false
  }
}

/** How many of the newest operations on the listed keys to search. */
const mostRecent = 500

export interface Revocation {
  /**
   * Revokes a key and its agent. It is safe to repeat the call. Deletes the secret from the keychain only after the service has confirmed the
   * revocation (KEY-09). A full disk, a rebuilt journal or a missing keychain never delays a revocation. `confirmLabel`: the label that the user
   * typed; null if the user need not type it. `mayLeave`: called directly before the request, with the id under which the journal records
   * it; a failure stops it. Only a revocation that no user asked for right now has one. `leftInKeychain`: the key is revoked, but the keychain did not
   * delete its secret; the app tries again whenever it reads the key list.
   */
  revoke(
    keyId: string,
    confirmLabel: string | null,
    mayLeave?: (operationId: string) => Failure | null,
  ): Promise<Result<{ readonly leftInKeychain: boolean }, Failure>>
  /**
   * Reads the key list to find out whether revocations without an answer succeeded. A revocation succeeded if the list shows the key as revoked.
   * Otherwise it counts as failed, once the lost request can no longer arrive.
   */
  reconcile(keys: readonly KeySummary[]): Promise<void>
}

export function createRevocation(parts: KeyParts): Revocation {
  const { journal, credentials, calls, list, signIn, clock, emit, newId } = parts
  const operations = journal.secretOperations
  const recorded = createRecordedCalls(parts)
  const tidyUp = createTidyUp({ ...parts, kind: 'revoke', stored: credentials, changed: () => emit({ type: 'invalidate', queries: ['keys.list'] }) })

  return {
    revoke: async (keyId, confirmLabel, mayLeave) => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const { session, wallet } = signed.value
      // A revocation needs only the key’s id, so do not read the key list first. The service decides about keys that the app does not know.
      const label = list.known(keyId, wallet)?.label ?? keyId
      if (confirmLabel !== null && confirmLabel !== label) return fail({ kind: 'bad_input', field: 'confirmLabel', issue: `type_word ${label}` })
      const id = newId()
      const stopped = mayLeave?.(id) ?? null
      if (stopped !== null) return fail(stopped)

      const revoked = await recorded.call({
        operation: { id, kind: 'revoke', label, keyId, wallet },
        send: () => calls.revoke(session, keyId),
        notes: { unanswered: 'revoke_unanswered' },
        settled: () => 'confirmed',
      })
      if (!revoked.ok) return revoked
      recorded.settleEarlier(revoked.value.sent)
      const forgotten = await credentials.forget(keyId)
      return ok({ leftInKeychain: !forgotten.ok })
    },
    reconcile: async (keys) => {
      for (const { operation, found: key } of recorded.unanswered('revoke', keys)) {
        if (key.status === 'revoked') {
          operations.move(operation.id, 'SETTLED', { note: 'listed_revoked' })
          await credentials.forget(key.id)
        } else if (clock.now() >= operation.updatedAtMs + settledAfterMs) operations.move(operation.id, 'FAILED', { note: 'listed_not_revoked' })
      }
      void tidyUp(keys.filter(({ status }) => status === 'revoked').map(({ id }) => id))
    },
  }
}

interface Expiry {
  /**
   * Sets a key’s expiry to this many days from now (KEY-08). Returns the key with its new date from the service’s list. It is safe to repeat this
   * call.
   */
  set(keyId: string, days: ExpiryDays): Promise<Result<KeySummary, Failure>>
  /** Reads the key list to find out whether changes of an expiry date succeeded although their answers were lost. */
  reconcile(keys: readonly KeySummary[]): void
}

export function createExpiry(parts: KeyParts): Expiry {
  const { journal, calls, list, signIn } = parts
  const recorded = createRecordedCalls(parts)

  return {
    set: async (keyId, days) => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const { session, wallet } = signed.value
      const key = list.known(keyId, wallet)
      if (key === null) return fail({ kind: 'not_found', what: 'key' })

      const changed = await recorded.call({
        operation: { kind: 'expiry', label: key.label, keyId, wallet },
        send: () => calls.setExpiry(session, keyId, days),
        notes: { asked: `expiry_asked ${days}`, unanswered: `expiry_unanswered ${days}` },
        settled: () => `expiry_confirmed ${days}`,
      })
      if (!changed.ok) return changed
      const { answer } = changed.value
      const after = await list.read(session, wallet)
      const listed = after.ok ? after.value.keys.find((one) => one.id === keyId) : undefined
      // If the list could not be read, use the record in the answer. If the answer contains no record either, the exact date is unknown.
      return ok(listed ?? (answer === null ? { ...key, expiresAtMs: null } : list.summary(answer, wallet)))
    },
    reconcile: (keys) => {
      for (const { operation, found: key } of recorded.unanswered('expiry', keys)) {
        const note = key.expiresAtMs === null ? 'listed_endless' : (`listed_end ${new Date(key.expiresAtMs).toISOString()}` as const)
        journal.secretOperations.move(operation.id, 'SETTLED', { note })
      }
    },
  }
}
