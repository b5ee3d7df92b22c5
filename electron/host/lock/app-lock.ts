import type { SystemPreferences } from 'electron'
import { mostKept } from '../../../shared/input-limits.ts'
import { type AppEvent, appContract } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { carriesOver } from '../../../shared/ipc/host/carried-over.ts'
import type { Attempt, HandOver, LockChoice, LockState } from '../../../shared/ipc/host/lock.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { Every } from '../../kernel/events.ts'
import type { Handlers, HandlersOf } from '../../kernel/handlers.ts'
import { guardEvents } from './gate.ts'
import { type Attempts, createAttempts, createLockFile, hashPassphrase, type LockFile, type LockRecord, type ScryptCost, usualCost } from './lock-file.ts'

export interface AppLock extends Omit<Lock, 'handlers'> {
  readonly handlers: Lock['handlers'] & Leaving['handlers']
  /** The number of notices that wait until the app is unlocked. */
  waiting(): number
  /** Sends an event to the windows, if the lock allows it now. */
  broadcast(event: AppEvent): void
}

export interface AppLockParts {
  readonly path: string
  readonly clock: Clock
  readonly every: Every
  readonly emit: (event: AppEvent) => void
  readonly page: () => Pick<LockState, 'theme' | 'practice'>
  /** Closes the windows that show content outside the main window, and clears a secret from the clipboard. */
  readonly hide: () => void
  readonly profileId: () => string | null
  readonly reload: () => void
  /** Called with each notice about the lock itself, such as a notice about wrong passphrases. */
  readonly keepNotice: (notice: Extract<AppEvent, { type: 'notice' }>) => void
  /** Called when the user sets or removes a passphrase, and when the app locks or unlocks. */
  readonly changed: () => void
  readonly touchId: TouchId
}

/** macOS’s Touch ID. */
export interface TouchId {
  /** Whether the computer has Touch ID and can use it now. False while a Mac’s lid is closed, for example. */
  isReady(): boolean
  /** Shows the system’s prompt. Resolves when the user was recognised, and rejects otherwise. */
  prompt(): Promise<void>
}

/**
 * Touch ID as Electron offers it: its functions exist only on macOS. `reason` returns the words that complete the system’s sentence “Svc Desk is
 * trying to …”.
 */
export const createTouchId = (system: Partial<Pick<SystemPreferences, 'canPromptTouchID' | 'promptTouchID'>>, reason: () => string): TouchId => ({
  isReady: () => 'canPromptTouchID' in system && system.canPromptTouchID?.() === true,
  async prompt() {
    if (system.promptTouchID === undefined) throw new Error('no Touch ID')
    await system.promptTouchID(reason())
  },
})

/** After this many wrong passphrases, the app warns the user at the next unlock. */
const worthSaying = 3

/** The app lock, connected with the windows that it protects. */
export function createAppLock({ path, clock, every, emit, page, hide, profileId, reload, keepNotice, changed, touchId }: AppLockParts): AppLock {
  const events = guardEvents(emit, () => lock.locked())
  const leaving = createLeaving({ clock, every, locked: () => lock.locked(), profileId, reload })
  const lock = createLock({
    file: createLockFile(path),
    cost: usualCost,
    clock,
    every,
    touchId,
    page: () => ({ ...page(), waiting: events.waiting() }),
    onLock() {
      hide()
      leaving.begin()
    },
    onUnlock(wrong) {
      leaving.end()
      if (wrong >= worthSaying) {
        const notice = { type: 'notice', severity: 'warn', notice: { code: 'wrong_passphrases', times: wrong }, to: null } as const
        keepNotice(notice)
        events.send(notice)
      }
      events.release()
    },
    changed() {
      events.send({ type: 'invalidate', queries: ['lock.state', 'lock.choice'] })
      changed()
    },
  })
  return { ...lock, handlers: { ...lock.handlers, ...leaving.handlers }, waiting: events.waiting, broadcast: events.send }
}

interface LeavingDeps {
  readonly clock: Clock
  readonly every: Every
  readonly locked: () => boolean
  /** The id of the open profile; null if none is open. The text that the user typed belongs to one profile and must not appear in another. */
  readonly profileId: () => string | null
  readonly reload: () => void
}

