import type { Address } from 'viem'
import type { Clock } from '../../../../shared/time.ts'
import { numbers } from '../../base/random-numbers.ts'
import type { Marks } from '../market/mark-prices.ts'
import type { ClosedPosition, Order, Trade } from '../state/book.ts'
import type { Store } from '../state/store.ts'
import { type PastIntent, type Teller, tellStory } from './story.ts'

export interface PastRows {
  readonly orders: Order[]
  readonly trades: Trade[]
  readonly closed: ClosedPosition[]
  readonly intents: PastIntent[]
}

/**
 * Adds invented past records to a wallet's lists. The wallet's collateral and positions do not change. A restart of the exchange removes the records.
 */
export interface Past {
  of(wallet: Address): PastRows
  /**
   * Adds about `trades` trades over the last `days` days, with their orders, intents and closed positions. The same seed, time and wallet produce the
   * same rows.
   */
  give(wallet: Address, amount: { readonly trades: number; readonly days: number }): void
  /** Adds a random number of current trades, at most `atMost`, with their related rows. */
  arrive(wallet: Address, atMost: number): void
}

const noRows = (): PastRows => ({ orders: [], trades: [], closed: [], intents: [] })
const dayMs = 86_400_000

export function createPast({ store, marks, clock, seed }: { store: Store; marks: Marks; clock: Clock; seed: number }): Past {
  const kept = new Map<Address, PastRows>()
  const next = numbers(seed)
  const rowsOf = (wallet: Address): PastRows => {
    const known = kept.get(wallet) ?? noRows()
    kept.set(wallet, known)
    return known
  }
  const tell = (wallet: Address, told: Omit<Teller, 'wallet' | 'marks' | 'keyIds' | 'firstSequence'>) => {
    const { state } = store
    const keyIds = state.keys.filter((key) => key.wallet === wallet).map(({ id }) => id)
    const story = tellStory({ wallet, marks, keyIds, firstSequence: state.sequence + 1, ...told })
    const rows = rowsOf(wallet)
    for (const name of ['orders', 'trades', 'closed', 'intents'] as const) for (const row of story[name]) rows[name].push(row as never)
    state.sequence += story.orders.length + story.trades.length + story.closed.length + story.intents.length
  }
  return {
    of: (wallet) => kept.get(wallet) ?? noRows(),
    give: (wallet, { trades, days }) => tell(wallet, { trades, fromMs: clock.now() - days * dayMs, toMs: clock.now(), next: numbers(seed) }),
    arrive: (wallet, atMost) => {
      const trades = Math.floor(next() * (atMost + 1))
      if (trades > 0) tell(wallet, { trades, fromMs: clock.now(), toMs: clock.now(), next })
    },
  }
}
