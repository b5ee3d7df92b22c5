import { useState } from 'react'
import type { PanicState } from '../../../../shared/ipc/intents/panic.ts'
import { useDeskQuery } from '../../../ipc/use-desk.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { PanicChoose } from './panic-choose.tsx'
import { PanicReport } from './panic-report.tsx'
import './panic.css'

type Known = Exclude<PanicState, { state: 'idle' }>

/** Revokes many keys by one word: chosen, confirmed, followed key by key, and reported. One that was interrupted is taken up again. */
export function PanicPage() {
  const panic = useDeskQuery('panic.state', {})
  // The report of a finished one stays until the page is left, or the next one is chosen.
  const [shownId, setShownId] = useState<string | null>(null)
  const known: Known | null = panic.data === undefined || panic.data.state === 'idle' ? null : panic.data
  const open = known !== null && (known.state !== 'done' || known.id === shownId)
  if (open && known.id !== shownId) setShownId(known.id)
  return (
    <div className="page pan">
      <div className="page-head">
        <span className="crumb">
          <Link to="keys">Keys</Link>
          <Icon name="chevron-right" />
          <h1>Revoke keys</h1>
        </span>
      </div>
      {panic.isPending ? null : open ? (
        <PanicReport panic={known} onAgain={() => setShownId(null)} />
      ) : (
        <PanicChoose last={known} onStarted={(started) => setShownId(started.id)} onShowLast={() => setShownId(known?.id ?? null)} />
      )}
    </div>
  )
}
