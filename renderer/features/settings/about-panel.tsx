import { clockDifferenceText, isClockFar } from '../../../shared/clock-difference.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Panel, Row, Rows } from '../../kit/layout/panel.tsx'
import { State } from '../../kit/layout/state.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import styles from './settings.module.css'

const keychain = {
  ready: { tone: 'ok', icon: 'check', words: 'Ready' },
  locked: { tone: 'warn', icon: 'lock', words: 'Locked' },
  unavailable: { tone: 'danger', icon: 'stop', words: 'Not there' },
  unknown: { tone: 'off', icon: 'unknown', words: 'Not asked yet' },
} as const

const journal = {
  ready: { tone: 'ok', icon: 'check', words: 'Ready' },
  rebuilt: { tone: 'warn', icon: 'warn', words: 'Rebuilt after damage' },
  memory_only: { tone: 'danger', icon: 'stop', words: 'In memory only' },
} as const

export function AboutPanel() {
  const info = useDeskQuery('app.info', {})
  const health = useDeskQuery('app.health', {})
  const practice = useDeskQuery('practice.status', {})
  const accept = useDeskCommand('app.acceptRebuiltJournal')
  const offsetMs = useDeskQuery('app.clock', {}).data?.offsetMs ?? null
  const far = offsetMs !== null && isClockFar(offsetMs)
  return (
    <div id="settings-about">
      <Panel title="About">
        <Rows ruled className={styles.settingsRows}>
          <Row name="Version">{info.data === undefined ? '—' : `${info.data.version}, ${info.data.platform}`}</Row>
          <Row name="Runs in">{info.data === undefined ? '—' : info.data.host === 'electron' ? 'Electron' : 'Chromium, in the place of Electron'}</Row>
          <Row name="System keychain">
            {health.data === undefined ? (
              '—'
            ) : (
              <State tone={keychain[health.data.keychain].tone} icon={keychain[health.data.keychain].icon}>
                {keychain[health.data.keychain].words}
              </State>
            )}
          </Row>
          <Row name="Journal">
            {health.data === undefined ? (
              '—'
            ) : (
              <State tone={journal[health.data.journal].tone} icon={journal[health.data.journal].icon}>
                {journal[health.data.journal].words}
              </State>
            )}
            {health.data?.journal === 'rebuilt' ? (
              <Button size="xs" busy={accept.isPending} onClick={() => accept.mutate({})}>
                Allow new orders again
              </Button>
            ) : null}
          </Row>
          <Row name="This computer’s clock">
            {offsetMs === null ? (
              '—'
            ) : (
              <State tone={far ? 'warn' : 'ok'} icon={far ? 'warn' : 'check'}>
                {Math.abs(offsetMs) < second ? 'In step with the exchange' : `${clockDifferenceText(offsetMs)} the exchange`}
              </State>
            )}
          </Row>
          {practice.data?.hostUrl ? (
            <Row name="Practice exchange, for bots">
              <code>{practice.data.hostUrl}</code> <CopyButton text={practice.data.hostUrl} what="practice address" />
            </Row>
          ) : null}
        </Rows>
        {far ? (
          <div className={styles.settingsNote}>
            <Note tone="warn" title="Set this computer’s clock.">
              Let the system set the time by itself. Until then times here follow the exchange, so deadlines are right, but connecting a wallet may fail.
            </Note>
          </div>
        ) : null}
        {accept.error === null ? null : (
          <div className={styles.settingsNote}>
            <FailureNote failure={failureOf(accept.error)} />
          </div>
        )}
      </Panel>
    </div>
  )
}
