import type { Settings } from '../../../shared/ipc/host/app.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Panel } from '../../kit/layout/panel.tsx'
import { Segments } from '../../kit/layout/segments.tsx'
import { Switch } from '../../kit/switch.tsx'

const themes: readonly { readonly value: Settings['theme']; readonly label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function AppearancePanel() {
  const settings = useDeskQuery('app.settings', {})
  const save = useDeskCommand('app.saveSettings')
  return (
    <div id="settings-appearance">
      <Panel title="Appearance" padded>
        <div className="set-line">
          <div className="grow">
            <b>Theme</b>
            <p>Dark, light, or as the system says.</p>
          </div>
          <Segments label="Theme" choices={themes} value={settings.data?.theme ?? 'system'} onChange={(theme) => save.mutate({ theme })} size="md" />
        </div>
        <div className="set-line">
          <div className="grow">
            <b>Rail</b>
            <p>Narrow windows show icons only in any case.</p>
          </div>
          <Switch checked={settings.data?.rail === 'collapsed'} onChange={(collapsed) => save.mutate({ rail: collapsed ? 'collapsed' : 'open' })}>
            Icons only
          </Switch>
        </div>
      </Panel>
    </div>
  )
}
