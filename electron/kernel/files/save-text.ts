import type { Failure } from '../../../shared/ipc/failure.ts'
import { ok, type Result } from '../../../shared/result.ts'
import type { FileDialogs, FileQuestion } from './file-dialogs.ts'
import { writePrivate } from './write-private.ts'

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
