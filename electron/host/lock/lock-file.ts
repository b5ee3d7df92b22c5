import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { type Attempt, LockChoice } from '../../../shared/ipc/host/lock.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import { createQueue } from '../../kernel/deadline.ts'
import { errnoOf, fileFailure } from '../../kernel/failures.ts'

/** The parameters of scrypt (RFC 7914), which determine how much work a check of a passphrase takes. */
export interface ScryptCost {
  readonly n: number
  readonly r: number
  readonly p: number
}

/**
 * The scrypt parameters for new passphrases. One check needs 128 · n · r bytes of memory, here 128 MiB. OWASP’s Password Storage Cheat Sheet names
 * these values as the minimum with p = 1.
 */
export const usualCost: ScryptCost = { n: 2 ** 17, r: 8, p: 1 }

const keyBytes = 32
const saltBytes = 16

/** The highest scrypt parameters that the app accepts in a lock file, so that a manipulated file cannot use up the memory. */
const largest = { n: 2 ** 20, r: 16, p: 4 }

/** The stored hash of a passphrase. Includes its scrypt parameters, so that later versions can change `usualCost` for new passphrases. */
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

/** Whether the passphrase matches the hash. Compares in constant time. */
export async function isPassphrase(passphrase: string, { salt, hash, n, r, p }: PassphraseHash): Promise<boolean> {
  const given = await derive(passphrase, Buffer.from(salt, 'base64'), { n, r, p })
  const kept = Buffer.from(hash, 'base64')
  return kept.length === given.length && timingSafeEqual(kept, given)
}

/**
 * Computes the hash of a passphrase. Normalises the Unicode form of its letters first, because keyboards and terminals compose letters differently.
 */
export const derive = (passphrase: string, salt: Buffer, { n, r, p }: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // OpenSSL’s own formula for the memory that scrypt needs, plus one MiB.
    const maxmem = 128 * r * (n + p + 2) + 2 ** 20
    scrypt(passphrase.normalize('NFKC'), salt, keyBytes, { N: n, r, p, maxmem }, (error, key) => (error === null ? resolve(key) : reject(error)))
  })

/** The number of wrong passphrases in a row, and the time of the last one (Unix ms). */
export const Tries = z.object({ wrong: z.number().int().min(0), lastAtMs: z.number() })
export type Tries = z.infer<typeof Tries>

/** Lock files of earlier versions know nothing of Touch ID. */
const KeptChoice = LockChoice.extend({ touchId: LockChoice.shape.touchId.default(false) })

export const LockRecord = z.object({ version: z.literal(1), hash: PassphraseHash, choice: KeptChoice, tries: Tries })
export type LockRecord = z.infer<typeof LockRecord>

/**
 * The app lock’s file. It is separate from the journal, so that the lock works even if the keychain is locked or the journal is damaged. `svc-desk`
 * reads it while the app is not running. Anyone who can use the computer account can delete the file, which removes the lock.
 */
export interface LockFile {
  /** The lock’s record; null if there is no lock. `damaged`: the app cannot read the file, so the app stays locked. */
  read(): LockRecord | null | 'damaged'
  /** Replaces the lock file atomically, with mode 0600. Fails with `file`. */
  write(record: LockRecord): Result<void, Failure>
  remove(): Result<void, Failure>
  /** Saves the count of wrong passphrases, but only if the lock file still contains the passphrase hash `of`. Ignores write errors. */
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

/** The delays in ms after the first, second, … wrong passphrase in a row. The last delay applies to all further attempts. */
const delays = [0, 0, 0, 5 * second, 15 * second, 30 * second, minute, 5 * minute, 15 * minute]

const delayAfter = (wrong: number): number => delays[Math.min(wrong, delays.length) - 1] ?? 0

export interface Attempts {
  /** Checks one passphrase at a time, so that simultaneous attempts cannot bypass the delay. */
  attempt(passphrase: string): Promise<Attempt>
  /** Milliseconds until the user may try another passphrase. */
  waitMs(): number
  wrong(): number
  /** Forgets the wrong attempts. Called when the user unlocked the app in another way. */
  forget(): void
}

/** Limits how often someone can try a passphrase. The count is stored on disk, so that restarting the app does not bypass the delay. */
export function createAttempts({
  file,
  hash,
  tries,
  clock,
}: {
  readonly file: Pick<LockFile, 'noteTries'>
  readonly hash: PassphraseHash
  /** The count of wrong passphrases, as read from the lock file. */
  readonly tries: Tries
  readonly clock: Clock
}): Attempts {
  const queue = createQueue()
  let wrong = tries.wrong
  // From here on, use only the monotonic clock, so that changing the computer’s clock has no effect on the running app.
  let freeAt = clock.monotonic() + leftOf(tries, clock.now())
  const waitMs = () => Math.max(0, freeAt - clock.monotonic())
  const note = (count: number) => {
    wrong = count
    file.noteTries(hash, { wrong, lastAtMs: clock.now() })
  }

  return {
    waitMs,
    wrong: () => wrong,
    forget() {
      note(0)
      freeAt = clock.monotonic()
    },
    attempt: (passphrase) =>
      queue(async (): Promise<Attempt> => {
        const wait = waitMs()
        if (wait > 0) return { outcome: 'too_soon', waitMs: wait }
        // Count the attempt before checking the passphrase, so that killing the process during the check does not give an extra attempt.
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

/** The part of the delay, in ms, that remains when the app starts. If the clock was set back, this is the full delay. */
function leftOf({ wrong, lastAtMs }: Tries, nowMs: number): number {
  const past = nowMs - lastAtMs
  return past < 0 ? delayAfter(wrong) : Math.max(0, delayAfter(wrong) - past)
}
