import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'

/** Runs tasks with the same name one after another. Tasks with different names do not wait for each other. */
export interface NamedLocks {
  run<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Resolves when no task runs or waits under any name. */
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

/**
 * Serialises the transactions of one wallet, for orders and payments alike. Each transaction waits until the previous one is in a block (FLOW-03).
 */
export interface Broadcasts {
  /** Runs requests to the same wallet one after another. So the checks of a request take all earlier requests into account. */
  oneAtATime<T>(wallet: string, work: () => Promise<T>): Promise<T>
  /** Another intent of the same wallet whose transaction may not be in a block yet; null if there is none. */
  inTheWay(row: IntentRow): IntentRow | null
  idle(): Promise<void>
}

/** States in which the wallet may have sent the intent’s transaction while no block contains it yet. */
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
