import { randomBytes } from 'node:crypto'
import type { Failure } from '../../shared/ipc/failure.ts'

/**
 * Carries an expected failure through an interface that returns no `Result` (the vault, the journal). `serve` converts it back to a failure, so
 * other code need not catch it.
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

/** The system’s code of an error, for example `ENOENT`; empty if there is none. */
export const errnoOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Converts a file system error to a failure. `detail` is the system's code, for example `ENOSPC`. */
export function fileFailure(error: unknown, path: string): Failure {
  const code = errnoOf(error)
  return { kind: 'file', issue: issues[code] ?? 'failed', path, detail: code === '' ? null : code }
}

/** Creates a random reference for an error. The log contains the error together with this reference, and the user can quote the reference. */
export const newReference = (): string => `e-${randomBytes(4).toString('hex')}`
