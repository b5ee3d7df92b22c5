import { z } from 'zod'
import { lockMinutes, longestKept, mostKept, mostKeptNotices, shortestPassphrase } from '../../input-limits.ts'
import { command, query } from '../define.ts'
import { Settings } from './app.ts'

/**
 * This file defines the calls of the app lock. Until the user enters the passphrase, the window shows nothing of the account, and main answers only
 * the calls in `askedWhileLocked`. The lock protects against other people at this computer. It does not protect against programs of the same user
 * that read the keychain.
 */

const longestPassphrase = 1_024

const passphrase = z.string().min(1).max(longestPassphrase)
const newPassphrase = z.string().min(shortestPassphrase).max(longestPassphrase)

export const LockChoice = z.object({
  /** Minutes without input until the app locks automatically; null: the app does not lock automatically. */
  afterMinutes: z.literal(lockMinutes).nullable(),
  /** true: the app locks when the screen locks or the computer sleeps. */
  withScreen: z.boolean(),
  /** true: Touch ID can unlock the app, on a Mac that has it. The passphrase always can. */
  touchId: z.boolean(),
})
export type LockChoice = z.infer<typeof LockChoice>

export const LockState = z.object({
  /** The state of the app lock. off: the user set no passphrase. */
  state: z.enum(['off', 'open', 'locked']),
  /** Milliseconds until main accepts another passphrase; 0 if it accepts one now. */
  waitMs: z.number(),
  /** true: the lock file is damaged, so no passphrase can unlock the app. */
  damaged: z.boolean(),
  /** Number of notices that wait until the app is unlocked. */
  waiting: z.number().int(),
  /** The colour theme. The lock page gets it here, because it may not read the settings. */
  theme: Settings.shape.theme,
  practice: z.boolean(),
  /** Whether the lock page can offer Touch ID now. */
  touchId: z.boolean(),
})
export type LockState = z.infer<typeof LockState>

/** The result of entering a passphrase. `waitMs`: time until main accepts another attempt. */
export const Attempt = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('done') }),
  z.object({ outcome: z.literal('wrong'), waitMs: z.number() }),
  /** Main did not check the passphrase, because the user must still wait after a wrong attempt. */
  z.object({ outcome: z.literal('too_soon'), waitMs: z.number() }),
])
export type Attempt = z.infer<typeof Attempt>

/** A notice that the page currently shows, as main sent it. */
export const KeptNotice = z.object({
  severity: z.enum(['ok', 'info', 'warn', 'danger']),
  title: z.string().max(1_000),
  text: z.string().max(4_000),
  to: z.string().max(2_000).nullable(),
})
export type KeptNotice = z.infer<typeof KeptNotice>

/**
 * State that a page hands over to the next page, because the window reloads when the app locks. Contains no API key. `calls` may include a signature
 * that the phone sent during the lock, or a late write to the wallet's store.
 */
export const HandOver = z.object({
  /** The route that the user was on: the part of the URL after the page. */
  place: z.string().max(2_000),
  /** Text that the user typed, as JSON in the page's own format; null if there is none. */
  drafts: z.string().max(longestKept).nullable(),
  notices: z.array(KeptNotice).max(mostKeptNotices),
  /** Commands that the app lock refused, oldest first; `input` is JSON text. The next page runs them after the unlock. */
  calls: z.array(z.object({ name: z.string().max(64), input: z.string().max(longestKept) })).max(mostKept),
})
export type HandOver = z.infer<typeof HandOver>

const changesLock = { invalidates: ['lock.state', 'lock.choice'] } as const

export const lock = {
  'lock.state': query(z.object({}), LockState, 'app'),
  'lock.unlock': command(z.object({ passphrase }), Attempt, { invalidates: ['lock.state'] }),
  /**
   * Shows the system's Touch ID prompt and waits for it. refused: the user cancelled, or the finger was not recognised. Fails with `wrong_state` if
   * Touch ID is not available or not allowed in the settings, and with `gesture_required` unless the user pressed something just before.
   */
  'lock.unlockWithTouchId': command(z.object({}), z.object({ outcome: z.enum(['done', 'refused']) }), { invalidates: ['lock.state'] }),
  /** Locks the app. Does nothing if the user set no passphrase. */
  'lock.now': command(z.object({}), z.object({}), { invalidates: ['lock.state'] }),

  /**
   * Hands over the page's state that must survive, and reloads the page, so that the locked window keeps no account data. Fails with `wrong_state`
   * unless the app is locked.
   */
  'lock.leave': command(HandOver, z.object({})),
  /**
   * Hands over the page's state that must survive, and reloads the page in the language of the settings. Fails with `wrong_state` while the app is
   * locked.
   */
  'lock.reopen': command(HandOver.omit({ calls: true }), z.object({})),
  /**
   * Returns the state that the previous page handed over, and then deletes it. null if there is none, or if the user has switched to another
   * exchange meanwhile.
   */
  'lock.takeBack': command(z.object({}), HandOver.nullable()),

  /** Returns when the app locks automatically; null if the user set no passphrase. */
  'lock.choice': query(z.object({}), LockChoice.nullable(), 'app'),
  /** Fails with `wrong_state` if the app has no lock, or if it would turn on Touch ID on a computer without it. */
  'lock.choose': command(LockChoice, z.object({}), { invalidates: ['lock.choice'] }),
  /** Sets or changes the passphrase. A change requires the `current` passphrase. */
  'lock.set': command(z.object({ passphrase: newPassphrase, current: passphrase.nullable() }), Attempt, changesLock),
  'lock.remove': command(z.object({ current: passphrase }), Attempt, changesLock),
  /** Reports that the user is active, which restarts the timer of the automatic lock. */
  'lock.touch': command(z.object({}), z.object({})),
} as const
