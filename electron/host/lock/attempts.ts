import type { Attempt } from '../../../shared/ipc/host/lock.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import { createQueue } from '../../kernel/queue.ts'
import type { LockFile, Tries } from './lock-file.ts'
import { isPassphrase, type PassphraseHash } from './passphrase.ts'

/** After so many wrong ones in a row the next is looked at only so much later; the last holds for all that follow. */
const delays = [0, 0, 0, 5 * second, 15 * second, 30 * second, minute, 5 * minute, 15 * minute]

export const delayAfter = (wrong: number): number => delays[Math.min(wrong, delays.length) - 1] ?? 0

export interface Attempts {
  /** One after the other: asking at once does not get around the delay. */
  attempt(passphrase: string): Promise<Attempt>
  /** Milliseconds until the next one is looked at. */
  waitMs(): number
  /** Wrong ones since the last right one. */
  wrong(): number
}

/** Tries at one passphrase. They are counted on disk, so that a new start of the app is no way around the delay. */
export function createAttempts({
  file,
  hash,
  tries,
  clock,
}: {
  readonly file: Pick<LockFile, 'noteTries'>
  readonly hash: PassphraseHash
  /** As they were last written down. */
  readonly tries: Tries
  readonly clock: Clock
}): Attempts {
  const queue = createQueue()
  let wrong = tries.wrong
  // By the monotonic clock from here on: setting the computer's clock changes nothing while the app runs.
  let freeAt = clock.monotonic() + leftOf(tries, clock.now())
  const waitMs = () => Math.max(0, freeAt - clock.monotonic())
  const note = (count: number) => {
    wrong = count
    file.noteTries(hash, { wrong, lastAtMs: clock.now() })
  }

  return {
    waitMs,
    wrong: () => wrong,
    attempt: (passphrase) =>
      queue(async (): Promise<Attempt> => {
        const wait = waitMs()
        if (wait > 0) return { outcome: 'too_soon', waitMs: wait }
        // Before it is looked at: ending the process in between is no way around the count.
        note(wrong + 1)
        if (await isPassphrase(passphrase, hash)) {
          note(0)
          return { outcome: 'done' }
        }
        freeAt = clock.monotonic() + delayAfter(wrong)
        return { outcome: 'wrong', waitMs: waitMs() }
      }),
  }
}

/** A clock that was set back makes the whole delay count anew, and no more than that. */
function leftOf({ wrong, lastAtMs }: Tries, nowMs: number): number {
  const past = nowMs - lastAtMs
  return past < 0 ? delayAfter(wrong) : Math.max(0, delayAfter(wrong) - past)
}
