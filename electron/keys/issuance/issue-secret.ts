import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { createQueue } from '../../kernel/deadline.ts'
import type { Secret } from '../../kernel/secret.ts'
import { outcomeOf } from '../../service/api/call-outcome.ts'
import type { ApiFailure } from '../../service/transport/api-client.ts'
import { heldBack, type Journal, type SecretOperationRow } from '../../store/journal/journal.ts'
import type { SecretStore } from '../../store/secrets/secret-store.ts'
import type { TakeIn } from './take-in.ts'

export type PlannedOperation = Parameters<Journal['secretOperations']['plan']>[0]

/** One call whose answer carries a secret that is never shown again. `Answer` is what the call gives. */
export interface SecretCall<Answer extends { readonly secret: Secret }> {
  /** Looks at what exists before the call; a failure ends it, and nothing was sent. */
  readonly plan: () => Promise<Result<PlannedOperation, Failure>>
  /** The operation is on disk; nothing was sent. */
  readonly planned?: (operation: SecretOperationRow) => void
  readonly send: () => Promise<Result<Answer, ApiFailure>>
  /** The id of what the call made; null: it cannot be told. */
  readonly idOf: (answer: Answer, operation: SecretOperationRow) => Promise<string | null>
}

export interface IssuedSecret<Answer> {
  readonly id: string
  readonly where: 'keychain' | 'memory'
  readonly answer: Answer
}

export interface SecretIssuer {
  /**
   * Makes one call without losing its secret (KEY-05, HOOK-03): the keychain proves that it takes one, the operation is on disk, then the call.
   * Fails with `keychain` or `journal` before anything is sent, with the service's refusal, or with `outcome_unknown` or `unreadable`; then the operation is UNKNOWN.
   */
  issue<Answer extends { readonly secret: Secret }>(call: SecretCall<Answer>): Promise<Result<IssuedSecret<Answer>, Failure>>
}

export interface SecretIssuerDeps {
  readonly journal: Pick<Journal, 'secretOperations' | 'state' | 'trouble'>
  readonly secrets: Pick<SecretStore, 'probe'>
  readonly takeIn: Pick<TakeIn, 'store'>
  /** What may have come of an operation whose answer was lost or cannot be read, and what the window is told of a lost one. */
  readonly lost: { readonly mayExist: 'key_may_exist' | 'webhook_may_exist'; readonly failure: Failure }
}

export function createSecretIssuer({ journal, secrets, takeIn, lost }: SecretIssuerDeps): SecretIssuer {
  const operations = journal.secretOperations
  // One after the other: what is new in a list tells nothing of two creations at once.
  const queue = createQueue()

  const unknown = (operation: SecretOperationRow, failure: Failure = lost.failure) => {
    const unreadable = failure.kind === 'unreadable'
    operations.move(operation.id, 'UNKNOWN', { note: unreadable ? (`${lost.mayExist}_unread` as const) : lost.mayExist })
    return fail(unreadable ? failure : lost.failure)
  }

  const issue: SecretIssuer['issue'] = async (call) => {
    const canary = await secrets.probe()
    if (!canary.ok) return canary
    const plan = await call.plan()
    if (!plan.ok) return plan
    const planned = operations.plan(plan.value)
    call.planned?.(planned)
    const sent = operations.move(planned.id, 'SENT')
    if (journal.state() === 'memory_only') {
      // The disk filled up while this was written down: a secret that a crash would forget is not asked for.
      operations.move(planned.id, 'FAILED', { note: 'disk_full' })
      return fail(heldBack(journal))
    }
    const answer = await call.send()
    if (!answer.ok) {
      if (outcomeOf(answer.failure) === 'unknown') return unknown(sent, answer.failure.failure)
      operations.move(planned.id, 'FAILED', { note: answer.failure.failure.kind })
      return fail(answer.failure.failure)
    }
    const id = await call.idOf(answer.value, sent)
    // A secret that belongs to nothing that anyone can name is worth nothing: the orphan gets a fresh one.
    if (id === null) return unknown(sent)
    const where = await takeIn.store(sent, id, answer.value.secret)
    if (where === 'keychain') operations.move(sent.id, 'VERIFIED')
    return ok({ id, where, answer: answer.value })
  }

  return { issue: (call) => queue(() => issue(call)) }
}
