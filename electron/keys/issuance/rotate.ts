import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { outcomeOf } from '../../service/api/call-outcome.ts'
import type { SecretOperationRow } from '../../store/journal/journal.ts'
import type { KeyParts } from '../calls/key-deps.ts'
import type { TakeIn } from './take-in.ts'

export interface Rotation {
  /**
   * Issues a new secret for a key of the connected wallet; the previous one stops at once. `confirmLabel` must be the key's label; null skips
   * the question where the user answered it elsewhere (an orphan). Fails with `keychain` before anything is sent, `outcome_unknown` or `unreadable`.
   */
  rotate(keyId: string, confirmLabel: string | null): Promise<Result<KeySummary, Failure>>
  /** Proves the new secret of a STORED rotation with a call; only then is the old one removed from the keychain. */
  verify(operation: SecretOperationRow): Promise<void>
}

export function createRotation(parts: KeyParts, takeIn: TakeIn): Rotation {
  const { profile, journal, secrets, credentials, calls, list, signIn, newId } = parts
  const operations = journal.secretOperations

  const verify = async ({ id, keyId, label, wallet }: SecretOperationRow): Promise<void> => {
    if (keyId === null) return
    const secret = await credentials.secretOf(keyId)
    if (!secret.ok || secret.value === null) return
    const verdict = await calls.probe({ kind: 'key', keyId, label, apiKey: secret.value, wallet }, credentials.facts(keyId)?.scopes ?? null)
    if (verdict !== 'works') return
    operations.move(id, 'VERIFIED')
    await credentials.dropFormer(keyId)
  }

  return {
    verify,
    rotate: async (keyId, confirmLabel) => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const { session, wallet } = signed.value
      // By its id: a list that cannot be read, or that leaves the key out, keeps nobody from a fresh secret.
      const key = list.known(keyId, wallet)
      if (key === null) return fail({ kind: 'not_found', what: 'key' })
      if (confirmLabel !== null && confirmLabel !== key.label) return fail({ kind: 'bad_input', field: 'confirmLabel', issue: `type_word ${key.label}` })
      const canary = await secrets.probe()
      if (!canary.ok) return canary

      const planned = operations.plan({
        id: newId(),
        kind: 'rotate',
        label: key.label,
        keyId,
        profileId: profile.id,
        wallet,
        keyIdsBefore: [],
        marker: '',
        draft: null,
      })
      const sent = operations.move(planned.id, 'SENT')
      const answer = await calls.rotate(session, keyId)
      if (!answer.ok) {
        const { failure } = answer.failure
        if (outcomeOf(answer.failure) !== 'unknown') {
          operations.move(planned.id, 'FAILED', { note: failure.kind })
          return fail(failure)
        }
        const unreadable = failure.kind === 'unreadable'
        operations.move(planned.id, 'UNKNOWN', {
          note: unreadable ? 'secret_may_have_changed_unread' : 'secret_may_have_changed',
        })
        if (unreadable) return fail(failure)
        return fail({ kind: 'outcome_unknown', intentRef: null, requestId: null, route: 'POST /api/dex/developer/keys/{key_id}/rotate' })
      }
      const where = await takeIn.store(sent, keyId, answer.value.secret)
      const stored = operations.get(planned.id)
      if (where === 'keychain' && stored !== null) await verify(stored)
      return ok({ ...key, secret: where, masked: key.masked ?? 'SVC••••••••', inUse: credentials.inUse(wallet) === keyId })
    },
  }
}
