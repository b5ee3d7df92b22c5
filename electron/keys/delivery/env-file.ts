import { constants } from 'node:fs'
import { lstat, open, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { errnoOf, fileFailure } from '../../kernel/file-failure.ts'
import { writePrivate } from '../../kernel/files/write-private.ts'

/** A file that is about to be written, as it was found. */
export interface FoundFile {
  /** In its folder with all links resolved; the name itself may be a link. */
  readonly path: string
  /** Empty where there is no file yet. */
  readonly text: string
  /** Where the name is a link: what it points to. */
  readonly link: string | null
  /** Changes with every change of the file. */
  readonly stamp: string
}

/** Far more than any `.env` file has, and read within a moment. */
export const largestEnvBytes = 256 * 1_024

/** Reads what stands at a path that the user chose, a link's target included. Fails with `file`. */
export async function findFile(chosen: string): Promise<Result<FoundFile, Failure>> {
  try {
    const path = join(await realpath(dirname(resolve(chosen))), basename(resolve(chosen)))
    const named = await nameAt(path)
    if (named === null) return ok({ path, text: '', link: null, stamp: 'none' })
    const link = named.isSymbolicLink() ? resolve(dirname(path), await readlink(path)) : null
    if (link === null && !named.isFile()) return refuse('not_a_file', path)
    const content = await readText(path)
    if (!content.ok) return content
    return ok({ path, text: content.value, link, stamp: `${named.ino} ${named.size} ${named.mtimeNs}` })
  } catch (error) {
    return fail(fileFailure(error, chosen))
  }
}

/**
 * Puts `text` in the place of what was found, as `writePrivate` does. Fails with `file`, with `changed` where it is no longer what was found, or with
 * what `allowed` says at the last moment.
 */
export function replaceFile(found: FoundFile, text: string, allowed: () => Result<unknown, Failure> = () => ok(undefined)): Promise<Result<void, Failure>> {
  const { path } = found
  return writePrivate(path, text, async () => {
    const now = await findFile(path)
    if (!now.ok) return now
    return now.value.stamp !== found.stamp || now.value.text !== found.text ? refuse('changed', path) : allowed()
  })
}

const nameAt = (path: string) =>
  lstat(path, { bigint: true }).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  })

/** What reading the name gives, which for a link that leads nowhere is nothing. */
async function readText(path: string): Promise<Result<string, Failure>> {
  let file: Awaited<ReturnType<typeof open>>
  try {
    // Without waiting for the other end, should it be a pipe.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return ok('')
    throw error
  }
  try {
    const about = await file.stat()
    if (!about.isFile()) return refuse('not_a_file', path)
    if (about.size > largestEnvBytes) return refuse('too_large', path)
    const bytes = await file.readFile()
    const text = bytes.toString('utf8')
    return bytes.includes(0) || !Buffer.from(text).equals(bytes) ? refuse('not_text', path) : ok(text)
  } finally {
    await file.close()
  }
}

type Issue = Extract<Failure, { kind: 'file' }>['issue']

const refuse = (issue: Issue, path: string): { readonly ok: false; readonly failure: Failure } => fail({ kind: 'file', issue, path, detail: null })
