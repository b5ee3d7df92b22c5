import { type Clock, second } from '../../../shared/time.ts'

/** go: send now. busy: too many calls of this bot wait already. ended: the bot hung up, or the gateway stops. */
export type Turn = 'go' | 'busy' | 'ended'

export interface FairShare {
  /** Waits for this bot's turn. Calls with `first` (a close or a cancel) go before the bot's other calls. */
  turn(bot: string, first: boolean, signal?: AbortSignal): Promise<Turn>
  /** Holds all bots back for `ms`, because the service asked for it, and halves the rate until a minute has passed without another refusal. */
  slower(ms: number): void
  setRate(perSecond: number): void
  stop(): void
}

interface Waiting {
  readonly settle: (turn: Turn) => void
  readonly first: boolean
}

/** How many calls of one bot may wait. With more, only this bot is refused, and the others do not notice it. */
const mostWaiting = 32
const calmMs = 60 * second
/** Share of a second's calls that may leave together after a quiet time. */
const burstShare = 0.25

/**
 * Shares a number of calls per second among bots. Each bot has a queue of its own, and the queues take turns, so a bot that floods waits behind itself.
 * The app's own calls do not pass here; they go before all bots.
 */
export function createFairShare(clock: Pick<Clock, 'monotonic'>, perSecond: number): FairShare {
  /** In the order in which the bots have their next turn. */
  const queues = new Map<string, Waiting[]>()
  let rate = perSecond
  let allowed = perSecond
  let tokens = 1
  let filledAt = clock.monotonic()
  let heldUntil = Number.NEGATIVE_INFINITY
  let refusedAt = Number.NEGATIVE_INFINITY
  let next: (() => void) | null = null

  const waitMs = (): number => {
    const now = clock.monotonic()
    if (allowed < rate && now - refusedAt >= calmMs) {
      allowed = Math.min(rate, allowed * 2)
      refusedAt = now
    }
    tokens = Math.min(Math.max(1, allowed * burstShare), tokens + ((now - filledAt) / second) * allowed)
    filledAt = now
    return Math.max(heldUntil - now, tokens >= 1 ? 0 : ((1 - tokens) / allowed) * second)
  }

  /** Serves one call, then lets bots that were just served ask again, so that they are in their place before the next turn is given. */
  const serve = (): void => {
    next = null
    const [first] = queues
    if (first === undefined) return
    const wait = waitMs()
    if (wait > 0) {
      const timer = setTimeout(serve, Math.ceil(wait))
      timer.unref()
      next = () => clearTimeout(timer)
      return
    }
    const [bot, queue] = first
    const waiter = queue.shift()
    // Move this bot behind the others.
    queues.delete(bot)
    if (queue.length > 0) queues.set(bot, queue)
    tokens -= 1
    waiter?.settle('go')
    const immediate = setImmediate(serve)
    next = () => clearImmediate(immediate)
  }

  return {
    turn(bot, first, signal) {
      if (signal?.aborted === true) return Promise.resolve('ended')
      if (queues.size === 0 && waitMs() <= 0) {
        tokens -= 1
        return Promise.resolve('go')
      }
      const queue = queues.get(bot) ?? []
      if (queue.length >= mostWaiting && !first) return Promise.resolve('busy')
      // A bot that names every call a close must not grow its queue without end.
      if (queue.length >= 2 * mostWaiting) return Promise.resolve('busy')
      const { promise, resolve } = Promise.withResolvers<Turn>()
      const waiter: Waiting = {
        first,
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
      const place = first ? queue.findIndex((other) => !other.first) : -1
      queue.splice(place === -1 ? queue.length : place, 0, waiter)
      queues.set(bot, queue)
      if (next === null) serve()
      return promise
    },
    slower(ms) {
      const now = clock.monotonic()
      heldUntil = Math.max(heldUntil, now + ms)
      if (now - refusedAt >= 2 * second) allowed = Math.max(1, Math.floor(allowed / 2))
      refusedAt = now
    },
    setRate(next) {
      rate = next
      allowed = next
    },
    stop() {
      next?.()
      next = null
      const all = [...queues.values()].flat()
      queues.clear()
      for (const { settle } of all) settle('ended')
    },
  }
}
