import { useId, useState } from 'react'
import type { ReceiverTestCheck, ReceiverTestRun } from '../../../../shared/ipc/webhooks/receiver-test.ts'
import { alteredText, answeredText, receiverChecks, receiverWhyText } from '../../../../shared/text/receiver-test-text.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import buttonStyles from '../../../kit/button.module.css'
import { Button } from '../../../kit/button.tsx'
import { Chip, type ChipTone } from '../../../kit/chip.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import { Empty } from '../../../kit/layout/placeholders.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { Menu } from '../../../kit/overlay/menu.tsx'
import { useToast } from '../../../kit/overlay/toast.tsx'
import textStyles from '../../../kit/text.module.css'
import { fineDurationText, Time } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote, FailurePanel } from '../../../parts/failure-note.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import styles from './receiver-test.module.css'
import { ReceiverTestSheet } from './receiver-test-sheet.tsx'

/** Tests a webhook receiver with deliveries that the API document promises or warns about. Shows each check's result. */
export function ReceiverTestPanel() {
  const state = useIpcQuery('receiverTest.state', {})
  const start = useIpcCommand('receiverTest.start')
  const stop = useIpcCommand('receiverTest.stop')
  const [setting, setSetting] = useState<'new' | 'again' | null>(null)
  const { setup = null, run = null } = state.data ?? {}
  const runs = run !== null && run.verdict === null
  const again = () => {
    if (setup === null) return setSetting('new')
    // After a restart of the app, the earlier throwaway secret is gone. The receiver needs the new one first, so open the sheet, which offers it.
    if (setup.signWith.kind === 'throwaway' && state.data?.throwaway === false) return setSetting('again')
    // If the user must type the host's name, or if a setting is missing, open the sheet, which asks for it.
    start.mutate({ ...setup, confirmHost: null }, { onError: (error) => belongsInSheet(error) && setSetting('again') })
  }
  const failed = stop.error ?? (start.error === null || belongsInSheet(start.error) ? null : start.error)
  return (
    <Panel
      title={webhooksText.receiverTest}
      count={run === null ? undefined : <VerdictChip run={run} />}
      end={
        runs ? (
          <Button size="xs" icon="x" busy={stop.isPending} onClick={() => stop.mutate({})}>
            {webhooksText.stop}
          </Button>
        ) : run === null ? undefined : (
          <Button size="xs" icon="play" busy={start.isPending} onClick={again}>
            {webhooksText.runAgain}
          </Button>
        )
      }
      foot={run === null || runs ? undefined : <Foot onChange={() => setSetting('new')} />}
      className={styles.receiverTest}
    >
      {state.data === undefined && state.error !== null ? (
        <FailurePanel failure={failureOf(state.error)} onRetry={() => void state.refetch()} retrying={state.isFetching} level={3} />
      ) : state.data === undefined ? null : run === null ? (
        <Empty
          icon="shield-check"
          title={webhooksText.receiverTestQuestion}
          level={3}
          actions={
            <Button size="sm" icon="play" onClick={() => setSetting('new')}>
              {webhooksText.setUpTest}
            </Button>
          }
        >
          {webhooksText.receiverTestLead}
        </Empty>
      ) : (
        <>
          <div className={styles.testAbout}>
            <code className={textStyles.cut} title={run.url}>
              <VisibleText text={run.url} />
            </code>
            <span>
              {run.earlier ? (
                webhooksText.earlierRunAt(<Time ms={run.startedAtMs} />)
              ) : run.endedAtMs === null ? (
                <Time ms={run.startedAtMs} />
              ) : (
                webhooksText.runTook(<Time ms={run.startedAtMs} />, fineDurationText(run.endedAtMs - run.startedAtMs))
              )}
            </span>
          </div>
          {failed === null ? null : <FailureNote failure={failureOf(failed)} />}
          <ol className={styles.testList} aria-label={webhooksText.receiverChecks} key={run.startedAtMs}>
            {run.planned.map((id, at) => {
              const check = run.checks[at]
              return check === undefined ? (
                <WaitingRow key={id} title={receiverChecks[id]} now={at === run.checks.length} />
              ) : (
                <EndedRow key={id} check={check} />
              )
            })}
          </ol>
        </>
      )}
      {setting === null ? null : (
        <ReceiverTestSheet before={setup} again={setting === 'again'} throwaway={state.data?.throwaway === true} onClose={() => setSetting(null)} />
      )}
    </Panel>
  )
}

