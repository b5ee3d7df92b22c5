import { clockDifferenceText, isClockFar } from '../../../shared/clock-difference.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Panel, Row, Rows } from '../../kit/layout/panel.tsx'
import { State } from '../../kit/layout/state.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { settingsText } from '../../text/en/settings.en.tsx'
import styles from './settings.module.css'

const keychain = {
  ready: { tone: 'ok', icon: 'check', words: settingsText.ready },
  locked: { tone: 'warn', icon: 'lock', words: settingsText.locked },
  unavailable: { tone: 'danger', icon: 'stop', words: settingsText.notThere },
  unknown: { tone: 'off', icon: 'unknown', words: settingsText.notAskedYet },
} as const

const journal = {
  ready: { tone: 'ok', icon: 'check', words: settingsText.ready },
  rebuilt: { tone: 'warn', icon: 'warn', words: settingsText.rebuiltAfterDamage },
  memory_only: { tone: 'danger', icon: 'stop', words: settingsText.inMemoryOnly },
} as const

export function AboutPanel() {
  const info = useIpcQuery('app.info', {})
  const health = useIpcQuery('app.health', {})
  const practice = useIpcQuery('practice.status', {})
  const accept = useIpcCommand('app.acceptRebuiltJournal')
  const offsetMs = useIpcQuery('app.clock', {}).data?.offsetMs ?? null
  const far = offsetMs !== null && isClockFar(offsetMs)
  return (
    <div id="settings-about">
      <Panel title={settingsText.about}>
        <Rows ruled className={styles.settingsRows}>
          <Row name="Version">{info.data === undefined ? '—' : `${info.data.version}, ${info.data.platform}`}</Row>
          <Row name="Runs in">
            {info.data === undefined ? '—' : info.data.host === 'electron' ? settingsText.electron : settingsText.chromiumInThePlaceOfElectron}
          </Row>
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
                {settingsText.allowNewOrdersAgain}
              </Button>
            ) : null}
          </Row>
          <Row name="This computer’s clock">
            {offsetMs === null ? (
              '—'
            ) : (
              <State tone={far ? 'warn' : 'ok'} icon={far ? 'warn' : 'check'}>
                {Math.abs(offsetMs) < second ? settingsText.inStepWithTheExchange : settingsText.theExchange(clockDifferenceText(offsetMs))}
              </State>
            )}
          </Row>
          {practice.data?.hostUrl ? (
            <Row name="Practice exchange, for bots">
              <code>{practice.data.hostUrl}</code> <CopyButton text={practice.data.hostUrl} what={settingsText.practiceAddress} />
            </Row>
          ) : null}
        </Rows>
        {far ? (
          <div className={styles.settingsNote}>
            <Note tone="warn" title={settingsText.setThisComputersClock}>
              {settingsText.letTheSystemSetTheTimeBy}
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
