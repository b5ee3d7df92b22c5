import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import type { PlainReason, StepNote } from '../../../shared/ipc/intents/reasons.ts'
import type { IntentRow, TransactionRow } from '../../store/journal/journal.ts'

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
  readonly note: StepNote | null
}

const told = { FINAL: 'transaction.confirmed', REVERTED: 'transaction.reverted' } as const
const wasTold = (state: IntentState): TakenBack['was'] => (state === 'FINAL' || state === 'REVERTED' ? told[state] : null)

const says = (note: StepNote | null, code: PlainReason): boolean => note?.code === 'reason' && note.reason.code === code

/** By the states alone. */
const isBack = (before: IntentState, now: IntentState): boolean =>
  (wasTold(before) !== null && ['SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED'].includes(now)) || (before === 'CONFIRMING' && now === 'SUBMITTED')

/**
 * What a reorganisation took back of an intent, by its timeline, oldest first. The timeline tells of the transaction that was asked for last, and
 * where that is the deposit, by its own note of the approval.
 */
export function takenBackOf(intent: IntentRow, steps: readonly Step[], transactions: readonly TransactionRow[]): readonly TakenBack[] {
  const found: TakenBack[] = []
  const sent = transactions.filter(({ txHash }) => txHash !== null)
  const asked = (atMs: number) => sent.findLast(({ askedAtMs }) => askedAtMs !== null && askedAtMs <= atMs) ?? sent.at(-1)
  const add = (place: number, before: Step, { atMs }: Step, one: TransactionRow | undefined, was: TakenBack['was']) => {
    const txHash = one?.txHash ?? intent.txHash
    if (txHash === null) return
    const again = found.findLast((other) => other.txHash === txHash)
    found.push({
      ...{ key: `${intent.ref}/${place}`, txHash, intent, was, beforeMs: again?.toMs ?? null },
      ...{ fromMs: Math.min(before.atMs, atMs), toMs: atMs, isKnown: one === undefined || one.receipt === 'reported' },
    })
  }
  for (const [place, step] of steps.entries()) {
    const before = steps.slice(0, place).findLast(({ note }) => !says(note, 'approval_taken_back'))
    if (before === undefined) continue
    const { state, note, atMs } = step
    // A deposit that ended, well or not, was sent after its approval had stood.
    if (says(note, 'approval_taken_back')) add(place, before, step, sent.at(0), wasTold(before.state) && 'transaction.confirmed')
    else if (says(note, 'taken_back') || (before.state !== state && isBack(before.state, state))) add(place, before, step, asked(atMs), wasTold(before.state))
  }
  return found
}
