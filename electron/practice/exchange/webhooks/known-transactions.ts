import type { Address, Hex } from 'viem'
import type { State } from '../state/state.ts'

/** A transaction that the service knows of by its hash. */
export interface KnownTransaction {
  readonly hash: Hex
  readonly intentId: string | null
  readonly commandId: string | null
  readonly sinceMs: number
}

/**
 * Events: those submitted through the relay or the delegated executor, and those reported to the receipt route, each once. A wallet's own
 * transaction that was not reported is not among them, although the exchange indexes what it did.
 */
export function knownTransactions({ intents, commands, receipts }: State, wallet: Address): readonly KnownTransaction[] {
  const known = new Map<string, KnownTransaction>()
  const add = (hash: string | null, sinceMs: number, of: { readonly intentId?: string; readonly commandId?: string }) => {
    if (hash === null || known.has(hash.toLowerCase())) return
    // Hashes come from the chain, or were checked by the route that took them.
    known.set(hash.toLowerCase(), { hash: hash.toLowerCase() as Hex, intentId: null, commandId: null, ...of, sinceMs })
  }
  // What has no mode is sent by the wallet.
  for (const { id, wallet: owner, mode, txHash, createdAtMs } of intents) if (owner === wallet && mode !== null) add(txHash, createdAtMs, { intentId: id })
  for (const { id, wallet: owner, txHash, createdAtMs } of commands) if (owner === wallet) add(txHash, createdAtMs, { commandId: id })
  for (const { wallet: owner, intentId, txHash, atMs } of receipts) if (owner === wallet) add(txHash, atMs, { intentId })
  return [...known.values()]
}
