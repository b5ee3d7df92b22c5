import { type Address, type Hex, isAddressEqual } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createAccountSender } from '../chain/account-sender.ts'
import { createChainClient } from '../chain/chain-client.ts'
import { viemTypedData } from './request-card.ts'
import type { TransactionRequest, TypedData } from './wallet-request.ts'

/** The wallet’s accounts: `main` is the user’s. `other` lets tests simulate a wallet with several accounts. */
export type AccountName = 'main' | 'other'

export interface WalletAccounts {
  readonly addresses: Readonly<Record<AccountName, Address>>
  /** True if the address is an account of this wallet, even if another account is selected now. */
  owns(address: Address): boolean
  signMessage(account: Address, bytes: Hex): Promise<Hex>
  signTypedData(account: Address, typedData: TypedData): Promise<Hex>
  /** Sends a transaction through the chain’s own RPC. Resolves with the transaction hash, or throws the node’s error. */
  sendTransaction(account: Address, transaction: TransactionRequest): Promise<Hex>
  /**
   * Makes the wallet sign all later requests with this account, even if a request names another account. `null` makes it follow the request again.
   */
  signAs(name: AccountName | null): void
}

/** Creates the phone’s accounts. Their private keys never leave the phone. */
export function createWalletAccounts(keys: Readonly<Record<AccountName, Hex>>, rpcUrl: string): WalletAccounts {
  const client = createChainClient(rpcUrl)
  const account = (name: AccountName) => ({ signer: privateKeyToAccount(keys[name]), sender: createAccountSender(client, keys[name]) })
  const accounts = { main: account('main'), other: account('other') }
  let override: AccountName | null = null
  const named = (address: Address): AccountName => (isAddressEqual(address, accounts.other.signer.address) ? 'other' : 'main')
  const signer = (address: Address): PrivateKeyAccount => accounts[override ?? named(address)].signer
  return {
    addresses: { main: accounts.main.signer.address, other: accounts.other.signer.address },
    owns: (address) => [accounts.main, accounts.other].some((own) => isAddressEqual(own.signer.address, address)),
    signMessage: (address, raw) => signer(address).signMessage({ message: { raw } }),
    signTypedData: (address, typedData) => signer(address).signTypedData(viemTypedData(typedData)),
    sendTransaction: async (address, { to, data = '0x', value = '0x0', gas }) => {
      const call = { to, data, value: BigInt(value) }
      const limit = gas === undefined ? await client.estimateGas({ account: address, ...call }) : BigInt(gas)
      return accounts[named(address)].sender.send({ ...call, gas: limit })
    },
    signAs: (name) => {
      override = name
    },
  }
}
