import type { Clock } from '../../../../shared/time.ts'
import type { Faults } from '../../base/faults.ts'

export interface Breakers {
  /** Returns every circuit breaker: whether it is tripped, why, and since when. */
  states(): Record<string, unknown>[]
}

const known = ['trading', 'deposits', 'withdrawals', 'relay', 'liquidations']

/** Circuit breakers are only reported. They do not affect what the exchange accepts or refuses. */
export function createBreakers({ faults, clock }: { faults: Pick<Faults, 'breakers'>; clock: Clock }): Breakers {
  const trippedAt = new Map<string, number>()
  return {
    states: () => {
      const tripped = new Map(faults.breakers.map((breaker) => [breaker.name, breaker]))
      for (const name of trippedAt.keys()) if (!tripped.has(name)) trippedAt.delete(name)
      return [...new Set([...known, ...tripped.keys()])].map((name) => {
        const breaker = tripped.get(name)
        if (breaker === undefined) return { name, tripped: false, reason: null, since: null }
        const sinceMs = breaker.sinceMs ?? trippedAt.get(name) ?? clock.now()
        trippedAt.set(name, sinceMs)
        return { name, tripped: true, reason: breaker.reason, since: new Date(sinceMs).toISOString() }
      })
    },
  }
}
