import type { WalletKit } from '@reown/walletkit'
import type { Address } from 'viem'
import type { AccountName, WalletAccounts } from './wallet-accounts.ts'

export interface SharedAccount {
  address(): Address
  chainId(): number
  /** Returns the account and the chains that the wallet shares with an app, in CAIP-10 and CAIP-2 form. */
  namespaces(): ReturnType<typeof namespacesOf>
  switchAccount(name: AccountName): Promise<void>
  switchChain(chainId: number): Promise<void>
  disconnectAll(): Promise<void>
}

export interface SharedAccountOptions {
  readonly kit: Awaited<ReturnType<typeof WalletKit.init>>
  readonly accounts: WalletAccounts
  readonly changed: () => void
}

export const base = 8453

const methods = ['personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4', 'wallet_switchEthereumChain']
const events = ['chainChanged', 'accountsChanged']

function namespacesOf(account: Address, chainIds: readonly number[]) {
  const chains = chainIds.map((chainId) => `eip155:${chainId}`)
  return { eip155: { chains, accounts: chains.map((chain) => `${chain}:${account}`), methods, events } }
}

export function shareAccount({ kit, accounts, changed }: SharedAccountOptions): SharedAccount {
  let account: AccountName = 'main'
  let chainId = base
  const address = () => accounts.addresses[account]
  const eachSession = async (act: (topic: string) => Promise<unknown>) => {
    // Ignore a session's error, because the session may have ended in the meantime.
    await Promise.all(Object.keys(kit.getActiveSessions()).map((topic) => act(topic).catch(() => undefined)))
    changed()
  }
  // An open session always includes Base, even after the wallet has switched to another chain. A new pairing includes only the selected chain.
  const update = () => eachSession((topic) => kit.updateSession({ topic, namespaces: namespacesOf(address(), chainId === base ? [base] : [base, chainId]) }))
  const announce = (name: 'accountsChanged' | 'chainChanged', data: unknown) =>
    eachSession((topic) => kit.emitSessionEvent({ topic, chainId: `eip155:${chainId}`, event: { name, data } }))
  return {
    address,
    chainId: () => chainId,
    namespaces: () => namespacesOf(address(), [chainId]),
    switchAccount: async (name) => {
      account = name
      await update()
      await announce('accountsChanged', [address()])
    },
    switchChain: async (to) => {
      chainId = to
      await update()
      await announce('chainChanged', to)
    },
    disconnectAll: () => eachSession((topic) => kit.disconnectSession({ topic, reason: { code: 6_000, message: 'User disconnected.' } })),
  }
}
