import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { errnoOf, fileFailure } from '../failures.ts'
import type { FileDialogs, FileQuestion } from './dialogs.ts'

/**
 * Puts `text` at `path`, mode 0600, whole or not at all: a new file beside it, moved over the name. A link is replaced, never
 * followed; what is neither a file nor a link stays as it is. `mayReplace` is asked last. Fails with `file`.
 */
export async function writePrivate(
  path: string,
  text: string,
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

/** In characters, so that the name of the fresh file is no longer than file systems take. */
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

/** So that the new name outlives a power cut. Windows has no such thing. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, constants.O_RDONLY).catch(() => null)
  await opened?.sync().catch(() => undefined)
  await opened?.close()
}

/** Asks where to, and writes it, readable by the user alone. The path; null: the user chose none. Fails with `file`. */
export type SaveText = (question: FileQuestion & { readonly suggested: string }, text: () => string) => Promise<Result<string | null, Failure>>

export const createSaveText =
  (files: Pick<FileDialogs, 'chooseToSave'>): SaveText =>
  async (question, text) => {
    const path = await files.chooseToSave(question)
    if (path === null) return ok(null)
    const written = await writePrivate(path, text())
    return written.ok ? ok(path) : written
  }

/** Files of keys and of settings are far smaller; what is larger is the wrong file. */
const largestBytes = 64 * 1_024

/** The text of a file that the user chose. Fails with `file`; the file is only read. */
export async function readChosenText(path: string, mostBytes = largestBytes): Promise<Result<string, Failure>> {
  const refuse = (issue: 'not_a_file' | 'too_large' | 'not_text') => fail<Failure>({ kind: 'file', issue, path, detail: null })
  try {
    // Without waiting for the other end, should it be a pipe.
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

/** Where the file system does not tell cases apart, git's rules do not either. */
export const foldsCase = (platform: NodeJS.Platform): boolean => platform === 'win32' || platform === 'darwin'