interface Leaving {
  readonly handlers: Handlers<'lock.leave' | 'lock.reopen' | 'lock.takeBack'>
  /** Starts to remove the window’s page. Called when the app locks. */
  begin(): void
  /** Keeps the page if the app has not removed it yet. Called when the app unlocks. */
  end(): void
}

/**
 * How long the app waits for a page to report that it can be removed. After that, the app removes the page anyway. A working page reports within
 * `longestAtWorkMs` (renderer/features/lock).
 */
const longestMs = 7 * minute

/**
 * Whether the next page gets a pending call of the removed page. True only for calls that end risk (cancel, close, revoke) and for the wallet’s
 * answers. The user must repeat all other calls.
 */
function mayBeKept({ name, input }: HandOver['calls'][number]): boolean {
  if (!Object.hasOwn(appContract, name)) return false
  try {
    const given = appContract[name as keyof typeof appContract].input.safeParse(JSON.parse(input)) // safe cast: `name` is in the contract, checked above
    return given.success && carriesOver(name, given.data)
  } catch {
    return false
  }
}

/**
 * Removes the window’s page when the app locks, because the page’s memory contains account data. Waits until the page reports that it can be
 * removed. A page with a request pending on the phone waits for the phone’s answer first. Main keeps the page’s state in memory for the next page.
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
        // The app may lock again before the new page has fetched the state. Then keep the state that the first page left.
        const earlier = kept?.profileId === profileId() ? kept.left : null
        const all = [...(earlier?.calls ?? []), ...calls].slice(0, mostKept)
        kept = { left: { ...left, drafts: left.drafts ?? earlier?.drafts ?? null, calls: all }, profileId: profileId() }
        go()
        return ok({})
      },
      'lock.reopen'(left) {
        if (locked()) return fail({ kind: 'wrong_state', state: 'locked', wanted: 'open' })
        kept = { left: { ...left, calls: [] }, profileId: profileId() }
        reload()
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

interface LockDeps {
  readonly file: LockFile
  readonly cost: ScryptCost
  readonly clock: Clock
  readonly every: Every
  readonly touchId: TouchId
  /** What the lock page shows besides the passphrase field. */
  readonly page: () => Pick<LockState, 'theme' | 'practice' | 'waiting'>
  readonly onLock: () => void
  /** Called when the app is unlocked. `wrong`: number of wrong passphrases since the last unlock. */
  readonly onUnlock: (wrong: number) => void
  /** Called when the user sets or removes a passphrase, and when the app locks or unlocks. */
  readonly changed: () => void
}

interface Lock {
  readonly handlers: Omit<HandlersOf<'lock'>, 'lock.leave' | 'lock.reopen' | 'lock.takeBack'>
  locked(): boolean
  isSet(): boolean
  now(): void
  screenGone(): void
}

const firstChoice: LockChoice = { afterMinutes: 15, withScreen: true, touchId: false }
/** Interval (ms) at which the app checks for inactivity. */
const lookEvery = second

type Kept = { readonly record: LockRecord; readonly attempts: Attempts }

