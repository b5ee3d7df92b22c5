import { createTestClient, http, publicActions } from 'viem'
import { base } from 'viem/chains'

/** A viem client for the local chain: reads, raw transactions and anvil's own methods. It repeats nothing by itself. */
export const createChainClient = (rpcUrl: string) =>
  createTestClient({ mode: 'anvil', chain: base, transport: http(rpcUrl, { retryCount: 0 }), cacheTime: 0, pollingInterval: 100 }).extend(publicActions)

export type ChainClient = ReturnType<typeof createChainClient>
