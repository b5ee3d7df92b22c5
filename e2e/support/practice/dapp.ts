import { EthereumProvider } from '@walletconnect/ethereum-provider'
import { openWalletStorage } from '../../../electron/practice/wallet/walletconnect-peer.ts'

export interface Dapp {
  readonly provider: Awaited<ReturnType<typeof EthereumProvider.init>>
  /** The WalletConnect relay identifies this client by this id. */
  readonly clientId: string
  /** Starts a pairing. `uri`: the link for the phone. `connected`: resolves with the accounts when the pairing is complete. */
  connect(): Promise<{ uri: string; connected: Promise<string[]> }>
  request(method: string, params: unknown[]): Promise<unknown>
  stop(): Promise<void>
}

/** The app's side of the connection to the phone: WalletConnect's own provider, configured as in the app. */
export async function startDapp(relayUrl: string, rpcUrl = 'http://127.0.0.1:9'): Promise<Dapp> {
  process.env.DISABLE_GLOBAL_CORE = 'true'
  const provider = await EthereumProvider.init({
    projectId: 'practice',
    relayUrl,
    optionalChains: [8453],
    rpcMap: { 8453: rpcUrl },
    showQrModal: false,
    metadata: { name: 'Svc Desk', description: 'test', url: 'https://app.invalid', icons: [] },
    storage: openWalletStorage(null),
    telemetryEnabled: false,
    disableProviderPing: true,
    logger: 'silent',
  })
  const { core, logger } = provider.signer.client
  logger.level = 'silent'
  return {
    provider,
    clientId: await core.crypto.getClientId(),
    connect: () =>
      new Promise((resolve, reject) => {
        provider.once('display_uri', (uri: string) => {
          const connected = done.then(() => provider.accounts)
          // Ignores errors, so that an unfinished pairing does not fail the test.
          connected.catch(() => undefined)
          resolve({ uri, connected })
        })
        const done = provider.connect()
        done.catch(reject)
      }),
    request: (method, params) => provider.request({ method, params }),
    stop: async () => {
      core.heartbeat.stop()
      await core.relayer.transportClose().catch(() => undefined)
    },
  }
}
