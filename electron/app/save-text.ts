import { writeFile } from 'node:fs/promises'
import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { fileFailure } from '../ipc/file-failure.ts'
import type { FileDialogs, FileQuestion } from './file-dialogs.ts'

/** Asks where to, and writes it, readable by the user alone. The path; null: the user chose none. Fails with `file`. */
export type SaveText = (question: FileQuestion & { readonly suggested: string }, text: () => string) => Promise<Result<string | null, Failure>>

export const createSaveText =
  (files: Pick<FileDialogs, 'chooseToSave'>): SaveText =>
  async (question, text) => {
    const path = await files.chooseToSave(question)
    if (path === null) return ok(null)
    try {
      await writeFile(path, text(), { mode: 0o600 })
      return ok(path)
    } catch (error) {
      return fail(fileFailure(error, path))
    }
  }
