import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { App, BrowserWindow } from 'electron'

/** Paths of all user data. Folders have mode 0700 and files 0600, so that other users of the computer cannot read them. */
export interface Folders {
  readonly appJournal: string
  /** The file of the app lock. Exists only while a passphrase is set. */
  readonly lock: string
  readonly log: string
  readonly practiceData: string
  profile(id: string): string
  profileJournal(id: string): string
}

/** Creates missing folders and makes all of them private to the user. */
export function createFolders(userData: string): Folders {
  const folders = namedFolders(userData)
  ensure(userData)
  ensure(folders.practiceData)
  return folders
}

/** Returns the folders’ paths without creating the folders. */
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
    // Electron may have created the data folder itself, readable by all users.
    chmodSync(folder, 0o700)
  } catch {
    // If the disk is read-only or full, the app continues, and the journal reports the problem.
  }
}

/** Returns false in a second instance, which must quit. The first instance then gets the second instance’s command line. */
export function claimSingleInstance(app: App, startedAgain: (argv: readonly string[]) => void): boolean {
  if (!app.requestSingleInstanceLock()) return false
  app.on('second-instance', (_event, argv) => startedAgain(argv))
  return true
}

export function bringForward(window: Pick<BrowserWindow, 'isMinimized' | 'restore' | 'show' | 'focus'> | null): void {
  if (window === null) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
