import { useState } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { LeakFinding } from '../../../../shared/ipc/keys/leaks.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskQuery } from '../../../ipc/use-desk.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Link, useNavigate } from '../../../kit/layout/navigation.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import { Loading, Skeleton } from '../../../kit/layout/skeleton.tsx'
import { FailurePanel } from '../../../parts/failure-note.tsx'
import { RevokeSheet } from '../danger-sheet.tsx'
import { LeakAbout } from './leak-about.tsx'
import { LeakFolders } from './leak-folders.tsx'
import { LeakResult } from './leak-result.tsx'
import './leaks.css'

const noKeys: readonly KeySummary[] = []
const nothing: readonly LeakFinding[] = []

/** Looks for keys in folders of this computer, and ends the ones that it finds. */
export function LeaksPage() {
  const navigate = useNavigate()
  const leaks = useDeskQuery('leaks.state', {})
  const findings = useDeskQuery('leaks.findings', {})
  const list = useDeskQuery('keys.list', {})
  const [revokes, setRevokes] = useState<string | null>(null)
  const keys = list.data?.keys ?? noKeys
  const entry = keys.find(({ id }) => id === revokes)
  // Without a list there is no sign-in either, and revoking needs it.
  const onRevoke = ({ key }: LeakFinding) => {
    if (keys.some(({ id }) => id === key?.id)) setRevokes(key?.id ?? null)
    else navigate('sign-in')
  }
  return (
    <div className={leaks.data?.scan == null ? 'page lk lk-first' : 'page lk'}>
      <div className="page-head">
        <span className="crumb">
          <Link to="keys">Keys</Link>
          <Icon name="chevron-right" />
          <h1>Leak guard</h1>
        </span>
      </div>
      {leaks.data !== undefined ? (
        <>
          <LeakFolders state={leaks.data} />
          {leaks.data.scan === null ? null : (
            <LeakResult scan={leaks.data.scan} limits={leaks.data.limits} findings={findings.data ?? nothing} keys={keys} onRevoke={onRevoke} />
          )}
          <LeakAbout limits={leaks.data.limits} />
        </>
      ) : leaks.error !== null ? (
        <Panel>
          <FailurePanel failure={failureOf(leaks.error)} onRetry={() => void leaks.refetch()} retrying={leaks.isFetching} />
        </Panel>
      ) : (
        <Loading label="Reading the folders">
          <Panel padded>
            <Skeleton width="100%" height={160} />
          </Panel>
        </Loading>
      )}
      {entry === undefined ? null : <RevokeSheet entry={entry} onClose={() => setRevokes(null)} />}
    </div>
  )
}
