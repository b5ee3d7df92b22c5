import { createTestClient, http, publicActions } from 'viem'
import { base } from 'viem/chains'

/**
 * A viem client for the local chain: reads, raw transactions and anvil's own methods. Never retries a call. Calls made at the same time share one
 * request.
 */
export const createChainClient = (rpcUrl: string) => {
  const transport = http(rpcUrl, { retryCount: 0, batch: true })
  return createTestClient({ mode: 'anvil', chain: base, transport, cacheTime: 0, pollingInterval: 100 }).extend(publicActions)
}

export type ChainClient = ReturnType<typeof createChainClient>
