import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Attempt, LockChoice, LockState } from '../../../shared/ipc/host/lock.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { Every } from '../../kernel/events.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import type { LockFile, LockRecord } from './lock-file.ts'
import { hashPassphrase, type ScryptCost } from './passphrase.ts'

export interface LockDeps {
  readonly file: LockFile
  readonly cost: ScryptCost
  readonly clock: Clock
  readonly every: Every
  /** What the lock page shows beside its field. */
  readonly page: () => Pick<LockState, 'theme' | 'practice' | 'waiting'>
  readonly onLock: () => void
  /** `wrong`: how many passphrases were wrong since it was last opened. */
  readonly onUnlock: (wrong: number) => void
  /** It was set, removed, locked or unlocked. */
  readonly changed: () => void
}

export interface Lock {
  readonly handlers: Omit<HandlersOf<'lock'>, 'lock.leave' | 'lock.takeBack'>
  locked(): boolean
  isSet(): boolean
  now(): void
  /** The screen was locked, or the computer goes to sleep. */
  screenGone(): void
}

const firstChoice: LockChoice = { afterMinutes: 15, withScreen: true }
/** How often it is looked whether somebody was there. */
const lookEvery = second

type Kept = { readonly record: LockRecord; readonly attempts: Attempts }

/** The app's lock. With a passphrase set the app starts locked. */
export function createLock(deps: LockDeps): Lock {
  const { file, cost, clock, every, changed } = deps
  const keep = (record: LockRecord): Kept => ({ record, attempts: createAttempts({ file, hash: record.hash, tries: record.tries, clock }) })

  const found = file.read()
  const damaged = found === 'damaged'
  let kept = found === null || found === 'damaged' ? null : keep(found)
  let locked = found !== null
  let touched = { now: clock.now(), monotonic: clock.monotonic() }
  let stopLooking: (() => void) | null = null

  const touch = () => {
    touched = { now: clock.now(), monotonic: clock.monotonic() }
  }
  const now = () => {
    if (locked || kept === null) return
    locked = true
    deps.onLock()
    follow()
  }
  /** By the clock that says more: one stands still while the computer sleeps, the other may be set back. */
  const idleMs = () => Math.max(clock.now() - touched.now, clock.monotonic() - touched.monotonic)
  const look = () => {
    const minutes = kept?.record.choice.afterMinutes ?? null
    if (minutes !== null && idleMs() >= minutes * minute) now()
  }
  /** After every change of what is set or locked. */
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
        }),
      async 'lock.unlock'({ passphrase }) {
        if (!locked) return ok(done)
        if (kept === null) return ok({ outcome: 'wrong', waitMs: 0 })
        const { attempts } = kept
        const wrong = attempts.wrong()
        const attempt = await attempts.attempt(passphrase)
        if (attempt.outcome === 'done' && locked) {
          locked = false
          touch()
          follow()
          deps.onUnlock(wrong)
        }
        return ok(attempt)
      },
      'lock.now'() {
        now()
        return ok({})
      },
      'lock.choice': () => ok(kept?.record.choice ?? null),
      'lock.choose'(choice) {
        if (kept === null) return fail({ kind: 'wrong_state', state: 'off', wanted: 'on' })
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
        // It may have locked while the passphrase was looked at.
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
