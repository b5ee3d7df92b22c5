import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { KeychainFailure } from './secret-store.ts'

/**
 * A secret about to leave the app: to the screen, the clipboard, a file, a command or a terminal. Every path out of the app uses this form, so that
 * none can skip the lock check.
 */
export class LeavingSecret {
  readonly #secret: Secret
  readonly #unlocked: () => boolean

  constructor(secret: Secret, unlocked: () => boolean) {
    this.#secret = secret
    this.#unlocked = unlocked
    Object.freeze(this)
  }

  /** The secret if the app is unlocked right now, else `locked`. Call it last: after any wait, the app may be locked. */
  take(): Result<Secret, Extract<Failure, { kind: 'locked' }>> {
    return this.#unlocked() ? ok(this.#secret) : fail({ kind: 'locked' })
  }
}

/** Finds, by the ID of its key or webhook, a secret that will leave the app; null if it isn't stored here. */
export type FindLeaving = (id: string) => Promise<Result<LeavingSecret | null, KeychainFailure>>

export const leaving =
  (find: (id: string) => Promise<Result<Secret | null, KeychainFailure>>, unlocked: () => boolean): FindLeaving =>
  async (id) => {
    const found = await find(id)
    if (!found.ok) return found
    return ok(found.value === null ? null : new LeavingSecret(found.value, unlocked))
  }
