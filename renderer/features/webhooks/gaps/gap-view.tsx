import { type ReactNode, useEffect, useState } from 'react'
import { formatCount } from '../../../../shared/decimal.ts'
import type { GapRow } from '../../../../shared/ipc/webhooks/gaps.ts'
import { day, hour, minute, second } from '../../../../shared/time.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Switch } from '../../../kit/checkbox.tsx'
import { cx } from '../../../kit/cx.ts'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Panel } from '../../../kit/layout/panel.tsx'
import { Empty, SkeletonRows } from '../../../kit/layout/placeholders.tsx'
import { State } from '../../../kit/layout/state.tsx'
import { Table } from '../../../kit/layout/table.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import { ExportMenu } from '../../../kit/overlay/menu.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { useNow } from '../../../kit/time/time.tsx'
import { keptFromKey, PublicNote, SignedOut } from '../../../parts/account-source.tsx'
import { FailureNote, FailurePanel } from '../../../parts/failure-note.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import { WebhookView } from '../webhook-view.tsx'
import styles from './gap.module.css'
import { type Checked, GapFacts, GapReports, summaryOf } from './gap-side.tsx'
import { GapTable } from './gap-table.tsx'

type Span = 'lab' | 'hour' | 'day'
const lengths: Readonly<Record<Span, number | null>> = { lab: null, hour, day }
/** Time between two checks: `soonMs` while events are due, otherwise `laterMs`. The main process reads the service's history far less often. */
const soonMs = 5 * second
const laterMs = 30 * second
/** With more expected events than this, the check runs only on request. */
const fewRows = 1_000

const countTexts: Readonly<Record<GapRow['result'], (count: ReactNode) => ReactNode>> = {
  captured: webhooksText.countCaptured,
  missing: webhooksText.countMissing,
  due: webhooksText.countDue,
  unjudged: webhooksText.countNotJudged,
}

function Summary({ checked }: { readonly checked: Checked }) {
  const { tone, sentence } = summaryOf(checked)
  const { captured, missing, due, unjudged } = checked.counts
  const icon = tone === 'ok' ? 'check' : tone === 'danger' ? 'warn' : tone === 'busy' ? 'hourglass' : 'info'
  const parts = (
    [
      ['captured', captured],
      ['missing', missing],
      ['due', due],
      ['unjudged', unjudged],
    ] as const
  ).filter(([, count]) => count > 0)
  return (
    <div className={styles.gapSum}>
      <p className={styles.gapSays} role="status">
        <State tone={tone} icon={icon}>
          {sentence}
        </State>
      </p>
      <ul className={styles.gapParts} aria-label={webhooksText.counts}>
        {parts.map(([result, count]) => (
          <li key={result}>{countTexts[result](<b>{formatCount(count)}</b>)}</li>
        ))}
      </ul>
      <div className={styles.gapBar} aria-hidden="true">
        {parts.map(([result, count]) => (
          <i key={result} className={styles[result]} style={{ flexGrow: count }} />
        ))}
      </div>
    </div>
  )
}

function NeverOpened() {
  const navigate = useNavigate()
  return (
    <Panel>
      <Empty
        icon="inbox"
        title={webhooksText.labHasNotListened}
        actions={
          <Button variant="primary" icon="play" onClick={() => navigate('webhooks/lab')}>
            {webhooksText.openLab}
          </Button>
        }
      >
        {webhooksText.gapCheckLead}
      </Empty>
    </Panel>
  )
}

