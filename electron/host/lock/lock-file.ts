import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { LockChoice } from '../../../shared/ipc/host/lock.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { errnoOf, fileFailure } from '../../kernel/failures.ts'
import { PassphraseHash } from './passphrase.ts'

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
