import { memo, useEffect, useState } from 'react'
import type { AuditFilter, AuditKind, AuditRow } from '../../../shared/ipc/reads/audit.ts'
import { auditTitle } from '../../../shared/text/audit-text.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Chip } from '../../kit/chip.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { Input } from '../../kit/input.tsx'
import { LoadingRows, LongRows, WaitingRow } from '../../kit/layout/long-rows.tsx'
import { Link, useNavigate } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Empty, SkeletonRows } from '../../kit/layout/placeholders.tsx'
import { HeadCell, Table, useLogWindow } from '../../kit/layout/table.tsx'
import { Segments } from '../../kit/layout/tabs.tsx'
import { ExportMenu, Menu } from '../../kit/overlay/menu.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { auditDetail, auditKinds, OwnCallsSwitch } from '../../parts/audit-parts.tsx'
import { FailureNote, FailurePanel } from '../../parts/failure-note.tsx'
import { activityText } from '../../text/en/activity.en.tsx'
import styles from './activity.module.css'

const columns = 6

interface AuditLineProps {
  readonly row: AuditRow
  readonly index: number
}

const AuditLine = memo(function AuditLine({ row, index }: AuditLineProps) {
  return (
    <tr aria-rowindex={index + 2}>
      <td className={textStyles.muted}>
        <Time ms={row.atMs} />
      </td>
      <td>
        <span className={styles.listWhat} title={auditTitle(row)}>
          <span className={styles.kindMark}>
            <Icon name={auditKinds[row.kind].icon} size={12} />
          </span>
          {auditTitle(row)}
        </span>
      </td>
      <td>
        {row.source === 'app' ? activityText.thisApp : activityText.theService}{' '}
        {row.origin === 'elsewhere' ? <Chip tone="warn">{activityText.elsewhere}</Chip> : null}
      </td>
      <td>
        {row.keyId === null ? (
          <span className={textStyles.muted}>—</span>
        ) : (
          <Link to={`keys/${row.keyId}`} className={cx(textStyles.link, textStyles.name)}>
            {row.label ?? row.keyId}
          </Link>
        )}
      </td>
      <td className={cx(textStyles.muted, textStyles.cut, styles.listPath)} title={auditDetail(row)}>
        {auditDetail(row)}
      </td>
      <td className={textStyles.right}>
        {row.requestId === null ? (
          <span className={textStyles.muted}>—</span>
        ) : (
          <span className={styles.id}>
            <code>{row.requestId}</code>
            <CopyButton text={row.requestId} what={activityText.requestIdCopied} />
          </span>
        )}
      </td>
    </tr>
  )
})

