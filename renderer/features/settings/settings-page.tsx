import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { type MapEntry, requestNamesOf } from '../../../shared/field-map/field-map-entries.ts'
import { assumedFields } from '../../../shared/field-map/sent-names.ts'
import type { Settings } from '../../../shared/ipc/host/app.ts'
import type { ChosenMap } from '../../../shared/ipc/host/field-map.ts'
import { languageNames, languages } from '../../../shared/text/catalogue.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { pageWork } from '../../ipc/page-work.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { Switch } from '../../kit/checkbox.tsx'
import { cx } from '../../kit/cx.ts'
import { Link, usePlace } from '../../kit/layout/navigation.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Page, Panel } from '../../kit/layout/panel.tsx'
import { Segments } from '../../kit/layout/tabs.tsx'
import textStyles from '../../kit/text.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'
import { HelpButton } from '../../parts/help/help-link.tsx'
import { ProjectIdForm } from '../../parts/project-id-form.tsx'
import { settingsText } from '../../text/en/settings.en.tsx'
import { AboutPanel, UpdatesPanel } from './about-and-updates.tsx'
import { BackupPanel } from './backup-panel.tsx'
import { ExchangesPanel } from './exchange/exchanges-panel.tsx'
import { MapEntries, MapImportSheet } from './exchange/map-import-sheet.tsx'
import { RequestNames } from './exchange/request-names.tsx'
import { ServiceCheckPanel } from './exchange/service-check-panel.tsx'
import { ServicePanel } from './exchange/service-panel.tsx'
import { LockPanel } from './lock-panel.tsx'
import { RiskLimitsPanel } from './risk-limits-panel.tsx'
import styles from './settings.module.css'
import { TerminalPanel } from './terminal-panel.tsx'

/** The sections of the settings page in order: the end of each section's address, and its name. */
const contents = [
  ['exchanges', settingsText.exchanges],
  ['risk-limits', settingsText.riskLimits],
  ['service', settingsText.service],
  ['check', settingsText.serviceCheck],
  ['appearance', settingsText.appearance],
  ['background', settingsText.background],
  ['lock', settingsText.lock],
  ['wallet', settingsText.walletConnection],
  ['terminal', settingsText.terminalCommands],
  ['backup', settingsText.backupAndSupport],
  ['updates', settingsText.updates],
  ['about', settingsText.about],
] as const

/** The sections that only experts need, to connect the app to another service. */
const expertContents = [['fields', settingsText.fieldMap]] as const

/**
 * The user's settings: exchanges, appearance, the wallet's relay, and information about this build. The address `settings/wallet` scrolls to the
 * panel “wallet”.
 */
export function SettingsPage() {
  const { rest, query } = usePlace()
  const part = rest[0]
  useEffect(() => {
    if (part !== undefined) document.getElementById(`settings-${part}`)?.scrollIntoView({ block: 'start' })
  }, [part])
  return (
    <Page title={settingsText.settings} className={styles.settings}>
      <div className={styles.parts}>
        <ExchangesPanel adding={query.add === '1'} />
        <RiskLimitsPanel />
        <ServicePanel />
        <ServiceCheckPanel />
      </div>
      <div className={styles.parts}>
        <AppearancePanel />
        <BackgroundPanel />
        <LockPanel />
        <WalletPanel />
        <TerminalPanel />
        <BackupPanel />
        <UpdatesPanel />
        <AboutPanel />
        <section className={styles.expert} aria-labelledby="settings-expert">
          <h2 id="settings-expert">{settingsText.expert}</h2>
          <FieldMapPanel />
        </section>
      </div>
      <nav className={styles.contents} aria-label={settingsText.settings}>
        <Contents of={contents} part={part} />
        <p>{settingsText.expert}</p>
        <Contents of={expertContents} part={part} />
      </nav>
    </Page>
  )
}

