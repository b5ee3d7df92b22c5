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

/** The failure inside a thrown value. Anything main did not send is a bug in the app. */
export function failureOf(thrown: unknown): Failure {
  return thrown instanceof CallFailure ? thrown.failure : { kind: 'internal', reference: 'window' }
}
