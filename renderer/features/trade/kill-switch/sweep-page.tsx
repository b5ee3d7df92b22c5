import { useState } from 'react'
import type { KnownSweep } from '../../../../shared/ipc/intents/sweeps.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskQuery } from '../../../ipc/use-desk.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { FailurePanel } from '../../../parts/failure-note.tsx'
import { SweepChoose } from './sweep-choose.tsx'
import { SweepProgress } from './sweep-progress.tsx'
import './sweep.css'

/** Cancels all orders, closes all positions, or both and then revokes the keys: chosen, confirmed, followed step by step, reported. */
export function SweepPage() {
  const sweep = useDeskQuery('sweeps.state', {}, { every: second })
  // The report of a finished one stays until the page is left, or the next one is chosen.
  const [shownId, setShownId] = useState<string | null>(null)
  const known: KnownSweep | null = sweep.data === undefined || sweep.data.state === 'idle' ? null : sweep.data
  const open = known !== null && (known.state === 'open' || known.id === shownId)
  if (open && known.id !== shownId) setShownId(known.id)
  return (
    <div className="page swp">
      <div className="page-head">
        <span className="crumb">
          <Link to="trade">Trade</Link>
          <Icon name="chevron-right" />
          <h1>Stop</h1>
        </span>
      </div>
      {sweep.data === undefined ? (
        sweep.error === null ? null : (
          <FailurePanel failure={failureOf(sweep.error)} onRetry={() => void sweep.refetch()} retrying={sweep.isFetching} />
        )
      ) : open ? (
        <SweepProgress sweep={known} onAgain={() => setShownId(null)} />
      ) : (
        <SweepChoose last={known} onStarted={(started) => setShownId(started.id)} onShowLast={() => setShownId(known?.id ?? null)} />
      )}
    </div>
  )
}
