import { type DeskEvent, deskContract } from '../../../shared/ipc/contract.ts'
import { carriesOver } from '../../../shared/ipc/host/carried-over.ts'
import type { HandOver, LockState } from '../../../shared/ipc/host/lock.ts'
import { mostKept } from '../../../shared/lock-limits.ts'
import { fail, ok } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { Every } from '../../kernel/events.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import { wrongPassphrases } from '../../kernel/notice-words.ts'
import { guardEvents } from './gate.ts'
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
        events.send({ type: 'notice', severity: 'warn', ...wrongPassphrases(wrong), to: null })
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

interface LeavingDeps {
  readonly clock: Clock
  readonly every: Every
  readonly locked: () => boolean
  /** What was typed for one exchange means nothing to another. */
  readonly profileId: () => string | null
  /** Loads the page of the main window again. */
  readonly reload: () => void
}

interface Leaving {
  readonly handlers: Handlers<'lock.leave' | 'lock.takeBack'>
  /** The app was locked: the page is to go. */
  begin(): void
  /** The app was unlocked: a page that is still there stays. */
  end(): void
}

/** The page leaves after `longestAtWorkMs` at the latest (renderer/features/lock): one that has not left by now does not answer. */
const longestMs = 7 * minute

/** Only what ends something, or what the wallet said; the rest has to be pressed again. */
function mayBeKept({ name, input }: HandOver['calls'][number]): boolean {
  if (!Object.hasOwn(deskContract, name)) return false
  try {
    const given = deskContract[name as keyof typeof deskContract].input.safeParse(JSON.parse(input)) // its own property, see above
    return given.success && carriesOver(name, given.data)
  } catch {
    return false
  }
}

/**
 * Takes the page of the window away when the app locks, and with it the account's data in its memory. The page says when it may go: a request that
 * waits on the phone is answered first. What it leaves is kept here, in memory, for the page that comes after it.
 */
export function createLeaving({ clock, every, locked, profileId, reload }: LeavingDeps): Leaving {
  let kept: { readonly left: HandOver; readonly profileId: string | null } | null = null
  let stop: (() => void) | null = null

  const end = () => {
    stop?.()
    stop = null
  }
  const go = () => {
    end()
    reload()
  }

  return {
    begin() {
      end()
      const since = clock.monotonic()
      stop = every(second, () => {
        if (clock.monotonic() - since >= longestMs) go()
      })
    },
    end,
    handlers: {
      'lock.leave'(left) {
        if (!locked() || stop === null) return fail({ kind: 'wrong_state', state: locked() ? 'left' : 'open', wanted: 'locked' })
        const calls = left.calls.filter(mayBeKept)
        // The page before may have been locked again before it took back what the one before it had left.
        const earlier = kept?.profileId === profileId() ? kept.left : null
        const all = [...(earlier?.calls ?? []), ...calls].slice(0, mostKept)
        kept = { left: { ...left, drafts: left.drafts ?? earlier?.drafts ?? null, calls: all }, profileId: profileId() }
        go()
        return ok({})
      },
      'lock.takeBack'() {
        const taken = kept
        kept = null
        return ok(taken !== null && taken.profileId === profileId() ? taken.left : null)
      },
    },
  }
}
