import type { Settings } from '../../../shared/ipc/host/app.ts'
import type { Records } from './registry.ts'

const defaults: Settings = { theme: 'system', rail: 'open', projectId: null }

type SettingsChange = NonNullable<ReturnType<Records['settings']['read']>>

export interface SettingsStore {
  read(): Settings
  /** Changes the given ones; gives all. */
  save(changes: SettingsChange): Settings
}

export function createSettings({ settings }: Pick<Records, 'settings'>): SettingsStore {
  const read = (): Settings => merge(defaults, settings.read({}) ?? {})
  return {
    read,
    save(changes) {
      const next = merge(read(), changes)
      settings.write({}, next)
      return next
    },
  }
}

const merge = (before: Settings, changes: SettingsChange): Settings => ({
  theme: changes.theme ?? before.theme,
  rail: changes.rail ?? before.rail,
  projectId: changes.projectId === undefined ? before.projectId : changes.projectId,
})
