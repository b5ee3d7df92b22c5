import { useEffect } from 'react'
import { second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Link } from '../../../kit/layout/navigation.tsx'
import { Panel, Row, Rows } from '../../../kit/layout/panel.tsx'
import { shorten } from '../../../kit/short.ts'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { sourceWords } from '../../../parts/account-source.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { mayReportAgain, ReceiptMark, receiptMeaning, transactionWords } from '../../../parts/receipt.tsx'
import styles from './gap.module.css'
import type { Checked } from './gap-words.ts'

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
