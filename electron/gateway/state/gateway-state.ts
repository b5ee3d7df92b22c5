import type { StoredCall } from '../../store/records/gateway-records.ts'

/** The name of a call: its bot, and the action and idempotency key or `relay` and the intent's id, joined by `~`. */
export interface CallName {
  readonly bot: string
  readonly key: string
}

export interface Asking extends CallName {
  /** The call as it will be stored. Its `orders` and `reservedUsdc` count from the claim on. */
  readonly call: StoredCall
  /** The bot's limit of orders a minute; null: none. */
  readonly ordersPerMinute: number | null
}

/** Value that other orders of the wallet have taken, on all gateways. */
export interface Elsewhere {
  /** In USDC, as of the claim. */
  readonly beforeUsdc: string
  /**
   * Sets the value of this order, and returns that of all others as of now; null if the state cannot be reached or does not have the order. Read the wallet's lists only after the
   * result, or an order that the lists show since could be in neither.
   */
  grow(valueUsdc: string): Promise<string | null>
}

/**
 * mine: this gateway may send it. `elsewhere` null: no other gateway takes room of the wallet. done: another gateway has carried it out. adopted: the
 * gateway that sent it has ended; this one follows it from now on. elsewhere: another gateway is working on it. taken: the key belongs to another call.
 * minute_full: no room for another order this minute. away: the state cannot be reached.
 */
export type Claimed =
  | { readonly kind: 'mine'; readonly elsewhere: Elsewhere | null }
  | { readonly kind: 'done' | 'adopted'; readonly call: StoredCall }
  | { readonly kind: 'elsewhere' | 'taken' | 'minute_full' | 'away' }

/** What the gateway itself does when the state has news of other gateways. */
export interface Local {
  bots(): readonly string[]
  /** The stored calls that the state must have: without outcome, with value that still counts, or never shared. */
  open(): readonly (CallName & { readonly call: StoredCall })[]
  /** The stored call; null if there is none. */
  of(name: CallName): StoredCall | null
  /** Whether the gateway is working on a call. */
  isRunning(name: CallName): boolean
  /** Stores what another gateway knows of a call. */
  learn(name: CallName, call: StoredCall): void
  /** Records that the state has a call that was stored while it was away. */
  shared(name: CallName): void
  /** When each bot that has a limit for silence last called this gateway (Unix ms), and how long ago that is. */
  uses(): readonly { readonly bot: string; readonly atMs: number; readonly agoMs: number }[]
  /** Pauses a bot, or all bots (null), because another gateway has done so. */
  pause(bot: string | null): void
  resume(bot: string): void
}

/** A part of the host's request budget. `granted` calls may leave after `waitMs`. */
export interface Lease {
  readonly granted: number
  readonly waitMs: number
}

/**
 * Why the state must not be used: its server offers no TLS, or its certificate proves nothing. Another server may pretend to be it, so
 * the user decides.
 */
export interface StateTrouble {
  readonly code: 'no_tls' | 'certificate'
  /** The code of the system's TLS; empty without one. */
  readonly detail: string
}

/** The silence of bots that may use any of several gateways. */
export interface SharedSilence {
  /**
   * The bots that have traded and then called no gateway for that long, and whose orders this gateway is to end. No other gateway gets them while this
   * one lives. Empty while the state cannot be reached.
   */
  silent(bots: readonly { readonly bot: string; readonly afterMs: number }[]): Promise<ReadonlySet<string>>
  /** Records that a bot's orders have ended, so that no gateway acts again before its next order. */
  ended(bot: string): Promise<void>
  /** The orders that a bot has placed over any gateway. Rejects if the state cannot be reached. */
  orders(bot: string): Promise<readonly StoredCall[]>
}

/** What the gateways that serve one account share. The daily loss is not in it: each gateway reads it from the exchange, for the whole account. */
export interface GatewayState {
  /** Whether there may be other gateways. */
  readonly isShared: boolean
  /** Whether new risk may leave. */
  isReachable(): boolean
  /** Another number each time the state was reached again: other gateways may have taken over calls of this one in between. */
  joinedAs(): number
  /** Claims the key of a call, and the room that it takes, before the call leaves. Only one gateway gets it. */
  claim(asking: Asking): Promise<Claimed>
  /**
   * Counts a call that may leave again among its bot's orders of this minute. False if there is no room for it, or if the state cannot be reached or
   * does not have the call.
   */
  again(asking: Asking): Promise<boolean>
  /** The room of a call that this gateway has already; null: this gateway counts alone. */
  room(of: Pick<Asking, 'key' | 'call'>): Pick<Elsewhere, 'grow'> | null
  /** Records how a call is now. Never waits; what the state cannot take now follows later. */
  keep(name: CallName, call: StoredCall): void
  /** Removes a call that had no effect. */
  drop(name: CallName, call: StoredCall): void
  /** A call of a bot that this gateway does not have. */
  find(name: CallName): Promise<StoredCall | null>
  /** Takes a part of the budget. `null`: this gateway counts alone. */
  readonly lease: ((want: number, perSecond: number) => Promise<Lease>) | null
  /** null: this gateway alone hears the bots. */
  readonly silence: SharedSilence | null
  /** Pauses a bot, or all bots (null), on every other gateway, too. */
  pause(bot: string | null): void
  /** Lets a bot send again on every other gateway. False: the state cannot be reached, so the bot must stay paused. */
  resume(bot: string): Promise<boolean>
  /** Resolves with null when the state was reached for the first time, or with the reason why it must not be used. */
  start(local: Local): Promise<StateTrouble | null>
  /** Resolves when the state has everything that it could take. */
  stop(): Promise<void>
}

/** The state of a gateway that serves an account alone: everything is in its own journal, and there is nothing to agree on. */
export const embeddedState = (): GatewayState => ({
  isShared: false,
  isReachable: () => true,
  joinedAs: () => 0,
  claim: async () => ({ kind: 'mine', elsewhere: null }),
  again: async () => true,
  room: () => null,
  keep: () => undefined,
  drop: () => undefined,
  find: async () => null,
  lease: null,
  silence: null,
  pause: () => undefined,
  resume: async () => true,
  start: async () => null,
  stop: async () => undefined,
})
