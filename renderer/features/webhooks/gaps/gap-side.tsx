import { useEffect } from 'react'
import type { GapCheck, GapRow } from '../../../../shared/ipc/webhooks/gaps.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { Panel, Row, Rows } from '../../../kit/layout/panel.tsx'
import type { StateTone } from '../../../kit/layout/state.tsx'
import { shorten } from '../../../kit/number.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { sourceWords } from '../../../parts/account-source.tsx'
import { mayReportAgain, ReceiptMark, receiptMeaning, transactionWords } from '../../../parts/execution-items.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import styles from './gap.module.css'

/** What was held against what. */
export function GapFacts({ checked }: { readonly checked: Checked }) {
  const { webhook, spans, extra, corrections, untold, graceMs, source, readAtMs } = checked
  const [first] = spans
  const last = spans.at(-1)
  const kinds = [...new Set(extra.events.map(({ type }) => type))]
  return (
    <Panel title="What was compared">
      <Rows className={styles.gapRows}>
        <Row name="Webhook">
          {webhook === null ? (
            'Not known here'
          ) : (
            <Link to={`webhooks/${webhook.id}`} className={cx(textStyles.link, styles.gapUrl)} title={webhook.url ?? webhook.id}>
              <code>{webhook.url ?? webhook.id}</code>
            </Link>
          )}
        </Row>
        <Row name={spans.length > 1 ? `Lab listened, ${spans.length} times` : 'Lab listened'}>
          <span>
            {first === undefined ? null : <Time ms={first.fromMs} form="clock" />}
            {' to '}
            {last === undefined || last.toMs === null ? 'now' : <Time ms={last.toMs} form="clock" />}
          </span>
        </Row>
        <Row name="History read">
          <span title={sourceWords(source)}>
            <Time ms={readAtMs} />
          </span>
        </Row>
        <Row name="Waited for">
          <span title="Four attempts with their waits take 30 s; indexing is given the rest. The document names no time for it.">{graceMs / second} s</span>
        </Row>
        <Row name="Corrections captured">{corrections.toLocaleString('en-US')}</Row>
        <Row name="Not in the history">{extra.count.toLocaleString('en-US')}</Row>
      </Rows>
      {extra.count === 0 ? null : (
        <p className={styles.gapNote}>
          Captured, and no row of the history explains it: {kinds.slice(0, 4).join(', ')}
          {kinds.length > 4 ? ' and more' : ''}. That is harmless.
        </p>
      )}
      {untold.length === 0 ? null : <p className={styles.gapNote}>Of {untold.join(' and ')} the history has no rows: they cannot be missed here.</p>}
    </Panel>
  )
}

