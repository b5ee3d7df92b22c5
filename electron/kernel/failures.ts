import { randomBytes } from 'node:crypto'
import type { Failure } from '../../shared/ipc/failure.ts'

/**
 * A failure of the closed union on its way through an interface that answers without a `Result` (the vault, the
 * journal). `serve` turns it back into a value; nothing else needs to catch it.
 */
export class ExpectedFailure extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.kind)
    this.name = 'ExpectedFailure'
    this.failure = failure
  }
}

type Issue = Extract<Failure, { kind: 'file' }>['issue']

const issues: Readonly<Record<string, Issue>> = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ELOOP: 'not_a_file',
  EISDIR: 'not_a_file',
  ENXIO: 'not_a_file',
  EACCES: 'not_allowed',
  EPERM: 'not_allowed',
  EROFS: 'not_allowed',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
}

/** The system's code of an error, for example `ENOENT`; empty where it has none. */
export const errnoOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** What the file system said, as a failure. `detail` is its own code, for example `ENOSPC`. */
export function fileFailure(error: unknown, path: string): Failure {
  const code = errnoOf(error)
  return { kind: 'file', issue: issues[code] ?? 'failed', path, detail: code === '' ? null : code }
}

/** Under which the log has an error, and by which the user can name it. */
export const newReference = (): string => `e-${randomBytes(4).toString('hex')}`
