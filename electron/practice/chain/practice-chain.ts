import type { Address, Hex } from 'viem'
import type { RouterEvent } from './router-events.ts'
import type { ForeignIntent, PermitDeposit, RouterCommand, SignedIntent, TaughtCall } from './router-intents.ts'

export interface TransactionState {
  readonly status: 'pending' | 'success' | 'reverted'
  readonly blockNumber: bigint | null
  /** The number of confirmations: 1 if the newest block contains the transaction, 2 if one block follows that block, and so on. */
  readonly confirmations: number
}

/** A transaction as the chain knows it: its sender and content. */
export interface SentTransaction {
  readonly from: Address
  readonly to: Address | null
  readonly data: Hex
}

export interface Chain {
  readonly chainId: 8453
  readonly rpcUrl: string
  readonly router: Address
  readonly usdc: Address
  /** The address of the protocol’s own token, SVC. */
  readonly svc: Address
  blockNumber(): Promise<bigint>
  /**
   * Sends the intent from the executor's account. Resolves with the hash once the node has accepted the transaction, which may still revert on
   * chain.
   */
  submitIntent(intent: SignedIntent, signature: Hex): Promise<Hex>
  /**
   * Like `submitIntent`, for an intent in a signing format other than the exchange's own. The router verifies the signature over the data that the
   * wallet actually signed.
   */
  submitForeignIntent(intent: ForeignIntent, signature: Hex): Promise<Hex>
  /**
   * Registers additional call formats with the router. Resolves once the router accepts calls in these formats. Skips a format that the router
   * already has.
   */
  teach(calls: readonly TaughtCall[]): Promise<void>
  /** Deposits using the wallet's permit. The executor pays the gas. */
  submitPermit(permit: PermitDeposit): Promise<Hex>
  /** Sends a delegated command from the account of the executor's agent. */
  submitCommand(command: RouterCommand): Promise<Hex>
  /** Returns the state of a transaction. null if the chain does not know the hash, because it was never sent or was removed by a reorganisation. */
  transaction(hash: Hex): Promise<TransactionState | null>
  sentTransaction(hash: Hex): Promise<SentTransaction | null>
  /** The router's events from this block on, in the order of the current chain. */
  routerEvents(fromBlock: bigint): Promise<RouterEvent[]>
  /** Calls `listener` for each new head block, also after a reorganisation. Returns a function that removes the listener. */
  onBlock(listener: (head: bigint) => void): () => void
  usdcOf(owner: Address): Promise<bigint>
  /** Returns for one token: the balance of the owner's wallet, the owner's balance in the router, and the amount that the router may spend. */
  holdings(token: Address, owner: Address): Promise<Holdings>
  /** The nonce for the owner's next EIP-2612 permit of USDC. */
  permitNonce(owner: Address): Promise<bigint>
  /** Credits USDC (6 decimals) to a trader in the router, as play collateral or as profit. Resolves with the hash of the credit. */
  credit(trader: Address, usdc: bigint): Promise<Hex>
  /** Gives the owner play USDC, and ETH for gas. */
  fund(owner: Address, usdc: bigint, wei: bigint): Promise<void>
  stop(): Promise<void>
}

export interface Holdings {
  readonly wallet: bigint
  readonly router: bigint
  readonly allowance: bigint
}
