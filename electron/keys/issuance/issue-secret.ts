import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { createQueue } from '../../kernel/deadline.ts'
import type { Emit } from '../../kernel/events.ts'
import type { Secret } from '../../kernel/secret.ts'
import { outcomeOf } from '../../service/api/call-outcome.ts'
import type { ApiFailure } from '../../service/transport/api-client.ts'
import { heldBack, type Journal, type SecretOperationRow } from '../../store/journal/journal.ts'
import type { HeldSecrets } from '../../store/secrets/held-secrets.ts'
import type { KeychainFailure, SecretKind, SecretStore } from '../../store/secrets/secret-store.ts'
import type { KeyParts } from '../calls/key-list.ts'

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

export interface TakeIn {
  /**
   * Takes a one-time secret into the keychain: written, read back, journalled STORED. When the keychain fails the secret stays in memory for
   * this run, the operation stays SENT, and the window is told; nothing is lost until the app quits (KEY-05).
   */
  store(operation: SecretOperationRow, keyId: string, secret: Secret): Promise<'keychain' | 'memory'>
  /** The same for a secret that the user still has: when the keychain fails, nothing is kept. */
  attempt(operation: SecretOperationRow, keyId: string, secret: Secret): Promise<Result<SecretOperationRow, KeychainFailure>>
  /** Tries the keychain again for a secret in memory. */
  retry(keyId: string): Promise<Result<SecretOperationRow | null, KeychainFailure>>
  /** Whether an operation's secret is in memory: it waits for the keychain, not for the service. */
  holds(operationId: string): boolean
  /** The key or webhook whose secret an operation keeps in memory; null: it keeps none. */
  keyOf(operationId: string): string | null
  /** Makes the secret of a STORED operation the one in use where the app stopped before it was. Gives whether it is. */
  resume(operation: SecretOperationRow): Promise<boolean>
}

interface TakeInDeps {
  readonly kind: SecretKind
  readonly profileId: string
  readonly journal: Pick<Journal, 'records' | 'secretOperations'>
  readonly held: HeldSecrets
  readonly emit: Emit
}

export function createTakeIn({ kind, profileId, journal, held, emit }: TakeInDeps): TakeIn {
  const waiting = new Map<string, SecretOperationRow>()
  /** Where an operation's secret is being written, until it is the one in use. */
  const writing = kind === 'key' ? journal.records.writingKeys : journal.records.writingWebhooks
  const of = (operationId: string) => ({ profile: profileId, operationId })

  const stage = async (operation: SecretOperationRow, keyId: string, secret: Secret): Promise<Result<SecretOperationRow, KeychainFailure>> => {
    const account = held.newAccount(keyId)
    writing.write(of(operation.id), account)
    const staged = await held.stage(account, secret)
    if (!staged.ok) return staged
    const stored = journal.secretOperations.move(operation.id, 'STORED', { keyId })
    held.promote({ wallet: operation.wallet, keyId, label: operation.label, account, secret })
    writing.delete(of(operation.id))
    return ok(stored)
  }

  return {
    attempt: stage,
    store: async (operation, keyId, secret) => {
      const stored = await stage(operation, keyId, secret)
      if (stored.ok) return 'keychain'
      held.keepInMemory({ wallet: operation.wallet, keyId, label: operation.label, secret })
      waiting.set(keyId, operation)
      emit({
        type: 'notice',
        severity: 'danger',
        notice: { code: 'secret_not_stored', label: operation.label },
        to: `/${kind}s/${keyId}`,
      })
      return 'memory'
    },
    retry: async (keyId) => {
      const operation = waiting.get(keyId)
      const kept = held.inMemory().find((entry) => entry.keyId === keyId)
      if (operation === undefined || kept === undefined) return ok(null)
      const stored = await stage(operation, keyId, kept.secret)
      if (stored.ok) waiting.delete(keyId)
      return stored
    },
    holds: (operationId) => [...waiting.values()].some(({ id }) => id === operationId),
    keyOf: (operationId) => [...waiting].find(([, { id }]) => id === operationId)?.[0] ?? null,
    resume: async ({ id, keyId, wallet, label }) => {
      if (keyId === null) return false
      const account = writing.read(of(id))
      if (account === null) return held.whereIs(keyId) === 'keychain'
      const secret = await held.staged(account)
      // A locked keychain tells nothing; the next start looks again.
      if (!secret.ok || secret.value === null) return false
      held.promote({ wallet, keyId, label, account, secret: secret.value })
      writing.delete(of(id))
      return true
    },
  }
}

