import type { PhoneRequest, PhoneState } from '../../../shared/ipc/host/wallet.ts'
import type { PracticeClock } from '../base/practice-clock.ts'

export type Outcome = PhoneState['recent'][number]['outcome']

export interface QueuedRequest {
  readonly card: PhoneRequest
  /** Executes the request and responds to the app. If this fails, throws an error with a message that the user sees in the log. */
  approve(): Promise<void>
  reject(code: number | null): Promise<void>
}

export interface RequestQueue {
  cards(): PhoneRequest[]
  recent(): PhoneState['recent']
  add(request: QueuedRequest): void
  /** Approves a request. Returns `false` if the request no longer exists. */
  approve(id: string): Promise<boolean>
  reject(id: string, code: number | null): Promise<boolean>
  /** Removes a request because the app, or the WalletConnect library, no longer waits for a response. */
  expire(id: string): void
  onAdded(listener: (card: PhoneRequest) => void): () => void
  stop(): void
}

const recentShown = 10
/** The longest delay that Node’s timers support. */
const longestTimer = 2 ** 31 - 1

/** The requests that wait for the user, oldest first. The phone answers each request at most once, and removes expired requests automatically. */
export function createRequestQueue({ clock, changed }: { readonly clock: PracticeClock; readonly changed: () => void }): RequestQueue {
  const waiting = new Map<string, QueuedRequest>()
  const listeners = new Set<(card: PhoneRequest) => void>()
  let recent: PhoneState['recent'] = []
  let timer: NodeJS.Timeout | null = null

  const settle = ({ card }: QueuedRequest, outcome: Outcome) => {
    recent = [{ id: card.id, title: card.headline.join(' · '), outcome, atMs: clock.now() }, ...recent].slice(0, recentShown)
    changed()
  }
  const take = (id: string): QueuedRequest | null => {
    dropExpired()
    const request = waiting.get(id)
    if (request === undefined) return null
    waiting.delete(id)
    changed()
    return request
  }
  const expire = (id: string) => {
    const request = waiting.get(id)
    if (request === undefined) return
    waiting.delete(id)
    settle(request, 'expired')
  }
  function dropExpired(): void {
    for (const { card } of [...waiting.values()]) if (card.expiresAtMs <= clock.now()) expire(card.id)
    if (timer !== null) clearTimeout(timer)
    timer = null
    const next = Math.min(...[...waiting.values()].map(({ card }) => card.expiresAtMs))
    if (Number.isFinite(next)) timer = setTimeout(dropExpired, Math.min(next - clock.now(), longestTimer)).unref()
  }
  const unsubscribe = clock.onAdvance(dropExpired)

  return {
    cards: () => [...waiting.values()].map(({ card }) => card),
    recent: () => recent,
    add: (request) => {
      waiting.set(request.card.id, request)
      dropExpired()
      changed()
      if (waiting.has(request.card.id)) for (const listener of [...listeners]) listener(request.card)
    },
    approve: async (id) => {
      const request = take(id)
      if (request === null) return false
      try {
        await request.approve()
        settle(request, 'approved')
      } catch {
        settle(request, 'failed')
      }
      return true
    },
    reject: async (id, code) => {
      const request = take(id)
      if (request === null) return false
      try {
        await request.reject(code)
        settle(request, 'rejected')
      } catch {
        settle(request, 'failed')
      }
      return true
    },
    expire,
    onAdded: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: () => {
      unsubscribe()
      if (timer !== null) clearTimeout(timer)
      waiting.clear()
    },
  }
}
