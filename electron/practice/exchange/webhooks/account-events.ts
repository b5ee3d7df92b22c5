import type { Address } from 'viem'
import type { Clock } from '../../../../shared/time.ts'
import type { Chain } from '../../chain/chain.ts'
import type { Store } from '../state/store.ts'
import type { LifecycleEvent } from '../stream/lifecycle.ts'
import { createRowWatch, type RowWatch } from '../stream/row-watch.ts'
import type { Ledger } from '../trading/ledger.ts'
import { createFinalityWatch, type FinalityWatch } from './finality-watch.ts'

interface Parts {
  readonly chain: Chain
  readonly store: Store
  readonly ledger: Ledger
  readonly clock: Clock
  readonly announce: (wallet: Address, event: LifecycleEvent) => void
}

/** Tells what happens to the wallets that have active subscriptions, and follows no other. */
export interface AccountEvents {
  /**
   * Announces what was indexed since the last look; to be called after the exchange has indexed a block, and when subscriptions have changed.
   * A wallet is followed from its first subscription on. Resolves when all of it is announced, not delivered.
   */
  look(): Promise<void>
}

export function createAccountEvents({ chain, store, ledger, clock, announce }: Parts): AccountEvents {
  const followed = new Map<Address, { readonly rows: RowWatch; readonly finality: FinalityWatch }>()
  let looking: Promise<void> = Promise.resolve()

  const subscribers = () => new Set(store.state.webhooks.filter(({ disabledAtMs }) => disabledAtMs === null).map(({ wallet }) => wallet))

  const announceRows = () => {
    const wallets = subscribers()
    for (const wallet of followed.keys()) if (!wallets.has(wallet)) followed.delete(wallet)
    for (const wallet of wallets) {
      const watched = followed.get(wallet)
      if (watched !== undefined) for (const event of watched.rows.look().events) announce(wallet, event)
      else followed.set(wallet, { rows: createRowWatch({ store, ledger, clock }, wallet), finality: createFinalityWatch({ chain, store, clock }, wallet) })
    }
  }

  const announceFinality = async () => {
    for (const [wallet, { finality }] of [...followed]) for (const event of await finality.look()) announce(wallet, event)
  }

  return {
    look: () => {
      announceRows()
      // One after the other, so that none tells twice what became final. While the network is away the next block asks again.
      looking = looking.then(announceFinality).catch(() => {})
      return looking
    },
  }
}
