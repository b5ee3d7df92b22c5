import { assumed } from '../../../../shared/api/assumptions.ts'
import type { Broadcast } from '../../../../shared/ipc/intents/signing.ts'
import { fail, ok } from '../../../../shared/result.ts'
import { minute, second } from '../../../../shared/time.ts'
import type { HandlersOf } from '../../../kernel/handlers.ts'
import { outcomeOf } from '../../../service/api/call-outcome.ts'
import type { IntentRow, TransactionRow } from '../../../store/journal/journal.ts'
import type { EngineParts, PartsWith } from '../../engine/engine-parts.ts'

export type Receipts = ReturnType<typeof createReceipts>

/** The delays before the second and later reports of a hash, in ms. In addition, the API client retries each report. */
const waitsMs = [5 * second, 15 * second, 45 * second, 2 * minute]
/**
 * The app reports hashes only of intents younger than this (ms). A report only makes the service send webhooks, and for an older intent they would
 * come too late.
 */
const youngMs = 30 * minute
/**
 * The state to report for a transaction that the wallet broadcast. The value is an assumption, because the API document defines only the value for
 * the relay’s transactions.
 */
const [broadcast] = assumed.receipt.fields.broadcast

/**
 * Reports hashes of the wallet’s transactions to the service’s receipt route, so that the service sends `transaction.*` webhooks (Flow rules 5,
 * FLOW-05). Orders never wait for a report.
 */
export function createReceipts({ journal, calls, locks, clock }: PartsWith<'journal' | 'locks' | 'clock', 'receipt'>) {
  /** The failed reports of each hash: `count` is their number, and `atMs` the monotonic time of the last one in ms. */
  const tries = new Map<string, { readonly count: number; readonly atMs: number }>()

  const isDue = (txHash: string): boolean => {
    const past = tries.get(txHash)
    return past === undefined || clock.monotonic() - past.atMs >= (waitsMs[past.count - 1] ?? 0)
  }

  const reportOne = async (row: IntentRow, { position, txHash }: TransactionRow, tooOld: boolean): Promise<void> => {
    const { ref, intentId } = row
    const settle = (receipt: 'reported' | 'refused' | 'given_up') => {
      // Meanwhile, the wallet may have replaced the transaction by one with another hash. Store the report’s status only if the hash is still the
      // same.
      if (journal.transactions.of(ref)[position]?.txHash === txHash) journal.transactions.change(ref, position, { receipt })
    }
    if (txHash === null || intentId === null || !isDue(txHash)) return
    if (tooOld) return settle('given_up')
    const answer = await calls.receipt(row, intentId, txHash, broadcast)
    if (answer.ok) return settle('reported')
    if (outcomeOf(answer.failure) === 'refused' && answer.failure.failure.kind !== 'rate_limited') return settle('refused')
    const count = (tries.get(txHash)?.count ?? 0) + 1
    tries.set(txHash, { count, atMs: clock.monotonic() })
    if (count > waitsMs.length) settle('given_up')
  }

  const reportAll = async (ref: string): Promise<void> => {
    const row = journal.intents.get(ref)
    if (row === null) return
    const tooOld = clock.now() - row.createdAtMs > youngMs
    for (const it of journal.transactions.of(ref)) if (it.receipt === 'due') await reportOne(row, it, tooOld)
  }

  return {
    /** Starts to report the intent’s transaction hashes that the service must receive. Does not wait for the reports. */
    // The journal may close during a report. Ignore that error, because the next start of the app reports the hashes again.
    report: ({ ref }: IntentRow): void => void locks.run(`receipt:${ref}`, () => reportAll(ref)).catch(() => undefined),
    /** Reports one hash again after the service refused it or the app gave up, however old the intent is. Returns the report’s new status. */
    again: (row: IntentRow, position: number): Promise<TransactionRow['receipt']> =>
      locks.run(`receipt:${row.ref}`, async () => {
        const found = journal.transactions.of(row.ref)[position]
        if (found?.receipt === 'refused' || found?.receipt === 'given_up') {
          if (found.txHash !== null) tries.delete(found.txHash)
          journal.transactions.change(row.ref, position, { receipt: 'due' })
          await reportOne(row, found, false)
        }
        return journal.transactions.of(row.ref)[position]?.receipt ?? null
      }),
  }
}

/** Maximum number of intents to search, and maximum number of transactions to list. */
const mostIntents = 500
const mostShown = 50

/**
 * Lists the transactions that the wallet broadcast, and whether the service knows their hashes. The service sends `transaction.*` events only for
 * hashes that it knows (HOOK-09).
 */
export function createBroadcastList(
  { profile, journal, repository }: Pick<EngineParts, 'profile' | 'journal' | 'repository'>,
  receipts: Pick<Receipts, 'again'>,
): HandlersOf<'receipts'> {
  const broadcastsOf = (row: IntentRow): Broadcast[] => {
    const all = journal.transactions.of(row.ref)
    return all.flatMap(({ position, kind, txHash, receipt, askedAtMs }) =>
      txHash === null || receipt === null
        ? []
        : [{ ref: row.ref, index: position, of: all.length, kind, title: row.title, txHash, receipt, atMs: askedAtMs ?? row.createdAtMs }],
    )
  }

  return {
    'receipts.list': async ({ ref }) => {
      if (ref !== null) {
        const row = repository.findShown(ref)
        return row.ok ? ok({ broadcasts: broadcastsOf(row.value) }) : row
      }
      return repository.ofShown({ broadcasts: [] }, (wallet) => {
        const { intents } = journal.intents.list(profile.id, { wallet, beforeMs: null, limit: mostIntents })
        const sent = intents.filter(({ way }) => way === 'transactions').flatMap((row) => broadcastsOf(row).toReversed())
        return { broadcasts: sent.slice(0, mostShown) }
      })
    },
    'receipts.report': async ({ ref, index }) => {
      const row = repository.findShown(ref)
      if (!row.ok) return row
      const receipt = await receipts.again(row.value, index)
      return receipt === null ? fail({ kind: 'not_found', what: 'transaction' }) : ok({ receipt })
    },
  }
}
