import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { KeychainFailure } from './secret-store.ts'

/**
 * A secret that is about to leave the app: to the screen, the clipboard, a file, a command or a terminal. All code that outputs a secret uses this
 * class, so the check that the app is unlocked can't be skipped.
 */
export class LeavingSecret {
  readonly #secret: Secret
  readonly #unlocked: () => boolean

  constructor(secret: Secret, unlocked: () => boolean) {
    this.#secret = secret
    this.#unlocked = unlocked
    Object.freeze(this)
  }

  /**
   * Returns the secret if the app is unlocked at this moment, else `locked`. Call this last, after every `await`, because the app may lock while the
   * caller waits.
   */
  take(): Result<Secret, Extract<Failure, { kind: 'locked' }>> {
    return this.#unlocked() ? ok(this.#secret) : fail({ kind: 'locked' })
  }
}

/** Looks up the secret of a key or webhook by its ID, for use outside the app; null if the secret isn't stored here. */
export type FindLeaving = (id: string) => Promise<Result<LeavingSecret | null, KeychainFailure>>

export const leaving =
  (find: (id: string) => Promise<Result<Secret | null, KeychainFailure>>, unlocked: () => boolean): FindLeaving =>
  async (id) => {
    const found = await find(id)
    if (!found.ok) return found
    return ok(found.value === null ? null : new LeavingSecret(found.value, unlocked))
  }
