import type { Failure } from '../../shared/ipc/failure.ts'

/** Wraps a failed call for react-query, which knows failures only as thrown errors. Carries the `Failure` unchanged. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.kind)
    this.failure = failure
  }
}

/** The failure inside a thrown value. Anything other than a `CallFailure` is a bug in the app, so it becomes an internal failure. */
export function failureOf(thrown: unknown): Failure {
  return thrown instanceof CallFailure ? thrown.failure : { kind: 'internal', reference: 'window' }
}
