import { useState } from 'react'
import { formatCount } from '../../../shared/decimal.ts'
import type { Intent, RequestRecord } from '../../../shared/ipc/intents/orders.ts'
import { reasonText } from '../../../shared/text/reason-text.ts'
import { titleText } from '../../../shared/text/title-text.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { Chip, type ChipTone } from '../../kit/chip.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { Link } from '../../kit/layout/navigation.tsx'
import { Note } from '../../kit/layout/note.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { Empty, Loading, Skeleton } from '../../kit/layout/placeholders.tsx'
import { intentLook, type StateTone } from '../../kit/layout/state.tsx'
import tableStyles from '../../kit/layout/table.module.css'
import { Coin } from '../../kit/market-marks.tsx'
import { shorten, useAmountText } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { CountdownRing } from '../../kit/time/countdown-ring.tsx'
import { Time, titleTime } from '../../kit/time/time.tsx'
import { mayReportAgain, ReceiptMark, receiptMeaning, transactionWords } from '../../parts/execution-items.tsx'
import { FailureNote, FailurePanel } from '../../parts/failure-note.tsx'
import { MoreFields } from '../../parts/more-fields.tsx'
import { Confirmations } from '../../signing/parts/confirmations.tsx'
import { confirmedBlocks, finalConfirmations, isTerminal } from '../../signing/progress/intent-path.ts'
import { activityText } from '../../text/en/activity.en.tsx'
import styles from './activity.module.css'
import { Delegated, mayContinue, Unfinished, Unknown, Unsent } from './intent-asks.tsx'
import { requestTone, shortPath, sinceText, type TimelineRow, timelineRows } from './intent-timeline.ts'
import { requestPlace } from './request-message.tsx'

const chipTone: Readonly<Record<StateTone, ChipTone>> = { ok: 'ok', busy: 'accent', warn: 'warn', danger: 'danger', off: 'neutral' }

function Marker({ mark }: { readonly mark: TimelineRow['mark'] }) {
  return (
    <span className={styles.timelineMark}>
      {mark === 'done' ? (
        <Icon name="check" size={12} />
      ) : mark === 'bad' ? (
        <Icon name="x" size={12} />
      ) : mark === 'lost' ? (
        <Icon name="unknown" size={12} />
      ) : null}
    </span>
  )
}

function Timeline({ rows, intent }: { readonly rows: readonly TimelineRow[]; readonly intent: Intent }) {
  const openExternal = useIpcCommand('app.openExternal')
  const hash = intent.txHash
  const hashRow = rows.find((row) => row.state === 'SUBMITTED' && row.mark !== 'next') ?? rows.findLast((row) => row.mark !== 'next')
  return (
    <ol className={styles.timeline} aria-label={activityText.timeline}>
      {rows.map((row) => (
        <li key={row.key} className={styles[row.mark]} aria-current={row.mark === 'now' ? 'step' : undefined}>
          <Marker mark={row.mark} />
          <div>
            <p>
              <b>{row.word}</b>
              {row.atMs === null ? null : row.sinceFirstMs === null ? (
                <Time ms={row.atMs} form="clock" />
              ) : (
                <time dateTime={new Date(row.atMs).toISOString()} title={titleTime(row.atMs)}>
                  {sinceText(row.sinceFirstMs)}
                </time>
              )}
            </p>
            <p className={tableStyles.sub}>{row.note}</p>
            {row === hashRow && hash !== null ? (
              <span className={styles.id}>
                <code title={hash}>{shorten(hash, 10, 8)}</code>
                <CopyButton text={hash} what={activityText.transactionHashCopied} />
                <IconButton
                  icon="external"
                  size="xs"
                  label={activityText.openInExplorer}
                  onClick={() => openExternal.mutate({ page: 'transaction', id: hash })}
                />
              </span>
            ) : null}
          </div>
        </li>
      ))}
    </ol>
  )
}

