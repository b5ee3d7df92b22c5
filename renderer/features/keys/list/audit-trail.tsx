import { Fragment, useEffect } from 'react'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { IconButton } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Empty } from '../../../kit/layout/empty.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import { Loading, Skeleton } from '../../../kit/layout/skeleton.tsx'
import { useNow } from '../../../kit/time/now.tsx'
import { Time } from '../../../kit/time/time.tsx'
import { dayText } from '../../../kit/time/time-text.ts'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { auditDetail, auditKinds } from '../../../text/audit-words.ts'

const most = 60

/** What happened to one key: the service's log beside this app's own, newest first. */
export function AuditTrail({ keyId }: { readonly keyId: string }) {
  const now = useNow(60_000)
  const list = useDeskQuery('audit.list', { keyId, source: 'both', kinds: [], text: '', offset: 0, limit: most }, { keepPrevious: true })
  const refresh = useDeskCommand('audit.refresh')
  const { mutate } = refresh
  useEffect(() => mutate({}), [mutate])
  const rows = list.data?.rows ?? []
  const days = [...Map.groupBy(rows, (row) => (row.atMs === null ? 'No time said' : dayText(row.atMs, now)))]
  return (
    <Panel
      title="Audit trail"
      className="kd-audit"
      end={
        <>
          <IconButton icon="refresh" size="xs" label="Read the service's log again" busy={refresh.isPending} onClick={() => refresh.mutate({})} />
          <Link to={`activity?tab=audit&key=${keyId}`} className="btn xs ghost">
            All
            <Icon name="chevron-right" size={14} />
          </Link>
        </>
      }
    >
      {refresh.error === null ? null : <FailureNote failure={failureOf(refresh.error)} onRetry={() => refresh.mutate({})} />}
      {list.data === undefined ? (
        <Loading label="Reading the audit trail">
          <div className="aud">
            <Skeleton width={180} />
          </div>
        </Loading>
      ) : rows.length === 0 ? (
        <Empty icon="doc" title="Nothing is written about it yet" />
      ) : (
        <ul className="aud" aria-label="Audit trail">
          {days.map(([day, entries]) => (
            <Fragment key={day}>
              <li className="day">{day}</li>
              {entries.map((row) => (
                <li key={row.id}>
                  <Icon name={auditKinds[row.kind].icon} />
                  <div>
                    <p>
                      {row.title}
                      {row.origin === 'elsewhere' ? <Chip tone="warn">Elsewhere</Chip> : null}
                    </p>
                    <p className="sub cut" title={row.requestId ?? undefined}>
                      {auditDetail(row)}
                    </p>
                  </div>
                  <Time ms={row.atMs} form="clock" />
                </li>
              ))}
            </Fragment>
          ))}
        </ul>
      )}
    </Panel>
  )
}
