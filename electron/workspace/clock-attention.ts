import { clockDifferenceText, isClockFar } from '../../shared/clock-difference.ts'
import type { Attention } from '../../shared/ipc/host/app.ts'

/** `offsetMs`: by how much the service's clock is ahead of this computer's; null where it is not known. */
export function clockAttention(offsetMs: number | null, nowMs: number): Attention[] {
  if (offsetMs === null || !isClockFar(offsetMs)) return []
  return [
    {
      id: 'clock',
      kind: 'clock',
      severity: 'warn',
      title: `This computer’s clock is ${clockDifferenceText(offsetMs)} the exchange`,
      text: 'Times here follow the exchange, so deadlines are right. Connecting a wallet may fail. Let the system set the clock by itself.',
      action: { label: 'Show', to: '/settings/about' },
      atMs: nowMs,
      untilMs: null,
    },
  ]
}
