import type { z } from 'zod'
import { Settings } from '../../../shared/ipc/host/app.ts'
import type { Values } from '../journal/journal.ts'
import { readRecord } from '../journal/kept-record.ts'

const name = 'settings'
const defaults: Settings = { theme: 'system', rail: 'open', projectId: null }

const SettingsChange = Settings.partial()

export interface SettingsStore {
  read(): Settings
  /** Changes the given ones; gives all. */
  save(changes: z.output<typeof SettingsChange>): Settings
}

export function createSettings(values: Values): SettingsStore {
  const read = (): Settings => {
    // Damaged, or written by another version: the defaults are harmless.
    return merge(defaults, readRecord(SettingsChange, values.get(name)) ?? {})
  }
  return {
    read,
    save(changes) {
      const next = merge(read(), changes)
      values.set(name, JSON.stringify(next))
      return next
    },
  }
}

const merge = (before: Settings, changes: z.output<typeof SettingsChange>): Settings => ({
  theme: changes.theme ?? before.theme,
  rail: changes.rail ?? before.rail,
  projectId: changes.projectId === undefined ? before.projectId : changes.projectId,
})
