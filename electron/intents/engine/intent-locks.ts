import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'

/** One piece of work at a time per name; different names never wait for each other. */
export interface NamedLocks {
  run<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Resolves once nothing runs or waits under any name. */
  idle(): Promise<void>
}

export function createNamedLocks(): NamedLocks {
  const tails = new Map<string, Promise<unknown>>()
  return {
    run: (name, work) => {
      const before = tails.get(name) ?? Promise.resolve()
      const mine = before.then(work, work)
      const settled = mine.catch(() => undefined)
      tails.set(name, settled)
      void settled.then(() => {
        if (tails.get(name) === settled) tails.delete(name)
      })
      return mine
    },
    idle: async () => {
      while (tails.size > 0) await Promise.all(tails.values())
    },
  }
}

/** What a wallet broadcasts itself, of orders and of payments: one after the other, each waited for (FLOW-03). */
export interface Broadcasts {
  /** One asking at a time for a wallet: the second would not see the first. */
  oneAtATime<T>(wallet: string, work: () => Promise<T>): Promise<T>
  /** Another intent of the same wallet with a transaction that the chain may not hold yet; null: none. */
  inTheWay(row: IntentRow): IntentRow | null
  /** Resolves when nobody asks. */
  idle(): Promise<void>
}

/** States in which a transaction may be on its way to a block. */
const underWay: readonly IntentState[] = ['ASKED', 'UNKNOWN', 'SUBMITTED']

export function createBroadcasts({ profile, journal }: { readonly profile: ProfileFacts; readonly journal: Pick<Journal, 'intents'> }): Broadcasts {
  const locks = createNamedLocks()
  return {
    oneAtATime: (wallet, work) => locks.run(wallet, work),
    inTheWay: ({ ref, wallet }) =>
      journal.intents
        .open(profile.id)
        .find((other) => other.way === 'transactions' && other.wallet === wallet && other.ref !== ref && underWay.includes(other.state)) ?? null,
    idle: () => locks.idle(),
  }
}
