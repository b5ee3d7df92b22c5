import type { Failure } from '../../../shared/ipc/failure.ts'
import { accountQueries, intentQueries, movedQueries } from '../../../shared/ipc/intents/intent-queries.ts'
import { stateOfTransaction } from '../../../shared/ipc/intents/intent-states.ts'
import { type Fill, Intent, type IntentState } from '../../../shared/ipc/intents/orders.ts'
import { type IntentReason, noteOf, type PlainReason, type StepNote, sameReason } from '../../../shared/ipc/intents/reasons.ts'
import { causesTrades } from '../../../shared/positions.ts'
import { fail, ok, type Result, valueOrNull } from '../../../shared/result.ts'
import { Secret } from '../../kernel/secret.ts'
import type { IntentChange, IntentRow, TransactionChange, TransactionRow, Vault } from '../../store/journal/journal.ts'
import { terminalIntentStates } from '../../store/journal/tables/states.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { EngineParts } from './engine-parts.ts'

/** States in which an intent may have changed the account. */
const changesAccount: ReadonlySet<IntentState> = new Set<IntentState>(['SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED', 'UNKNOWN'])

/** The severity of the notice about an intent’s new state. Other states need no notice. */
const severities: Partial<Readonly<Record<IntentState, 'ok' | 'warn' | 'danger'>>> = { FINAL: 'ok', REVERTED: 'danger', UNKNOWN: 'warn' }

/** The states of intents that ended without execution. A transaction of such an intent no longer changes the intent’s state. */
const ended: readonly IntentState[] = ['REFUSED', 'EXPIRED', 'CANCELLED']

export const isOnChain = ({ state }: Pick<TransactionRow, 'state'>): boolean => state === 'confirming' || state === 'final'

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

export type IntentRepository = ReturnType<typeof createIntentRepository>

interface IntentRepositoryDeps extends Pick<EngineParts, 'profile' | 'journal' | 'emit'> {
  readonly vault: Vault
  readonly wallet: Pick<WalletReport, 'shown'>
  /** Waits a few seconds for what a final order traded. null: unknown. undefined: it traded nothing so far. */
  readonly fillOf: (row: IntentRow) => Promise<Fill | null | undefined>
}

