import type { BulkDetail, SweepStep } from '../../../shared/ipc/intents/kill-switch.ts'
import { second } from '../../../shared/time.ts'
import { phaseOf } from '../../intents/engine/intent-facts.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import { type OpenAccount, stillOpen } from './open-account.ts'

/** A service may show the account of before for so long after the chain is final. */
const lagMs = 10 * second

/** What became of a step by its intent. `open` null: the account was not read, so that nothing is called done. */
export function settleStep(step: SweepStep, intent: IntentRow | null, open: OpenAccount | null, nowMs: number): SweepStep {
  if (step.state !== 'asking' && step.state !== 'sent' && step.state !== 'unknown') return step
  // Asked for by a run that ended before it was written down: asking again is safe, since an order is cancelled once and a whole position closed once.
  if (intent === null) return step.ref === null ? { ...step, state: 'waiting' } : step
  const said: BulkDetail | null = intent.reason === null ? null : { code: 'intent', reason: intent.reason }
  const told = { ...step, txHash: intent.txHash, atMs: intent.updatedAtMs }
  switch (phaseOf[intent.state]) {
    case 'open':
      return { ...told, state: 'asking', detail: said }
    case 'on_its_way':
      return { ...told, state: 'sent', detail: intent.confirmations === null ? null : { code: 'blocks', confirmations: intent.confirmations } }
    case 'unknown':
      return { ...told, state: 'unknown', detail: said }
    case 'final':
      if (open === null) return { ...told, state: 'sent', detail: { code: 'final_reading' } }
      if (!stillOpen(open, step)) return { ...told, state: 'done', detail: null }
      if (nowMs - intent.updatedAtMs < lagMs) return { ...told, state: 'sent', detail: { code: 'final_still_listed' } }
      return {
        ...told,
        state: 'failed',
        detail: { code: step.kind === 'cancel' ? 'final_order_waits' : 'final_part_left' },
      }
    case 'failed':
      return { ...told, state: 'failed', detail: said ?? { code: 'ended', state: intent.state } }
  }
}
