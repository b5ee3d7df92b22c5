import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { errnoOf, fileFailure } from '../failures.ts'
import type { FileDialogs, FileQuestion } from './dialogs.ts'

/**
 * Writes `text` to `path` atomically with mode 0600: creates a temporary file in the same folder, then renames it. If `path` is a symbolic link,
 * replaces the link. Refuses anything that is neither a file nor a link. Calls `mayReplace` just before the rename. Fails with `file`.
 */
export async function writePrivate(
  path: string,
  text: string | Uint8Array,
  mayReplace: () => Promise<Result<unknown, Failure>> = async () => ok(undefined),
): Promise<Result<void, Failure>> {
  const fresh = join(dirname(path), `.${basename(path).slice(0, longestName)}.${randomBytes(6).toString('hex')}`)
  try {
    if (!(await isReplaceable(path))) return fail({ kind: 'file', issue: 'not_a_file', path, detail: null })
    const file = await open(fresh, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    const agreed = await mayReplace()
    if (!agreed.ok) return agreed
    await rename(fresh, path)
    await syncFolder(dirname(path))
    return ok(undefined)
  } catch (error) {
    return fail(fileFailure(error, path))
  } finally {
    await rm(fresh, { force: true })
  }
}

/**
 * How many characters of the target’s name go into the temporary file’s name. The temporary name has further characters and must not exceed the
 * file system’s limit.
 */
const longestName = 50

async function isReplaceable(path: string): Promise<boolean> {
  try {
    const there = await lstat(path)
    return there.isFile() || there.isSymbolicLink()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return true
    throw error
  }
}

/** Syncs the folder, so that the renamed file survives a power failure. Windows offers no call for this. */
export async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, constants.O_RDONLY).catch(() => null)
  await opened?.sync().catch(() => undefined)
  await opened?.close()
}

/**
 * Asks the user where to save a text, and writes the file so that only the user can read it. Returns the path; null if the user cancelled. Fails
 * with `file`.
 */
export type SaveText = (question: FileQuestion & { readonly suggested: string }, text: () => string) => Promise<Result<string | null, Failure>>

export const createSaveText =
  (files: Pick<FileDialogs, 'chooseToSave'>): SaveText =>
  async (question, text) => {
    const path = await files.chooseToSave(question)
    if (path === null) return ok(null)
    const written = await writePrivate(path, text())
    return written.ok ? ok(path) : written
  }

/** Maximum size of a chosen file, in bytes. Files with keys or settings are far smaller, so a larger file must be the wrong one. */
const largestBytes = 64 * 1_024

/** Reads the text of a file that the user chose, without changing it. Fails with `file`. */
export async function readChosenText(path: string, mostBytes = largestBytes): Promise<Result<string, Failure>> {
  const refuse = (issue: 'not_a_file' | 'too_large' | 'not_text') => fail<Failure>({ kind: 'file', issue, path, detail: null })
  try {
    // `O_NONBLOCK` prevents that opening a pipe blocks the app.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const about = await file.stat()
      if (!about.isFile()) return refuse('not_a_file')
      if (about.size > mostBytes) return refuse('too_large')
      const bytes = await file.readFile()
      return bytes.includes(0) ? refuse('not_text') : ok(bytes.toString('utf8'))
    } finally {
      await file.close()
    }
  } catch (error) {
    return fail(fileFailure(error, path))
  }
}

/** Whether git on this platform treats file names as equal if they differ only in upper and lower case. */
export const foldsCase = (platform: NodeJS.Platform): boolean => platform === 'win32' || platform === 'darwin'