const belongsInSheet = (error: unknown): boolean => ['bad_input', 'not_found'].includes(failureOf(error).kind)

/** The progress or verdict of a test. Screen readers announce only the verdict, not each step. */
function VerdictChip({ run }: { readonly run: ReceiverTestRun }) {
  const { tone, icon, words } = verdictWords(run)
  return (
    <>
      <Chip tone={tone} icon={icon}>
        {words}
      </Chip>
      <span className={textStyles.screenReaderOnly} role="status">
        {run.verdict === null ? '' : webhooksText.receiverTestEnded(words)}
      </span>
    </>
  )
}

function Foot({ onChange }: { readonly onChange: () => void }) {
  const toast = useToast()
  const save = useIpcCommand('receiverTest.saveReport')
  const saveAs = (format: 'json' | 'markdown') =>
    save.mutate({ format }, { onSuccess: ({ path }) => path !== null && toast({ tone: 'ok', title: webhooksText.reportSaved, text: path, action: null }) })
  return (
    <div className={styles.testFoot}>
      {save.error === null ? null : <FailureNote failure={failureOf(save.error)} />}
      <Button size="xs" variant="ghost" icon="settings" onClick={onChange}>
        {webhooksText.changeSetup}
      </Button>
      <span className={textStyles.grow} />
      <Menu
        label={webhooksText.saveReport}
        align="end"
        entries={[
          { label: webhooksText.asMarkdownForPeople, icon: 'doc', onSelect: () => saveAs('markdown') },
          { label: webhooksText.asJsonForScripts, icon: 'file', onSelect: () => saveAs('json') },
        ]}
        trigger={(props) => (
          <Button size="xs" variant="ghost" icon="download" busy={save.isPending} {...props}>
            {webhooksText.saveReport}
          </Button>
        )}
      />
    </div>
  )
}

type Exchange = ReceiverTestCheck['exchanges'][number]

/** A delivery that a check sent, and the receiver's response. The text of the response is untrusted. */
function ExchangeItem({ exchange: { sent, answered } }: { readonly exchange: Exchange }) {
  const said = answered.status === null ? answeredText(answered) : answered.said
  return (
    <li>
      <p className={styles.testLine}>
        <span className={textStyles.cut}>
          {sent.attempt > 1 ? webhooksText.attemptNumber(<code>{sent.type}</code>, sent.attempt) : <code>{sent.type}</code>}
        </span>
        <span className={styles.testAnswer}>{webhooksText.answeredMs(<b>{answered.status ?? webhooksText.noResponse}</b>, answered.ms)}</span>
      </p>
      <p className={sent.altered === null ? textStyles.muted : undefined}>{asSentence(alteredText(sent.altered))}</p>
      <p className={textStyles.muted}>{webhooksText.sentBytes(<code>{sent.eventId}</code>, <code>{sent.timestampS}</code>, sent.bytes)}</p>
      {said === '' ? null : (
        <p className={styles.testSaid}>
          <code>
            <VisibleText text={said} />
          </code>
        </p>
      )}
    </li>
  )
}

