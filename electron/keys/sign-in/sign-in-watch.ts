import { signInQueries } from '../../../shared/ipc/intents/intent-queries.ts'
import type { SessionStatus } from '../../../shared/ipc/keys/session.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { Emit, Every } from '../../kernel/events.ts'
import { signInEnded } from '../../kernel/notice-words.ts'

export interface SignInWatchDeps {
  /** The service's time: the end of a sign-in is its own. */
  readonly clock: Clock
  readonly emit: Emit
  readonly every: Every
  /** The wallet that is connected now. */
  readonly connected: () => string | null
}

/** A sign-in as it is kept. `expiresAtMs` in Unix ms. */
export interface KeptSignIn {
  readonly wallet: string
  readonly expiresAtMs: number
  /** The service refused it before its time was over. */
  readonly refused: boolean
}

export interface SignInWatch {
  /** The state of the connected wallet's sign-in now; null: it has none. Tells the windows where they saw another one last. */
  look(kept: KeptSignIn | null): SessionStatus['state']
  start(): void
  stop(): void
}

/** From here on the screen asks to sign in again in time. */
const endingMs = 30 * minute

/**
 * Tells the windows when a sign-in is about to end and when it has ended, wherever that is noticed first. It looks every second instead of
 * setting a timer for the end: a sleeping computer stops its timers, and the service's time is measured anew with each of its answers.
 */
export function createSignInWatch({ clock, emit, every, connected }: SignInWatchDeps): SignInWatch {
  /** What the windows saw last. */
  let seen: (KeptSignIn & { readonly state: SessionStatus['state'] }) | null = null
  let stop: (() => void) | null = null

  const stateOf = ({ expiresAtMs, refused }: KeptSignIn): SessionStatus['state'] => {
    const left = expiresAtMs - clock.now()
    return refused || left <= 0 ? 'ended' : left < endingMs ? 'ending' : 'active'
  }

  const look = (kept: KeptSignIn | null): SessionStatus['state'] => {
    if (kept === null) {
      seen = null
      return 'none'
    }
    const before = seen
    const state = stateOf(kept)
    // No more than that: the kept one may have its bearer beside it.
    const { wallet, expiresAtMs, refused } = kept
    seen = { wallet, expiresAtMs, refused, state }
    // A first look, another wallet or a new sign-in is an answer to somebody who asked.
    if (before === null || before.wallet !== kept.wallet || before.state === state || state === 'active') return state
    emit({ type: 'invalidate', queries: signInQueries })
    if (state === 'ended')
      emit({
        type: 'notice',
        severity: 'warn',
        ...signInEnded(kept.refused),
        to: '/sign-in',
      })
    return state
  }

  return {
    look,
    start: () => {
      stop ??= every(second, () => {
        if (seen !== null && seen.wallet === connected()) look(seen)
      })
    },
    stop: () => {
      stop?.()
      stop = null
    },
  }
}
