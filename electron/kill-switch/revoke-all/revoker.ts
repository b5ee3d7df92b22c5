import type { Failure } from '../../../shared/ipc/failure.ts'
import type { BulkDetail, PanicRow } from '../../../shared/ipc/intents/kill-switch.ts'
import type { KeyWork } from '../../keys/keys.ts'
import { outcomeOf } from '../../service/api/call-outcome.ts'
import type { SessionCredential } from '../../service/transport/api-client.ts'
import type { Urgency } from '../../service/transport/limiter.ts'

export interface Revoker {
  /** Asks once for one key, at once where the user pressed it, and writes it down as far as the journal takes it. `sign_in_required`: the session is over. Never throws for a journal or a keychain. */
  revoke(
    row: PanicRow,
    session: SessionCredential,
    wallet: string,
    urgency: Urgency,
  ): Promise<{ readonly state: 'asked'; readonly row: PanicRow; readonly retryAfterMs?: number | null } | { readonly state: 'sign_in_required' }>
  /** Removes a revoked key's secret from this computer; gives whether it is gone. */
  forget(keyId: string): Promise<boolean>
}

export function createRevoker({ profile, journal, credentials, calls, clock, newId }: KeyWork): Revoker {
  /** Written down where that is possible; a revocation waits for nothing on this computer. */
  const note = (write: () => void): void => {
    try {
      write()
    } catch {
      // The record in memory tells the user, and the service's list tells the next start.
    }
  }

  const plan = (id: string, { keyId, label }: PanicRow, wallet: string) => {
    journal.secretOperations.plan({ id, kind: 'revoke', label, keyId, profileId: profile.id, wallet, keyIdsBefore: [], marker: '', draft: null })
    journal.secretOperations.move(id, 'SENT')
  }

  return {
    forget: async (keyId) => {
      try {
        return (await credentials.forget(keyId)).ok
      } catch {
        return false
      }
    },
    revoke: async (row, session, wallet, urgency) => {
      const id = newId()
      note(() => plan(id, row, wallet))
      const answer = await calls.revoke(session, row.keyId, urgency).catch(() => null)
      const atMs = clock.now()
      // It may have arrived: asked again, and looked up in the list.
      if (answer === null) return { state: 'asked', row: { ...row, outcome: 'unknown', detail: { code: 'app_failed' }, atMs } }
      if (answer.ok) {
        note(() => journal.secretOperations.move(id, 'SETTLED', { note: 'confirmed' }))
        return { state: 'asked', row: { ...row, outcome: 'revoked', detail: null, requestId: answer.value, atMs } }
      }
      const { failure, requestId = null, retryAfterMs = null } = answer.failure
      const unknown = outcomeOf(answer.failure) === 'unknown'
      note(() => journal.secretOperations.move(id, unknown ? 'UNKNOWN' : 'FAILED', { note: unknown ? 'revoke_unanswered' : failure.kind }))
      if (failure.kind === 'sign_in_required') return { state: 'sign_in_required' }
      const outcome = unknown ? 'unknown' : failure.kind === 'refused' ? 'refused' : 'waiting'
      return { state: 'asked', row: { ...row, outcome, detail: detailOf(failure), requestId, atMs }, retryAfterMs }
    },
  }
}

/** A failure as a report says it. */
export function detailOf(failure: Failure): BulkDetail {
  switch (failure.kind) {
    case 'refused':
      return { code: 'refused', status: failure.status, by: failure.code, message: failure.message }
    case 'unreachable':
      return { code: 'no_answer', why: failure.reason }
    case 'rate_limited':
      return { code: 'asked_to_wait' }
    default:
      return { code: 'failed', kind: failure.kind }
  }
}
