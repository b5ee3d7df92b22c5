import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { createQueue } from '../../kernel/deadline.ts'
import type { Emit } from '../../kernel/events.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { Journal, SecretOperationRow } from '../../store/journal/journal.ts'
import type { KeychainFailure, SecretKind, SecretStore } from '../../store/secrets/secret-store.ts'
import type { StoredSecrets } from '../../store/secrets/stored-secrets.ts'
import { type CallOperation, createRecordedCalls, type RecordedCall, type RecordedCallsDeps } from '../calls/key-changes.ts'
import type { KeyParts } from '../calls/key-list.ts'

/** One call whose response contains a secret that the service shows only once. `Answer` is the call's result. */
export interface SecretCall<Answer extends { readonly secret: Secret }> extends Pick<RecordedCall<Answer>, 'planned' | 'send'> {
  /** Checks which keys or webhooks exist before the call, and returns the operation to save. If this fails, the app does not make the call. */
  readonly plan: () => Promise<Result<CallOperation, Failure>>
  /** The id of the key or webhook that the call created; null if the id cannot be determined. */
  readonly idOf: (answer: Answer, operation: SecretOperationRow) => Promise<string | null>
}

export interface IssuedSecret<Answer> {
  readonly id: string
  readonly where: 'keychain' | 'memory'
  readonly answer: Answer
}

export interface SecretIssuer {
  /**
   * Makes one call whose response contains a one-time secret, and never loses the secret (KEY-05, HOOK-03). First tests that the keychain can store
   * a secret, then saves the operation, then makes the call. Fails with `keychain` or `journal` before it sends anything, with the service's
   * refusal, or with `outcome_unknown` or `unreadable`. After the last two, the operation is UNKNOWN.
   */
  issue<Answer extends { readonly secret: Secret }>(call: SecretCall<Answer>): Promise<Result<IssuedSecret<Answer>, Failure>>
}

export interface SecretIssuerDeps extends RecordedCallsDeps {
  readonly secrets: Pick<SecretStore, 'probe'>
  readonly storeSecret: Pick<StoreSecret, 'store'>
  /** The report for a lost or unreadable response: a note that the key or webhook may exist, and the failure that the window shows. */
  readonly lost: { readonly mayExist: 'key_may_exist' | 'webhook_may_exist'; readonly failure: Failure }
}

export function createSecretIssuer({ secrets, storeSecret, lost, ...deps }: SecretIssuerDeps): SecretIssuer {
  const operations = deps.journal.secretOperations
  const recorded = createRecordedCalls(deps)
  // Run one creation at a time. With two at once, the key list could not show which creation made a new key.
  const queue = createQueue()

  const issue: SecretIssuer['issue'] = async (call) => {
    const canary = await secrets.probe()
    if (!canary.ok) return canary
    const plan = await call.plan()
    if (!plan.ok) return plan
    const made = await recorded.call({
      ...{ ...call, operation: plan.value, lost: lost.failure },
      // Do not request a secret that would be lost in a crash.
      needsDisk: true,
      notes: { unanswered: lost.mayExist, unread: `${lost.mayExist}_unread` },
    })
    if (!made.ok) return made
    const { answer, sent } = made.value
    const id = await call.idOf(answer, sent)
    if (id === null) {
      // Without its key's id, the secret is useless. The user can rotate the unmatched key to get a new secret.
      operations.move(sent.id, 'UNKNOWN', { note: lost.mayExist })
      return fail(lost.failure)
    }
    const where = await storeSecret.store(sent, id, answer.secret)
    if (where === 'keychain') operations.move(sent.id, 'VERIFIED')
    return ok({ id, where, answer })
  }

  return { issue: (call) => queue(() => issue(call)) }
}

export interface StoreSecret {
  /**
   * Stores a one-time secret: writes it to the keychain, reads it back, and marks the operation STORED. If the keychain fails, the secret stays in
   * memory for this run, the operation stays SENT, and the app notifies the window. The secret is lost only if the app quits before it can store
   * the secret (KEY-05).
   */
  store(operation: SecretOperationRow, keyId: string, secret: Secret): Promise<'keychain' | 'memory'>
  /**
   * Like `store`, for a secret that the user also has elsewhere, for example in a file. If the keychain fails, the app does not keep the secret in
   * memory, because the user can import it again.
   */
  attempt(operation: SecretOperationRow, keyId: string, secret: Secret): Promise<Result<SecretOperationRow, KeychainFailure>>
  /** Tries again to move a key's secret from memory to the keychain. */
  retry(keyId: string): Promise<Result<SecretOperationRow | null, KeychainFailure>>
  /** True if an operation's secret is only in memory. Such an operation waits for the keychain and not for a response from the service. */
  holds(operationId: string): boolean
  /** The id of the key or webhook whose secret is only in memory, because this operation could not store it; null otherwise. */
  keyOf(operationId: string): string | null
  /**
   * Finishes a STORED operation whose secret the app stored in its previous run and then did not put to use. Returns whether the secret is now in
   * use.
   */
  resume(operation: SecretOperationRow): Promise<boolean>
}

interface StoreSecretDeps {
  readonly kind: SecretKind
  readonly profileId: string
  readonly journal: Pick<Journal, 'records' | 'secretOperations'>
  readonly stored: StoredSecrets
  readonly emit: Emit
}

