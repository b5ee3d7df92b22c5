import type { Failure } from '../../../shared/ipc/failure.ts'
import type { ReplacementState } from '../../../shared/ipc/keys/replacements.ts'
import type { OperationNote } from '../../../shared/ipc/reads/activity.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { Journal, SecretOperationRow } from '../../store/journal/journal.ts'
import type { StoredReplacement } from '../../store/records/key-records.ts'
import type { Records } from '../../store/records/registry.ts'
import type { KeyDraftStore, MayLeave } from '../issuance/issuance.ts'
import type { StoreSecret } from '../issuance/issue-secret.ts'
import type { KeyWork } from '../keys.ts'

interface ConcludeParts {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'secretOperations'>
  readonly credentials: Pick<Credentials, 'whereIs' | 'facts'>
  readonly drafts: Pick<KeyDraftStore, 'current' | 'byId'>
  readonly storeSecret: Pick<StoreSecret, 'keyOf'>
  readonly store: ReplacementStore
  readonly clock: Clock
}

/**
 * How far the creation of a replacement's new key has come, or how it ended. none: the app sent nothing, or the service refused the request. gone:
 * the new key was created and then revoked. unnamed: the user dismissed the operation without naming its key, or the operation made no key.
 */
type Creation = { readonly state: 'none' | 'under_way' | 'unknown' | 'gone' | 'unnamed' } | { readonly state: 'made'; readonly keyId: string }

/** Lists the operations that tried to create a replacement's new key, newest first. */
export function creationsOf({ profile, journal }: Pick<ConcludeParts, 'profile' | 'journal'>, { id, draftId }: StoredReplacement): SecretOperationRow[] {
  return journal.secretOperations
    .list(profile.id, 500)
    .filter(({ kind, draft }) => kind === 'create' && draft !== null && (draft === draftId || draft === customDraft(id)))
}

/** The name under which the journal records the creation of this replacement's new key with chosen scopes. */
export const customDraft = (replacementId: string): string => `replacement/${replacementId}`

/**
 * Updates a replacement's state from the journal and the last key list. Needed after a crash, or after another screen or program changed something.
 * Makes no request.
 */
export function createConclude(parts: ConcludeParts): (replacement: StoredReplacement) => StoredReplacement {
  const { journal, credentials, drafts, storeSecret, store, clock } = parts
  const isRevoked = (keyId: string): boolean => credentials.facts(keyId)?.status === 'revoked'

  const creationOf = (replacement: StoredReplacement): Creation => {
    const operation = replacement.draftId === null ? own(replacement) : (creationsOf(parts, replacement)[0] ?? null)
    switch (operation?.state) {
      case undefined:
      case 'FAILED':
        return { state: 'none' }
      case 'PLANNED':
        return { state: 'under_way' }
      case 'SENT': {
        const held = storeSecret.keyOf(operation.id)
        return held === null ? { state: 'under_way' } : { state: 'made', keyId: held }
      }
      case 'UNKNOWN':
        return { state: 'unknown' }
      case 'STORED':
      case 'VERIFIED':
      case 'SETTLED':
        return operation.keyId === null ? { state: 'unnamed' } : isRevoked(operation.keyId) ? { state: 'gone' } : { state: 'made', keyId: operation.keyId }
    }
  }
  const own = ({ operationId }: StoredReplacement): SecretOperationRow | null => (operationId === null ? null : journal.secretOperations.get(operationId))

  const ofCreation = (given: StoredReplacement): StoredReplacement => {
    let replacement = given
    const offered = drafts.current(replacement.wallet)
    if (replacement.now.state === 'planned' && offered?.replacementId === replacement.id && replacement.draftId !== offered.id)
      replacement = store.move({ ...replacement, draftId: offered.id }, { state: 'granting', by: 'preparation', draftId: offered.id })

    const { now, draftId } = replacement
    const at = now.state === 'granting' ? 'granting' : 'planned'
    const stuck = (reason: 'creation_unknown' | 'creation_unnamed') =>
      now.state === 'stuck' && now.reason === reason ? replacement : store.move(replacement, { state: 'stuck', at, reason })
    const creation = creationOf(replacement)
    switch (creation.state) {
      case 'made': {
        const made = { ...replacement, newKeyId: creation.keyId }
        return ofNewKey(store.move(made, afterCreation(made)))
      }
      case 'unknown':
        return stuck('creation_unknown')
      case 'unnamed':
        return stuck('creation_unnamed')
      case 'gone':
        return store.move({ ...replacement, draftId: null, operationId: null }, { state: 'planned' }, 'new_key_revoked')
      case 'under_way':
        return replacement
      case 'none': {
        const draft = draftId === null ? null : drafts.byId(draftId, replacement.wallet)
        if (now.state === 'granting' && (draft === null || draft.expiresAtMs <= clock.now()))
          return store.move({ ...replacement, draftId: null }, { state: 'planned' }, 'preparation_over')
        if (now.state === 'stuck') return store.move({ ...replacement, draftId: null, operationId: null }, { state: 'planned' }, 'nothing_created')
        return now.state === 'planned' && isRevoked(replacement.oldKeyId)
          ? store.move(replacement, { state: 'stuck', at: 'planned', reason: 'old_key_gone' })
          : replacement
      }
    }
  }

  /** Updates a replacement whose new key exists, in the steps until the bot receives that key. */
  const ofNewKey = (replacement: StoredReplacement): StoredReplacement => {
    const { now, newKeyId } = replacement
    if (newKeyId === null) throw new Error(`A replacement without a new key: ${replacement.id}`)
    const at = now.state === 'stuck' ? now.at : now.state
    if (at === 'planned' || at === 'done' || at === 'abandoned') return replacement
    const status = credentials.facts(newKeyId)?.status
    const reason = now.state === 'stuck' ? now.reason : null
    const become = (next: 'new_key_gone' | 'secret_lost') => (reason === next ? replacement : store.move(replacement, { state: 'stuck', at, reason: next }))
    if (status === 'revoked' || status === 'expired') return become('new_key_gone')
    const handedOver = at === 'handed_over' || at === 'revoking'
    if (!handedOver && credentials.whereIs(newKeyId) === 'elsewhere') return become('secret_lost')
    if (reason === 'new_key_gone' || reason === 'secret_lost')
      return store.move(replacement, handedOver ? { state: 'handed_over' } : afterCreation(replacement), 'here_again')
    return replacement
  }

  return (replacement) => {
    if (isOver(replacement)) return replacement
    const { now } = replacement
    const at = now.state === 'stuck' ? now.at : now.state
    if (replacement.newKeyId === null)
      return now.state === 'stuck' && (now.reason === 'no_room' || now.reason === 'old_key_gone') ? replacement : ofCreation(replacement)
    if ((at === 'handed_over' || at === 'revoking') && isRevoked(replacement.oldKeyId))
      return store.move(replacement, { state: 'done' }, 'old_key_listed_revoked')
    return ofNewKey(replacement)
  }
}

