import { stateOfTransaction } from '../../../shared/ipc/intents/intent-states.ts'
import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type StepNote } from '../../../shared/ipc/intents/reasons.ts'
import type { IntentChange, IntentRow, TransactionChange, TransactionRow } from '../../store/journal/journal.ts'
import type { EngineParts } from './engine-parts.ts'

/** The states of intents that ended without execution. A transaction of such an intent no longer changes the intent’s state. */
const ended: readonly IntentState[] = ['REFUSED', 'EXPIRED', 'CANCELLED']

export const isOnChain = ({ state }: Pick<TransactionRow, 'state'>): boolean => state === 'confirming' || state === 'final'

/**
 * Whether the hashes of an intent’s transactions must be reported to the service. `due` if the service knows the intent (Flow rules 5); null if it
 * does not.
 */
export const receiptOf = ({ intentId }: IntentRow): 'due' | null => (intentId === null ? null : 'due')

/**
 * Derives an intent’s state from its transactions: the last transaction that the app requested from the wallet decides. The intent’s hash is the
 * hash of its last transaction.
 */
export function statusOf(transactions: readonly TransactionRow[]): { readonly state: IntentState } & Pick<IntentChange, 'txHash' | 'confirmations' | 'reason'> {
  const last = transactions.at(-1)
  const at = transactions.findLastIndex(({ state }) => state !== 'waiting')
  const active = transactions[at]
  const own = { txHash: last?.txHash ?? null, confirmations: last?.confirmations ?? null }
  if (active === undefined) return { state: 'PREPARED', reason: transactions[0]?.reason ?? null, ...own }
  const next = transactions[at + 1]
  if (next === undefined) return { state: stateOfTransaction[active.state], reason: active.reason, ...own }
  if (isOnChain(active)) return { state: 'PREPARED', reason: next.reason ?? { code: 'approved' }, ...own }
  if (active.state === 'submitted') return { state: 'ASKED', reason: active.reason ?? { code: 'approval_sent' }, ...own }
  return { state: stateOfTransaction[active.state], reason: active.reason, ...own }
}

export type SendingRepository = ReturnType<typeof createSendingRepository>

/** Stores the transactions that the wallet broadcasts for intents, and updates the intents accordingly. */
export function createSendingRepository({ journal, repository, emit }: Pick<EngineParts, 'journal' | 'repository' | 'emit'>) {
  const { transactions } = journal
  const find = (ref: string): IntentRow => {
    const row = journal.intents.get(ref)
    if (row === null) throw new Error(`No such intent: ${ref}`)
    return row
  }
  /**
   * Stores a change of a transaction without changing the state of its intent. If a reorganisation removed the transaction, adds an entry to the
   * intent’s timeline.
   */
  const write = (ref: string, position: number, change: TransactionChange, note: StepNote | undefined): void =>
    journal.together(() => {
      transactions.change(ref, position, change)
      if (note?.code !== 'reason' || note.reason.code !== 'taken_back') return
      const isLast = position === transactions.of(ref).at(-1)?.position
      journal.intents.remark(ref, isLast ? note : noteOf({ code: 'approval_taken_back' }), {})
    })
  /** Stores a change of a transaction whose intent has ended. The app still follows such a transaction. */
  const changeOnly = (row: IntentRow, position: number, change: TransactionChange, note: StepNote | undefined): IntentRow => {
    write(row.ref, position, change, note)
    emit({ type: 'invalidate', queries: ['intents.prepared'] })
    return row
  }

  return {
    of: transactions.of,
    /** Stores a change of a transaction, and changes the state of its intent if needed. */
    change: async ({ ref }: IntentRow, position: number, change: TransactionChange, note?: StepNote): Promise<IntentRow> => {
      const row = find(ref)
      if (ended.includes(row.state)) return changeOnly(row, position, change, note)
      const { state: to, ...fields } = statusOf(transactions.of(ref).map((each) => (each.position === position ? { ...each, ...change } : each)))
      if (to !== row.state) return repository.move(ref, to, { ...fields, finality: null }, note, () => transactions.change(ref, position, change))
      write(ref, position, change, note)
      return repository.change(ref, fields)
    },
    /** Stores a change of one transaction, and ends its intent as cancelled or expired. */
    end: async (
      { ref }: IntentRow,
      position: number,
      change: TransactionChange,
      to: 'CANCELLED' | 'EXPIRED',
      reason: IntentReason,
      note?: StepNote,
    ): Promise<IntentRow> => {
      const row = find(ref)
      if (ended.includes(row.state)) return changeOnly(row, position, change, note)
      return repository.move(ref, to, { reason }, note, () => transactions.change(ref, position, change))
    },
  }
}
