import { z } from 'zod'
import { lockMinutes, longestKept, mostKept, mostKeptNotices, shortestPassphrase } from '../../lock-limits.ts'
import { command, query } from '../define.ts'
import { Settings } from './app.ts'

/**
 * The app lock: until the user enters the passphrase, the window shows nothing of the account, and main answers only the calls in `askedWhileLocked`.
 * The lock stops people who use the open app. It does not stop other programs of the same user from reading the keychain.
 */

const longestPassphrase = 1_024

const passphrase = z.string().min(1).max(longestPassphrase)
const newPassphrase = z.string().min(shortestPassphrase).max(longestPassphrase)

export const LockChoice = z.object({
  /** null: the app does not lock automatically. */
  afterMinutes: z.literal(lockMinutes).nullable(),
  /** true: the app locks when the screen locks or the computer sleeps. */
  withScreen: z.boolean(),
})
export type LockChoice = z.infer<typeof LockChoice>

export const LockState = z.object({
  /** off: the user set no passphrase. */
  state: z.enum(['off', 'open', 'locked']),
  /** Milliseconds until main accepts another passphrase; 0 if it accepts one now. */
  waitMs: z.number(),
  /** The lock file is damaged, so no passphrase can open it. */
  damaged: z.boolean(),
  /** Number of notices that the app shows after unlocking. */
  waiting: z.number().int(),
  /** The colour theme for the lock page, which may make no other calls. */
  theme: Settings.shape.theme,
  practice: z.boolean(),
})
export type LockState = z.infer<typeof LockState>

/** The result of a passphrase attempt. `waitMs`: time until main accepts the next attempt. */
export const Attempt = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('done') }),
  z.object({ outcome: z.literal('wrong'), waitMs: z.number() }),
  /** Main did not check the passphrase, because the attempt came too soon. */
  z.object({ outcome: z.literal('too_soon'), waitMs: z.number() }),
])
export type Attempt = z.infer<typeof Attempt>

/** A notice on screen, as main sent it to the window. */
export const KeptNotice = z.object({
  severity: z.enum(['ok', 'info', 'warn', 'danger']),
  title: z.string().max(1_000),
  text: z.string().max(4_000),
  to: z.string().max(2_000).nullable(),
})
export type KeptNotice = z.infer<typeof KeptNotice>

/**
 * What a page hands to the page that replaces it, because the window reloads when the app locks. Contains no key. Its calls may include a signature
 * that the phone gave during the lock, or a late write to the wallet's store.
 */
export const HandOver = z.object({
  /** The user's route: the part of the URL after the page. */
  place: z.string().max(2_000),
  /** Text that the user typed, as JSON in the page's own format; null if there is none. */
  drafts: z.string().max(longestKept).nullable(),
  notices: z.array(KeptNotice).max(mostKeptNotices),
  /** Commands that the lock refused, oldest first; `input` is JSON. The next page runs them once it is unlocked. */
  calls: z.array(z.object({ name: z.string().max(64), input: z.string().max(longestKept) })).max(mostKept),
})
export type HandOver = z.infer<typeof HandOver>

const changesLock = { invalidates: ['lock.state', 'lock.choice'] } as const

export const lock = {
  'lock.state': query(z.object({}), LockState, 'app'),
  'lock.unlock': command(z.object({ passphrase }), Attempt, { invalidates: ['lock.state'] }),
  /** Locks the app. Does nothing without a passphrase. */
  'lock.now': command(z.object({}), z.object({}), { invalidates: ['lock.state'] }),

  /**
   * The page hands over the state that must survive the reload, then reloads, so that the locked window keeps none of its content. Fails with
   * `wrong_state` unless locked.
   */
  'lock.leave': command(HandOver, z.object({})),
  /**
   * The page hands over the state that must survive the reload, then reloads in the language of the settings. Fails with `wrong_state` while locked.
   */
  'lock.reopen': command(HandOver.omit({ calls: true }), z.object({})),
  /**
   * Returns, only once, the state that the previous page handed over; null if there is none, or if the user has switched to another exchange since.
   */
  'lock.takeBack': command(z.object({}), HandOver.nullable()),

  /** null if the user set no passphrase. */
  'lock.choice': query(z.object({}), LockChoice.nullable(), 'app'),
  'lock.choose': command(LockChoice, z.object({}), { invalidates: ['lock.choice'] }),
  /** Sets the first passphrase, or changes it; a change needs `current`. */
  'lock.set': command(z.object({ passphrase: newPassphrase, current: passphrase.nullable() }), Attempt, changesLock),
  'lock.remove': command(z.object({ current: passphrase }), Attempt, changesLock),
  /** The user is active: restarts the timer of the automatic lock. */
  'lock.touch': command(z.object({}), z.object({})),
} as const
