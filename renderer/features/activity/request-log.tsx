import { memo, useEffect, useRef, useState } from 'react'
import { formatCount } from '../../../shared/decimal.ts'
import type { RequestRecord } from '../../../shared/ipc/intents/orders.ts'
import type { RequestFilter } from '../../../shared/ipc/reads/requests.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { Chip } from '../../kit/chip.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import { Input } from '../../kit/input.tsx'
import { LoadingRows, LongRows, WaitingRow } from '../../kit/layout/long-rows.tsx'
import { Link, useNavigate } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Empty, SkeletonRows } from '../../kit/layout/placeholders.tsx'
import tableStyles from '../../kit/layout/table.module.css'
import { HeadCell, Table, useLogWindow } from '../../kit/layout/table.tsx'
import { Segments } from '../../kit/layout/tabs.tsx'
import { Menu } from '../../kit/overlay/menu.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { FailurePanel } from '../../parts/failure-note.tsx'
import { activityText } from '../../text/en/activity.en.tsx'
import styles from './activity.module.css'
import { requestTone } from './intent-timeline.ts'
import { RequestDetail } from './request-detail.tsx'
import { outcomeWords, requestPlace, statusWords } from './request-message.tsx'

const columns = 7
const refreshMs = 5_000

interface RequestLineProps {
  readonly record: RequestRecord
  readonly index: number
  readonly open: boolean
  readonly onOpen: (id: string) => void
}

const RequestLine = memo(function RequestLine({ record, index, open, onOpen }: RequestLineProps) {
  return (
    <tr aria-rowindex={index + 2} className={open ? tableStyles.isOn : undefined} onClick={() => onOpen(record.id)}>
      <td className={textStyles.muted}>
        <Time ms={record.atMs} form="clock" />
      </td>
      <td className={styles.listPath}>
        <button
          type="button"
          className={cx(styles.listOpen, textStyles.cut)}
          data-request={record.id}
          aria-current={open || undefined}
          onClick={() => onOpen(record.id)}
        >
          {record.host?.second === true ? (
            <>
              <Chip tone="line" title={activityText.sentToSecondHost(record.host.name)}>
                {activityText.secondHost}
              </Chip>{' '}
            </>
          ) : null}
          <code title={record.path}>
            <span className={textStyles.muted}>{record.method}</span> {record.path}
          </code>
        </button>
      </td>
      <td title={outcomeWords(record)}>
        <Chip tone={requestTone(record)}>{record.status ?? activityText.noStatus}</Chip> <span className={textStyles.muted}>{outcomeWords(record)}</span>
      </td>
      <td className={textStyles.right}>{activityText.milliseconds(formatCount(record.ms))}</td>
      <td className={cx(textStyles.right, textStyles.muted)}>{record.attempt}</td>
      <td>
        {record.intentRef === null ? (
          <span className={textStyles.muted}>—</span>
        ) : (
          <Link to={`activity/${record.intentRef}`} className={textStyles.link} onClick={(event) => event.stopPropagation()}>
            {activityText.showOrder}
          </Link>
        )}
      </td>
      <td className={textStyles.right}>
        {record.requestId === null ? (
          <span className={textStyles.muted}>—</span>
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: keeps the copy button's own click from opening the row
          // biome-ignore lint/a11y/useKeyWithClickEvents: the same, there is nothing to press here
          <span className={styles.id} onClick={(event) => event.stopPropagation()}>
            <code>{record.requestId}</code>
            <CopyButton text={record.requestId} what={activityText.requestIdCopied} />
          </span>
        )}
      </td>
    </tr>
  )
})

/**
 * Every request that this computer sent, with the service's request id, and one request's details beside the list. While the top of the list is
 * visible and no details are open, new requests appear at once; otherwise the list shows how many there are.
 */
