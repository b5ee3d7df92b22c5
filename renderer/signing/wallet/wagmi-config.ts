import { createConfig, custom } from 'wagmi'
import { base } from 'wagmi/chains'
import { walletConnect } from 'wagmi/connectors/walletConnect'
import type { WalletBootstrap } from '../../../shared/ipc/host/wallet.ts'
import type { DeskCall } from '../../ipc/use-desk.ts'
import type { KeyValueStorage } from './wallet-storage.ts'

/** Reads of the chain go through main, which knows the RPC's URL and lets only reading methods through. */
function transportOverMain(call: DeskCall) {
  return custom({
    request: async ({ method, params }: { readonly method: string; readonly params?: unknown }): Promise<unknown> => {
      const answer = await call('chain.rpc', { method, params: JSON.stringify(params ?? []) })
      if (!answer.ok) throw new Error(`chain.rpc: ${answer.failure.kind}`)
      return JSON.parse(answer.value.result)
    },
  })
}

/**
 * wagmi with WalletConnect as its only connector. Neither keeps anything in the page: the session's store is main's,
 * wagmi's own is off (it would repeat the same in localStorage).
 */
export function createWagmiConfig({
  bootstrap,
  storage,
  call,
}: {
  readonly bootstrap: WalletBootstrap
  readonly storage: KeyValueStorage
  readonly call: DeskCall
}) {
  const connector = walletConnect({
    projectId: bootstrap.projectId,
    relayUrl: bootstrap.relayUrl,
    // A cast at the boundary: the library types a store by its own abstract class, and takes any object with these methods.
    storage: storage as never,
    customStoragePrefix: bootstrap.storagePrefix,
    telemetryEnabled: false,
    logger: 'silent',
    // The app draws its own code, and nothing of the vendor's pictures is loaded.
    showQrModal: false,
    // wagmi remembers the chains asked for in its own store, which is off.
    isNewChainsStale: false,
    metadata: { name: 'Svc Desk', description: 'Keys, agents and orders from your desktop', url: bootstrap.appUrl, icons: [] },
  })
  return createConfig({
    chains: [base],
    connectors: [connector],
    transports: { [base.id]: transportOverMain(call) },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
}

export type WagmiConfig = ReturnType<typeof createWagmiConfig>
