import type { Address, Hex } from 'viem'
import { maximum, roundTo, toUnits } from '../../../../shared/decimal.ts'
import type { Chain } from '../../chain/practice-chain.ts'
import type { Store } from '../state/store.ts'
import type { Ledger } from './ledger.ts'

/**
 * Ensures that the router contract on the chain has enough tokens to pay what the exchange owes to traders. Play collateral and profits exist only in
 * the ledger until this code transfers tokens for them to the router.
 */
export interface Backing {
  run(): Promise<void>
}

export function createBacking({ chain, store, ledger }: { chain: Chain; store: Store; ledger: Ledger }): Backing {
  const sent = new Map<Address, Hex>()
  let running = false

  const isOnItsWay = async (wallet: Address) => {
    const hash = sent.get(wallet)
    return hash !== undefined && (await chain.transaction(hash))?.status === 'pending'
  }
  const back = async (wallet: Address) => {
    if (await isOnItsWay(wallet)) return
    const owed = toUnits(roundTo(maximum('0', ledger.book(wallet).collateral), 6, 'down'), 6) ?? 0n
    const { router } = await chain.holdings(chain.usdc, wallet)
    // If the wallet withdraws tokens from the router at the same time, this credit is too high. The surplus then covers the wallet's next profit.
    if (owed > router) sent.set(wallet, await chain.credit(wallet, owed - router))
  }

  return {
    run: async () => {
      if (running) return
      running = true
      try {
        for (const wallet of new Set([...store.state.seeds.map((seed) => seed.wallet), ...ledger.wallets()])) await back(wallet)
      } finally {
        running = false
      }
    },
  }
}