/** The first state of a replacement once its new key exists. */
export const afterCreation = ({ plan, agentSettled }: StoredReplacement): ReplacementState =>
  plan.agent === 'after_key' && !agentSettled ? { state: 'granting', by: 'agent', draftId: null } : { state: 'created' }

/**
 * Binds a key to an executor. `before` is the executor that the key is bound to now; `confirmLabel` is the label of the key. It is safe to repeat the
 * call. `mayLeave`: see `MayLeave`.
 */
export type BindExecutor = (
  keyId: string,
  executor: string,
  before: string | null,
  confirmLabel: string,
  mayLeave?: MayLeave,
) => Promise<Result<unknown, Failure>>

export interface ReplacementParts extends KeyWork {
  readonly bindExecutor: BindExecutor
  readonly store: ReplacementStore
  readonly conclude: (replacement: StoredReplacement) => StoredReplacement
}

interface ReplacementStore {
  byId(id: string): StoredReplacement | null
  all(): StoredReplacement[]
  /** Returns the replacements of a wallet, newest first. */
  ofWallet(wallet: string): StoredReplacement[]
  save(replacement: StoredReplacement): StoredReplacement
  /** Moves the replacement to another state, adds a line to its timeline and returns the moved replacement. */
  move(replacement: StoredReplacement, now: ReplacementState, note?: OperationNote | null): StoredReplacement
}

export const isOver = ({ now }: StoredReplacement): boolean => now.state === 'done' || now.state === 'abandoned'

export function createReplacementStore({
  profile,
  records,
  clock,
}: {
  readonly profile: ProfileFacts
  readonly records: Records
  readonly clock: Clock
}): ReplacementStore {
  const { replacements } = records
  const all = (): StoredReplacement[] => replacements.list({ profile: profile.id }).map(({ record }) => record)
  const save = (replacement: StoredReplacement): StoredReplacement => {
    const saved = { ...replacement, updatedAtMs: clock.now() }
    replacements.write({ profile: profile.id, id: saved.id }, saved)
    return saved
  }

  return {
    save,
    byId: (id) => replacements.read({ profile: profile.id, id }),
    all,
    ofWallet: (wallet) =>
      all()
        .filter((one) => one.wallet === wallet)
        .sort((a, b) => b.createdAtMs - a.createdAtMs),
    move: (replacement, now, note = null) => {
      const name = now.state === 'stuck' ? `stuck: ${now.reason}` : now.state
      return save({ ...replacement, now, steps: [...replacement.steps, { state: name, atMs: clock.now(), note }] })
    },
  }
}
