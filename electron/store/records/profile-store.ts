import { randomBytes } from 'node:crypto'
import type { Settings } from '../../../shared/ipc/host/app.ts'
import type { Records, StoredProfile } from './registry.ts'

export const practiceId = 'practice'
export const practiceName = 'Practice'

/** The profiles of real exchanges (live, not practice), and which of them is active. */
export interface ProfileStore {
  list(): StoredProfile[]
  get(id: string): StoredProfile | null
  save(profile: StoredProfile): void
  remove(id: string): void
  activeId(): string | null
  setActive(id: string | null): void
  newId(): string
  practiceUsesSecondHost(): boolean
  setPracticeUsesSecondHost(uses: boolean): void
}

export function createProfileStore({ profiles, activeProfile, practiceSecondHost }: Records): ProfileStore {
  return {
    list: () =>
      profiles
        .list({})
        .map(({ record }) => record)
        .sort((a, b) => a.createdAtMs - b.createdAtMs),
    get: (id) => profiles.read({ id }),
    save: (profile) => profiles.write({ id: profile.id }, profile),
    remove: (id) => profiles.delete({ id }),
    activeId: () => activeProfile.read({}),
    setActive: (id) => (id === null ? activeProfile.delete({}) : activeProfile.write({}, id)),
    practiceUsesSecondHost: () => practiceSecondHost.read({}) !== null,
    setPracticeUsesSecondHost: (uses) => (uses ? practiceSecondHost.write({}, 'on') : practiceSecondHost.delete({})),
    newId: () => `p${randomBytes(5).toString('hex')}`,
  }
}

const defaults: Settings = {
  theme: 'system',
  directionColours: 'green_red',
  textSize: 100,
  language: 'system',
  rail: 'open',
  hideAmounts: false,
  projectId: null,
  whenClosed: 'ask',
  startAtLogin: false,
  looksForUpdates: true,
}

type SettingsChange = NonNullable<ReturnType<Records['settings']['read']>>

export interface SettingsStore {
  read(): Settings
  /** Changes the given settings and returns all settings. */
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
  directionColours: changes.directionColours ?? before.directionColours,
  textSize: changes.textSize ?? before.textSize,
  language: changes.language ?? before.language,
  rail: changes.rail ?? before.rail,
  hideAmounts: changes.hideAmounts ?? before.hideAmounts,
  projectId: changes.projectId === undefined ? before.projectId : changes.projectId,
  whenClosed: changes.whenClosed ?? before.whenClosed,
  startAtLogin: changes.startAtLogin ?? before.startAtLogin,
  looksForUpdates: changes.looksForUpdates ?? before.looksForUpdates,
})