function Opened({ check, id }: { readonly check: ReceiverTestCheck; readonly id: string }) {
  const { exchanges } = check
  return (
    <section id={id} className={styles.testOpen} aria-label={webhooksText.sentFor(receiverChecks[check.id])}>
      <p>{asSentence(receiverWhyText(check))}.</p>
      {exchanges.length === 0 ? (
        <p className={textStyles.muted}>{webhooksText.nothingSentForCheck}</p>
      ) : (
        <ul>
          {exchanges.map((exchange, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same event may be sent twice in one attempt
            <ExchangeItem key={at} exchange={exchange} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** A finished check. The user can expand it to see what was sent and answered. */
function EndedRow({ check }: { readonly check: ReceiverTestCheck }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const look = resultLooks[check.result]
  const answers = answersText(check)
  return (
    <li className={cx(styles.testRow, styles[check.result])}>
      <button type="button" aria-expanded={open} aria-controls={open ? id : undefined} onClick={() => setOpen(!open)}>
        <Icon name={look.icon} size={14} />
        <span className={styles.testWords}>
          <span className={styles.testTitle}>
            <span className={textStyles.screenReaderOnly}>{look.word} </span>
            {receiverChecks[check.id]}
          </span>
          {answers === null ? (
            <span className={tableStyles.sub} title={receiverWhyText(check)}>
              {shortWhy(check)}
            </span>
          ) : null}
        </span>
        {answers === null ? null : <span className={styles.testShort}>{answers}</span>}
        <Icon name="chevron-right" size={12} className={styles.testChevron} />
      </button>
      {open ? <Opened check={check} id={id} /> : null}
    </li>
  )
}

function WaitingRow({ title, now }: { readonly title: string; readonly now: boolean }) {
  return (
    <li className={now ? styles.testRow : cx(styles.testRow, styles.waits)} data-now={now || undefined}>
      <div>
        {now ? <span className={buttonStyles.spin} aria-hidden="true" /> : <span className={styles.testDot} aria-hidden="true" />}
        <span className={cx(styles.testWords, styles.testTitle)}>{title}</span>
        {now ? <span className={styles.testShort}>{webhooksText.beingTried}</span> : null}
      </div>
    </li>
  )
}

interface Verdict {
  readonly tone: ChipTone
  readonly icon: IconName
  readonly words: string
}

/** The text for a test's progress or verdict. A check with an unknown result does not count as passed. */
export function verdictWords({ verdict, checks, planned }: Pick<ReceiverTestRun, 'verdict' | 'checks' | 'planned'>): Verdict {
  const count = (result: ReceiverTestCheck['result']) => checks.filter((check) => check.result === result).length
  const [passed, failed] = [count('passed'), count('failed')]
  const of = planned.length
  if (verdict === null) return { tone: failed === 0 ? 'neutral' : 'warn', icon: 'hourglass', words: webhooksText.checksDone(checks.length, of) }
  if (failed > 0) return { tone: 'warn', icon: 'warn', words: webhooksText.checksPass(passed, of) }
  if (verdict === 'stopped') return { tone: 'neutral', icon: 'pause', words: webhooksText.stoppedAfter(passed) }
  return passed === of
    ? { tone: 'ok', icon: 'check', words: webhooksText.allPass }
    : { tone: 'neutral', icon: 'unknown', words: webhooksText.passAndUnknown(passed, of - passed) }
}

const resultLooks: Readonly<Record<ReceiverTestCheck['result'], { readonly icon: IconName; readonly word: string }>> = {
  passed: { icon: 'check', word: webhooksText.checkPassed },
  failed: { icon: 'x', word: webhooksText.checkFailed },
  unknown: { icon: 'unknown', word: webhooksText.checkUnknown },
}

const asSentence = (words: string): string => (/^\w+\.\w/.test(words) ? words : `${words.charAt(0).toUpperCase()}${words.slice(1)}`)

/** Sums up the responses of a passed check in two words; `null` if two words are not enough. */
export function answersText({ result, exchanges }: Pick<ReceiverTestCheck, 'result' | 'exchanges'>): string | null {
  const forged = exchanges.filter(({ sent }) => sent.altered !== null)
  const shown = (forged.length === 0 ? exchanges : forged).map(({ answered }) => answered)
  const statuses = [...new Set(shown.map(({ status }) => status ?? webhooksText.noStatus))]
  const [first] = shown
  if (result !== 'passed' || first === undefined) return null
  if (forged.length > 0) return statuses.join(', ')
  const [status = webhooksText.noStatus, ...others] = statuses
  if (shown.length === 1) return webhooksText.statusInMs(status, first.ms)
  return others.length === 0 ? webhooksText.statusTimes(shown.length, status) : null
}

/** Explains a check's result. Leaves out what was sent, because the check's title names it. */
export function shortWhy(check: Pick<ReceiverTestCheck, 'id' | 'result' | 'why'>): string {
  const why = receiverWhyText(check)
  return asSentence(check.result === 'failed' ? why.slice(why.indexOf(': ') + 1).trim() : why)
}
