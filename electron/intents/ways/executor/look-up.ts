import { minute } from '../../../../shared/time.ts'
import type { ServiceClock } from '../../../service/api/service-clock.ts'
import type { Credentials } from '../../../service/credentials/credentials.ts'
import type { KeyCredential } from '../../../service/transport/api-client.ts'
import type { IntentRow } from '../../../store/journal/journal.ts'
import { clientOrderIdsOf } from '../../engine/delegated-rows.ts'
import { executionLivesMs } from '../../engine/finality.ts'
import type { IntentBook } from '../../engine/intent-book.ts'
import type { ExecutionCalls } from './execution-calls.ts'
import type { ExecutionRecords } from './execution-record.ts'
import { promptMs, type Sending } from './send.ts'

interface LookUpDeps {
  readonly book: IntentBook
  readonly calls: ExecutionCalls
  readonly records: ExecutionRecords
  readonly credentials: Credentials
  readonly replay: Sending['replay']
  readonly clock: ServiceClock
}

/** The key that an execution went with, as long as it can be used here. */
export async function keyOf(row: IntentRow, { records, credentials }: Pick<LookUpDeps, 'records' | 'credentials'>): Promise<KeyCredential | null> {
  const record = records.of(row.ref)
  if (record === null) return null
  const key = await credentials.forKey(row.wallet, record.keyId)
  return key.ok ? key.value : null
}

/**
 * What became of an UNKNOWN execution. While it is fresh the same bytes are sent again: the exchange gives its first answer, or carries out now
 * what it never got. Later nothing is sent by itself, since an order must not come to life hours after it was given: the wallet's orders are
 * looked through, and the user may have it sent again. An order that stands there a minute is final, as 8 blocks are: no list tells its transaction.
 * Once its key is forgotten it is over.
 */
export function createLookUpExecution({ book, calls, records, credentials, replay, clock }: LookUpDeps) {
  return async (row: IntentRow): Promise<IntentRow> => {
    if (row.state !== 'UNKNOWN') return row
    const age = clock.now() - row.createdAtMs
    const answered = row.reason?.code === 'execution_unreadable' || row.reason?.code === 'execution_listed'
    if (age < promptMs && !answered) {
      const key = await keyOf(row, { records, credentials })
      if (key !== null) return replay(row, key)
    }
    const ids = clientOrderIdsOf(row)
    const listed = ids.length === 0 ? null : await calls.listsOrder(row, ids)
    if (listed?.ok === true && listed.value) {
      // Of an order no block is told: what a reorganisation may still take is gone from the list by then.
      const stands = row.reason?.code === 'execution_listed' && clock.now() - row.updatedAtMs > minute
      if (!stands) return book.note(row, { code: 'execution_listed' })
      return book.move(row.ref, 'FINAL', { reason: { code: 'execution_listed_final' } }, { code: 'found_in_orders' })
    }
    if (age > executionLivesMs && clock.known()) return book.move(row.ref, 'EXPIRED', { reason: { code: 'execution_over' } })
    return row.reason?.code === 'execution_unreadable' ? row : book.note(row, { code: 'execution_awaited' })
  }
}
