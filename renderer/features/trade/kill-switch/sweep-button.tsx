import type { SweepKind } from '../../../../shared/ipc/intents/sweeps.ts'
import { Button } from '../../../kit/button.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'

/** In the head of a table: leads to where all of its rows are cancelled or closed. Draws nothing while there are fewer than one. */
export function SweepButton({ kind, count }: { readonly kind: Extract<SweepKind, 'cancel_all' | 'close_all'>; readonly count: number }) {
  const navigate = useNavigate()
  if (count === 0) return null
  return (
    <Button size="xs" variant="danger" icon="x" onClick={() => navigate(`trade/stop?what=${kind}`)}>
      {kind === 'cancel_all' ? 'Cancel all…' : 'Close all…'}
    </Button>
  )
}