/** The service's log of key changes, merged with this app's journal, newest first. Marks actions that were not done in this app. */
export function AuditLog({ keyId }: { readonly keyId: string | null }) {
  const navigate = useNavigate()
  const toast = useToast()
  const [source, setSource] = useState<AuditFilter['source']>('both')
  const [kind, setKind] = useState<AuditKind | null>(null)
  const [text, setText] = useState('')
  const [ownCalls, setOwnCalls] = useState(false)
  const filter: AuditFilter = { keyId, source, kinds: kind === null ? [] : [kind], ownCalls, text: text.trim() }
  const { box, shown, total, take, page: place } = useLogWindow(filter)
  const page = useIpcQuery('audit.list', { ...filter, ...place }, { keepPrevious: true })
  const isOld = take(page)
  const rowAt = (index: number) => {
    const row = page.data?.rows[index - page.data.offset]
    return row === undefined ? <WaitingRow key={index} index={index} columns={columns} /> : <AuditLine key={row.id} row={row} index={index} />
  }
  const refresh = useIpcCommand('audit.refresh')
  const save = useIpcCommand('audit.export')
  const { mutate } = refresh
  useEffect(() => mutate({}), [mutate])
  const write = (format: 'csv' | 'json') =>
    save.mutate(
      { ...filter, format },
      {
        onSuccess: (done) => {
          if (done.state === 'saved') toast({ tone: 'ok', title: activityText.rowsSaved(done.rows), text: done.path ?? '', action: null })
        },
      },
    )
  return (
    <section className={cx(panelStyles.panel, styles.listList)} aria-label={activityText.audit}>
      <div className={cx(panelStyles.panelHead, styles.listBar, panelStyles.ruled)}>
        <Segments
          label={activityText.source}
          choices={[
            { value: 'both', label: activityText.both },
            { value: 'service', label: activityText.theService },
            { value: 'app', label: activityText.thisApp },
          ]}
          value={source}
          onChange={setSource}
        />
        <Input
          id="audit-filter"
          icon="search"
          value={text}
          onChange={setText}
          placeholder={activityText.auditPlaceholder}
          aria-label={activityText.filterAudit}
          maxLength={200}
        />
        <Menu
          label={activityText.eventKind}
          entries={[
            { label: activityText.allKinds, checked: kind === null, onSelect: () => setKind(null) },
            ...(Object.keys(auditKinds) as AuditKind[]).map((one) => ({ label: auditKinds[one].word, checked: kind === one, onSelect: () => setKind(one) })),
          ]}
          trigger={(props) => (
            <Button size="sm" variant="ghost" icon="chevron-down" {...props}>
              {kind === null ? activityText.allKinds : auditKinds[kind].word}
            </Button>
          )}
        />
        {keyId === null ? null : (
          <Button size="sm" icon="x" onClick={() => navigate('activity?tab=audit')}>
            {activityText.onlyKey(page.data?.rows.find((row) => row.keyId === keyId)?.label ?? keyId)}
          </Button>
        )}
        <span className={panelStyles.end}>
          <span className={textStyles.muted}>
            {isOld ? (
              <LoadingRows />
            ) : total === null ? null : page.data?.readAtMs == null ? (
              activityText.rows(total)
            ) : (
              activityText.rowsRead(total, <Time ms={page.data.readAtMs} />)
            )}
          </span>
          <IconButton icon="refresh" size="sm" label={activityText.refreshAudit} busy={refresh.isPending} onClick={() => refresh.mutate({})} />
          <ExportMenu label={activityText.export} busy={save.isPending} onExport={write} />
        </span>
      </div>
      <OwnCallsSwitch shown={ownCalls} onChange={setOwnCalls} />
      {refresh.error === null ? null : <FailureNote failure={failureOf(refresh.error)} onRetry={() => refresh.mutate({})} retrying={refresh.isPending} />}
      {save.error === null ? null : <FailureNote failure={failureOf(save.error)} />}
      {page.data === undefined && page.error !== null ? (
        <FailurePanel failure={failureOf(page.error)} onRetry={() => void page.refetch()} retrying={page.isFetching} />
      ) : page.data?.total === 0 && !isOld ? (
        <Empty icon="doc" title={text === '' && kind === null && source === 'both' ? activityText.noEvents : activityText.noMatchingEvents}>
          {activityText.auditLead}
        </Empty>
      ) : (
        <div className={styles.listScroll} ref={box}>
          <Table label={activityText.audit} className={styles.listAudit} dense busy={page.data === undefined || isOld} rows={(total ?? 0) + 1}>
            <thead>
              <tr>
                <HeadCell>{activityText.time}</HeadCell>
                <HeadCell>{activityText.event}</HeadCell>
                <HeadCell>{activityText.source}</HeadCell>
                <HeadCell>{activityText.key}</HeadCell>
                <HeadCell>{activityText.details}</HeadCell>
                <HeadCell numeric>{activityText.requestId}</HeadCell>
              </tr>
            </thead>
            {page.data === undefined ? (
              <SkeletonRows rows={12} columns={columns} numeric={[5]} />
            ) : (
              <LongRows window={shown} count={page.data.total} columns={columns} row={rowAt} />
            )}
          </Table>
        </div>
      )}
    </section>
  )
}
