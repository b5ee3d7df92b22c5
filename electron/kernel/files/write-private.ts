import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { errnoOf, fileFailure } from '../file-failure.ts'

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
