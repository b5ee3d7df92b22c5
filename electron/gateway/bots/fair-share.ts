import { type Clock, second } from '../../../shared/time.ts'
import type { GatewayState } from '../state/gateway-state.ts'

/**
 * go: send now. busy: too many calls of this bot wait already. ended: the bot hung up, or the gateway stops. `heldMs`: the service asked for a longer
 * wait than a call should hang.
 */
export type Turn = 'go' | 'busy' | 'ended' | { readonly heldMs: number }

export interface Asked {
  readonly bot: string
  /** A close or a cancel. It goes before the bot's other calls, and waits for no lowered rate. */
  readonly isExit: boolean
  /** What the service counts this call by: the id of a key, or `address` for a call without a key. */
  readonly scope: string
  readonly signal?: AbortSignal
}

export interface FairShare {
  /** Waits for this bot's turn. */
  turn(asked: Asked): Promise<Turn>
  /**
   * Holds back the calls of one scope for `ms`, because the service asked for it, and halves their rate until a minute has passed without another
   * refusal. Other scopes do not notice it.
   */
  slower(scope: string, ms: number): void
  setRate(perSecond: number): void
  /** The part of the burst that is left now, from 0 to 1. Below 1 on a shared budget: how soon this gateway gets its next part of it. */
  left(): number
  stop(): void
}

/** The scope of calls without a key. The service can count them only by the address. */
export const addressScope = 'address'

interface Waiting {
  readonly settle: (turn: Turn) => void
  readonly isExit: boolean
  readonly scope: string
}

/** How many calls of one bot may wait. With more, only this bot is refused, and the others do not notice it. */
const mostWaiting = 32
const calmMs = 60 * second
/** The largest part of a second's budget that a gateway takes at once. */
const leaseShare = 0.1
/** Share of a second's calls that may leave together after a quiet time. */
const burstShare = 0.25
/** A call waits at most this long for the service. The bot learns of a longer wait at once; an exit leaves then, and the service decides. */
const longestHoldMs = 10 * second

/** A number of calls a second, with a short burst after a quiet time. */
function createRate({ monotonic }: Pick<Clock, 'monotonic'>) {
  let tokens = 1
  let filledAt = monotonic()
  const largest = (perSecond: number) => Math.max(1, perSecond * burstShare)
  const fill = (perSecond: number) => {
    const now = monotonic()
    tokens = Math.min(largest(perSecond), tokens + ((now - filledAt) / second) * perSecond)
    filledAt = now
  }
  return {
    left(perSecond: number): number {
      fill(perSecond)
      return Math.max(0, tokens) / largest(perSecond)
    },
    waitMs(perSecond: number): number {
      fill(perSecond)
      return tokens >= 1 ? 0 : ((1 - tokens) / perSecond) * second
    },
    take: () => {
      tokens -= 1
    },
  }
}

type Rate = ReturnType<typeof createRate>

/** A number of calls a second that several gateways share: takes a part for the calls that wait, and no more. */
function leasedRate({ monotonic }: Pick<Clock, 'monotonic'>, lease: NonNullable<GatewayState['lease']>, waiting: () => number, wake: () => void): Rate {
  let granted = 0
  let validAt = 0
  let isAsking = false
  const ask = async (perSecond: number) => {
    isAsking = true
    const want = Math.min(Math.max(1, waiting()), Math.max(1, Math.floor(perSecond * leaseShare)))
    const part = await lease(want, perSecond)
    granted = part.granted
    validAt = monotonic() + part.waitMs
    isAsking = false
    wake()
  }
  return {
    waitMs: (perSecond) => {
      if (granted > 0) return Math.max(0, validAt - monotonic())
      if (!isAsking) void ask(perSecond)
      return longestHoldMs
    },
    take: () => {
      granted -= 1
    },
    left: () => Math.min(1, Math.max(0, 1 - (validAt - monotonic()) / (leaseShare * second))),
  }
}

interface Slowed {
  readonly rate: Rate
  perSecond: number
  heldUntil: number
  exitsHeldUntil: number
  refusedAt: number
}

/**
 * Shares a number of calls per second among bots. Each bot has a queue of its own, and the queues take turns, so a bot that floods waits behind itself.
 * The app's own calls do not pass here; they go before all bots.
 */
