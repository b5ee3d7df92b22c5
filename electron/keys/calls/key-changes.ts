import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { outcomeOf } from '../../service/api/call-outcome.ts'
import { type ExpiryDays, settledAfterMs } from './key-calls.ts'
import type { KeyParts } from './key-list.ts'

export interface Revocation {
  /**
   * Revokes a key and its agent. It is safe to repeat the call. Deletes the secret from the keychain only after the service has confirmed the
   * revocation (KEY-09). A full disk, a rebuilt journal or a missing keychain never delays a revocation. `confirmLabel`: the label that the user
   * typed; null if the user need not type it.
   */
  revoke(keyId: string, confirmLabel: string | null): Promise<Result<Record<never, never>, Failure>>
  /**
   * Reads the key list to find out whether revocations without an answer succeeded. A revocation succeeded if the list shows the key as revoked.
   * Otherwise it counts as failed, once the lost request can no longer arrive.
   */
  reconcile(keys: readonly KeySummary[]): Promise<void>
}

export function createRevocation(parts: KeyParts): Revocation {
  const { profile, journal, credentials, calls, list, signIn, clock, newId } = parts
  const operations = journal.secretOperations

  return {
    revoke: async (keyId, confirmLabel) => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const { session, wallet } = signed.value
      // A revocation needs only the key’s id, so do not read the key list first. The service decides about keys that the app does not know.
      const label = list.known(keyId, wallet)?.label ?? keyId
      if (confirmLabel !== null && confirmLabel !== label) return fail({ kind: 'bad_input', field: 'confirmLabel', issue: `type_word ${label}` })

      const { id } = operations.plan({
        id: newId(),
        kind: 'revoke',
        label,
        keyId,
        profileId: profile.id,
        wallet,
        keyIdsBefore: [],
        marker: '',
        draft: null,
      })
      operations.move(id, 'SENT')
      const answer = await calls.revoke(session, keyId)
      if (!answer.ok) {
        const unknown = outcomeOf(answer.failure) === 'unknown'
        operations.move(id, unknown ? 'UNKNOWN' : 'FAILED', { note: unknown ? 'revoke_unanswered' : answer.failure.failure.kind })
        return fail(answer.failure.failure)
      }
      operations.move(id, 'SETTLED', { note: 'confirmed' })
      const forgotten = await credentials.forget(keyId)
      return forgotten.ok ? ok({}) : forgotten
    },
    reconcile: async (keys) => {
      for (const operation of operations.unsettled(profile.id)) {
        if (operation.kind !== 'revoke' || operation.state !== 'UNKNOWN' || operation.keyId === null) continue
        const key = keys.find(({ id }) => id === operation.keyId)
        if (key?.status === 'revoked') {
          operations.move(operation.id, 'SETTLED', { note: 'listed_revoked' })
          await credentials.forget(key.id)
        } else if (key !== undefined && clock.now() >= operation.updatedAtMs + settledAfterMs)
          operations.move(operation.id, 'FAILED', { note: 'listed_not_revoked' })
      }
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
  const { profile, journal, calls, list, signIn, newId } = parts
  const operations = journal.secretOperations

  return {
    set: async (keyId, days) => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const { session, wallet } = signed.value
      const key = list.known(keyId, wallet)
      if (key === null) return fail({ kind: 'not_found', what: 'key' })

      const { id } = operations.plan({
        id: newId(),
        kind: 'expiry',
        label: key.label,
        keyId,
        profileId: profile.id,
        wallet,
        keyIdsBefore: [],
        marker: '',
        draft: null,
      })
      operations.move(id, 'SENT', { note: `expiry_asked ${days}` })
      const answer = await calls.setExpiry(session, keyId, days)
      if (!answer.ok) {
        const unknown = outcomeOf(answer.failure) === 'unknown'
        operations.move(id, unknown ? 'UNKNOWN' : 'FAILED', {
          note: unknown ? `expiry_unanswered ${days}` : answer.failure.failure.kind,
        })
        return fail(answer.failure.failure)
      }
      operations.move(id, 'SETTLED', { note: `expiry_confirmed ${days}` })
      const after = await list.read(session, wallet)
      const listed = after.ok ? after.value.keys.find((one) => one.id === keyId) : undefined
      // If the list could not be read, use the record in the answer. If the answer contains no record either, the exact date is unknown.
      return ok(listed ?? (answer.value === null ? { ...key, expiresAtMs: null } : list.summary(answer.value, wallet)))
    },
    reconcile: (keys) => {
      for (const operation of operations.unsettled(profile.id)) {
        if (operation.kind !== 'expiry' || operation.state !== 'UNKNOWN') continue
        const key = keys.find(({ id }) => id === operation.keyId)
        if (key === undefined) continue
        operations.move(operation.id, 'SETTLED', {
          note: key.expiresAtMs === null ? 'listed_endless' : `listed_end ${new Date(key.expiresAtMs).toISOString()}`,
        })
      }
    },
  }
}
