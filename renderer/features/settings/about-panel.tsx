import { clockDistanceText, isClockFar } from '../../../shared/attention.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Panel, Row, Rows } from '../../kit/layout/panel.tsx'
import { State } from '../../kit/layout/state.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { helpText } from '../../text/en/help.en.tsx'
import { settingsText } from '../../text/en/settings.en.tsx'
import styles from './settings.module.css'

const keychain = {
  ready: { tone: 'ok', icon: 'check', words: settingsText.ready },
  locked: { tone: 'warn', icon: 'lock', words: settingsText.locked },
  unavailable: { tone: 'danger', icon: 'stop', words: settingsText.unavailable },
  unknown: { tone: 'off', icon: 'unknown', words: settingsText.notCheckedYet },
} as const

const journal = {
  ready: { tone: 'ok', icon: 'check', words: settingsText.ready },
  rebuilt: { tone: 'warn', icon: 'warn', words: settingsText.rebuiltAfterDamage },
  memory_only: { tone: 'danger', icon: 'stop', words: settingsText.inMemoryOnly },
} as const

export function AboutPanel() {
  const navigate = useNavigate()
  const info = useIpcQuery('app.info', {})
  const health = useIpcQuery('app.health', {})
  const practice = useIpcQuery('practice.status', {})
  const accept = useIpcCommand('app.acceptRebuiltJournal')
  const offsetMs = useIpcQuery('app.clock', {}).data?.offsetMs ?? null
  const far = offsetMs !== null && isClockFar(offsetMs)
  return (
    <div id="settings-about">
      <Panel
        title={settingsText.about}
        end={
          <>
            <Button size="sm" icon="doc" onClick={() => navigate('help/about/licences')}>
              {helpText.licences}
            </Button>
            <Button size="sm" icon="send" onClick={() => navigate('help/about/report')}>
              {helpText.reportProblem}
            </Button>
          </>
        }
      >
        <Rows ruled className={styles.settingsRows}>
          <Row name={settingsText.version}>{info.data === undefined ? '—' : <span translate="no">{`${info.data.version}, ${info.data.platform}`}</span>}</Row>
          <Row name={settingsText.runsIn}>{info.data === undefined ? '—' : info.data.host === 'electron' ? settingsText.electron : settingsText.chromium}</Row>
          <Row name={settingsText.systemKeychain}>
            {health.data === undefined ? (
              '—'
            ) : (
              <State tone={keychain[health.data.keychain].tone} icon={keychain[health.data.keychain].icon}>
                {keychain[health.data.keychain].words}
              </State>
            )}
          </Row>
          <Row name={settingsText.journal}>
            {health.data === undefined ? (
              '—'
            ) : (
              <State tone={journal[health.data.journal].tone} icon={journal[health.data.journal].icon}>
                {journal[health.data.journal].words}
              </State>
            )}
            {health.data?.journal === 'rebuilt' ? (
              <Button size="xs" busy={accept.isPending} onClick={() => accept.mutate({})}>
                {settingsText.allowOrders}
              </Button>
            ) : null}
          </Row>
          <Row name={settingsText.clock}>
            {offsetMs === null ? (
              '—'
            ) : (
              <State tone={far ? 'warn' : 'ok'} icon={far ? 'warn' : 'check'}>
                {Math.abs(offsetMs) < second
                  ? settingsText.clockInSync
                  : (offsetMs > 0 ? settingsText.behindExchange : settingsText.aheadOfExchange)(clockDistanceText(offsetMs))}
              </State>
            )}
          </Row>
          {practice.data?.hostUrl ? (
            <Row name={settingsText.practiceHost}>
              <code>{practice.data.hostUrl}</code> <CopyButton text={practice.data.hostUrl} what={settingsText.practiceAddress} />
            </Row>
          ) : null}
        </Rows>
        {far ? (
          <div className={styles.settingsNote}>
            <Note tone="warn" title={settingsText.setClock}>
              {settingsText.setClockHelp}
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
