import { z } from 'zod'
import { lockMinutes, longestKept, mostKept, mostKeptNotices, shortestPassphrase } from '../../lock-limits.ts'
import { command, query } from '../define.ts'
import { Settings } from './app.ts'

/**
 * The app's lock: a passphrase without which the window shows nothing of the account and main answers nothing but these
 * calls. It keeps people away from the open app; it does not keep other programs of the same user away from the keychain.
 */

const longestPassphrase = 1_024

const passphrase = z.string().min(1).max(longestPassphrase)
const newPassphrase = z.string().min(shortestPassphrase).max(longestPassphrase)

export const LockChoice = z.object({
  /** null: not by itself. */
  afterMinutes: z.literal(lockMinutes).nullable(),
  /** When the screen locks or the computer sleeps. */
  withScreen: z.boolean(),
})
export type LockChoice = z.infer<typeof LockChoice>

export const LockState = z.object({
  /** off: no passphrase is set. */
  state: z.enum(['off', 'open', 'locked']),
  /** Milliseconds until another passphrase is looked at; 0 is at once. */
  waitMs: z.number(),
  /** The lock's file is damaged: no passphrase opens it. */
  damaged: z.boolean(),
  /** Notices that are said after unlocking. */
  waiting: z.number().int(),
  /** For the lock page, which may ask nothing else. */
  theme: Settings.shape.theme,
  practice: z.boolean(),
})
export type LockState = z.infer<typeof LockState>

/** What became of a passphrase. `waitMs`: until the next one is looked at. */
export const Attempt = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('done') }),
  z.object({ outcome: z.literal('wrong'), waitMs: z.number() }),
  /** It was not looked at. */
  z.object({ outcome: z.literal('too_soon'), waitMs: z.number() }),
])
export type Attempt = z.infer<typeof Attempt>

/** A notice that is on screen, as the window was told it. */
export const KeptNotice = z.object({
  severity: z.enum(['ok', 'info', 'warn', 'danger']),
  title: z.string().max(1_000),
  text: z.string().max(4_000),
  to: z.string().max(2_000).nullable(),
})
export type KeptNotice = z.infer<typeof KeptNotice>

/**
 * What the page of a window leaves to the one that comes after it, since it is loaded again when the app locks. It holds no key; a signature that
 * the phone gave beneath the lock, or a late write of the wallet's store, may be among the calls.
 */
export const HandOver = z.object({
  /** Where the user was: the part of the address after the page. */
  place: z.string().max(2_000),
  /** What was typed, in the page's own JSON; null: nothing. */
  drafts: z.string().max(longestKept).nullable(),
  notices: z.array(KeptNotice).max(mostKeptNotices),
  /** Commands that were refused because of the lock, oldest first; `input` is JSON. The next page gives them again once it is unlocked. */
  calls: z.array(z.object({ name: z.string().max(64), input: z.string().max(longestKept) })).max(mostKept),
})
export type HandOver = z.infer<typeof HandOver>

const changesLock = { invalidates: ['lock.state', 'lock.choice'] } as const

export const lock = {
  'lock.state': query(z.object({}), LockState, 'app'),
  'lock.unlock': command(z.object({ passphrase }), Attempt, { invalidates: ['lock.state'] }),
  /** Locks. Without a passphrase it does nothing. */
  'lock.now': command(z.object({}), z.object({}), { invalidates: ['lock.state'] }),

  /**
   * The page leaves what it may not lose, and is loaded again: nothing of what it held is left in its window. Fails with `wrong_state` unless
   * locked.
   */
  'lock.leave': command(HandOver, z.object({})),
  /** What the page before left, once; null: nothing, or another exchange was chosen since. */
  'lock.takeBack': command(z.object({}), HandOver.nullable()),

  /** null while no passphrase is set. */
  'lock.choice': query(z.object({}), LockChoice.nullable(), 'app'),
  'lock.choose': command(LockChoice, z.object({}), { invalidates: ['lock.choice'] }),
  /** Sets the first passphrase, or another one; `current` is needed for that. */
  'lock.set': command(z.object({ passphrase: newPassphrase, current: passphrase.nullable() }), Attempt, changesLock),
  'lock.remove': command(z.object({ current: passphrase }), Attempt, changesLock),
  /** Somebody is there: puts off locking by itself. */
  'lock.touch': command(z.object({}), z.object({})),
} as const
