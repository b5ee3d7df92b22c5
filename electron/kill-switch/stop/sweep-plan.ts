import type { SweepStep } from '../../../shared/ipc/intents/kill-switch.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import { isGone, isUnread, type OpenAccount, stepsOf, stillOpen } from './open-account.ts'
import { settleStep } from './settle-step.ts'
import { isEnded, type SweepMemory, type SweepRecord } from './sweep-record.ts'

/** The steps as they stand, changed one by one and written down at once. */
export interface SweepPlan {
  /** The one that is not ended; null: there is none. */
  open(): SweepRecord | null
  change(stepId: string, change: Partial<SweepStep>): void
  /** What became of the steps on their way, by their intents. With the account: also what is gone, and what came since. */
  settle(account: OpenAccount | null): void
  /** The next ones of a kind that wait for their turn: cancels before closes. */
  turn(most: number): readonly SweepStep[]
  /** Some intent is final, and only the account tells what it did. */
  needsAccount(): boolean
}

interface PlanDeps {
  readonly memory: SweepMemory
  readonly intents: { get(ref: string): IntentRow | null }
  readonly now: () => number
  readonly changed: () => void
}

export function createSweepPlan({ memory, intents, now, changed }: PlanDeps): SweepPlan {
  const open = (): SweepRecord | null => {
    const record = memory.read()
    return record === null || record.endedAtMs !== null ? null : record
  }
  const intentOf = ({ ref }: SweepStep): IntentRow | null => (ref === null ? null : intents.get(ref))

  /** One whose order or position is gone has nothing to do; one that came back, or came since, is a step like any other. */
  const renew = (steps: readonly SweepStep[], account: OpenAccount, kind: SweepRecord['kind']): SweepStep[] => {
    const known = new Set(steps.map(({ id }) => id))
    const standing = steps.map((step): SweepStep => {
      const there = stillOpen(account, step)
      const isAnswered = step.state === 'waiting' || (step.state === 'failed' && (step.subject !== '' || isUnread(step)))
      if (isAnswered && isGone(account, step)) return { ...step, state: 'gone', detail: { code: 'not_there' }, atMs: now() }
      if (there && (step.state === 'done' || step.state === 'gone'))
        return { ...step, state: 'waiting', detail: { code: 'there_again' }, ref: null, txHash: null }
      return step
    })
    return [...standing, ...stepsOf(account, kind).filter(({ id }) => !known.has(id))]
  }

  const keep = (record: SweepRecord, steps: readonly SweepStep[]): void => {
    if (JSON.stringify(steps) === JSON.stringify(record.steps)) return
    memory.keep({ ...record, steps: [...steps] })
    changed()
  }

  return {
    open,
    change: (stepId, change) => {
      const record = open()
      if (record !== null)
        keep(
          record,
          record.steps.map((step) => (step.id === stepId ? { ...step, atMs: now(), ...change } : step)),
        )
    },
    settle: (account) => {
      const record = open()
      if (record === null) return
      const steps = record.steps.map((step) => settleStep(step, intentOf(step), account, now()))
      keep(record, account === null ? steps : renew(steps, account, record.kind))
    },
    turn: (most) => {
      const waiting = open()?.steps.filter(({ state }) => state === 'waiting') ?? []
      const cancels = waiting.filter(({ kind }) => kind === 'cancel')
      return (cancels.length > 0 ? cancels : waiting).slice(0, most)
    },
    needsAccount: () => open()?.steps.some((step) => !isEnded(step) && intentOf(step)?.state === 'FINAL' && step.state !== 'failed') ?? false,
  }
}
