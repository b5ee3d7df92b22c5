import { limits } from '../api/limits.ts'
import type { PreparedAction, TransactionEntry } from '../api/schemas/prepared-action-resources.ts'
import type { Contradiction, IntentReason } from '../ipc/intents/reasons.ts'

/** What the app may do with the service's answer to a prepare call. Decided by `ready`, `status` and `mode`, never by the action's name (ORD-11). */
export type PreparedDecision =
  | {
      readonly kind: 'sign'
      readonly mode: 'signed_intent' | 'permit_deposit'
      readonly typedData: Readonly<Record<string, unknown>>
      readonly deadlineMs: number | null
    }
  | { readonly kind: 'send'; readonly transactions: readonly TransactionEntry[]; readonly deadlineMs: number | null }
  /** The order cannot be executed now, so there is nothing to sign. This is a valid result and not an error; the app shows the reason (ORD-10). */
  | { readonly kind: 'not_executable'; readonly status: string; readonly reason: { readonly why: IntentReason; readonly raw: string } | null }
  /** The answer contradicts itself or the API document, so the app signs and sends nothing. */
  | { readonly kind: 'contradictory'; readonly by: Contradiction }
  /** The answer has expired. This happens if the service repeats an earlier answer (ORD-07). */
  | { readonly kind: 'expired'; readonly atMs: number }

const deadlinesOf = ({ execution, expiresAtMs }: PreparedAction): readonly number[] =>
  [expiresAtMs, execution.deadlineMs, ...(execution.transactions ?? []).map((entry) => entry.deadlineMs)].filter((at) => at !== null)

/** Until when the user may sign or send, in Unix ms: the earliest deadline in the answer (ORD-12). null if the answer states no deadline. */
export function earliestDeadline(prepared: PreparedAction): number | null {
  const all = deadlinesOf(prepared)
  return all.length === 0 ? null : Math.min(...all)
}

/**
 * Until when a signed or sent order may still be executed, in Unix ms: the latest deadline in the answer (FLOW-07). null if the answer states no
 * deadline.
 */
export function latestDeadline(prepared: PreparedAction): number | null {
  const all = deadlinesOf(prepared)
  return all.length === 0 ? null : Math.max(...all)
}

const contradictory = (by: Contradiction): PreparedDecision => ({ kind: 'contradictory', by })

/**
 * Decides what the app may do with the service's answer to a prepare call. `nowMs`: the service's time, which is this computer's time plus the
 * measured clock offset.
 */
export function decidePrepared(prepared: PreparedAction, nowMs: number): PreparedDecision {
  const { execution, intentId } = prepared
  const { ready, status, mode, typedData } = execution
  if (!intentId.startsWith('dx_')) return contradictory({ code: 'intent_name', intentId })
  if (ready === null) return contradictory({ code: 'readiness_unsaid' })
  if (status === null) return contradictory({ code: 'status_unsaid' })
  if (status === 'preflight_failed' || status === 'contract_pending') {
    if (ready) return contradictory({ code: 'ready_and_not', status })
    const fallback = status === 'contract_pending' ? { why: { code: status } as const, raw: status } : null
    return {
      kind: 'not_executable',
      status,
      reason: execution.reason === null ? fallback : { why: { code: 'exchange_says', raw: execution.reason }, raw: execution.reason },
    }
  }
  if (status !== 'signature_ready' && status !== 'ready') return contradictory({ code: 'status_unknown', status })
  if (!ready) return contradictory({ code: 'not_ready', status })
  if (execution.reason !== null) return contradictory({ code: 'ready_with_reason', reason: execution.reason })
  const deadlineMs = earliestDeadline(prepared)
  if (deadlineMs !== null && deadlineMs <= nowMs) return { kind: 'expired', atMs: deadlineMs }
  const transactions = execution.transactions ?? []
  if (status === 'signature_ready') {
    if (mode !== 'signed_intent' && mode !== 'permit_deposit') return contradictory({ code: 'signature_mode', mode })
    if (typedData === null || Object.keys(typedData).length === 0) return contradictory({ code: 'nothing_to_sign' })
    // The list of transactions must be empty only for `signed_intent` (`execution` fields in the API document). For a permit, the transactions are an
    // alternative way to deposit, which the app ignores.
    if (mode === 'signed_intent' && transactions.length > 0) return contradictory({ code: 'signature_and_transactions' })
    return { kind: 'sign', mode, typedData, deadlineMs }
  }
  if (mode === 'signed_intent' || mode === 'permit_deposit') return contradictory({ code: 'transactions_mode', mode })
  if (typedData !== null && Object.keys(typedData).length > 0) return contradictory({ code: 'transactions_and_signature' })
  if (transactions.length === 0) return contradictory({ code: 'no_transactions' })
  return { kind: 'send', transactions, deadlineMs }
}

/** The finality of a transaction. other: a word that the API document does not list. The app shows it unchanged (FLOW-06). */
export type Finality = 'submitted' | 'confirming' | 'reverted' | 'final' | 'other'

/** Interprets the answer of `GET /native/executions/{tx_hash}`. FINAL with fewer than 8 confirmations counts as still confirming. */
export function readFinality(report: { readonly finality: string | null; readonly confirmations: number | null }): {
  readonly finality: Finality
  readonly raw: string | null
  readonly confirmations: number | null
} {
  const { finality: raw, confirmations } = report
  const states: Readonly<Record<string, Finality>> = { PENDING: 'submitted', PENDINGFINALITY: 'confirming', REVERTED: 'reverted', FINAL: 'final' }
  // Accepts any spelling of the word: `PendingFinality`, `pending-finality`.
  const word = raw?.replace(/[_\-\s]/g, '').toUpperCase() ?? ''
  const told = Object.hasOwn(states, word) ? (states[word] ?? 'other') : 'other'
  const early = told === 'final' && confirmations !== null && confirmations < limits.finalityConfirmations
  return { finality: early ? 'confirming' : told, raw, confirmations }
}
