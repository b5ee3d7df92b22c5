import type { Settings } from '../../../shared/ipc/host/app.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Switch } from '../../kit/checkbox.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import { Segments } from '../../kit/layout/tabs.tsx'
import textStyles from '../../kit/text.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'
import { HelpButton } from '../../parts/help/help-link.tsx'
import { settingsText } from '../../text/en/settings.en.tsx'
import styles from './settings.module.css'

const choices: readonly { readonly value: Settings['whenClosed']; readonly label: string }[] = [
  { value: 'ask', label: settingsText.askWhenClosed },
  { value: 'tray', label: settingsText.keepRunning },
  { value: 'quit', label: settingsText.quitWhenClosed },
]

/** Settings: what happens when the window closes, and whether the app starts at login. */
export function BackgroundPanel() {
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
            choices={choices.map((choice) => ({ ...choice, why: hasTray === false ? settingsText.noTray : null }))}
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
