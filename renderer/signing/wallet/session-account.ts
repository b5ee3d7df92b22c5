import { getAddress } from 'viem'
import type { ConnectedWallet } from '../../../shared/ipc/host/wallet.ts'

/** The parts of a WalletConnect session that the app uses. */
export interface SessionFacts {
  readonly topic: string
  readonly peer: { readonly metadata: { readonly name: string } }
  readonly namespaces: Readonly<Record<string, { readonly accounts: readonly string[]; readonly methods: readonly string[] }>>
}

/** Splits an account of the form `eip155:8453:0x…` into chain id and address; `null` for other kinds of chains and invalid accounts. */
function parseAccount(account: string): { readonly chainId: number; readonly address: string } | null {
  const [kind, chain, address] = account.split(':')
  if (kind !== 'eip155' || chain === undefined || address === undefined || !/^0x[0-9a-fA-F]{40}$/.test(address)) return null
  return { chainId: Number(chain), address: getAddress(address) }
}

const accountsOf = (session: SessionFacts) =>
  Object.values(session.namespaces).flatMap((namespace) => namespace.accounts.map(parseAccount).filter((account) => account !== null))

/** Whether the wallet shared an account on this chain. If so, the app can switch to it without asking the wallet. */
export const sharesChain = (session: SessionFacts, chainId: number): boolean => accountsOf(session).some((account) => account.chainId === chainId)

/**
 * Whether the wallet listed the method as supported. The app never sends an unlisted method, because WalletConnect would send it to an RPC server
 * instead.
 */
export const offersMethod = (session: SessionFacts, method: string): boolean =>
  Object.values(session.namespaces).some((namespace) => namespace.methods.includes(method))

/**
 * Returns the account that the app uses for a session: the chosen account if the session includes it, otherwise the first account on chain
 * `chainId`. If there is none on this chain, returns the session's first account. `null` if the session has no account.
 */
export function walletOfSession(session: SessionFacts, chainId: number, chosen: string | null): ConnectedWallet | null {
  const all = accountsOf(session)
  const here = all.filter((account) => account.chainId === chainId)
  const account = here.find((one) => one.address.toLowerCase() === chosen?.toLowerCase()) ?? here[0] ?? all[0]
  if (account === undefined) return null
  return { address: account.address, chainId: account.chainId, peerName: session.peer.metadata.name, topic: session.topic }
}