export function createStoreSecret({ kind, profileId, journal, stored, emit }: StoreSecretDeps): StoreSecret {
  const waiting = new Map<string, SecretOperationRow>()
  // Store one secret at a time. Two at once would write to the same keychain entry.
  const inTurn = createQueue()
  /**
   * Records the keychain account that an operation writes its secret to. If the app crashes, it finds the secret by this record at the next
   * start. The record is deleted once the secret is in use.
   */
  const writing = kind === 'key' ? journal.records.writingKeys : journal.records.writingWebhooks
  const of = (operationId: string) => ({ profile: profileId, operationId })

  const stage = async (operation: SecretOperationRow, keyId: string, secret: Secret): Promise<Result<SecretOperationRow, KeychainFailure>> => {
    const account = stored.newAccount(keyId)
    writing.write(of(operation.id), account)
    const staged = await stored.stage(account, secret)
    if (!staged.ok) return staged
    const row = journal.secretOperations.move(operation.id, 'STORED', { keyId })
    stored.promote({ wallet: operation.wallet, keyId, label: operation.label, account, secret })
    writing.delete(of(operation.id))
    return ok(row)
  }

  const store: StoreSecret['store'] = async (operation, keyId, secret) => {
    const staged = await stage(operation, keyId, secret)
    if (staged.ok) return 'keychain'
    stored.keepInMemory({ wallet: operation.wallet, keyId, label: operation.label, secret })
    waiting.set(keyId, operation)
    emit({
      type: 'notice',
      severity: 'danger',
      notice: { code: 'secret_not_stored', label: operation.label },
      to: `/${kind}s/${keyId}`,
    })
    return 'memory'
  }

  const retry: StoreSecret['retry'] = async (keyId) => {
    const operation = waiting.get(keyId)
    const kept = stored.inMemory().find((entry) => entry.keyId === keyId)
    if (operation === undefined || kept === undefined) return ok(null)
    const staged = await stage(operation, keyId, kept.secret)
    if (staged.ok) waiting.delete(keyId)
    return staged
  }

  return {
    attempt: (...secret) => inTurn(() => stage(...secret)),
    store: (...secret) => inTurn(() => store(...secret)),
    retry: (keyId) => inTurn(() => retry(keyId)),
    holds: (operationId) => [...waiting.values()].some(({ id }) => id === operationId),
    keyOf: (operationId) => [...waiting].find(([, { id }]) => id === operationId)?.[0] ?? null,
    resume: async ({ id, keyId, wallet, label }) => {
      if (keyId === null) return false
      const account = writing.read(of(id))
      if (account === null) return stored.whereIs(keyId) === 'keychain'
      const secret = await stored.staged(account)
      // While the keychain is locked, the app cannot tell whether it contains the secret. The app tries again at the next start.
      if (!secret.ok || secret.value === null) return false
      stored.promote({ wallet, keyId, label, account, secret: secret.value })
      writing.delete(of(id))
      return true
    },
  }
}

export interface Rotation {
  /**
   * Issues a new secret for a key of the connected wallet. The previous secret stops working at once. `confirmLabel`: the key's label as the user
   * typed it; null if the user confirmed in another way, as for an unmatched key. Fails with `keychain` before it sends anything, or with
   * `outcome_unknown` or `unreadable`.
   */
  rotate(keyId: string, confirmLabel: string | null): Promise<Result<KeySummary, Failure>>
  /** Tests the new secret of a STORED rotation with a call, and removes the old secret from the keychain only if the new one works. */
  verify(operation: SecretOperationRow): Promise<void>
}

export function createRotation(parts: KeyParts, storeSecret: StoreSecret): Rotation {
  const { journal, secrets, credentials, calls, list, signIn } = parts
  const operations = journal.secretOperations
  const recorded = createRecordedCalls(parts)
  // Rotate one key at a time. Of two rotations at once, the app could keep the secret that the other one made invalid.
  const queue = createQueue()

  const verify = async ({ id, keyId, label, wallet }: SecretOperationRow): Promise<void> => {
    if (keyId === null) return
    const secret = await credentials.secretOf(keyId)
    if (!secret.ok || secret.value === null) return
    const verdict = await calls.probe({ kind: 'key', keyId, label, apiKey: secret.value, wallet }, credentials.facts(keyId)?.scopes ?? null)
    if (verdict !== 'works') return
    // An import may have replaced the secret during the test call. Then the tested secret is the former one, and may be the only one that works.
    const now = await credentials.secretOf(keyId)
    if (!now.ok || now.value?.equals(secret.value) !== true) return
    operations.move(id, 'VERIFIED')
    await credentials.dropFormer(keyId)
  }

  const rotate: Rotation['rotate'] = async (keyId, confirmLabel) => {
    const signed = await signIn()
    if (!signed.ok) return signed
    const { session, wallet } = signed.value
    // Find the key by its id in the app's own records. So the user can rotate it even if the service’s list is unreadable or incomplete.
    const key = list.known(keyId, wallet)
    if (key === null) return fail({ kind: 'not_found', what: 'key' })
    if (confirmLabel !== null && confirmLabel !== key.label) return fail({ kind: 'bad_input', field: 'confirmLabel', issue: `type_word ${key.label}` })
    const canary = await secrets.probe()
    if (!canary.ok) return canary

    const rotated = await recorded.call({
      operation: { kind: 'rotate', label: key.label, keyId, wallet },
      send: () => calls.rotate(session, keyId),
      notes: { unanswered: 'secret_may_have_changed', unread: 'secret_may_have_changed_unread' },
      lost: { kind: 'outcome_unknown', intentRef: null, requestId: null, route: 'POST /api/dex/developer/keys/{key_id}/rotate' },
    })
    if (!rotated.ok) return rotated
    const { answer, sent } = rotated.value
    const where = await storeSecret.store(sent, keyId, answer.secret)
    const stored = operations.get(sent.id)
    if (where === 'keychain' && stored !== null) await verify(stored)
    return ok({ ...key, secret: where, masked: key.masked ?? 'SVC••••••••', inUse: credentials.inUse(wallet) === keyId })
  }

  return { verify, rotate: (...asked) => queue(() => rotate(...asked)) }
}
