import { useState } from 'react'
import { lockMinutes } from '../../../shared/input-limits.ts'
import type { LockChoice } from '../../../shared/ipc/host/lock.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { Switch } from '../../kit/checkbox.tsx'
import { hintOf } from '../../kit/key-bindings.ts'
import { Panel } from '../../kit/layout/panel.tsx'
import { State } from '../../kit/layout/state.tsx'
import { Segments } from '../../kit/layout/tabs.tsx'
import textStyles from '../../kit/text.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'
import { HelpButton } from '../../parts/help/help-link.tsx'
import { settingsText } from '../../text/en/settings.en.tsx'
import { PassphraseSheet, type PassphraseTask } from './passphrase-sheet.tsx'
import styles from './settings.module.css'

type After = `${(typeof lockMinutes)[number]}` | 'never'

const afters: readonly { readonly value: After; readonly label: string }[] = [
  { value: '1', label: settingsText.oneMinute },
  { value: '5', label: settingsText.fiveMinutes },
  { value: '15', label: settingsText.fifteenMinutes },
  { value: '60', label: settingsText.oneHour },
  { value: 'never', label: settingsText.never },
]
const minutesOf = (after: After): LockChoice['afterMinutes'] => lockMinutes.find((minutes) => String(minutes) === after) ?? null

/** The lock settings: off until a passphrase is set. */
export function LockPanel() {
  const choice = useIpcQuery('lock.choice', {})
  const choose = useIpcCommand('lock.choose')
  const lock = useIpcCommand('lock.now')
  const [task, setTask] = useState<PassphraseTask | null>(null)
  const chosen = choice.data ?? null
  return (
    <div id="settings-lock">
      <Panel
        title={settingsText.lock}
        padded
        end={
          <>
            {choice.data === undefined ? null : chosen === null ? (
              <State tone="off" icon="lock">
                {settingsText.off}
              </State>
            ) : (
              <State tone="ok" icon="lock">
                {settingsText.on}
              </State>
            )}
            <HelpButton topic="settings/lock" />
          </>
        }
      >
        {chosen === null ? (
          <div className={styles.settingsLine}>
            <div className={textStyles.grow}>
              <b>{settingsText.passphrase}</b>
              <p>{settingsText.lockLead}</p>
            </div>
            <Button disabled={choice.data === undefined} onClick={() => setTask('set')}>
              {settingsText.setPassphrase}
            </Button>
          </div>
        ) : (
          <Chosen choice={chosen} onChoose={choose.mutate} onLock={() => lock.mutate({})} onTask={setTask} />
        )}
        {choose.error === null ? null : <FailureNote failure={failureOf(choose.error)} />}
        <p className={styles.lockTruth}>{settingsText.lockTruth(<code>lock.json</code>)}</p>
      </Panel>
      {task === null ? null : <PassphraseSheet task={task} onClose={() => setTask(null)} />}
    </div>
  )
}

interface ChosenProps {
  readonly choice: LockChoice
  readonly onChoose: (choice: LockChoice) => void
  readonly onLock: () => void
  readonly onTask: (task: PassphraseTask) => void
}

function Chosen({ choice, onChoose, onLock, onTask }: ChosenProps) {
  const { afterMinutes, withScreen, touchId } = choice
  const info = useIpcQuery('app.info', {}).data
  const after: After = afterMinutes === null ? 'never' : `${afterMinutes}`
  return (
    <>
      <div className={styles.settingsLine}>
        <div className={textStyles.grow}>
          <b>{settingsText.whenIdle}</b>
          <p>{afterMinutes === null ? settingsText.idleNeverLocks : settingsText.idleHelp}</p>
        </div>
        <Segments
          label={settingsText.lockAfter}
          choices={afters}
          value={after}
          onChange={(next) => onChoose({ ...choice, afterMinutes: minutesOf(next) })}
          size="md"
        />
      </div>
      <div className={styles.settingsLine}>
        <div className={textStyles.grow}>
          <b>{settingsText.withTheComputer}</b>
          <p>{info?.seesScreenLock === false ? settingsText.locksOnSleep : settingsText.locksOnScreen}</p>
        </div>
        <Switch checked={withScreen} onChange={(next) => onChoose({ ...choice, withScreen: next })}>
          {settingsText.lockWithComputer}
        </Switch>
      </div>
      {touchId || info?.hasTouchId === true ? (
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b>{settingsText.touchId}</b>
            <p>{settingsText.touchIdHelp}</p>
          </div>
          <Switch checked={touchId} onChange={(next) => onChoose({ ...choice, touchId: next })}>
            {settingsText.unlockWithTouchId}
          </Switch>
        </div>
      ) : null}
      <div className={styles.settingsLine}>
        <div className={textStyles.grow}>
          <b>{settingsText.manually}</b>
          <p>{settingsText.lockNowHelp}</p>
        </div>
        <Button icon="lock" kbd={hintOf('lock')} onClick={onLock}>
          {settingsText.lockNow}
        </Button>
      </div>
      <div className={styles.settingsLine}>
        <div className={textStyles.grow}>
          <b>{settingsText.passphrase}</b>
          <p>{settingsText.passphraseAtStart}</p>
        </div>
        <Button variant="ghost" onClick={() => onTask('remove')}>
          {settingsText.turnOff}
        </Button>
        <Button onClick={() => onTask('change')}>{settingsText.change}</Button>
      </div>
    </>
  )
}
