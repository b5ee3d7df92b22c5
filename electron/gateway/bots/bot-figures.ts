import type { BotRow } from '../../../shared/ipc/keys/gateway.ts'
import { type Clock, second } from '../../../shared/time.ts'

type Figures = Pick<BotRow, 'callsPerSecond' | 'calls' | 'errors' | 'latencyMs' | 'refused' | 'orders'>

/** What the page shows of each bot since the gateway started. Kept in memory only. */
export interface BotFigures {
  /** Counts a call. `code`: the gateway's own refusal; null if the service answered. */
  called(bot: string, call: { readonly ms: number; readonly status: number; readonly code: string | null }): void
  ordered(bot: string): void
  of(bot: string): Figures
}

const windowMs = 10 * second
const latencies = 100

interface Counts {
  calls: number
  errors: number
  orders: number
  /** Calls of the last seconds, one entry for each second. */
  readonly recent: Map<number, number>
  readonly times: number[]
  readonly refused: Map<string, number>
}

export function createBotFigures({ monotonic }: Pick<Clock, 'monotonic'>): BotFigures {
  const all = new Map<string, Counts>()
  const countsOf = (bot: string): Counts => {
    const counts = all.get(bot) ?? { calls: 0, errors: 0, orders: 0, recent: new Map<number, number>(), times: [], refused: new Map<string, number>() }
    all.set(bot, counts)
    return counts
  }
  const nowSecond = () => Math.floor(monotonic() / second)
  return {
    called: (bot, { ms, status, code }) => {
      const counts = countsOf(bot)
      const at = nowSecond()
      counts.calls += 1
      counts.recent.set(at, (counts.recent.get(at) ?? 0) + 1)
      for (const old of counts.recent.keys()) if (old <= at - windowMs / second) counts.recent.delete(old)
      if (status >= 400) counts.errors += 1
      if (code !== null) counts.refused.set(code, (counts.refused.get(code) ?? 0) + 1)
      counts.times.push(ms)
      if (counts.times.length > latencies) counts.times.shift()
    },
    ordered: (bot) => {
      countsOf(bot).orders += 1
    },
    of: (bot) => {
      const { calls, errors, orders, recent, times, refused } = countsOf(bot)
      const since = nowSecond() - windowMs / second
      const inWindow = [...recent].filter(([at]) => at > since).reduce((sum, [, count]) => sum + count, 0)
      const sorted = times.toSorted((a, b) => a - b)
      return {
        callsPerSecond: inWindow / (windowMs / second),
        calls,
        errors,
        orders,
        latencyMs: sorted[Math.floor(sorted.length / 2)] ?? null,
        refused: [...refused].map(([code, count]) => ({ code, count })),
      }
    },
  }
}