/** Finds events that a receiver must have missed, by comparing the account's history with the lab's captures. */
export function GapView() {
  const toast = useToast()
  const [span, setSpan] = useState<Span>('lab')
  const [missingOnly, setMissingOnly] = useState(false)
  const [every, setEvery] = useState<number | false>(soonMs)
  const length = lengths[span]
  const minuteNow = Math.floor(useNow(minute) / minute) * minute
  const sinceMs = length === null ? null : minuteNow - length
  const check = useIpcQuery('gaps.check', { sinceMs }, { every, keepPrevious: true })
  const save = useIpcCommand('gaps.save')
  const renew = useIpcCommand('gaps.renew')
  const { refetch } = check
  // Check again on each visit, because the lab may have captured deliveries since the last check.
  useEffect(() => void refetch(), [refetch])
  const answer = check.data
  const checked = answer?.kind === 'checked' ? answer : null
  const next = checked === null || checked.counts.due > 0 ? soonMs : laterMs
  const wanted = (checked?.counts.expected ?? 0) > fewRows ? false : next
  if (wanted !== every) setEvery(wanted)
  const failure = answer === undefined && check.error !== null ? failureOf(check.error) : null
  const why = keptFromKey(checked?.source)

  const write = (format: 'csv' | 'json') =>
    save.mutate(
      { sinceMs, format, missing: missingOnly },
      {
        onSuccess: ({ state, rows, path }) => {
          if (state === 'saved') toast({ tone: 'ok', title: webhooksText.rowsSaved(rows), text: path ?? '', action: null })
        },
      },
    )
  const rows = (checked?.rows ?? []).filter(({ result }) => !missingOnly || result === 'missing')

  if (failure?.kind === 'no_wallet' || failure?.kind === 'sign_in_required')
    return (
      <WebhookView view="gaps">
        <SignedOut what="webhooks" walletConnected={failure.kind !== 'no_wallet'} />
      </WebhookView>
    )
  return (
    <WebhookView view="gaps">
      {why === null ? null : <PublicNote why={why} />}
      <div className={styles.gapColumns}>
        {answer?.kind === 'never_opened' ? (
          <NeverOpened />
        ) : (
          <section className={cx(panelStyles.panel, styles.gapMain)} aria-labelledby="gap-title">
            <div className={cx(panelStyles.panelHead, panelStyles.ruled)}>
              <h2 id="gap-title">{webhooksText.gapCheck}</h2>
              <Segments
                label={webhooksText.span}
                choices={[
                  { value: 'lab', label: webhooksText.allOfLab },
                  { value: 'hour', label: webhooksText.lastHour },
                  { value: 'day', label: webhooksText.lastDay },
                ]}
                value={span}
                onChange={setSpan}
              />
              <span className={panelStyles.end}>
                <Switch checked={missingOnly} onChange={setMissingOnly}>
                  {webhooksText.missingOnly}
                </Switch>
                <ExportMenu label={webhooksText.export} busy={save.isPending} onExport={write} />
                <IconButton icon="refresh" size="sm" label={webhooksText.checkAgain} busy={check.isFetching} onClick={() => renew.mutate({})} />
              </span>
            </div>
            {save.error === null ? null : <FailureNote failure={failureOf(save.error)} />}
            {check.error !== null && answer !== undefined ? (
              <FailureNote failure={failureOf(check.error)} onRetry={() => void check.refetch()} retrying={check.isFetching} />
            ) : null}
            {failure !== null ? (
              <FailurePanel failure={failure} onRetry={() => void check.refetch()} retrying={check.isFetching} level={3} />
            ) : checked === null ? (
              <Table label={webhooksText.expectedEvents} busy>
                <SkeletonRows rows={6} columns={5} numeric={[]} />
              </Table>
            ) : (
              <>
                <div className={textStyles.answer} aria-busy={check.isPlaceholderData}>
                  <Summary checked={checked} />
                </div>
                {rows.length > 0 ? (
                  <GapTable rows={rows} old={check.isPlaceholderData} />
                ) : missingOnly && checked.rows.length > 0 ? (
                  <Empty
                    icon="check"
                    title={webhooksText.nothingIsMissing}
                    level={3}
                    actions={
                      <Button size="sm" onClick={() => setMissingOnly(false)}>
                        {webhooksText.showAll}
                      </Button>
                    }
                  >
                    {webhooksText.noneMissing(formatCount(checked.counts.expected))}
                  </Empty>
                ) : (
                  <Empty icon="inbox" title={webhooksText.nothingExpected} level={3}>
                    {webhooksText.noHistoryInSpan}
                  </Empty>
                )}
                {checked.counts.expected > checked.rows.length ? (
                  <p className={cx(panelStyles.panelFoot, styles.gapFoot)}>
                    {webhooksText.newestListed(formatCount(checked.rows.length), formatCount(checked.counts.expected))}
                  </p>
                ) : null}
              </>
            )}
          </section>
        )}
        <div className={styles.gapSide}>
          {checked === null ? null : <GapFacts checked={checked} />}
          <GapReports />
        </div>
      </div>
    </WebhookView>
  )
}
