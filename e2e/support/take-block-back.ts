import type { Practice } from './practice.ts'
import { askChain } from './receipt.ts'

/** Simulates a chain reorganisation that removes the block of a transaction and all later blocks. Mining is paused until the test resumes it. */
export async function takeBlockBack(practice: Practice, hash: string): Promise<void> {
  const ask = (method: string, params: readonly unknown[]) => askChain(practice.descriptor.rpcUrl, method, params)
  await practice.chain({ pause: true })
  const { blockNumber } = (await ask('eth_getTransactionByHash', [hash])) as { readonly blockNumber: string } // safe cast: a JSON-RPC response has this shape
  await practice.chain({ reorg: Number(await ask('eth_blockNumber', [])) - Number(blockNumber) + 1 })
}