export function createFairShare(clock: Pick<Clock, 'monotonic'>, perSecond: number, lease: GatewayState['lease'] = null): FairShare {
  /** In the order in which the bots have their next turn. */
  const queues = new Map<string, Waiting[]>()
  const waiting = () => [...queues.values()].reduce((sum, { length }) => sum + length, 0)
  const wake = () => {
    // An immediate turn follows anyway.
    if (next?.isTimer === false) return
    next?.cancel()
    serve()
  }
  const all = lease === null ? createRate(clock) : leasedRate(clock, lease, waiting, wake)
  const slowed = new Map<string, Slowed>()
  let rate = perSecond
  let next: { readonly isTimer: boolean; cancel(): void } | null = null

  /** How long calls of a scope must wait for the service. Doubles a lowered rate after each calm minute, until it is the rate of all again. */
  const scopeWaitMs = (scope: string, isExit: boolean): number => {
    const one = slowed.get(scope)
    if (one === undefined) return 0
    const now = clock.monotonic()
    if (now - one.refusedAt >= calmMs) {
      one.perSecond *= 2
      one.refusedAt = now
    }
    if (one.perSecond >= rate && now >= one.heldUntil) {
      slowed.delete(scope)
      return 0
    }
    return isExit ? Math.max(0, one.exitsHeldUntil - now) : Math.max(one.heldUntil - now, one.rate.waitMs(one.perSecond))
  }
  const take = (scope: string) => {
    all.take()
    slowed.get(scope)?.rate.take()
  }

  /** Serves one call, then lets bots that were just served ask again, so that they are in their place before the next turn is given. */
  const serve = (): void => {
    next = null
    let soonest = Number.POSITIVE_INFINITY
    for (const [bot, queue] of queues) {
      const waits = queue.map(({ scope, isExit }) => scopeWaitMs(scope, isExit))
      const at = waits.findIndex((wait) => wait <= 0)
      if (at === -1) {
        soonest = Math.min(soonest, ...waits)
        continue
      }
      const wait = all.waitMs(rate)
      if (wait > 0) {
        soonest = wait
        break
      }
      const [waiter] = queue.splice(at, 1)
      // Move this bot behind the others.
      queues.delete(bot)
      if (queue.length > 0) queues.set(bot, queue)
      if (waiter !== undefined) take(waiter.scope)
      waiter?.settle('go')
      const immediate = setImmediate(serve)
      next = { isTimer: false, cancel: () => clearImmediate(immediate) }
      return
    }
    if (soonest === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(serve, Math.ceil(soonest))
    timer.unref()
    next = { isTimer: true, cancel: () => clearTimeout(timer) }
  }

  return {
    turn({ bot, isExit, scope, signal }) {
      if (signal?.aborted === true) return Promise.resolve('ended')
      const heldMs = scopeWaitMs(scope, isExit)
      if (heldMs > longestHoldMs) return Promise.resolve({ heldMs })
      if (queues.size === 0 && heldMs <= 0 && all.waitMs(rate) <= 0) {
        take(scope)
        return Promise.resolve('go')
      }
      const queue = queues.get(bot) ?? []
      if (queue.length >= mostWaiting && !isExit) return Promise.resolve('busy')
      // A bot that names every call a close must not grow its queue without end.
      if (queue.length >= 2 * mostWaiting) return Promise.resolve('busy')
      const { promise, resolve } = Promise.withResolvers<Turn>()
      const waiter: Waiting = {
        isExit,
        scope,
        settle: (turn) => {
          signal?.removeEventListener('abort', leave)
          resolve(turn)
        },
      }
      function leave() {
        const place = queue.indexOf(waiter)
        if (place !== -1) queue.splice(place, 1)
        if (queue.length === 0 && queues.get(bot) === queue) queues.delete(bot)
        waiter.settle('ended')
      }
      signal?.addEventListener('abort', leave, { once: true })
      const place = isExit ? queue.findIndex((other) => !other.isExit) : -1
      queue.splice(place === -1 ? queue.length : place, 0, waiter)
      queues.set(bot, queue)
      if (next?.isTimer === true) {
        // It may be far away, because it waits for another scope.
        next.cancel()
        next = null
      }
      if (next === null) serve()
      return promise
    },
    slower(scope, ms) {
      const now = clock.monotonic()
      const one = slowed.get(scope) ?? {
        rate: createRate(clock),
        ...{ perSecond: rate, heldUntil: now, exitsHeldUntil: now, refusedAt: Number.NEGATIVE_INFINITY },
      }
      slowed.set(scope, one)
      one.heldUntil = Math.max(one.heldUntil, now + ms)
      one.exitsHeldUntil = Math.max(one.exitsHeldUntil, now + Math.min(ms, longestHoldMs))
      if (now - one.refusedAt >= 2 * second) one.perSecond = Math.max(1, Math.floor(one.perSecond / 2))
      one.refusedAt = now
      if (one.heldUntil - now <= longestHoldMs) return
      for (const [bot, queue] of queues) {
        const [held, others] = [
          queue.filter((waiter) => waiter.scope === scope && !waiter.isExit),
          queue.filter((waiter) => waiter.scope !== scope || waiter.isExit),
        ]
        queue.splice(0, queue.length, ...others)
        if (queue.length === 0) queues.delete(bot)
        for (const { settle } of held) settle({ heldMs: one.heldUntil - now })
      }
    },
    setRate(perSecond) {
      rate = perSecond
    },
    left: () => all.left(rate),
    stop() {
      next?.cancel()
      next = null
      const waiting = [...queues.values()].flat()
      queues.clear()
      for (const { settle } of waiting) settle('ended')
    },
  }
}
