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
