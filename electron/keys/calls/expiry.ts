import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { outcomeOf } from '../../service/api/call-outcome.ts'
import type { ExpiryDays } from './key-calls.ts'
import type { KeyParts } from './key-deps.ts'

export interface Expiry {
  /** Lets a key end so many days from now (KEY-08); gives it with the new date, as the service lists it. Repeating is safe. */
  set(keyId: string, days: ExpiryDays): Promise<Result<KeySummary, Failure>>
  /** Ends changes whose answer was lost: the list says when the key ends. */
  settle(keys: readonly KeySummary[]): void
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
      // Without a list the answer's own record tells; without one nobody knows the date to the second.
      return ok(listed ?? (answer.value === null ? { ...key, expiresAtMs: null } : list.summary(answer.value, wallet)))
    },
    settle: (keys) => {
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
