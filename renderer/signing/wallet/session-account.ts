import { getAddress } from 'viem'
import type { ConnectedWallet } from '../../../shared/ipc/host/wallet.ts'

/** The parts of a WalletConnect session that the app uses. */
export interface SessionFacts {
  readonly topic: string
  readonly peer: { readonly metadata: { readonly name: string } }
  readonly namespaces: Readonly<Record<string, { readonly accounts: readonly string[]; readonly methods: readonly string[] }>>
}

/** The parts of `eip155:8453:0x…`; `null` for other chains and invalid accounts. */
function parseAccount(account: string): { readonly chainId: number; readonly address: string } | null {
  const [kind, chain, address] = account.split(':')
  if (kind !== 'eip155' || chain === undefined || address === undefined || !/^0x[0-9a-fA-F]{40}$/.test(address)) return null
  return { chainId: Number(chain), address: getAddress(address) }
}

const accountsOf = (session: SessionFacts) =>
  Object.values(session.namespaces).flatMap((namespace) => namespace.accounts.map(parseAccount).filter((account) => account !== null))

/** Whether the wallet shared an account on this chain. If so, the app can switch to it without asking the wallet. */
export const sharesChain = (session: SessionFacts, chainId: number): boolean => accountsOf(session).some((account) => account.chainId === chainId)

/** Whether the wallet listed the method as supported. The app never sends other methods, because WalletConnect would send them to an RPC instead. */
export const offersMethod = (session: SessionFacts, method: string): boolean =>
  Object.values(session.namespaces).some((namespace) => namespace.methods.includes(method))

/**
 * The account that a session represents: the chosen account if the wallet shares it, else the first one on this chain. Without either, the
 * wallet's first account, which is on another chain. `null` without accounts.
 */
export function walletOfSession(session: SessionFacts, chainId: number, chosen: string | null): ConnectedWallet | null {
  const all = accountsOf(session)
  const here = all.filter((account) => account.chainId === chainId)
  const account = here.find((one) => one.address.toLowerCase() === chosen?.toLowerCase()) ?? here[0] ?? all[0]
  if (account === undefined) return null
  return { address: account.address, chainId: account.chainId, peerName: session.peer.metadata.name, topic: session.topic }
}