export function RequestRows({ requests }: { readonly requests: readonly RequestRecord[] }) {
  return (
    <tbody>
      {requests.map((record) => (
        <tr key={record.id}>
          <td>
            <Link to={requestPlace(record.id)} className={styles.requestOpen}>
              <code title={record.path}>
                <span className={textStyles.muted}>{record.method}</span> {shortPath(record.path)}
              </code>
            </Link>
            {record.attempt > 1 ? <span className={textStyles.muted}> {activityText.attempt(record.attempt)}</span> : null}
          </td>
          <td>
            <Chip tone={requestTone(record)} title={record.outcome}>
              {record.status ?? activityText.noStatus}
            </Chip>
          </td>
          <td className={textStyles.right}>{activityText.milliseconds(formatCount(record.ms))}</td>
          <td className={textStyles.right}>
            {record.requestId === null ? (
              <span className={textStyles.muted}>—</span>
            ) : (
              <span className={styles.id}>
                <code title={record.requestId}>{shorten(record.requestId, 12, 4)}</code>
                <CopyButton text={record.requestId} what={activityText.requestIdCopied} />
              </span>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  )
}

function Blocks({ intent }: { readonly intent: Intent }) {
  const count = confirmedBlocks(intent.state, intent.confirmations)
  return (
    <div className={styles.confirmations}>
      <Confirmations intent={intent} />
      <p role="status">
        <span>{activityText.confirmations(<b>{activityText.confirmationCount(count, finalConfirmations)}</b>)}</span>
        <span className={textStyles.muted}>
          {intent.state === 'FINAL' ? activityText.final : intent.state === 'REVERTED' ? activityText.reverted : activityText.notFinalYet}
        </span>
      </p>
    </div>
  )
}

/** One intent: its state, its history and its requests. */
export function IntentDetail({ reference }: { readonly reference: string | null }) {
  const amount = useAmountText()
  const [raw, setRaw] = useState(false)
  const known = useIpcQuery('intents.get', { ref: reference ?? '' }, { enabled: reference !== null, every: 2_000 })
  if (reference === null) {
    return (
      <section className={cx(panelStyles.panel, styles.detail)} data-part="intent" aria-label={activityText.details}>
        <Empty icon="activity" title={activityText.chooseOrder}>
          {activityText.chooseOrderHelp}
        </Empty>
      </section>
    )
  }
  if (known.data === undefined) {
    return (
      <section className={cx(panelStyles.panel, styles.detail)} data-part="intent" aria-label={activityText.details}>
        {known.error !== null ? (
          <FailurePanel failure={failureOf(known.error)} onRetry={() => void known.refetch()} retrying={known.isFetching} />
        ) : (
          <Loading label={activityText.readingOrder}>
            <header>
              <Skeleton width={24} height={24} round />
              <Skeleton width={200} />
            </header>
            <div className={styles.confirmations}>
              <Skeleton width="100%" />
            </div>
          </Loading>
        )}
      </section>
    )
  }
  const { intent, timeline, requests, payload, typedData, unknownFields } = known.data
  const look = intentLook(intent)
  const onChain = intent.txHash !== null || intent.state === 'SUBMITTED'
  const action = intent.action.replaceAll('_', ' ')
  const sub = intent.symbol === null ? action.charAt(0).toUpperCase() + action.slice(1) : `${intent.symbol}, ${action}`
  // An unfinished intent shows a warning. An executor's intent shows one even when final, because some actions of its batch may have failed.
  const warns = !isTerminal(intent.state) || (intent.way === 'executor' && intent.state === 'FINAL')
  return (
    <section className={cx(panelStyles.panel, styles.detail)} data-part="intent" aria-labelledby="intent-title">
      <header>
        {intent.symbol === null ? <Icon name="activity" size={20} /> : <Coin base={intent.symbol.split('-')[0] ?? intent.symbol} size={24} />}
        <div>
          <h2 id="intent-title">{titleText(intent.title, amount)}</h2>
          <p className={textStyles.muted} translate="no">
            {sub}
          </p>
        </div>
        <span className={panelStyles.end}>
          {!isTerminal(intent.state) && !onChain && intent.deadlineMs !== null ? (
            <CountdownRing size={44} untilMs={intent.deadlineMs} totalMs={Math.max(1, intent.deadlineMs - intent.createdAtMs)} />
          ) : null}
          <Chip tone={chipTone[look.tone]} icon={look.icon}>
            {look.word}
          </Chip>
        </span>
      </header>
      <div className={styles.detailScroll}>
        {onChain ? <Blocks intent={intent} /> : null}
        {intent.unsentSignature ? <Unsent intent={intent} /> : null}
        <Unfinished intent={intent} />
        {intent.way === 'executor' ? <Delegated intent={intent} /> : null}
        {intent.state === 'UNKNOWN' ? (
          intent.way === 'executor' ? null : (
            <Unknown intent={intent} />
          )
        ) : intent.reason === null || mayContinue(intent) ? null : (
          <div className={styles.listAsk}>
            <Note tone={look.tone === 'danger' ? 'danger' : warns ? 'warn' : 'neutral'} icon={warns ? 'warn' : look.icon}>
              {reasonText(intent.reason)}
            </Note>
          </div>
        )}
        <Timeline rows={timelineRows(intent, timeline)} intent={intent} />
        <IntentReceipts intent={intent} />
        <div className={styles.requests}>
          <div className={panelStyles.panelHead}>
            <h3>{activityText.requests}</h3>
            <span className={panelStyles.count}>{requests.length}</span>
            <span className={panelStyles.end}>
              <Button size="xs" variant="ghost" aria-expanded={raw} onClick={() => setRaw(!raw)}>
                {raw ? activityText.hidePayload : activityText.showPayload}
              </Button>
            </span>
          </div>
          {raw ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <section className={styles.listRaw} tabIndex={0} aria-label={activityText.payload}>
              {[payload, typedData].filter((text) => text !== null).join('\n\n')}
            </section>
          ) : null}
          <table className={cx(tableStyles.table, tableStyles.rows28)} aria-label={activityText.requestsOfOrder}>
            <RequestRows requests={requests} />
          </table>
          <MoreFields className={styles.requestMore} of={activityText.orderFields} fields={unknownFields} />
        </div>
      </div>
    </section>
  )
}

/**
 * Shows for each transaction that the wallet sent whether the service knows its hash. The service sends no webhook event for a transaction whose
 * hash it doesn't know.
 */
function IntentReceipts({ intent }: { readonly intent: Intent }) {
  const sent = intent.way === 'transactions'
  const list = useIpcQuery('receipts.list', { ref: intent.ref }, { enabled: sent, every: 2_000 })
  const report = useIpcCommand('receipts.report')
  const broadcasts = list.data?.broadcasts ?? []
  if (!sent || broadcasts.length === 0) return null
  return (
    <section className={styles.reports} aria-labelledby="intent-reports">
      <div className={panelStyles.panelHead}>
        <h3 id="intent-reports">{activityText.transactionReports}</h3>
        <span className={panelStyles.count}>{broadcasts.length}</span>
      </div>
      <ul>
        {broadcasts.map((one) => (
          <li key={one.index}>
            <span className={styles.reportWhat}>
              <span className={styles.id}>
                <code title={one.txHash}>{shorten(one.txHash, 10, 8)}</code>
                <CopyButton text={one.txHash} what={activityText.transactionHashCopied} />
              </span>
              <span className={textStyles.muted}>{transactionWords(one)}</span>
            </span>
            <ReceiptMark receipt={one.receipt} />
            {mayReportAgain(one.receipt) ? (
              <Button size="xs" icon="send" busy={report.isPending} onClick={() => report.mutate({ ref: one.ref, index: one.index })}>
                {activityText.reportAgain}
              </Button>
            ) : null}
            <p className={tableStyles.sub}>{receiptMeaning(one.receipt)}</p>
          </li>
        ))}
      </ul>
      {report.error === null ? null : <FailureNote failure={failureOf(report.error)} />}
    </section>
  )
}
