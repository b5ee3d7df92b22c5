import type { Failure } from '../../shared/ipc/failure.ts'
import type { KeySummary } from '../../shared/ipc/keys.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { ApiFailure, SessionCredential } from '../api/api-client.ts'
import type { SecretOperationRow } from '../journal/journal.ts'
import { createQueue } from '../secrets/queue.ts'
import { outcomeOf } from '../session/call-outcome.ts'
import { heldBack } from '../session/held-back.ts'
import type { IssuedKey } from './key-calls.ts'
import type { KeyParts } from './key-deps.ts'
import type { KeyListing } from './key-list.ts'
import { markerLength } from './label-marker.ts'
import type { TakeIn } from './take-in.ts'

export interface Issue {
  /** Of the operation; null: a new one. */
  readonly operationId: string | null
  readonly session: SessionCredential
  readonly wallet: string
  /** The user's label, without the marker. */
  readonly label: string
  readonly marker: string
  /** What the key is made for, for whoever looks its operation up. */
  readonly draft: string | null
  /** Looks at the keys as they are before the call; a failure ends it, and nothing was sent. */
  readonly before?: (listing: KeyListing) => Failure | null
  /** The operation is on disk; nothing was sent. */
  readonly planned?: (operation: SecretOperationRow) => void
  readonly send: () => Promise<Result<IssuedKey, ApiFailure>>
}

export interface IssuedHere {
  readonly keyId: string
  readonly where: 'keychain' | 'memory'
  /** As listed afterwards; null where the list could not be read. */
  readonly summary: KeySummary | null
}

export interface Issuance {
  /**
   * Makes one key without losing its secret (KEY-05, KEY-16): the keychain proves that it takes one, the ids of the keys and the label's marker
   * are on disk, then the call. Fails with `keychain` or `journal` before anything is sent, with the service's refusal, or with
   * `outcome_unknown`; then the operation is UNKNOWN, and `Orphans` names what may have come of it.
   */
  issue(order: Issue): Promise<Result<IssuedHere, Failure>>
  /** The mark that a label carries in the service's list. */
  newMarker(): string
}

/** A new key's answer was lost, or names no key. */
export const lostCreation: Failure = { kind: 'outcome_unknown', intentRef: null, requestId: null, route: 'POST /api/dex/developer/keys' }

/** The key that an operation made: the one new key with its marker, or the only new key, where it has no label. */
function newKeyIn({ keys, sentLabels }: KeyListing, { keyIdsBefore, marker }: SecretOperationRow): string | null {
  const fresh = keys.filter(({ id }) => !keyIdsBefore.includes(id))
  const marked = fresh.filter(({ id }) => sentLabels.get(id)?.includes(marker) === true)
  const [only, ...more] = marked.length > 0 ? marked : fresh.filter(({ id }) => sentLabels.get(id) == null)
  return only !== undefined && more.length === 0 && (marked.length > 0 || fresh.length === 1) ? only.id : null
}

export function createIssuance({ profile, journal, secrets, list, newId }: KeyParts, takeIn: TakeIn): Issuance {
  const operations = journal.secretOperations
  // One after the other: the difference of ids tells nothing of two creations at once.
  const queue = createQueue()

  const unknown = (operation: SecretOperationRow): Result<IssuedHere, Failure> => {
    operations.move(operation.id, 'UNKNOWN', { note: 'The answer was lost. A key may have been created.' })
    return fail(lostCreation)
  }

  const received = async ({ session, wallet }: Issue, operation: SecretOperationRow, { secret, record }: IssuedKey): Promise<Result<IssuedHere, Failure>> => {
    let keyId = record?.id ?? null
    if (keyId === null) {
      const after = await list.read(session, wallet)
      keyId = after.ok ? newKeyIn(after.value, operation) : null
    }
    // A secret that belongs to no key that anyone can name is worth nothing: the orphan gets a fresh one by rotation.
    if (keyId === null) return unknown(operation)
    const where = await takeIn.store(operation, keyId, secret)
    if (where === 'keychain') operations.move(operation.id, 'VERIFIED')
    const after = await list.read(session, wallet)
    return ok({ keyId, where, summary: after.ok ? (after.value.keys.find(({ id }) => id === keyId) ?? null) : null })
  }

  const issue = async (order: Issue): Promise<Result<IssuedHere, Failure>> => {
    const { session, wallet, label, marker, draft } = order
    const canary = await secrets.probe()
    if (!canary.ok) return canary
    const before = await list.read(session, wallet)
    if (!before.ok) return before
    const stopped = order.before?.(before.value) ?? null
    if (stopped !== null) return fail(stopped)

    const planned = operations.plan({
      id: order.operationId ?? newId(),
      kind: 'create',
      label,
      keyId: null,
      profileId: profile.id,
      wallet,
      keyIdsBefore: before.value.keys.map(({ id }) => id),
      marker,
      draft,
    })
    order.planned?.(planned)
    const sent = operations.move(planned.id, 'SENT')
    if (journal.state() === 'memory_only') {
      // The disk filled up while this was written down: a key that a crash would forget is not asked for.
      operations.move(planned.id, 'FAILED', { note: 'The disk is full. Nothing was sent.' })
      return fail(heldBack(journal.state()))
    }
    const answer = await order.send()
    if (answer.ok) return received(order, sent, answer.value)
    if (outcomeOf(answer.failure) === 'unknown') return unknown(sent)
    operations.move(planned.id, 'FAILED', { note: answer.failure.failure.kind })
    return fail(answer.failure.failure)
  }

  return { newMarker: () => newId().slice(0, markerLength), issue: (order) => queue(() => issue(order)) }
}
