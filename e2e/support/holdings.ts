import { type Address, createPublicClient, erc20Abi, http } from 'viem'
import { base } from 'viem/chains'
import type { Practice } from './practice.ts'

/** What a wallet has of a token, as the chain and the exchange say it themselves. Amounts on chain in the token's units. */
export interface Holdings {
  readonly wallet: bigint
  /** What the router may take. */
  readonly allowance: bigint
  /** Inside the exchange, as a decimal, as its public route says it. */
  readonly exchange: string
}

interface Balance {
  readonly token: string
  readonly address: Address
  readonly balance: string
}

/** Asks the chain and the practice exchange directly, past the app. */
export async function holdingsOf({ descriptor }: Practice, token: 'USDC' | 'SVC'): Promise<Holdings> {
  const { rpcUrl, hostUrl, walletAddress, router } = descriptor
  const answer = await fetch(`${hostUrl}/api/dex/collateral?wallet=${walletAddress}`)
  const { collateral } = (await answer.json()) as { collateral: Balance[] } // the practice exchange's own answer
  const entry = collateral.find((one) => one.token === token)
  if (entry === undefined) throw new Error(`the exchange names no ${token}`)
  const chain = createPublicClient({ chain: base, transport: http(rpcUrl) })
  // The descriptor's addresses are the practice chain's own.
  const [wallet, spender] = [walletAddress as Address, router as Address]
  const contract = { address: entry.address, abi: erc20Abi }
  return {
    wallet: await chain.readContract({ ...contract, functionName: 'balanceOf', args: [wallet] }),
    allowance: await chain.readContract({ ...contract, functionName: 'allowance', args: [wallet, spender] }),
    exchange: entry.balance,
  }
}
