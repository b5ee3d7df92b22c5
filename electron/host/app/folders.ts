import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { App, BrowserWindow } from 'electron'

/** Where everything of a user lies. Folders 0700, files 0600: other users of the computer see nothing. */
export interface Folders {
  readonly appJournal: string
  /** The app's lock; there while a passphrase is set. */
  readonly lock: string
  readonly log: string
  readonly practiceData: string
  profile(id: string): string
  profileJournal(id: string): string
}

/** Makes what is missing, closed to others. */
export function createFolders(userData: string): Folders {
  const folders = namedFolders(userData)
  ensure(userData)
  ensure(folders.practiceData)
  return folders
}

/** The names alone. */
export function namedFolders(userData: string): Folders {
  const profile = (id: string) => join(userData, 'profiles', id)
  return {
    appJournal: join(userData, 'desk.db'),
    lock: join(userData, 'lock.json'),
    log: join(userData, 'logs', 'main.log'),
    practiceData: join(userData, 'practice'),
    profile,
    profileJournal: (id) => join(profile(id), 'journal.db'),
  }
}

function ensure(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Electron makes the first one itself, open to all.
    chmodSync(folder, 0o700)
  } catch {
    // A read-only or full disk: the journal says so, and the app opens all the same.
  }
}

/** False in a second instance, which must quit; the first is told and brings its window forward. */
export function claimSingleInstance(app: App, window: () => BrowserWindow | null): boolean {
  if (!app.requestSingleInstanceLock()) return false
  app.on('second-instance', () => bringForward(window()))
  return true
}

export function bringForward(window: BrowserWindow | null): void {
  if (window === null) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
