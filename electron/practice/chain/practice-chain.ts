import type { Address, Hex } from 'viem'
import type { RouterEvent } from './router-events.ts'
import type { ForeignIntent, PermitDeposit, RouterCommand, SignedIntent, TaughtCall } from './router-intents.ts'

export interface TransactionState {
  readonly status: 'pending' | 'success' | 'reverted'
  readonly blockNumber: bigint | null
  /** 1 in the block that holds it. */
  readonly confirmations: number
}

/** Who sent a transaction, and what. */
export interface SentTransaction {
  readonly from: Address
  readonly to: Address | null
  readonly data: Hex
}

/** Base as practice knows it: anvil with the tokens and the router. */
export interface Chain {
  readonly chainId: 8453
  readonly rpcUrl: string
  readonly router: Address
  readonly usdc: Address
  /** The protocol's own token. */
  readonly svc: Address
  blockNumber(): Promise<bigint>
  /** Sends the intent with the executor's account. Resolves with the hash once the node took it; it may still revert on chain. */
  submitIntent(intent: SignedIntent, signature: Hex): Promise<Hex>
  /** As `submitIntent`, for one that was signed in another layout: the router checks the signature over what was signed. */
  submitForeignIntent(intent: ForeignIntent, signature: Hex): Promise<Hex>
  /** Resolves when the router takes calls in these layouts; those that it knows are not sent again. */
  teach(calls: readonly TaughtCall[]): Promise<void>
  /** Deposits with the wallet's permit; the executor pays the gas. */
  submitPermit(permit: PermitDeposit): Promise<Hex>
  /** Sends a delegated command with the account of the executor's agent. */
  submitCommand(command: RouterCommand): Promise<Hex>
  /** null: the chain does not know the hash (never sent, or taken back by a reorganisation). */
  transaction(hash: Hex): Promise<TransactionState | null>
  sentTransaction(hash: Hex): Promise<SentTransaction | null>
  /** What the router did from a block on, as the chain stands now, in the chain's order. */
  routerEvents(fromBlock: bigint): Promise<RouterEvent[]>
  /** Calls after each new head, also after a reorganisation. Returns the way to stop. */
  onBlock(listener: (head: bigint) => void): () => void
  usdcOf(owner: Address): Promise<bigint>
  /** What a trader's wallet and the router hold of a token for it, and how much the router may take. */
  holdings(token: Address, owner: Address): Promise<Holdings>
  /** The nonce that the next EIP-2612 permit of the USDC owner carries. */
  permitNonce(owner: Address): Promise<bigint>
  /** Brings USDC (6 decimals) into the router for a trader: play collateral, and what it won. Resolves with the hash of the credit. */
  credit(trader: Address, usdc: bigint): Promise<Hex>
  /** Gives play money and, for gas, ETH. */
  fund(owner: Address, usdc: bigint, wei: bigint): Promise<void>
  stop(): Promise<void>
}

export interface Holdings {
  readonly wallet: bigint
  readonly router: bigint
  readonly allowance: bigint
}