/** Creates the app’s lock. If a passphrase is set, the app starts locked. */
export function createLock(deps: LockDeps): Lock {
  const { file, cost, clock, every, touchId, changed } = deps
  const keep = (record: LockRecord): Kept => ({ record, attempts: createAttempts({ file, hash: record.hash, tries: record.tries, clock }) })

  const found = file.read()
  const damaged = found === 'damaged'
  let kept = found === null || found === 'damaged' ? null : keep(found)
  let locked = found !== null
  let touched = { now: clock.now(), monotonic: clock.monotonic() }
  let stopLooking: (() => void) | null = null
  /** How many times the app has locked. A prompt that the user answers late must not unlock a later lock. */
  let locks = 0
  let prompt: Promise<boolean> | null = null

  const touch = () => {
    touched = { now: clock.now(), monotonic: clock.monotonic() }
  }
  const now = () => {
    if (locked || kept === null) return
    locked = true
    locks += 1
    deps.onLock()
    follow()
  }
  /**
   * Milliseconds without input, by the clock that shows the longer time. The monotonic clock may stop during sleep, and the time of day may be set
   * back.
   */
  const idleMs = () => Math.max(clock.now() - touched.now, clock.monotonic() - touched.monotonic)
  const look = () => {
    const minutes = kept?.record.choice.afterMinutes ?? null
    if (minutes !== null && idleMs() >= minutes * minute) now()
  }
  /** Starts or stops the check for inactivity. Called after every change of the lock’s settings or state. */
  const follow = () => {
    const wanted = !locked && kept !== null && kept.record.choice.afterMinutes !== null
    if (wanted) stopLooking ??= every(lookEvery, look)
    else {
      stopLooking?.()
      stopLooking = null
    }
    changed()
  }
  const save = (record: LockRecord): Result<void, Failure> => {
    const written = file.write(record)
    if (written.ok) {
      kept = keep(record)
      touch()
      follow()
    }
    return written
  }
  const done: Attempt = { outcome: 'done' }
  const unlock = (wrong: number) => {
    locked = false
    touch()
    follow()
    deps.onUnlock(wrong)
  }
  const offersTouchId = () => locked && kept?.record.choice.touchId === true && touchId.isReady()
  /** Whether the user was recognised. Shows one prompt at a time. */
  const recognised = (): Promise<boolean> => {
    prompt ??= touchId
      .prompt()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        prompt = null
      })
    return prompt
  }

  return {
    locked: () => locked,
    isSet: () => kept !== null || damaged,
    now,
    screenGone() {
      if (kept?.record.choice.withScreen === true) now()
    },
    handlers: {
      'lock.state': () =>
        ok({
          ...deps.page(),
          state: locked ? 'locked' : kept === null ? 'off' : 'open',
          waitMs: kept?.attempts.waitMs() ?? 0,
          damaged: damaged && locked,
          touchId: offersTouchId(),
        }),
      async 'lock.unlock'({ passphrase }) {
        if (!locked) return ok(done)
        if (kept === null) return ok({ outcome: 'wrong', waitMs: 0 })
        const { attempts } = kept
        const wrong = attempts.wrong()
        const attempt = await attempts.attempt(passphrase)
        if (attempt.outcome === 'done' && locked) unlock(wrong)
        return ok(attempt)
      },
      async 'lock.unlockWithTouchId'() {
        if (!locked) return ok({ outcome: 'done' })
        if (!offersTouchId()) return fail({ kind: 'wrong_state', state: 'off', wanted: 'on' })
        const asked = locks
        const isUser = await recognised()
        if (!locked) return ok({ outcome: 'done' })
        if (!isUser || asked !== locks || kept === null) return ok({ outcome: 'refused' })
        const wrong = kept.attempts.wrong()
        kept.attempts.forget()
        unlock(wrong)
        return ok({ outcome: 'done' })
      },
      'lock.now'() {
        now()
        return ok({})
      },
      'lock.choice': () => ok(kept?.record.choice ?? null),
      'lock.choose'(choice) {
        if (kept === null) return fail({ kind: 'wrong_state', state: 'off', wanted: 'on' })
        if (choice.touchId && !kept.record.choice.touchId && !touchId.isReady()) return fail({ kind: 'wrong_state', state: 'off', wanted: 'on' })
        const { record, attempts } = kept
        const written = file.write({ ...record, choice, tries: { wrong: attempts.wrong(), lastAtMs: clock.now() } })
        if (!written.ok) return written
        kept = { record: { ...record, choice }, attempts }
        touch()
        follow()
        return ok({})
      },
      async 'lock.set'({ passphrase, current }) {
        if (kept !== null) {
          if (current === null) return fail({ kind: 'bad_input', field: 'current', issue: 'passphrase_needed' })
          const attempt = await kept.attempts.attempt(current)
          if (attempt.outcome !== 'done') return ok(attempt)
        }
        const choice = kept?.record.choice ?? firstChoice
        const hash = await hashPassphrase(passphrase, cost)
        const written = save({ version: 1, hash, choice, tries: { wrong: 0, lastAtMs: clock.now() } })
        return written.ok ? ok(done) : written
      },
      async 'lock.remove'({ current }) {
        if (kept === null) return ok(done)
        const attempt = await kept.attempts.attempt(current)
        if (attempt.outcome !== 'done') return ok(attempt)
        const removed = file.remove()
        if (!removed.ok) return removed
        kept = null
        // The app may have locked while the passphrase was checked.
        const wasLocked = locked
        locked = false
        follow()
        if (wasLocked) deps.onUnlock(0)
        return ok(done)
      },
      'lock.touch'() {
        touch()
        return ok({})
      },
    },
  }
}
