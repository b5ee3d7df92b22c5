import type { DeskEvent } from '../../../shared/ipc/contract.ts'
import type { LockState } from '../../../shared/ipc/host/lock.ts'
import type { Clock } from '../../../shared/time.ts'
import type { Every } from '../../kernel/events.ts'
import { guardEvents } from './gate.ts'
import { createLeaving, type Leaving } from './leaving.ts'
import { createLock, type Lock } from './lock.ts'
import { createLockFile } from './lock-file.ts'
import { usualCost } from './passphrase.ts'

export interface AppLock extends Omit<Lock, 'handlers'> {
  readonly handlers: Lock['handlers'] & Leaving['handlers']
  /** Tells the windows, as far as they may hear it now. */
  broadcast(event: DeskEvent): void
}

export interface AppLockParts {
  /** Of the lock's file. */
  readonly path: string
  readonly clock: Clock
  readonly every: Every
  readonly emit: (event: DeskEvent) => void
  readonly page: () => Pick<LockState, 'theme' | 'practice'>
  /** Takes away what shows something beside the window, and the secret on the clipboard. */
  readonly hide: () => void
  /** The profile that is open; null: none. */
  readonly profileId: () => string | null
  /** Loads the page of the main window again. */
  readonly reload: () => void
  /** It was set, removed, locked or unlocked. */
  readonly changed: () => void
}

/** So many wrong passphrases are no slip any more. */
const worthSaying = 3

/** The lock with the windows that it is for. */
export function createAppLock({ path, clock, every, emit, page, hide, profileId, reload, changed }: AppLockParts): AppLock {
  const events = guardEvents(emit, () => lock.locked())
  const leaving = createLeaving({ clock, every, locked: () => lock.locked(), profileId, reload })
  const lock = createLock({
    file: createLockFile(path),
    cost: usualCost,
    clock,
    every,
    page: () => ({ ...page(), waiting: events.waiting() }),
    onLock() {
      hide()
      leaving.begin()
    },
    onUnlock(wrong) {
      leaving.end()
      if (wrong >= worthSaying) {
        const text = `${wrong} times in a row, before it was unlocked.`
        events.send({ type: 'notice', severity: 'warn', title: 'Wrong passphrases were given', text, to: null })
      }
      events.release()
    },
    changed() {
      events.send({ type: 'invalidate', queries: ['lock.state', 'lock.choice'] })
      changed()
    },
  })
  return { ...lock, handlers: { ...lock.handlers, ...leaving.handlers }, broadcast: events.send }
}