/** Transactions that the wallet sent itself: without a report of their hashes no `transaction.*` event comes (HOOK-09). */
export function GapReports() {
  const list = useDeskQuery('receipts.list', { ref: null }, { every: 5 * second })
  const report = useDeskCommand('receipts.report')
  const { refetch } = list
  // The wallet may have sent something since somebody last looked.
  useEffect(() => void refetch(), [refetch])
  const broadcasts = list.data?.broadcasts ?? []
  return (
    <Panel title="Reports of own broadcasts" count={broadcasts.length === 0 ? undefined : broadcasts.length}>
      {broadcasts.length === 0 ? (
        <p className={styles.gapNote}>
          Nothing was sent by the wallet itself yet. What it sends is reported to the service by its hash, so that <code>transaction.*</code> events come of it.
        </p>
      ) : (
        <ul className={styles.gapList}>
          {broadcasts.map((one) => (
            <li key={`${one.ref}/${one.index}`}>
              <div className={styles.gapLine}>
                <Link to={`activity/${one.ref}`} className={textStyles.link}>
                  {one.title}
                </Link>
                <span className={textStyles.muted}>
                  <Time ms={one.atMs} />
                </span>
              </div>
              <div className={styles.gapLine}>
                <span className={styles.gapId}>
                  <code title={one.txHash}>{shorten(one.txHash, 8, 6)}</code>
                  <CopyButton text={one.txHash} what="transaction hash" />
                  <span className={styles.gapSub}>{transactionWords(one)}</span>
                </span>
                <span title={receiptMeaning(one.receipt)}>
                  <ReceiptMark receipt={one.receipt} />
                </span>
              </div>
              {mayReportAgain(one.receipt) ? (
                <div className={styles.gapLine}>
                  <span className={styles.gapSub}>{receiptMeaning(one.receipt)}</span>
                  <Button size="xs" icon="send" busy={report.isPending} onClick={() => report.mutate({ ref: one.ref, index: one.index })}>
                    Report again
                  </Button>
                </div>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {report.error === null ? null : <FailureNote failure={failureOf(report.error)} />}
    </Panel>
  )
}

export type Checked = Extract<GapCheck, { kind: 'checked' }>

export const resultLooks: Readonly<Record<GapRow['result'], { readonly tone: StateTone; readonly icon: IconName; readonly word: string }>> = {
  captured: { tone: 'ok', icon: 'check', word: 'Captured' },
  missing: { tone: 'danger', icon: 'x', word: 'Missing' },
  due: { tone: 'busy', icon: 'hourglass', word: 'Still due' },
  unjudged: { tone: 'off', icon: 'unknown', word: 'Not judged' },
}

/** Why an event is not called missing: in a few words, and whole. */
export const whyWords: Readonly<Record<NonNullable<GapRow['why']>, { readonly short: string; readonly whole: string }>> = {
  not_listened: { short: 'lab was closed', whole: 'The lab did not listen while it could come.' },
  time_unknown: { short: 'time not told', whole: 'The history does not tell when it happened, and it may have come before the lab listened.' },
  before_subscription: { short: 'before the webhook', whole: 'It happened before the webhook was made. Nothing is sent of it.' },
  not_reported: { short: 'hash not reported', whole: 'The service was not told its hash. Report it, and its event comes.' },
  elsewhere: { short: 'made elsewhere', whole: 'It was not made by this app, which cannot tell whether the service knows its hash.' },
  made_room: { short: 'made room', whole: 'The lab keeps 10,000 events, and what came then made room for later ones.' },
  disabled: { short: 'webhook is disabled', whole: 'The webhook is disabled, and the service does not say since when.' },
  taken_back: {
    short: 'taken back since',
    whole: 'It came, and a correction took it back after the app had seen its transaction settled. Whether it stands again is not known here.',
  },
  never_delivered: {
    short: 'nothing to take back',
    whole: 'The event that it would take back was not captured. The document does not say whether it is corrected all the same.',
  },
  stands: { short: 'stands again', whole: 'The history has what the event told, still or again: it need not be taken back.' },
  events_not_said: { short: 'events not told', whole: 'The service does not say which events the webhook is subscribed to.' },
}

export const foundWords: Readonly<Record<NonNullable<GapRow['by']>, string>> = {
  transaction: 'Hash',
  trade: 'Trade id',
  intent: 'Intent id',
  order: 'Order id',
  position: 'Position id',
  event: 'Event id',
  count: 'Count and time',
}

const number = (count: number): string => count.toLocaleString('en-US')
const events = (count: number): string => `${number(count)} ${count === 1 ? 'event' : 'events'}`

/** What came of it, in a sentence. */
export function summaryOf({ counts: { expected, captured, missing, due, unjudged } }: Checked): { readonly tone: StateTone; readonly sentence: string } {
  const judged = captured + missing
  if (missing > 0) return { tone: 'danger', sentence: `${number(missing)} of ${events(judged)} missing` }
  if (due > 0) return { tone: 'busy', sentence: judged > 0 ? `${number(captured)} captured, ${number(due)} still due` : `${events(due)} still due` }
  if (judged > 0) return { tone: 'ok', sentence: judged === 1 ? 'The one event was captured' : `All ${events(judged)} captured` }
  return { tone: 'off', sentence: unjudged > 0 ? 'Nothing could be judged' : expected === 0 ? 'Nothing was to come' : '' }
}
