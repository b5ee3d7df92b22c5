import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { type Attempt, LockChoice } from '../../../shared/ipc/host/lock.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import { createQueue } from '../../kernel/deadline.ts'
import { errnoOf, fileFailure } from '../../kernel/failures.ts'

/** How much work it takes to check a passphrase (RFC 7914). */
export interface ScryptCost {
  readonly n: number
  readonly r: number
  readonly p: number
}

/** Memory is 128 · n · r bytes, here 128 MiB: the least that OWASP's Password Storage Cheat Sheet recommends with p = 1. */
export const usualCost: ScryptCost = { n: 2 ** 17, r: 8, p: 1 }

const keyBytes = 32
const saltBytes = 16

/** Upper limit for any later `usualCost`, so that a file cannot make the app use all memory. */
const largest = { n: 2 ** 20, r: 16, p: 4 }

/** The stored hash of a passphrase. The cost is stored with it, so that `usualCost` can change later. */
export const PassphraseHash = z.object({
  kdf: z.literal('scrypt'),
  n: z.number().int().min(2).max(largest.n),
  r: z.number().int().min(1).max(largest.r),
  p: z.number().int().min(1).max(largest.p),
  salt: z.base64(),
  hash: z.base64(),
})
export type PassphraseHash = z.infer<typeof PassphraseHash>

export async function hashPassphrase(passphrase: string, cost: ScryptCost): Promise<PassphraseHash> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(passphrase, salt, cost)
  return { kdf: 'scrypt', ...cost, salt: salt.toString('base64'), hash: hash.toString('base64') }
}

/** Compares in constant time. */
export async function isPassphrase(passphrase: string, { salt, hash, n, r, p }: PassphraseHash): Promise<boolean> {
  const given = await derive(passphrase, Buffer.from(salt, 'base64'), { n, r, p })
  const kept = Buffer.from(hash, 'base64')
  return kept.length === given.length && timingSafeEqual(kept, given)
}

/** Normalises how letters are composed, so that the same passphrase works from every keyboard and terminal. */
const derive = (passphrase: string, salt: Buffer, { n, r, p }: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // OpenSSL's own estimate, plus one MiB.
    const maxmem = 128 * r * (n + p + 2) + 2 ** 20
    scrypt(passphrase.normalize('NFKC'), salt, keyBytes, { N: n, r, p, maxmem }, (error, key) => (error === null ? resolve(key) : reject(error)))
  })

/** Consecutive wrong passphrases, and when the last one was given (Unix ms). */
export const Tries = z.object({ wrong: z.number().int().min(0), lastAtMs: z.number() })
export type Tries = z.infer<typeof Tries>

export const LockRecord = z.object({ version: z.literal(1), hash: PassphraseHash, choice: LockChoice, tries: Tries })
export type LockRecord = z.infer<typeof LockRecord>

/**
 * The file with the app’s lock, separate from the journals. The lock therefore works while the keychain is locked or the journal was set
 * aside, and `svc-desk` can read it while the app is not running. The owner of the user account can delete the file.
 */
export interface LockFile {
  /** null if there is no lock. damaged: the file cannot be read, so nothing opens the lock. */
  read(): LockRecord | null | 'damaged'
  /** Writes the file in one step with mode 0600. Fails with `file`. */
  write(record: LockRecord): Result<void, Failure>
  remove(): Result<void, Failure>
  /** Saves the count of wrong attempts, unless the lock file is gone or has another passphrase by now. Ignores a write error. */
  noteTries(of: PassphraseHash, tries: Tries): void
}

export function createLockFile(path: string): LockFile {
  const read = (): ReturnType<LockFile['read']> => {
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch (error) {
      return errnoOf(error) === 'ENOENT' ? null : 'damaged'
    }
    try {
      return LockRecord.parse(JSON.parse(text))
    } catch {
      return 'damaged'
    }
  }

  const write = (record: LockRecord): Result<void, Failure> => {
    const fresh = `${path}.${randomBytes(6).toString('hex')}`
    try {
      writeFileSync(fresh, JSON.stringify(record), { mode: 0o600, flag: 'wx', flush: true })
      renameSync(fresh, path)
      return ok(undefined)
    } catch (error) {
      rmSync(fresh, { force: true })
      return fail(fileFailure(error, path))
    }
  }

  return {
    read,
    write,
    remove() {
      try {
        rmSync(path, { force: true })
        return ok(undefined)
      } catch (error) {
        return fail(fileFailure(error, path))
      }
    },
    noteTries(of, tries) {
      const record = read()
      if (record === null || record === 'damaged' || record.hash.salt !== of.salt) return
      write({ ...record, tries })
    },
  }
}

/** The wait after each consecutive wrong passphrase; the last one applies to all further attempts. */
const delays = [0, 0, 0, 5 * second, 15 * second, 30 * second, minute, 5 * minute, 15 * minute]

const delayAfter = (wrong: number): number => delays[Math.min(wrong, delays.length) - 1] ?? 0

export interface Attempts {
  /** Checks one passphrase at a time, so that simultaneous attempts do not avoid the delay. */
  attempt(passphrase: string): Promise<Attempt>
  /** Milliseconds until the next attempt is checked. */
  waitMs(): number
  /** Wrong attempts since the last right one. */
  wrong(): number
}

/** Checks attempts at one passphrase. Counts them on disk, so that restarting the app does not avoid the delay. */
export function createAttempts({
  file,
  hash,
  tries,
  clock,
}: {
  readonly file: Pick<LockFile, 'noteTries'>
  readonly hash: PassphraseHash
  /** The wrong passphrases so far, as last saved in the lock file. */
  readonly tries: Tries
  readonly clock: Clock
}): Attempts {
  const queue = createQueue()
  let wrong = tries.wrong
  // Uses the monotonic clock from here on, so that setting the computer's clock changes nothing while the app runs.
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
        // Count first, so that ending the process during the check does not avoid the count.
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

/** The rest of the delay after a wrong passphrase, ms. If the clock was set back, the whole delay starts again, but the wait is never longer. */
function leftOf({ wrong, lastAtMs }: Tries, nowMs: number): number {
  const past = nowMs - lastAtMs
  return past < 0 ? delayAfter(wrong) : Math.max(0, delayAfter(wrong) - past)
}
