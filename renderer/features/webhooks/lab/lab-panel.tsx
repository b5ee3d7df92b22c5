import { useState } from 'react'
import { formatCount } from '../../../../shared/decimal.ts'
import type { Failure } from '../../../../shared/ipc/failure.ts'
import type { LabAnswer, LabState, LabSubject } from '../../../../shared/ipc/webhooks/receiver-lab.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import { useNavigate, usePlace } from '../../../kit/layout/navigation.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import panelStyles from '../../../kit/layout/panel.module.css'
import { Empty, SkeletonRows } from '../../../kit/layout/placeholders.tsx'
import { Table } from '../../../kit/layout/table.tsx'
import marksStyles from '../../../kit/marks.module.css'
import { Menu } from '../../../kit/overlay/menu.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote, FailurePanel } from '../../../parts/failure-note.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import styles from './lab.module.css'
import { LabEventSheet } from './lab-event-sheet.tsx'
import { LabSetupSheet, placeOf, usualPlace } from './lab-setup-sheet.tsx'
import { LabTable } from './lab-table.tsx'
import { answerChoice, countWords, goneWords, settingsWords, shortAddress } from './lab-words.ts'

const answers: readonly LabAnswer[] = [
  { kind: 'fixed', status: 200, delayS: 0 },
  { kind: 'fixed', status: 500, delayS: 0 },
  { kind: 'fixed', status: 200, delayS: 5 },
]
const answerNotes: readonly string[] = [webhooksText.markAccepted, webhooksText.failedRetried, webhooksText.tooLateRetried]

function AnswerMenu({ state }: { readonly state: LabState }) {
  const answer = useIpcCommand('lab.answer')
  if (state.settings === null) return null
  const { answer: now, forwardTo } = state.settings
  const choices = [...answers, ...(forwardTo === null ? [] : [{ kind: 'forwarded' } as const])]
  return (
    <Menu
      label={webhooksText.answerDeliveriesWith}
      align="end"
      trigger={(props) => (
        <Button size="xs" variant="ghost" icon="chevron-down" {...props}>
          {answerChoice(now)}
        </Button>
      )}
      entries={choices.map((choice, index) => ({
        label: answerChoice(choice),
        note: answerNotes[index] ?? webhooksText.endpointFailuresRetried,
        checked: JSON.stringify(choice) === JSON.stringify(now),
        onSelect: () => answer.mutate(choice),
      }))}
    />
  )
}

interface HeadProps {
  readonly state: LabState
  /** Opens the lab's settings. `gone`: the signing secret of the lab's webhook is no longer on this computer. */
  readonly onSetup: (gone: boolean) => void
}

function Head({ state, onSetup }: HeadProps) {
  const pause = useIpcCommand('lab.pause')
  const resume = useIpcCommand('lab.resume')
  const clear = useIpcCommand('lab.clear')
  const { status, url, settings } = state
  const listening = status === 'listening'
  const failed = resume.error === null || listening ? null : failureOf(resume.error)
  const failure = failed === null || isGone(failed) ? null : failed
  const listen = () => {
    if (settings?.signed === false) return onSetup(true)
    resume.mutate({}, { onError: (error) => isGone(failureOf(error)) && onSetup(true) })
  }
  return (
    <>
      <div className={cx(panelStyles.panelHead, panelStyles.ruled, styles.labHead)}>
        <h2 id="lab-title">{webhooksText.receiverLab}</h2>
        {status === 'closed' ? null : (
          <span className={listening ? cx(marksStyles.chip, marksStyles.ok) : marksStyles.chip} role="status">
            <span className={listening ? cx(marksStyles.dot, marksStyles.ok) : cx(marksStyles.dot, marksStyles.off)} />
            {listening ? webhooksText.listening : webhooksText.paused}
          </span>
        )}
        {url === null ? null : (
          <span className={styles.labUrl}>
            <code title={url}>{shortAddress(url)}</code>
            <CopyButton text={url} what={webhooksText.address} />
          </span>
        )}
        {status === 'closed' ? null : (
          <span className={panelStyles.end}>
            <span className={panelStyles.count}>{countWords(state)}</span>
            <AnswerMenu state={state} />
            {listening ? (
              <Button size="xs" icon="pause" busy={pause.isPending} onClick={() => pause.mutate({})}>
                {webhooksText.pause}
              </Button>
            ) : (
              <Button size="xs" icon="play" busy={resume.isPending} onClick={listen}>
                {webhooksText.listen}
              </Button>
            )}
            <Menu
              label={webhooksText.lab}
              align="end"
              trigger={(props) => <IconButton icon="more" size="xs" label={webhooksText.moreLabActions} {...props} />}
              entries={[
                { label: webhooksText.settings, icon: 'settings', onSelect: () => onSetup(settings?.signed === false && !listening) },
                { label: webhooksText.clear, icon: 'trash', disabled: state.rows === 0, onSelect: () => clear.mutate({}) },
              ]}
            />
          </span>
        )}
      </div>
      {failure === null ? null : <FailureNote failure={failure} onRetry={() => onSetup(false)} />}
      {state.astray === null || state.rows > 0 ? null : (
        <div className={styles.labAstray}>
          <Note tone="warn" title={webhooksText.deliveryToOtherPath} live>
            {webhooksText.otherPathAnswered404(
              <code>
                <VisibleText text={state.astray.path} />
              </code>,
              <code>{settings?.path}</code>,
            )}
          </Note>
        </div>
      )}
    </>
  )
}

const isGone = (failure: Failure): boolean => failure.kind === 'not_found'

