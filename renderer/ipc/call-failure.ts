import type { Failure } from '../../shared/ipc/failure.ts'

/** An error that contains the `Failure` of a call. Needed because react-query recognises only thrown errors as failures. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.kind)
    this.failure = failure
  }
}

/** Returns the failure inside a thrown value. Anything but a `CallFailure` is a bug in the app and becomes an internal failure. */
export function failureOf(thrown: unknown): Failure {
  return thrown instanceof CallFailure ? thrown.failure : { kind: 'internal', reference: 'window' }
}
