import { formatEther } from 'viem'
import type { WalletTransaction } from '../../../shared/ipc/intents/signing.ts'
import type { ChainTransactions } from './transactions.ts'

/** The simulated result and the cost of sending a transaction now. `gas`: null if the RPC couldn't compute it or wasn't asked. */
export type TransactionCosts = Awaited<ReturnType<typeof costsOf>>

/** The costs of a transaction about which the app did not ask the RPC. */
export const noCosts: TransactionCosts = { simulation: { outcome: 'skipped', reason: null }, gas: null }

export async function costsOf(transactions: Pick<ChainTransactions, 'simulate' | 'gas'>, transaction: WalletTransaction) {
  const [simulation, gas] = await Promise.all([transactions.simulate(transaction), transactions.gas(transaction)])
  return { simulation, gas }
}

/** Why the app doesn't ask the wallet to send the transaction; null if nothing prevents it. `reason` is the contract's message. */
export function hindranceOf({ simulation, gas }: TransactionCosts): { readonly status: 'reverts' | 'no_gas'; readonly reason: string | null } | null {
  if (simulation.outcome === 'reverts') return { status: 'reverts', reason: simulation.reason }
  return gas !== null && gas.balanceWei < gas.costWei ? { status: 'no_gas', reason: null } : null
}

/** The part of the costs that the window shows. Formats the wallet's balance and the cost of the gas, both in ETH. */
export const shownCosts = ({ simulation, gas }: TransactionCosts) => ({
  simulation,
  gas:
    gas === null
      ? null
      : {
          ...{ units: gas.units.toString(), costEth: formatEther(gas.costWei), balanceEth: formatEther(gas.balanceWei) },
          enough: gas.balanceWei >= gas.costWei,
        },
})
