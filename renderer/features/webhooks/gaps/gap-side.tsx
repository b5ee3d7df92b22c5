import { useEffect } from 'react'
import { formatCount } from '../../../../shared/decimal.ts'
import type { GapCheck, GapRow } from '../../../../shared/ipc/webhooks/gaps.ts'
import { titleText } from '../../../../shared/text/title-text.ts'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import type { IconName } from '../../../kit/icons/icon.tsx'
import { Link } from '../../../kit/layout/navigation.tsx'
import { Panel, Row, Rows } from '../../../kit/layout/panel.tsx'
import type { StateTone } from '../../../kit/layout/state.tsx'
import { shorten, useAmountText } from '../../../kit/number.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { sourceWords } from '../../../parts/account-source.tsx'
import { mayReportAgain, ReceiptMark, receiptMeaning, transactionWords } from '../../../parts/execution-items.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { kitText } from '../../../text/en/kit.en.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import styles from './gap.module.css'

/** Shows what the gap check compared: the period, the sources and the counts of events. */
export function GapFacts({ checked }: { readonly checked: Checked }) {
  const { webhook, spans, extra, corrections, untold, graceMs, source, readAtMs } = checked
  const [first] = spans
  const last = spans.at(-1)
  const kinds = [...new Set(extra.events.map(({ type }) => type))]
  return (
    <Panel title={webhooksText.comparison}>
      <Rows className={styles.gapRows}>
        <Row name={webhooksText.webhookRow}>
          {webhook === null ? (
            webhooksText.unknown
          ) : (
            <Link to={`webhooks/${webhook.id}`} className={cx(textStyles.link, styles.gapUrl)} title={webhook.url ?? webhook.id}>
              <code>{webhook.url ?? webhook.id}</code>
            </Link>
          )}
        </Row>
        <Row name={webhooksText.labListened(spans.length)}>
          <span>
            {webhooksText.fromUntil(
              first === undefined ? null : <Time ms={first.fromMs} form="clock" />,
              last === undefined || last.toMs === null ? webhooksText.now : <Time ms={last.toMs} form="clock" />,
            )}
          </span>
        </Row>
        <Row name={webhooksText.historyRead}>
          <span title={sourceWords(source)}>
            <Time ms={readAtMs} />
          </span>
        </Row>
        <Row name={webhooksText.waitedFor}>
          <span title={webhooksText.waitedForWhy}>{webhooksText.seconds(graceMs / second)}</span>
        </Row>
        <Row name={webhooksText.correctionsCaptured}>
          {corrections.unmatched === 0
            ? formatCount(corrections.count)
            : webhooksText.correctionsWithoutRow(formatCount(corrections.count), formatCount(corrections.unmatched))}
        </Row>
        <Row name={webhooksText.notInTheHistory}>{formatCount(extra.count)}</Row>
      </Rows>
      {extra.count === 0 ? null : (
        <p className={styles.gapNote}>{(kinds.length > 4 ? webhooksText.notInHistoryAndMore : webhooksText.notInHistory)(kitText.listed(kinds.slice(0, 4)))}</p>
      )}
      {untold.length === 0 ? null : <p className={styles.gapNote}>{webhooksText.typesWithoutHistory(kitText.listed(untold))}</p>}
    </Panel>
  )
}

/**
 * Lists transactions that the wallet broadcast itself. The service sends no `transaction.*` event for a transaction until its hash is reported
 * (HOOK-09).
 */
export function GapReports() {
  const list = useIpcQuery('receipts.list', { ref: null }, { every: 5 * second })
  const report = useIpcCommand('receipts.report')
  const { refetch } = list
  // Read again on each visit: the wallet may have sent transactions since the last visit.
  useEffect(() => void refetch(), [refetch])
  const amount = useAmountText()
  const broadcasts = list.data?.broadcasts ?? []
  return (
    <Panel title={webhooksText.reportsOfOwnBroadcasts} count={broadcasts.length === 0 ? undefined : broadcasts.length}>
      {broadcasts.length === 0 ? (
        <p className={styles.gapNote}>{webhooksText.noOwnBroadcasts(<code>transaction.*</code>)}</p>
      ) : (
        <ul className={styles.gapList}>
          {broadcasts.map((one) => (
            <li key={`${one.ref}/${one.index}`}>
              <div className={styles.gapLine}>
                <Link to={`activity/${one.ref}`} className={textStyles.link}>
                  {titleText(one.title, amount)}
                </Link>
                <span className={textStyles.muted}>
                  <Time ms={one.atMs} />
                </span>
              </div>
              <div className={styles.gapLine}>
                <span className={styles.gapId}>
                  <code title={one.txHash}>{shorten(one.txHash, 8, 6)}</code>
                  <CopyButton text={one.txHash} what={webhooksText.transactionHash} />
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
                    {webhooksText.reportAgain}
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
  captured: { tone: 'ok', icon: 'check', word: webhooksText.captured },
  missing: { tone: 'danger', icon: 'x', word: webhooksText.missing },
  due: { tone: 'busy', icon: 'hourglass', word: webhooksText.due },
  unjudged: { tone: 'off', icon: 'unknown', word: webhooksText.notJudged },
}

export const whyWords: Readonly<Record<NonNullable<GapRow['why']>, { readonly short: string; readonly whole: string }>> = {
  not_listened: { short: webhooksText.labWasClosed, whole: webhooksText.labWasOff },
  time_unknown: { short: webhooksText.timeUnknown, whole: webhooksText.timeUnknownWhy },
  before_subscription: { short: webhooksText.beforeTheWebhook, whole: webhooksText.beforeWebhookWhy },
  not_reported: { short: webhooksText.hashNotReported, whole: webhooksText.hashNotReportedWhy },
  elsewhere: { short: webhooksText.madeElsewhere, whole: webhooksText.madeElsewhereWhy },
  made_room: { short: webhooksText.madeRoom, whole: webhooksText.madeRoomWhy },
  disabled: { short: webhooksText.webhookIsDisabled, whole: webhooksText.webhookDisabledWhy },
  taken_back: {
    short: webhooksText.takenBackSince,
    whole: webhooksText.takenBackWhy,
  },
  never_delivered: {
    short: webhooksText.nothingToRevoke,
    whole: webhooksText.nothingToRevokeWhy,
  },
  stands: { short: webhooksText.validAgain, whole: webhooksText.validAgainWhy },
  events_not_said: { short: webhooksText.eventsUnknown, whole: webhooksText.eventsUnknownWhy },
}

export const foundWords: Readonly<Record<NonNullable<GapRow['by']>, string>> = {
  transaction: webhooksText.hash,
  trade: webhooksText.tradeId,
  intent: webhooksText.intentId,
  order: webhooksText.orderId,
  position: webhooksText.positionId,
  event: webhooksText.eventId,
  count: webhooksText.countAndTime,
}

/** The check's result in a sentence. */
export function summaryOf({ counts: { expected, captured, missing, due, unjudged } }: Checked): { readonly tone: StateTone; readonly sentence: string } {
  const judged = captured + missing
  if (missing > 0) return { tone: 'danger', sentence: webhooksText.missingOf(missing, judged) }
  if (due > 0) return { tone: 'busy', sentence: judged > 0 ? webhooksText.capturedAndDue(captured, due) : webhooksText.eventsDue(due) }
  if (judged > 0) return { tone: 'ok', sentence: webhooksText.allCaptured(judged) }
  return { tone: 'off', sentence: unjudged > 0 ? webhooksText.nothingJudged : expected === 0 ? webhooksText.nothingExpected : '' }
}
