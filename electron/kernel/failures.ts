import { randomBytes } from 'node:crypto'
import type { Failure } from '../../shared/ipc/failure.ts'

/**
 * Carries a failure of the closed union through an interface that returns no `Result` (the vault, the journal). `serve` turns it back into a value;
 * no other code needs to catch it.
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

/** The system's code of an error, for example `ENOENT`; empty if it has none. */
export const errnoOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Converts a file system error to a failure. `detail` is the system's code, for example `ENOSPC`. */
export function fileFailure(error: unknown, path: string): Failure {
  const code = errnoOf(error)
  return { kind: 'file', issue: issues[code] ?? 'failed', path, detail: code === '' ? null : code }
}

/** Creates the reference under which the log stores an error, and which the user can quote. */
export const newReference = (): string => `e-${randomBytes(4).toString('hex')}`