/** Stores intents and the transactions that the wallet broadcasts for them, and tells the window about changes. */
export function createIntentRepository({ profile, journal, vault, emit, wallet, fillOf }: IntentRepositoryDeps) {
  const { transactions } = journal
  const signatureKey = (ref: string) => ({ profile: profile.id, ref })
  /** Whether the window shows the data of this wallet now. */
  const isShown = (address: string): boolean => valueOrNull(wallet.shown()) === address

  /** Returns an intent of this profile. Fails with `not_found`. */
  const find = (ref: string): Result<IntentRow, Failure> => {
    const row = journal.intents.get(ref)
    return row === null || row.profileId !== profile.id ? fail({ kind: 'not_found', what: 'intent' }) : ok(row)
  }

  /** The fields of an intent that windows receive. */
  const view = (row: IntentRow): Intent => {
    const fill = row.state === 'FINAL' && causesTrades(row.action) ? journal.records.fills.read({ profile: profile.id, ref: row.ref }) : null
    const batch = row.state === 'FINAL' && row.title.code === 'batch' ? journal.records.executions.read({ profile: profile.id, ref: row.ref }) : null
    return Intent.parse({ ...row, ...(fill === null ? {} : { fill }), ...(batch?.state == null ? {} : { batchState: batch.state }) })
  }

  const dropSignature = (ref: string): Promise<void> => vault.signatures.delete(signatureKey(ref))

  /** Changes fields of an intent without changing its state. */
  const change = (ref: string, fields: IntentChange): IntentRow => {
    const row = journal.intents.update(ref, fields)
    emit({ type: 'invalidate', queries: intentQueries })
    return row
  }

  /** The notices that wait for the fill of their order. */
  const waiting = new Set<Promise<void>>()

  const notify = (row: IntentRow, fill?: Fill | null): void => {
    // No notice appears about an intent of another wallet. The user sees the new state after switching to that wallet (Authentication 3).
    if (!isShown(row.wallet)) return
    const { ref, title, state, reason } = row
    const severity = state === 'FINAL' && reason !== null ? 'warn' : severities[state]
    const notice = { code: 'intent', title, state, reason, ...(fill === undefined ? {} : { fill }) } as const
    if (severity !== undefined) emit({ type: 'notice', severity, notice, to: `/activity/${ref}`, system: 'away' })
  }

  /** Notifies the user of a final order once its fill is known, or once the app stops waiting for the fill. */
  const notifyWithFill = async (row: IntentRow): Promise<void> => {
    const fill = await fillOf(row).catch(() => null)
    // If the chain reverted the order meanwhile, that has its own notice.
    if (journal.intents.get(row.ref)?.state !== 'FINAL') return
    if (fill != null) {
      journal.records.fills.write({ profile: profile.id, ref: row.ref }, fill)
      emit({ type: 'invalidate', queries: intentQueries })
    }
    notify(row, fill)
  }

  /**
   * Moves an intent to another state and notifies the window. If the new state is terminal, deletes the stored signature. `also` makes further
   * journal writes in the same database transaction, so that either all writes succeed or none.
   */
  const move = async (ref: string, to: IntentState, change?: IntentChange, note?: StepNote, also = () => {}): Promise<IntentRow> => {
    const row = journal.together(() => {
      also()
      // After a reorganisation, the order may have traded something else, or nothing.
      if (to === 'FINAL') journal.records.fills.delete({ profile: profile.id, ref })
      return journal.intents.move(ref, to, change, note)
    })
    if (terminalIntentStates.includes(to)) await dropSignature(ref)
    emit({ type: 'invalidate', queries: changesAccount.has(to) ? [...movedQueries, ...accountQueries] : movedQueries })
    if (to !== 'FINAL' || !isShown(row.wallet) || !causesTrades(row.action)) notify(row)
    else {
      const notified = notifyWithFill(row)
        // The order itself must not fail if its notice does, for example because the profile was closed meanwhile.
        .catch(() => undefined)
        .finally(() => waiting.delete(notified))
      waiting.add(notified)
    }
    return row
  }

  /**
   * Stores a change of a transaction, and changes the state of its intent if needed. A new hash must be reported to the service if the service
   * knows the intent (Flow rules 5). The app still follows a transaction whose intent has ended; such an intent keeps its state. `end`: the state
   * that the intent gets instead of the one that follows from its transactions.
   */
  const changeTransaction = async (
    given: IntentRow,
    position: number,
    fields: TransactionChange,
    note?: StepNote,
    end?: { readonly state: 'CANCELLED' | 'EXPIRED'; readonly reason: IntentReason | null },
  ): Promise<IntentRow> => {
    const row = journal.intents.get(given.ref) ?? given
    const { ref, intentId } = row
    const isReported = typeof fields.txHash === 'string' && intentId !== null
    const changed = fields.txHash === undefined ? fields : { ...fields, receipt: isReported ? ('due' as const) : null }
    const isOver = ended.includes(row.state)
    const { state: to, ...shown } = end ?? statusOf(transactions.of(ref).map((each) => (each.position === position ? { ...each, ...changed } : each)))
    if (!isOver && to !== row.state) return move(ref, to, { ...shown, finality: null }, note, () => transactions.change(ref, position, changed))
    journal.together(() => {
      transactions.change(ref, position, changed)
      // A reorganisation removed the transaction.
      if (note?.code !== 'reason' || note.reason.code !== 'taken_back') return
      const isLast = position === transactions.of(ref).at(-1)?.position
      journal.intents.remark(ref, isLast ? note : noteOf({ code: 'approval_taken_back' }), {})
    })
    if (!isOver) return change(ref, shown)
    emit({ type: 'invalidate', queries: ['intents.prepared'] })
    return row
  }

  /** Returns an intent of this profile and wallet. Fails with `not_found`, or with `wrong_wallet` if the intent belongs to another wallet. */
  const findOf = (ref: string, address: string): Result<IntentRow, Failure> => {
    const row = find(ref)
    return row.ok && row.value.wallet !== address ? fail({ kind: 'wrong_wallet', wallet: address, expected: row.value.wallet }) : row
  }

  return {
    find,
    findOf,
    /** Returns an intent of the wallet that the window shows. Fails with `not_found` or `wrong_wallet`. */
    findShown: (ref: string, what: 'intent' | 'payment' = 'intent'): Result<IntentRow, Failure> => {
      const whose = wallet.shown()
      if (!whose.ok) return whose
      return whose.value === null ? fail({ kind: 'not_found', what }) : findOf(ref, whose.value)
    },
    /** Returns `read` of the wallet that the window shows, or `none` if it shows no wallet. */
    ofShown: <T>(none: T, read: (address: string) => T): Result<T, Failure> => {
      const whose = wallet.shown()
      return whose.ok ? ok(whose.value === null ? none : read(whose.value)) : whose
    },
    move,
    change,
    /** The transactions that the wallet broadcasts for an intent, in order. */
    transactionsOf: transactions.of,
    changeTransaction,
    /** Cancels one transaction, and ends its intent as cancelled or expired. `ofTransaction`: the transaction’s own reason. */
    endTransaction: (
      row: IntentRow,
      position: number,
      state: 'CANCELLED' | 'EXPIRED',
      reason: IntentReason | null,
      note?: StepNote,
      ofTransaction = reason,
    ): Promise<IntentRow> => changeTransaction(row, position, { state: 'cancelled', reason: ofTransaction }, note, { state, reason }),
    /** Moves an intent whose work a crash interrupted. `code` says which step was interrupted. */
    found: (row: IntentRow, to: IntentState, code: PlainReason): Promise<IntentRow> => move(row.ref, to, { reason: { code } }, { code: 'found_at_start' }),
    /** Changes the reason why an intent waits, without changing its state. */
    // Write a reason only if it has changed, because the app looks up an UNKNOWN intent every few seconds.
    note: (row: IntentRow, reason: IntentReason): IntentRow => (sameReason(row.reason, reason) ? row : change(row.ref, { reason })),
    /** Adds a remark to the timeline of a finished intent: the reason why its state does not change. Adds each reason only once. */
    remark: (given: IntentRow, reason: IntentReason): IntentRow => {
      if (sameReason(given.reason, reason)) return given
      const row = journal.intents.remark(given.ref, noteOf(reason), { reason })
      emit({ type: 'invalidate', queries: intentQueries })
      return row
    },
    /** Encrypts and stores the signature. Anyone who has the signature can use it until the deadline. */
    keepSignature: (ref: string, signature: string): Promise<void> => vault.signatures.write(signatureKey(ref), new Secret(signature)),
    dropSignature,
    /** Deletes signatures of finished intents. The app may have stopped after finishing an intent and before deleting its signature. */
    dropEnded: async (): Promise<void> => {
      for (const { key } of await vault.signatures.list({ profile: profile.id })) {
        const row = journal.intents.get(key.ref)
        if (row !== null && terminalIntentStates.includes(row.state)) await vault.signatures.delete(key)
      }
    },
    /** Resolves when no notice waits for the fill of its order. */
    settled: async (): Promise<void> => {
      await Promise.all(waiting)
    },
    signatureOf: (ref: string): Promise<Secret | null> => vault.signatures.read(signatureKey(ref)),
    view,
    /** The fields of an intent that windows receive, or the failure. */
    shown: (row: Result<IntentRow, Failure>): Result<Intent, Failure> => (row.ok ? ok(view(row.value)) : row),
  }
}
