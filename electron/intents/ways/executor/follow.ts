import type { DelegatedStatus } from '../../../../shared/api/schemas/intents.ts'
import { type IntentReason, said } from '../../../../shared/ipc/intents/reasons.ts'
import type { IntentRow } from '../../../store/journal/journal.ts'
import type { IntentBook } from '../../engine/intent-book.ts'
import type { ExecutionCalls } from './execution-calls.ts'
import type { ExecutionRecords } from './execution-record.ts'

interface FollowDeps {
  readonly book: IntentBook
  readonly calls: ExecutionCalls
  readonly records: ExecutionRecords
  /** Asks for the finality of its transaction, and moves it there. */
  readonly followFinality: (row: IntentRow, finalReason?: IntentReason | null) => Promise<IntentRow>
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
      if (row.state === 'SUBMITTED' && (kind === 'api_key_required' || kind === 'scope_missing')) return book.note(row, { code: 'no_key_to_read' })
      return followFinality(row)
    }
    const status = answer.value.value
    const isNew = records.learn(row.ref, status, answer.value.receivedAtMs)
    const hash = status.txHash ?? row.txHash
    const known = isNew || hash !== row.txHash ? book.change(row.ref, { txHash: hash }) : row
    if (status.state?.toLowerCase() !== 'failed') {
      const partly = partialReason(status)
      const followed = await followFinality(known, partly)
      return partly !== null && (followed.state === 'CONFIRMING' || followed.state === 'FINAL') ? book.note(followed, partly) : followed
    }
    const raw = status.reason ?? status.results?.find(({ reason }) => reason !== null)?.reason ?? null
    const reason: IntentReason = { code: 'nothing_executed', raw }
    // Without a transaction it never reached the chain, and no block can bring it back.
    if (known.txHash === null)
      return known.state === 'SUBMITTED' ? book.move(row.ref, 'REFUSED', { reason }, status.state === null ? undefined : said(status.state)) : known
    return known.state === 'REVERTED' ? known : book.move(row.ref, 'REVERTED', { reason }, status.state === null ? undefined : said(status.state))
  }
}

function partialReason({ state, results }: DelegatedStatus): IntentReason | null {
  if (state?.toLowerCase() !== 'partially_executed') return null
  const all = results ?? []
  if (all.length === 0) return { code: 'execution_unnamed_part' }
  const failed = all.filter((result) => result.state?.toLowerCase() === 'failed')
  return { code: 'partly_executed', actions: all.length, failed: failed.length, raw: failed[0]?.reason ?? null }
}
