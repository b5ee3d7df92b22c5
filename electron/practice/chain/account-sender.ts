import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainClient } from './chain-client.ts'

export interface Call {
  /** The address that receives the transaction; null for a transaction that creates a contract. */
  readonly to: Address | null
  readonly data: Hex
  readonly gas: bigint
  /** The ether to send, in wei; 0 if omitted. */
  readonly value?: bigint
}

export interface AccountSender {
  readonly address: Address
  /** Sends a transaction. Resolves with its hash once the node has accepted the transaction. */
  send(call: Call): Promise<Hex>
}

/** The highest fee per gas unit, in wei. It is far above the base fee of the nearly empty practice chain, where gas costs no real money. */
const maxFeePerGas = 10_000_000_000n
const maxPriorityFeePerGas = 1_000_000n

/** Signs and sends the transactions of one account, one at a time, so that no two transactions use the same nonce. */
export function createAccountSender(client: ChainClient, key: Hex): AccountSender {
  const account = privateKeyToAccount(key)
  const fees = { chainId: 8453, type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas } as const
  let last: Promise<unknown> = Promise.resolve()
  const sendNow = async ({ to, data, gas, value = 0n }: Call): Promise<Hex> => {
    // Read the nonce every time, because a reorganisation frees nonces for reuse.
    const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
    const serializedTransaction = await account.signTransaction({ ...fees, nonce, to, data, gas, value })
    return client.sendRawTransaction({ serializedTransaction })
  }
  return {
    address: account.address,
    send: (call) => {
      const sent = last.then(() => sendNow(call))
      last = sent.catch(() => undefined)
      return sent
    },
  }
}