function Contents({ of, part }: { readonly of: readonly (readonly [to: string, name: string])[]; readonly part: string | undefined }) {
  return (
    <ul>
      {of.map(([to, name]) => (
        <li key={to}>
          <Link to={`settings/${to}`} aria-current={part === to ? 'location' : undefined}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const themes: readonly { readonly value: Settings['theme']; readonly label: string }[] = [
  { value: 'system', label: settingsText.systemTheme },
  { value: 'light', label: settingsText.light },
  { value: 'dark', label: settingsText.dark },
]

const directionChoices: readonly { readonly value: Settings['directionColours']; readonly label: string }[] = [
  { value: 'green_red', label: settingsText.greenAndRed },
  { value: 'blue_orange', label: settingsText.blueAndOrange },
]

const textSizes: readonly Settings['textSize'][] = [100, 115, 130]
const textSizeChoices = textSizes.map((size) => ({ value: `${size}` as const, label: settingsText.percent(size) }))

const languageChoices = [
  { value: 'system', label: settingsText.systemLanguage },
  ...languages.map((language) => ({ value: language, label: languageNames[language], lang: language })),
] as const

function AppearancePanel() {
  const settings = useIpcQuery('app.settings', {})
  // A change of language reloads the page and would lose the wallet's response. So don't allow it during a wallet request.
  const isAsking = useStore(pageWork(useQueryClient()), ({ open }) => open > 0)
  const save = useIpcCommand('app.saveSettings')
  return (
    <div id="settings-appearance">
      <Panel title={settingsText.appearance} padded>
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b>{settingsText.theme}</b>
            <p>{settingsText.themeHelp}</p>
          </div>
          <Segments
            label={settingsText.theme}
            choices={themes}
            value={settings.data?.theme ?? 'system'}
            onChange={(theme) => save.mutate({ theme })}
            size="md"
          />
        </div>
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b>{settingsText.directionColours}</b>
            <p>{settingsText.directionColoursHelp}</p>
          </div>
          <Segments
            label={settingsText.directionColours}
            choices={directionChoices}
            value={settings.data?.directionColours ?? 'green_red'}
            onChange={(directionColours) => save.mutate({ directionColours })}
            size="md"
          />
        </div>
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b>{settingsText.textSize}</b>
            <p>{settingsText.textSizeHelp}</p>
          </div>
          <Segments
            label={settingsText.textSize}
            choices={textSizeChoices}
            value={`${settings.data?.textSize ?? 100}`}
            onChange={(chosen) => {
              const textSize = textSizes.find((size) => `${size}` === chosen)
              if (textSize !== undefined) save.mutate({ textSize })
            }}
            size="md"
          />
        </div>
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b>{settingsText.language}</b>
            <p>{isAsking ? settingsText.languageWaits : settingsText.languageHelp}</p>
          </div>
          <Segments
            label={settingsText.language}
            choices={languageChoices.map((choice) => ({ ...choice, why: isAsking ? settingsText.languageWaits : null }))}
            value={settings.data?.language ?? 'system'}
            onChange={(language) => save.mutate({ language })}
            size="md"
          />
        </div>
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b>{settingsText.amounts}</b>
            <p>{settingsText.amountsHelp}</p>
          </div>
          <Switch checked={settings.data?.hideAmounts === true} onChange={(hideAmounts) => save.mutate({ hideAmounts })}>
            {settingsText.hideAmounts}
          </Switch>
        </div>
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b>{settingsText.sidebar}</b>
            <p>{settingsText.sidebarHelp}</p>
          </div>
          <Switch checked={settings.data?.rail === 'collapsed'} onChange={(collapsed) => save.mutate({ rail: collapsed ? 'collapsed' : 'open' })}>
            {settingsText.iconsOnly}
          </Switch>
        </div>
      </Panel>
    </div>
  )
}

function WalletPanel() {
  return (
    <div id="settings-wallet">
      <Panel title={settingsText.walletConnection} padded end={<HelpButton topic="settings/wallet" />}>
        <ProjectIdForm />
      </Panel>
    </div>
  )
}

/** The field map: the names that this service uses for fields whose names its API document does not show. */
function FieldMapPanel() {
  const query = useIpcQuery('fieldMap.get', {})
  const change = useIpcCommand('fieldMap.change')
  const reset = useIpcCommand('fieldMap.reset')
  const undo = useIpcCommand('fieldMap.undo')
  const toFile = useIpcCommand('fieldMap.export')
  const choose = useIpcCommand('fieldMap.choose')
  const [chosen, setChosen] = useState<ChosenMap | null>(null)
  // Without a profile, there is no service whose field names could be shown.
  if (query.data === undefined) return null
  const { entries, canUndo, stored } = query.data
  const names = requestNamesOf(entries)
  const failed = [change, reset, undo, toFile, choose].map(({ error }) => error).find((error) => error !== null)
  const remove = ({ part, of, field }: MapEntry) => change.mutate({ set: [], remove: [{ part, of, field }], from: 'you' })
  return (
    <div id="settings-fields">
      <Panel
        title={settingsText.fieldMap}
        count={entries.length === 0 ? undefined : settingsText.fieldMapEntries(entries.length)}
        end={
          <>
            <span className={styles.settingsActions}>
              <Button size="sm" icon="upload" busy={choose.isPending} onClick={() => choose.mutate({}, { onSuccess: (answer) => setChosen(answer.chosen) })}>
                {settingsText.import}
              </Button>
              <Button size="sm" icon="download" busy={toFile.isPending} disabled={entries.length === 0} onClick={() => toFile.mutate({})}>
                {settingsText.export}
              </Button>
              <Button size="sm" icon="refresh" busy={undo.isPending} disabled={!canUndo} onClick={() => undo.mutate({})}>
                {settingsText.undoLastChange}
              </Button>
              <Button size="sm" variant="ghost" busy={reset.isPending} disabled={entries.length === 0} onClick={() => reset.mutate({})}>
                {settingsText.resetAll}
              </Button>
            </span>
            <HelpButton topic="settings/fields" />
          </>
        }
      >
        <p className={cx(styles.settingsNote, textStyles.muted)}>{settingsText.fieldMapLead}</p>
        {stored === 'read' ? null : (
          <div className={styles.settingsNote}>
            <Note tone="warn" title={stored === 'newer' ? settingsText.fieldMapNewer : settingsText.fieldMapUnreadable}>
              {settingsText.fieldMapUnreadHelp}
            </Note>
          </div>
        )}
        {failed == null ? null : (
          <div className={styles.settingsNote}>
            <FailureNote failure={failureOf(failed)} />
          </div>
        )}
        {entries.length === 0 ? null : <MapEntries label={settingsText.fieldMap} entries={entries} onRemove={remove} />}
        <RequestNames
          namesOf={(request) => names[request] ?? {}}
          busy={change.isPending}
          onSave={(request, said, done) => {
            const key = { part: 'payloads', of: request } as const
            const set = Object.entries(said).map(([field, at]) => ({ ...key, field, at, unit: null }))
            const left = assumedFields[request].filter((field) => !Object.hasOwn(said, field)).map((field) => ({ ...key, field }))
            change.mutate({ set, remove: left, from: 'you' }, { onSuccess: done })
          }}
        />
      </Panel>
      {chosen === null ? null : <MapImportSheet chosen={chosen} onClose={() => setChosen(null)} />}
    </div>
  )
}

const closeChoices: readonly { readonly value: Settings['whenClosed']; readonly label: string }[] = [
  { value: 'ask', label: settingsText.askWhenClosed },
  { value: 'tray', label: settingsText.keepRunning },
  { value: 'quit', label: settingsText.quitWhenClosed },
]

/** Settings: what happens when the window closes, and whether the app starts at login. */
function BackgroundPanel() {
  const settings = useIpcQuery('app.settings', {})
  const hasTray = useIpcQuery('app.info', {}).data?.hasTray
  const save = useIpcCommand('app.saveSettings')
  return (
    <div id="settings-background">
      <Panel title={settingsText.background} padded end={<HelpButton topic="settings/background" />}>
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b>{settingsText.whenClosed}</b>
            <p>{hasTray === false ? settingsText.noTray : settingsText.whenClosedHelp}</p>
          </div>
          <Segments
            label={settingsText.whenClosed}
            choices={closeChoices.map((choice) => ({ ...choice, why: hasTray === false ? settingsText.noTray : null }))}
            value={settings.data?.whenClosed ?? 'ask'}
            onChange={(whenClosed) => save.mutate({ whenClosed })}
            size="md"
          />
        </div>
        <div className={styles.settingsLine}>
          <div className={textStyles.grow}>
            <b>{settingsText.atLogin}</b>
            <p>{settingsText.atLoginHelp}</p>
          </div>
          <Switch checked={settings.data?.startAtLogin === true} onChange={(startAtLogin) => save.mutate({ startAtLogin })}>
            {settingsText.startAtLogin}
          </Switch>
        </div>
        {save.error === null ? null : <FailureNote failure={failureOf(save.error)} />}
      </Panel>
    </div>
  )
}
