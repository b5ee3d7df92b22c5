import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import type { IntentRow, TransactionRow } from '../../store/journal/journal.ts'
import { aboutOwn, type ExpectedEvent } from './expected.ts'
import type { Mark } from './marks.ts'
import type { Sightings } from './sightings.ts'
import type { TakenBack } from './taken-back.ts'

/** One of this app's own intents, with the transactions that the wallet sent for it. */
export interface OwnIntent {
  readonly intent: IntentRow
  readonly transactions: readonly TransactionRow[]
  /** When it came to its present state. */
  readonly sinceMs: number
  /** What a reorganisation took back of it, oldest first. */
  readonly takenBack: readonly TakenBack[]
}

export interface TransactionInput {
  readonly own: readonly OwnIntent[]
  /** The service's list of intents, prepared by this app or elsewhere. */
  readonly listed: readonly HistoryRow[]
  readonly askedMs: number
  readonly readMs: number
  readonly sightings: Sightings
}

const moves = ['add_collateral', 'withdraw_collateral']

const marksOf = (hashes: readonly (string | null)[], ...ids: readonly (string | null)[]): Mark[] => [
  ...hashes.flatMap((value): Mark[] => (value === null ? [] : [{ kind: 'transaction', value }])),
  ...ids.flatMap((value): Mark[] => (value === null ? [] : [{ kind: 'intent', value }])),
]

/**
 * What must have been sent of transactions: that each became final or was reverted, where the service knows its hash, since it was relayed, sent
 * by the executor, or reported (HOOK-09); and of deposits and withdrawals, that collateral changed. Of an intent that was made elsewhere nobody
 * here knows whether its hash was reported.
 */
export function expectedOfTransactions({ own, listed, askedMs, readMs, sightings }: TransactionInput): ExpectedEvent[] {
  const ofOwn = ({ intent, transactions, sinceMs, takenBack }: OwnIntent): ExpectedEvent[] => {
    const { ref, state, txHash, intentId, commandId, createdAtMs, action } = intent
    const sent = transactions.filter((one) => one.txHash !== null)
    // What stands again after a reorganisation came to stand after it.
    const from = (hash: string | null, atMs: number) => Math.max(atMs, takenBack.findLast((one) => one.txHash === hash)?.toMs ?? atMs)
    const common = { vague: false, fromMs: from(txHash, createdAtMs), seenMs: sinceMs }
    const events: ExpectedEvent[] = sent.flatMap((one): ExpectedEvent[] => {
      const type = one.state === 'final' ? 'transaction.confirmed' : one.state === 'reverted' ? 'transaction.reverted' : null
      if (type === null) return []
      const fromMs = from(one.txHash, one.askedAtMs ?? createdAtMs)
      const times = { fromMs, toMs: Math.max(fromMs, one.updatedAtMs), seenMs: one.updatedAtMs }
      const doubt = one.receipt === 'reported' ? null : 'not_reported'
      return [
        {
          ...common,
          ...times,
          doubt,
          key: `${type}/${ref}/${one.position}`,
          types: [type],
          marks: marksOf([one.txHash], intentId),
          about: aboutOwn(intent, one.txHash),
        },
      ]
    })
    const type = state === 'FINAL' ? 'transaction.confirmed' : state === 'REVERTED' ? 'transaction.reverted' : null
    if (transactions.length === 0 && txHash !== null && type !== null)
      events.push({
        ...{ ...common, toMs: Math.max(common.fromMs, sinceMs), doubt: null, key: `${type}/${ref}`, types: [type] },
        ...{ marks: marksOf([txHash], intentId, commandId), about: aboutOwn(intent, txHash) },
      })
    if (moves.includes(action) && (state === 'FINAL' || state === 'CONFIRMING')) {
      const last = sent.at(-1)?.txHash ?? txHash
      const fromMs = from(last, createdAtMs)
      const settled = sightings.ended(`collateral/${ref}/${takenBack.length}`, true, { askedMs, readMs: Math.min(readMs, sinceMs) })
      events.push({
        ...{ ...common, fromMs, toMs: Math.max(fromMs, settled.seenMs), doubt: null, key: `collateral.changed/${ref}`, types: ['collateral.changed'] },
        ...{ marks: marksOf([last], intentId), about: aboutOwn(intent, last) },
      })
    }
    return events
  }

  const ids = new Set(own.flatMap(({ intent }) => (intent.intentId === null ? [] : [intent.intentId.toLowerCase()])))
  const hashes = new Set(own.flatMap(({ intent, transactions }) => [intent, ...transactions].flatMap(({ txHash }) => txHash?.toLowerCase() ?? [])))
  const ofElsewhere = (row: HistoryRow): ExpectedEvent[] => {
    const { txHash, intentId, atMs, state } = row
    if (txHash === null || atMs === null || hashes.has(txHash.toLowerCase()) || ids.has(intentId?.toLowerCase() ?? '')) return []
    const word = state?.toLowerCase() ?? ''
    const type = word.includes('revert') ? 'transaction.reverted' : /^(final|finali[sz]ed|confirmed)$/.test(word) ? 'transaction.confirmed' : null
    if (type === null) return []
    const { seenMs } = sightings.ended(`elsewhere/${row.key}`, true, { askedMs, readMs })
    const about = { symbol: row.symbol, side: row.side, size: null, unit: null, txHash, orderId: null, intentRef: null, title: null }
    const base = { fromMs: atMs, toMs: seenMs, vague: false, marks: marksOf([txHash], intentId), about }
    const events: ExpectedEvent[] = [{ ...base, key: `${type}/${row.key}`, types: [type], doubt: 'elsewhere' }]
    if (moves.includes(row.what ?? '') && type === 'transaction.confirmed')
      events.push({ ...base, key: `collateral.changed/${row.key}`, types: ['collateral.changed'], doubt: null })
    return events
  }
  return [...own.flatMap(ofOwn), ...listed.flatMap(ofElsewhere)]
}
