import type { Emit } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import type { ChainTransactions } from '../../wallet/chain/transactions.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import type { IntentCalls } from './intent-calls.ts'
import type { IntentRepository } from './intent-repository.ts'

/** What the engine and all execution methods use. */
export interface EngineParts {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly repository: IntentRepository
  readonly calls: IntentCalls
  readonly locks: NamedLocks
  readonly credentials: Credentials
  readonly wallet: WalletReport
  readonly chain: Chain
  readonly transactions: ChainTransactions
  /** The service’s time. Deadlines are in the service’s time. */
  readonly clock: ServiceClock
  readonly emit: Emit
  readonly newId: () => string
  readonly sleep: (ms: number) => Promise<void>
}

/** Some of the engine’s parts, with only those calls of the service that a function makes. */
export type PartsWith<Names extends keyof EngineParts, Calls extends keyof IntentCalls> = Pick<EngineParts, Names> & {
  readonly calls: Pick<IntentCalls, Calls>
}

export type NamedLocks = ReturnType<typeof createNamedLocks>

/** Runs tasks with the same name one after another. Tasks with different names do not wait for each other. */
export function createNamedLocks() {
  const tails = new Map<string, Promise<unknown>>()
  return {
    run: <T>(name: string, work: () => Promise<T>): Promise<T> => {
      // A tail never rejects.
      const mine = (tails.get(name) ?? Promise.resolve()).then(work)
      const forget = () => {
        if (tails.get(name) === settled) tails.delete(name)
      }
      const settled: Promise<void> = mine.then(forget, forget)
      tails.set(name, settled)
      return mine
    },
    /** Resolves when no task runs or waits under any name. */
    idle: async (): Promise<void> => {
      while (tails.size > 0) await Promise.all(tails.values())
    },
  }
}
