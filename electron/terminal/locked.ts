import { fail, ok, type Result } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import { createAttempts } from '../host/lock/attempts.ts'
import type { LockFile } from '../host/lock/lock-file.ts'
import type { Typed } from './channel/ask-passphrase.ts'
import { type Refusal, refusal } from './channel/refusal.ts'

export interface LockedDeps {
  readonly file: LockFile
  readonly ask: (question: string) => Promise<Typed>
  readonly say: (sentence: string) => void
  readonly clock: Clock
}

/** So often the question is put in one run. */
const questions = 3

/**
 * The app's lock while the app is closed: the passphrase is asked for in the terminal. The same file counts the tries, so
 * here is no way around the delay. Once opened it stays so for this run.
 */
export function createTerminalLock({ file, ask, say, clock }: LockedDeps): () => Promise<Result<void, Refusal>> {
  let opened = false
  return async () => {
    const record = opened ? null : file.read()
    if (record === null) return ok(undefined)
    if (record === 'damaged') return fail(refusal('unavailable', 'The file of Svc Desk’s lock is damaged, so nothing opens it.'))
    const attempts = createAttempts({ file, hash: record.hash, tries: record.tries, clock })
    for (let question = 1; question <= questions; question += 1) {
      if (attempts.waitMs() > 0) return fail(tooSoon(attempts.waitMs()))
      const typed = await ask('Passphrase of Svc Desk: ')
      if (typed === 'no_terminal') return fail(nobodyToAsk)
      if (typed === 'stopped') return fail(refusal('denied', 'No passphrase was given.'))
      const attempt = await attempts.attempt(typed.typed)
      if (attempt.outcome === 'done') {
        opened = true
        return ok(undefined)
      }
      if (attempt.outcome === 'too_soon') return fail(tooSoon(attempt.waitMs))
      if (question < questions) say('That is not the passphrase.')
    }
    return fail(refusal('denied', 'That is not the passphrase.'))
  }
}

const nobodyToAsk = refusal('later', 'Svc Desk has a lock, and there is no terminal to ask for its passphrase. Open Svc Desk and unlock it, then try again.')

const tooSoon = (waitMs: number): Refusal => refusal('later', `Too many wrong passphrases. Try again in ${Math.ceil(waitMs / 1_000)} s.`)
