import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { fileFailure } from '../file-failure.ts'

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
