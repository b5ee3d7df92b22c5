import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { type Attempt, LockChoice } from '../../../shared/ipc/host/lock.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import { createQueue } from '../../kernel/deadline.ts'
import { errnoOf, fileFailure } from '../../kernel/failures.ts'

/** How much work one look at a passphrase is (RFC 7914). */
export interface ScryptCost {
  readonly n: number
  readonly r: number
  readonly p: number
}

/** Memory is 128 · n · r bytes, here 128 MiB: the least that OWASP's Password Storage Cheat Sheet asks for with p = 1. */
export const usualCost: ScryptCost = { n: 2 ** 17, r: 8, p: 1 }

const keyBytes = 32
const saltBytes = 16

/** More than `usualCost` may ever become: a file must not make the app take all memory. */
const largest = { n: 2 ** 20, r: 16, p: 4 }

/** What is kept of a passphrase. The cost stands with it, so that another one can be chosen later. */
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

/** Compared in constant time. */
export async function isPassphrase(passphrase: string, { salt, hash, n, r, p }: PassphraseHash): Promise<boolean> {
  const given = await derive(passphrase, Buffer.from(salt, 'base64'), { n, r, p })
  const kept = Buffer.from(hash, 'base64')
  return kept.length === given.length && timingSafeEqual(kept, given)
}

/** One composition of letters: the same keys give the same passphrase on every keyboard and terminal. */
const derive = (passphrase: string, salt: Buffer, { n, r, p }: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // As OpenSSL reckons it, and one MiB more.
    const maxmem = 128 * r * (n + p + 2) + 2 ** 20
    scrypt(passphrase.normalize('NFKC'), salt, keyBytes, { N: n, r, p, maxmem }, (error, key) => (error === null ? resolve(key) : reject(error)))
  })

/** Wrong passphrases in a row, and when the last one was given (Unix ms). */
export const Tries = z.object({ wrong: z.number().int().min(0), lastAtMs: z.number() })
export type Tries = z.infer<typeof Tries>

export const LockRecord = z.object({ version: z.literal(1), hash: PassphraseHash, choice: LockChoice, tries: Tries })
export type LockRecord = z.infer<typeof LockRecord>

/**
 * The lock, in a file of its own beside the journals: it holds where the keychain is locked or the journal was set aside,
 * `svc-desk` reads it without the app, and whoever owns the account can take it away.
 */
export interface LockFile {
  /** null: there is none. damaged: there is one that cannot be read, so nothing opens it. */
  read(): LockRecord | null | 'damaged'
  /** Whole or not at all, mode 0600. Fails with `file`. */
  write(record: LockRecord): Result<void, Failure>
  remove(): Result<void, Failure>
  /** Writes the count down, unless the file is another lock's by now or gone. Where the disk takes nothing, nothing is said. */
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

/** After so many wrong ones in a row the next is looked at only so much later; the last holds for all that follow. */
const delays = [0, 0, 0, 5 * second, 15 * second, 30 * second, minute, 5 * minute, 15 * minute]

const delayAfter = (wrong: number): number => delays[Math.min(wrong, delays.length) - 1] ?? 0

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
