import { Fragment, useEffect } from 'react'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { auditDetail, auditKinds } from '../../ui/audit-words.ts'
import { IconButton } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/navigation.tsx'
import { useNow } from '../../ui/now.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { dayText } from '../../ui/time-text.ts'

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
