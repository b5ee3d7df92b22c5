import type { SweepStep } from '../../../shared/ipc/intents/sweeps.ts'
import { reasonText } from '../../../shared/text/intent-text.ts'
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
  const said = intent.reason === null ? null : reasonText(intent.reason)
  const told = { ...step, txHash: intent.txHash, atMs: intent.updatedAtMs }
  switch (phaseOf[intent.state]) {
    case 'open':
      return { ...told, state: 'asking', detail: said }
    case 'on_its_way':
      return { ...told, state: 'sent', detail: intent.confirmations === null ? null : `${intent.confirmations} of 8 blocks` }
    case 'unknown':
      return { ...told, state: 'unknown', detail: said }
    case 'final':
      if (open === null) return { ...told, state: 'sent', detail: 'Final; the account is read to see it.' }
      if (!stillOpen(open, step)) return { ...told, state: 'done', detail: null }
      if (nowMs - intent.updatedAtMs < lagMs) return { ...told, state: 'sent', detail: 'Final; the service still lists it. Reading it again.' }
      return {
        ...told,
        state: 'failed',
        detail: step.kind === 'cancel' ? 'It is final, and the order still waits.' : 'It is final, and a part of the position is left.',
      }
    case 'failed':
      return { ...told, state: 'failed', detail: said ?? `It ended ${intent.state.toLowerCase()}.` }
  }
}
