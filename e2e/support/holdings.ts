import { type Address, createPublicClient, erc20Abi, http } from 'viem'
import { base } from 'viem/chains'
import type { Practice } from './practice.ts'

/** A wallet’s balances of one token, read from the chain and the exchange without the app. On-chain amounts are in the token’s smallest unit. */
export interface Holdings {
  readonly wallet: bigint
  /** The amount of the token that the router contract may spend. */
  readonly allowance: bigint
  /** The balance on the exchange as a decimal number. */
  readonly exchange: string
}

interface Balance {
  readonly token: string
  readonly address: Address
  readonly balance: string
}

export async function holdingsOf({ descriptor }: Practice, token: 'USDC' | 'SVC'): Promise<Holdings> {
  const { rpcUrl, hostUrl, walletAddress, router } = descriptor
  const answer = await fetch(`${hostUrl}/api/dex/collateral?wallet=${walletAddress}`)
  const { collateral } = (await answer.json()) as { collateral: Balance[] } // safe cast: the practice exchange sends this shape
  const entry = collateral.find((one) => one.token === token)
  if (entry === undefined) throw new Error(`the exchange names no ${token}`)
  const chain = createPublicClient({ chain: base, transport: http(rpcUrl) })
  // The cast is safe: the descriptor contains addresses of the practice chain.
  const [wallet, spender] = [walletAddress as Address, router as Address]
  const contract = { address: entry.address, abi: erc20Abi }
  return {
    wallet: await chain.readContract({ ...contract, functionName: 'balanceOf', args: [wallet] }),
    allowance: await chain.readContract({ ...contract, functionName: 'allowance', args: [wallet, spender] }),
    exchange: entry.balance,
  }
}
