import { clockDistanceText, isClockFar } from '../../../shared/attention.ts'
import type { UpdateIssue, UpdateOutcome, UpdateState, UpdateWait } from '../../../shared/ipc/host/app.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { Switch } from '../../kit/checkbox.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Panel, Row, Rows } from '../../kit/layout/panel.tsx'
import { State } from '../../kit/layout/state.tsx'
import textStyles from '../../kit/text.module.css'
import { Time } from '../../kit/time/time.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { HelpButton } from '../../parts/help/help-link.tsx'
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

const outcomes: Readonly<Record<UpdateOutcome, string>> = {
  newer: settingsText.updateFound,
  current: settingsText.newestVersion,
  unreachable: settingsText.updatesUnreachable,
  unreadable: settingsText.updateUnreadable,
  unsigned: settingsText.updateUnsigned,
  other_app: settingsText.updateOtherApp,
  rollback: settingsText.updateRollback,
  stale: settingsText.updateStale,
  clock_behind: settingsText.updateClock,
  no_file: settingsText.updateNoFile,
}

/** The outcomes of a look for updates that need no warning. Every other outcome means that the app refused what the server sent. */
const plain: ReadonlySet<UpdateOutcome> = new Set<UpdateOutcome>(['newer', 'current', 'unreachable', 'no_file'])

const waiting: Readonly<Record<UpdateWait, string>> = {
  wallet: settingsText.waitsForWallet,
  order: settingsText.waitsForOrder,
  bulk_action: settingsText.waitsForBulkAction,
  revoke_all: settingsText.waitsForRevocation,
  replacement: settingsText.waitsForReplacement,
  lab: settingsText.waitsForLab,
}

const issues: Readonly<Record<UpdateIssue, string>> = {
  incomplete: settingsText.downloadIncomplete,
  changed: settingsText.downloadChanged,
  no_space: settingsText.downloadNoSpace,
  not_allowed: settingsText.downloadNotAllowed,
  disk: settingsText.downloadDisk,
}

const sizeText = (bytes: number): string => settingsText.megabytes((bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 }))

export function UpdatesPanel() {
  const version = useIpcQuery('app.info', {}).data?.version
  const settings = useIpcQuery('app.settings', {})
  // The work that an update waits for may end without an event, for example when an order ends. So the panel asks again every 3 seconds.
  const updates = useIpcQuery('updates.state', {}, { every: 3 * second }).data
  const save = useIpcCommand('app.saveSettings')
  const check = useIpcCommand('updates.check')
  if (updates === undefined) return <div id="settings-updates" />
  const { off, checked, offer } = updates
  const refused = checked !== null && !plain.has(checked.outcome) ? checked.outcome : null
  return (
    <div id="settings-updates">
      <Panel title={settingsText.updates} padded end={<HelpButton topic="settings/updates" />}>
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b translate="no">{`Svc Desk ${version ?? ''}`}</b>
            <p>
              {off === 'source' ? (
                settingsText.updatesFromSource
              ) : off === 'no_address' ? (
                settingsText.noUpdateAddress
              ) : checked === null ? (
                settingsText.neverChecked
              ) : (
                <>
                  {outcomes[checked.outcome]} {settingsText.checked(<Time ms={checked.atMs} />)}
                </>
              )}
            </p>
          </div>
          {off === null ? (
            <Button icon="refresh" busy={check.isPending} disabled={updates.download.state === 'running'} onClick={() => check.mutate({})}>
              {settingsText.checkNow}
            </Button>
          ) : null}
        </div>
        {refused === null ? null : (
          <Note tone={refused === 'clock_behind' ? 'warn' : 'danger'} title={settingsText.updateRefused} live>
            {settingsText.updateRefusedHelp}
          </Note>
        )}
        {offer === null ? null : <UpdateOffer offer={offer} updates={updates} />}
        {off === null ? (
          <div className={styles.settingsLine}>
            <div className={textStyles.grow}>
              <b>{settingsText.automaticUpdates}</b>
              <p>{settingsText.automaticUpdatesHelp}</p>
            </div>
            <Switch checked={settings.data?.looksForUpdates === true} onChange={(looksForUpdates) => save.mutate({ looksForUpdates })}>
              {settingsText.lookForUpdates}
            </Switch>
          </div>
        ) : null}
        {[check.error, save.error].map((error) => (error === null ? null : <FailureNote key={error.message} failure={failureOf(error)} />))}
      </Panel>
    </div>
  )
}

function UpdateOffer({ offer, updates: { download, waits } }: { readonly offer: NonNullable<UpdateState['offer']>; readonly updates: UpdateState }) {
  const start = useIpcCommand('updates.download')
  const install = useIpcCommand('updates.install')
  const open = useIpcCommand('updates.open')
  const error = [start.error, install.error, open.error].find((one) => one !== null)
  const isReady = download.state === 'ready'
  const about = [
    ...(offer.way === 'install' ? [isReady ? settingsText.updateReady : settingsText.updateSize(sizeText(offer.bytes))] : []),
    ...(offer.way === 'command' ? [settingsText.updateByCommand] : []),
    ...(offer.way === 'page' ? [settingsText.updateByPage(sizeText(offer.bytes))] : []),
    ...(offer.newerData ? [settingsText.updateNewerData] : []),
    ...(offer.unsupported ? [settingsText.updateUnsupported] : []),
  ]
  return (
    <>
      <div className={styles.settingsLine}>
        <div className={textStyles.grow}>
          <b translate="no">{`Svc Desk ${offer.version}`}</b>
          <p>{about.join(' ')}</p>
          {waits === null || offer.way !== 'install' ? null : <p id="update-waits">{waiting[waits]}</p>}
        </div>
        {offer.way === 'command' && offer.command !== null ? (
          <CopyButton text={offer.command} what={settingsText.updateCommand} words={settingsText.copyUpdateCommand} size="md" />
        ) : offer.way === 'page' ? (
          <Button icon="external" busy={open.isPending} onClick={() => open.mutate({})}>
            {settingsText.openDownload}
          </Button>
        ) : isReady ? (
          <Button
            variant="primary"
            icon="refresh"
            busy={install.isPending}
            disabled={waits !== null}
            aria-describedby={waits === null ? undefined : 'update-waits'}
            onClick={() => install.mutate({})}
          >
            {settingsText.restartToUpdate}
          </Button>
        ) : (
          <Button
            icon="download"
            busy={start.isPending || download.state === 'running'}
            disabled={waits !== null}
            aria-describedby={waits === null ? undefined : 'update-waits'}
            onClick={() => start.mutate({})}
          >
            {download.state === 'running' ? settingsText.downloading(Math.floor((100 * download.bytes) / offer.bytes)) : settingsText.downloadUpdate}
          </Button>
        )}
      </div>
      {offer.way === 'command' && offer.command !== null ? (
        <p className={styles.updateCommand} translate="no">
          <code>{offer.command}</code>
        </p>
      ) : null}
      {download.state === 'failed' ? (
        <Note tone={download.issue === 'changed' ? 'danger' : 'warn'} title={settingsText.downloadFailed} live>
          {issues[download.issue]}
        </Note>
      ) : null}
      {error == null ? null : <FailureNote failure={failureOf(error)} />}
    </>
  )
}