export interface Rotation {
  /**
   * Issues a new secret for a key of the connected wallet; the previous one stops at once. `confirmLabel` must be the key's label; null skips
   * the question where the user answered it elsewhere (an orphan). Fails with `keychain` before anything is sent, `outcome_unknown` or `unreadable`.
   */
  rotate(keyId: string, confirmLabel: string | null): Promise<Result<KeySummary, Failure>>
  /** Proves the new secret of a STORED rotation with a call; only then is the old one removed from the keychain. */
  verify(operation: SecretOperationRow): Promise<void>
}

export function createRotation(parts: KeyParts, takeIn: TakeIn): Rotation {
  const { profile, journal, secrets, credentials, calls, list, signIn, newId } = parts
  const operations = journal.secretOperations

  const verify = async ({ id, keyId, label, wallet }: SecretOperationRow): Promise<void> => {
    if (keyId === null) return
    const secret = await credentials.secretOf(keyId)
    if (!secret.ok || secret.value === null) return
    const verdict = await calls.probe({ kind: 'key', keyId, label, apiKey: secret.value, wallet }, credentials.facts(keyId)?.scopes ?? null)
    if (verdict !== 'works') return
    operations.move(id, 'VERIFIED')
    await credentials.dropFormer(keyId)
  }

  return {
    verify,
    rotate: async (keyId, confirmLabel) => {
      const signed = await signIn()
      if (!signed.ok) return signed
      const { session, wallet } = signed.value
      // By its id: a list that cannot be read, or that leaves the key out, keeps nobody from a fresh secret.
      const key = list.known(keyId, wallet)
      if (key === null) return fail({ kind: 'not_found', what: 'key' })
      if (confirmLabel !== null && confirmLabel !== key.label) return fail({ kind: 'bad_input', field: 'confirmLabel', issue: `type_word ${key.label}` })
      const canary = await secrets.probe()
      if (!canary.ok) return canary

      const planned = operations.plan({
        id: newId(),
        kind: 'rotate',
        label: key.label,
        keyId,
        profileId: profile.id,
        wallet,
        keyIdsBefore: [],
        marker: '',
        draft: null,
      })
      const sent = operations.move(planned.id, 'SENT')
      const answer = await calls.rotate(session, keyId)
      if (!answer.ok) {
        const { failure } = answer.failure
        if (outcomeOf(answer.failure) !== 'unknown') {
          operations.move(planned.id, 'FAILED', { note: failure.kind })
          return fail(failure)
        }
        const unreadable = failure.kind === 'unreadable'
        operations.move(planned.id, 'UNKNOWN', {
          note: unreadable ? 'secret_may_have_changed_unread' : 'secret_may_have_changed',
        })
        if (unreadable) return fail(failure)
        return fail({ kind: 'outcome_unknown', intentRef: null, requestId: null, route: 'POST /api/dex/developer/keys/{key_id}/rotate' })
      }
      const where = await takeIn.store(sent, keyId, answer.value.secret)
      const stored = operations.get(planned.id)
      if (where === 'keychain' && stored !== null) await verify(stored)
      return ok({ ...key, secret: where, masked: key.masked ?? 'SVC••••••••', inUse: credentials.inUse(wallet) === keyId })
    },
  }
}
