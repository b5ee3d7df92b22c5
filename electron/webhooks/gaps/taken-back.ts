import type { IntentState } from '../../../shared/ipc/orders.ts'
import { takenBack as takenBackNote } from '../../chain/follow-transaction.ts'
import type { IntentRow, TransactionRow } from '../../journal/journal.ts'

/** A transaction of this app's own that a reorganisation took out of its block, or back below finality. */
export interface TakenBack {
  /** Stable, each once. */
  readonly key: string
  /** When it stood last, and when it was seen that it does not, Unix ms: the reorganisation was in between. */
  readonly fromMs: number
  readonly toMs: number
  /** The same had been taken back then, and stood again; null: not before. */
  readonly beforeMs: number | null
  /** What the service had to tell of it; null: it was not final. */
  readonly was: 'transaction.confirmed' | 'transaction.reverted' | null
  readonly txHash: string
  readonly intent: IntentRow
  /** Whether the service knows its hash (HOOK-09). */
  readonly isKnown: boolean
}

interface Step {
  readonly state: IntentState
  readonly atMs: number
  readonly note: string | null
}

const told = { FINAL: 'transaction.confirmed', REVERTED: 'transaction.reverted' } as const
const wasTold = (state: IntentState): TakenBack['was'] => (state === 'FINAL' || state === 'REVERTED' ? told[state] : null)

/** By the states alone: an approval that is taken back while the deposit waits is told by its note. */
const isBack = (before: IntentState, now: IntentState): boolean =>
  (wasTold(before) !== null && ['SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED'].includes(now)) || (before === 'CONFIRMING' && now === 'SUBMITTED')

/**
 * What a reorganisation took back of an intent, by its timeline, oldest first. Of an intent with several transactions the timeline tells of the
 * one that was asked for last; what happened to one before it while that stood is not written down.
 */
export function takenBackOf(intent: IntentRow, steps: readonly Step[], transactions: readonly TransactionRow[]): readonly TakenBack[] {
  const found: TakenBack[] = []
  for (const [place, { state, atMs, note }] of steps.entries()) {
    const before = steps[place - 1]
    if (before === undefined || before.state === state || !(note === takenBackNote || isBack(before.state, state))) continue
    const asked = transactions.filter(({ txHash }) => txHash !== null)
    const one = asked.findLast(({ askedAtMs }) => askedAtMs !== null && askedAtMs <= atMs) ?? asked.at(-1)
    const txHash = one?.txHash ?? intent.txHash
    if (txHash === null) continue
    const again = found.findLast((other) => other.txHash === txHash)
    found.push({
      ...{ key: `${intent.ref}/${place}`, txHash, intent, was: wasTold(before.state), beforeMs: again?.toMs ?? null },
      ...{ fromMs: Math.min(before.atMs, atMs), toMs: atMs, isKnown: one === undefined || one.receipt === 'reported' },
    })
  }
  return found
}