export function RequestLog({ selected, find }: { readonly selected: string | null; readonly find: string }) {
  const navigate = useNavigate()
  const [kind, setKind] = useState<RequestFilter['kind']>('all')
  const [status, setStatus] = useState<RequestFilter['status']>('any')
  const [typed, setTyped] = useState(find)
  const [mark, setMark] = useState<number | null>(null)
  const [scrolled, setScrolled] = useState(false)
  const filter: RequestFilter = { kind, status, text: typed.trim() }
  const { box, shown, total, take, page: place } = useLogWindow(filter)
  const page = useIpcQuery('requests.list', { ...filter, upTo: mark, ...place }, { every: refreshMs, keepPrevious: true })
  const isOld = take(page)

  const still = selected !== null || scrolled
  const newest = page.data?.newest ?? null
  useEffect(() => setMark((before) => (still ? (before ?? newest) : null)), [still, newest])

  const open = useRef((id: string) => navigate(requestPlace(id)))
  const close = () => {
    navigate(requestPlace(null))
    if (selected !== null) box.current?.querySelector<HTMLElement>(`[data-request="${CSS.escape(selected)}"]`)?.focus()
  }
  const rowAt = (index: number) => {
    const record = page.data?.rows[index - page.data.offset]
    if (record === undefined) return <WaitingRow key={index} index={index} columns={columns} />
    return <RequestLine key={record.id} record={record} index={index} open={record.id === selected} onOpen={open.current} />
  }
  const narrowed = kind !== 'all' || status !== 'any' || filter.text !== ''
  const newer = mark === null ? 0 : (page.data?.newer ?? 0)
  return (
    <>
      <section className={cx(panelStyles.panel, styles.listList, styles.requestList)} aria-label={activityText.requests}>
        <div className={cx(panelStyles.panelHead, styles.listBar, panelStyles.ruled)}>
          <Segments
            label={activityText.requestKinds}
            choices={[
              { value: 'all', label: activityText.all },
              { value: 'changes', label: activityText.changes },
              { value: 'failures', label: activityText.failures },
            ]}
            value={kind}
            onChange={setKind}
          />
          <Input
            id="request-filter"
            icon="search"
            value={typed}
            onChange={setTyped}
            placeholder={activityText.requestPlaceholder}
            aria-label={activityText.filterRequests}
            maxLength={200}
          />
          <Menu
            label={activityText.response}
            entries={(Object.keys(statusWords) as RequestFilter['status'][]).map((one) => ({
              label: statusWords[one],
              checked: status === one,
              onSelect: () => setStatus(one),
            }))}
            trigger={(props) => (
              <Button size="sm" variant="ghost" icon="chevron-down" {...props}>
                {statusWords[status]}
              </Button>
            )}
          />
          <span className={cx(panelStyles.end, styles.requestEnd)}>
            {newer === 0 ? null : (
              <Button
                size="xs"
                icon="arrow-up"
                onClick={() => {
                  box.current?.scrollTo(0, 0)
                  setMark(newest)
                }}
              >
                {activityText.newer(newer)}
              </Button>
            )}
            <span className={textStyles.muted}>{isOld ? <LoadingRows /> : total === null ? null : activityText.requestCount(total)}</span>
          </span>
        </div>
        {page.data === undefined && page.error !== null ? (
          <FailurePanel failure={failureOf(page.error)} onRetry={() => void page.refetch()} retrying={page.isFetching} />
        ) : page.data?.total === 0 && !isOld ? (
          <Empty icon={narrowed ? 'search' : 'server'} title={narrowed ? activityText.noMatchingRequest : activityText.noRequests}>
            {narrowed ? activityText.changeRequestFilter : activityText.noRequestsHelp}
          </Empty>
        ) : (
          <div className={styles.listScroll} ref={box} onScroll={(event) => setScrolled(event.currentTarget.scrollTop > 0)}>
            <Table label={activityText.requests} dense busy={page.data === undefined || isOld} rows={(total ?? 0) + 1}>
              <thead>
                <tr>
                  <HeadCell>{activityText.time}</HeadCell>
                  <HeadCell>{activityText.request}</HeadCell>
                  <HeadCell>{activityText.response}</HeadCell>
                  <HeadCell numeric>{activityText.duration}</HeadCell>
                  <HeadCell numeric>{activityText.attemptHead}</HeadCell>
                  <HeadCell>{activityText.order}</HeadCell>
                  <HeadCell numeric>{activityText.requestId}</HeadCell>
                </tr>
              </thead>
              {page.data === undefined ? (
                <SkeletonRows rows={12} columns={columns} numeric={[3, 4, 6]} />
              ) : (
                <LongRows window={shown} count={page.data.total} columns={columns} row={rowAt} />
              )}
            </Table>
          </div>
        )}
      </section>
      {selected === null ? null : <RequestDetail id={selected} onClose={close} />}
    </>
  )
}
