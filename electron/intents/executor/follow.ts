import type { DelegatedStatus } from '../../../shared/api/schemas/intents.ts'
import { explainReason } from '../../../shared/signing/prepared-action.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import type { IntentBook } from '../engine/intent-book.ts'
import type { ExecutionCalls } from './execution-calls.ts'
import type { ExecutionRecords } from './execution-record.ts'

interface FollowDeps {
  readonly book: IntentBook
  readonly calls: ExecutionCalls
  readonly records: ExecutionRecords
  /** Asks for the finality of its transaction, and moves it there. */
  readonly followFinality: (row: IntentRow, finalReason?: string | null) => Promise<IntentRow>
}

/**
 * Asks what became of a command, keeps what it says of each action, then follows its transaction to FINAL (Flow rules 6, FLOW-06). A state that is
 * none of those assumed moves nothing and is shown as the service wrote it. A failed call moves nothing.
 */
export function createFollowCommand({ book, calls, records, followFinality }: FollowDeps) {
  return async (row: IntentRow): Promise<IntentRow> => {
    if (row.commandId === null) return followFinality(row)
    const answer = await calls.status(row, row.commandId)
    if (!answer.ok) {
      const { kind } = answer.failure.failure
      if (row.state === 'SUBMITTED' && (kind === 'api_key_required' || kind === 'scope_missing'))
        return book.note(row, 'No key on this computer may read what became of it: that takes the scope account:read.')
      return followFinality(row)
    }
    const status = answer.value.value
    const isNew = records.learn(row.ref, status, answer.value.receivedAtMs)
    const hash = status.txHash ?? row.txHash
    const known = isNew || hash !== row.txHash ? book.change(row.ref, { txHash: hash }) : row
    if (status.state?.toLowerCase() !== 'failed') {
      const partly = partialWords(status)
      const followed = await followFinality(known, partly)
      return partly !== null && (followed.state === 'CONFIRMING' || followed.state === 'FINAL') ? book.note(followed, partly) : followed
    }
    const said = status.reason ?? status.results?.find(({ reason }) => reason !== null)?.reason ?? null
    const reason = `Nothing of it was carried out.${because(said)}`
    // Without a transaction it never reached the chain, and no block can bring it back.
    if (known.txHash === null) return known.state === 'SUBMITTED' ? book.move(row.ref, 'REFUSED', { reason }, status.state ?? undefined) : known
    return known.state === 'REVERTED' ? known : book.move(row.ref, 'REVERTED', { reason }, status.state ?? undefined)
  }
}

/** The reason as a sentence of its own, where the service gave one. */
const because = (reason: string | null): string => (reason === null ? '' : ` ${explainReason(reason).text}`)

function partialWords({ state, results }: DelegatedStatus): string | null {
  if (state?.toLowerCase() !== 'partially_executed') return null
  const all = results ?? []
  if (all.length === 0) return 'Only a part of it took effect; the service does not say which.'
  const failed = all.filter((result) => result.state?.toLowerCase() === 'failed')
  const said = failed[0]?.reason ?? null
  return `${all.length - failed.length} of ${all.length} actions took effect. ${failed.length} failed.${because(said)}`
}