const Legend = ({ dropped }: Pick<LabState, 'dropped'>) => (
  <div className={cx(panelStyles.panelFoot, styles.labFoot)}>
    <span className={styles.labLegend}>
      <i className={cx(styles.labMark, styles.taken)} />
      {webhooksText.accepted}
    </span>
    <span className={styles.labLegend}>
      <i className={cx(styles.labMark, styles.failed)} />
      {webhooksText.failed}
    </span>
    <span className={styles.labLegend}>
      <i className={cx(styles.labMark, styles.refused)} />
      {webhooksText.refusedCorrectly}
    </span>
    <span className={styles.labLegend}>
      <i className={cx(styles.labMark, styles.duplicate)} />
      {webhooksText.duplicateIgnored}
    </span>
    <span className={styles.labLegend}>
      <i className={styles.labBar} />
      {webhooksText.noResponseYet}
    </span>
    <span className={styles.labLegend}>
      <i className={styles.labWait} />
      {webhooksText.retryWaits}
    </span>
    {dropped === 0 ? null : <span className={styles.labGone}>{webhooksText.olderDropped(formatCount(dropped))}</span>}
  </div>
)

/** The receiver lab: its address, and the received events on a time axis, each with its outcome. */
export function LabPanel() {
  const lab = useIpcQuery('lab.state', {})
  const { rest } = usePlace()
  const [, linked] = rest
  const [opened, setOpened] = useState<LabSubject | null>(linked === undefined ? null : { kind: 'event', id: linked })
  const [settingUp, setSettingUp] = useState<'new' | 'gone' | null>(null)
  const setUp = (gone: boolean) => setSettingUp(gone ? 'gone' : 'new')
  const state = lab.data
  return (
    <section className={cx(panelStyles.panel, styles.lab)} aria-labelledby="lab-title">
      {state === undefined ? (
        <>
          <div className={cx(panelStyles.panelHead, panelStyles.ruled)}>
            <h2 id="lab-title">{webhooksText.receiverLab}</h2>
          </div>
          {lab.error === null ? (
            <Table label={webhooksText.capturedEvents} busy>
              <SkeletonRows rows={6} columns={4} />
            </Table>
          ) : (
            <FailurePanel failure={failureOf(lab.error)} onRetry={() => void lab.refetch()} retrying={lab.isFetching} level={3} />
          )}
        </>
      ) : (
        <>
          <Head state={state} onSetup={setUp} />
          {state.rows === 0 ? (
            <div className={styles.labNone}>
              <LabEmpty state={state} onSetup={setUp} />
            </div>
          ) : (
            <>
              <LabTable total={state.rows} onOpen={setOpened} />
              <Legend dropped={state.dropped} />
            </>
          )}
          {settingUp === null ? null : <LabSetupSheet state={state} gone={settingUp === 'gone'} onClose={() => setSettingUp(null)} />}
          {opened === null ? null : (
            <LabEventSheet
              key={opened.kind === 'event' ? opened.id : opened.number}
              subject={opened}
              state={state}
              onOpen={setOpened}
              onClose={() => setOpened(null)}
            />
          )}
        </>
      )}
    </section>
  )
}

function LabEmpty({ state, onSetup }: { readonly state: LabState; readonly onSetup: (gone: boolean) => void }) {
  const navigate = useNavigate()
  const kept = useIpcQuery('webhooks.kept', {})
  const profiles = useIpcQuery('profiles.list', {})
  const practice = profiles.data?.profiles.find((one) => one.id === profiles.data.activeId)?.kind === 'practice'
  const { settings, url, earlier } = state
  const here = url ?? `http://127.0.0.1:${usualPlace.port}${usualPlace.path}`
  const gone = settings?.signed === false && state.status !== 'listening'
  if (settings !== null && !gone && earlier)
    return (
      <Empty icon="pause" title={webhooksText.pausedSinceAppClosed} level={3}>
        {webhooksText.resumeListening(<code>{settings.webhookUrl}</code>, settingsWords(settings))}
      </Empty>
    )
  if (settings !== null && !gone)
    return (
      <Empty icon="inbox" title={state.status === 'listening' ? webhooksText.waitingForFirstDelivery : webhooksText.nothingWasCaptured} level={3}>
        {placeOf(settings.webhookUrl) === null
          ? webhooksText.pointTunnel(<code>{settings.webhookUrl}</code>, <code>{url}</code>)
          : webhooksText.practiceDelivers(<code>{settings.webhookUrl}</code>)}
      </Empty>
    )
  const none = kept.data?.length === 0
  return (
    <Empty
      icon={gone ? 'key' : 'inbox'}
      title={gone ? webhooksText.itsWebhookIsGone : webhooksText.labTitle}
      level={3}
      actions={
        none ? (
          <Button
            variant="primary"
            icon="plus"
            onClick={() => navigate(practice ? `webhooks/new?to=lab&url=${encodeURIComponent(here)}` : 'webhooks/new?to=lab')}
          >
            {practice ? webhooksText.newWebhookToThisComputer : webhooksText.newWebhook}
          </Button>
        ) : (
          <>
            <Button variant="primary" icon={gone ? 'webhook' : 'play'} onClick={() => onSetup(gone)}>
              {gone ? webhooksText.chooseAWebhook : webhooksText.listen}
            </Button>
            {practice ? (
              <Button icon="plus" onClick={() => navigate(`webhooks/new?to=lab&url=${encodeURIComponent(here)}`)}>
                {webhooksText.newWebhookHere}
              </Button>
            ) : null}
          </>
        )
      }
    >
      {gone ? goneWords(state) : practice ? webhooksText.practiceLabLead(<code>{here}</code>) : webhooksText.labLead}
    </Empty>
  )
}
