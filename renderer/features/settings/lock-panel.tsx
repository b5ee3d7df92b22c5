import { useState } from 'react'
import type { LockChoice } from '../../../shared/ipc/host/lock.ts'
import { lockMinutes } from '../../../shared/lock-limits.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { Switch } from '../../kit/checkbox.tsx'
import { lockKeys } from '../../kit/layout/commands.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import { State } from '../../kit/layout/state.tsx'
import { Segments } from '../../kit/layout/tabs.tsx'
import textStyles from '../../kit/text.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'
import { PassphraseSheet, type PassphraseTask } from './passphrase-sheet.tsx'
import styles from './settings.module.css'

type After = `${(typeof lockMinutes)[number]}` | 'never'

const afters: readonly { readonly value: After; readonly label: string }[] = [
  { value: '1', label: '1 min' },
  { value: '5', label: '5 min' },
  { value: '15', label: '15 min' },
  { value: '60', label: '1 h' },
  { value: 'never', label: 'Never' },
]
const minutesOf = (after: After): LockChoice['afterMinutes'] => lockMinutes.find((minutes) => String(minutes) === after) ?? null

/** The lock in the settings: off until a passphrase is set. */
export function LockPanel() {
  const choice = useDeskQuery('lock.choice', {})
  const choose = useDeskCommand('lock.choose')
  const lock = useDeskCommand('lock.now')
  const [task, setTask] = useState<PassphraseTask | null>(null)
  const chosen = choice.data ?? null
  return (
    <div id="settings-lock">
      <Panel
        title="Lock"
        padded
        end={
          choice.data === undefined ? null : chosen === null ? (
            <State tone="off" icon="lock">
              Off
            </State>
          ) : (
            <State tone="ok" icon="lock">
              On
            </State>
          )
        }
      >
        {chosen === null ? (
          <div className={styles.settingsLine}>
            <div className={textStyles.grow}>
              <b>Passphrase</b>
              <p>With one, Svc Desk shows nothing and does nothing for whoever sits down here while it is locked.</p>
            </div>
            <Button disabled={choice.data === undefined} onClick={() => setTask('set')}>
              Set a passphrase
            </Button>
          </div>
        ) : (
          <Chosen choice={chosen} onChoose={choose.mutate} onLock={() => lock.mutate({})} onTask={setTask} />
        )}
        {choose.error === null ? null : <FailureNote failure={failureOf(choose.error)} />}
        <p className={styles.lockTruth}>
          The lock keeps people away from the open app. It does not protect the system keychain from other programs of yours, and whoever can use your account
          of this computer can take it away by deleting <code>lock.json</code> in the data folder.
        </p>
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
  const { afterMinutes, withScreen } = choice
  const platform = useDeskQuery('app.info', {}).data?.platform
  const after: After = afterMinutes === null ? 'never' : `${afterMinutes}`
  return (
    <>
      <div className={styles.settingsLine}>
        <div className={textStyles.grow}>
          <b>Without input</b>
          <p>
            {afterMinutes === null
              ? 'It does not lock by itself, however long nobody is here.'
              : 'Keys and pointer in this window count, and a request on your phone.'}
          </p>
        </div>
        <Segments
          label="Lock after so long without input"
          choices={afters}
          value={after}
          onChange={(next) => onChoose({ afterMinutes: minutesOf(next), withScreen })}
          size="md"
        />
      </div>
      <div className={styles.settingsLine}>
        <div className={textStyles.grow}>
          <b>With the computer</b>
          <p>
            {/* Electron has the event on macOS and Windows alone. */}
            {platform === 'linux'
              ? 'When it sleeps. On Linux Svc Desk is not told when the screen locks: choose a time above as well.'
              : 'When the screen locks or the computer sleeps.'}
          </p>
        </div>
        <Switch checked={withScreen} onChange={(next) => onChoose({ afterMinutes, withScreen: next })}>
          Lock with it
        </Switch>
      </div>
      <div className={styles.settingsLine}>
        <div className={textStyles.grow}>
          <b>By hand</b>
          <p>Also in the menu and among the commands.</p>
        </div>
        <Button icon="lock" kbd={lockKeys} onClick={onLock}>
          Lock now
        </Button>
      </div>
      <div className={styles.settingsLine}>
        <div className={textStyles.grow}>
          <b>Passphrase</b>
          <p>Asked for when Svc Desk starts, too.</p>
        </div>
        <Button variant="ghost" onClick={() => onTask('remove')}>
          Turn off
        </Button>
        <Button onClick={() => onTask('change')}>Change</Button>
      </div>
    </>
  )
}
