import type { Address, Hex } from 'viem'

/** The struct that the wallet signs and the router verifies. Prices have 8 decimals, the order value 6. */
export interface OpenPositionMessage {
  readonly trader: Address
  readonly pairId: bigint
  readonly side: string
  readonly orderType: string
  readonly marginMode: string
  readonly leverage: bigint
  readonly orderValue: bigint
  readonly referencePrice: bigint
  readonly maxSlippageBps: bigint
  readonly limitPrice: bigint
  readonly triggerPrice: bigint
  readonly timeInForce: string
  readonly restIfUnfilled: boolean
  readonly postOnly: boolean
  readonly takeProfit: bigint
  readonly stopLoss: bigint
  readonly clientOrderId: string
  readonly nonce: bigint
  readonly deadline: bigint
}

export interface IntentAccepted {
  readonly digest: Hex
  readonly trader: Address
  readonly nonce: bigint
  readonly txHash: Hex
  readonly blockNumber: bigint
}

export interface TransactionState {
  readonly status: 'pending' | 'success' | 'reverted'
  readonly blockNumber: bigint | null
  /** 1 in the block that holds it. */
  readonly confirmations: number
}

/** Base as practice knows it: anvil with the token and the router. */
export interface Chain {
  readonly chainId: 8453
  readonly rpcUrl: string
  readonly router: Address
  readonly usdc: Address
  blockNumber(): Promise<bigint>
  /** Sends the intent with the executor's account. Resolves with the hash once the node took it; it may still revert on chain. */
  submitIntent(message: OpenPositionMessage, signature: Hex): Promise<Hex>
  /** null: the chain does not know the hash (never sent, or taken back by a reorganisation). */
  transaction(hash: Hex): Promise<TransactionState | null>
  /** Intents that the router accepted, from a block on, as the chain stands now. */
  acceptedIntents(fromBlock: bigint): Promise<IntentAccepted[]>
  /** Calls after each new head, also after a reorganisation. Returns the way to stop. */
  onBlock(listener: (head: bigint) => void): () => void
  usdcOf(owner: Address): Promise<bigint>
  /** Gives play money and, for gas, ETH. */
  fund(owner: Address, usdc: bigint, wei: bigint): Promise<void>
  stop(): Promise<void>
}
