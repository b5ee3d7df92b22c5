import { WalletKit, type WalletKitTypes } from '@reown/walletkit'
import { Core } from '@walletconnect/core'
import { openWalletStorage } from './file-storage.ts'
import { confineFetchToLoopback } from './loopback-fetch.ts'

type Kit = Awaited<ReturnType<typeof WalletKit.init>>

export interface WalletConnectPeer {
  readonly kit: Kit
  /** The id that the relay's token proves. */
  readonly clientId: string
  relayIsUp(): boolean
  onRelayChange(listener: () => void): void
  stop(): Promise<void>
}

export interface PeerOptions {
  readonly relayUrl: string
  /** Pairings across restarts; null keeps them in memory. */
  readonly storageFile: string | null
  /** Tells the relay whose wallet this is, before the first message. */
  readonly admit: (clientId: string) => void
}

/** A real WalletConnect wallet, as phones carry it, that talks to nothing but the practice relay. */
export async function connectWalletKit({ relayUrl, storageFile, admit }: PeerOptions): Promise<WalletConnectPeer> {
  // Otherwise the library shares one core, and so one identity, between all that run in a process.
  process.env.DISABLE_GLOBAL_CORE = 'true'
  const releaseFetch = confineFetchToLoopback()
  const storage = openWalletStorage(storageFile)
  const core = new Core({ projectId: 'practice', relayUrl, storage, logger: 'silent', telemetryEnabled: false, customStoragePrefix: 'practice-wallet' })
  await core.crypto.init()
  const clientId = await core.crypto.getClientId()
  admit(clientId)
  const kit = await WalletKit.init({
    // Its own declaration differs from the interface in an optional property only.
    core: core as WalletKitTypes.Options['core'],
    metadata: { name: 'Practice wallet', description: 'Play money only', url: 'https://practice.invalid', icons: [] },
    // The phone shows every request at once; the library would hold the second back until the first is settled.
    signConfig: { disableRequestQueue: true },
  })
  // It takes no logger and would write to the standard output, which belongs to whoever started the sandbox.
  kit.engine.signClient.logger.level = 'silent'
  return {
    kit,
    clientId,
    relayIsUp: () => core.relayer.connected,
    onRelayChange: (listener) => {
      core.relayer.on('relayer_connect', listener)
      core.relayer.on('relayer_disconnect', listener)
    },
    stop: async () => {
      core.heartbeat.stop()
      // Rejects when the relay is gone already, which is as good.
      await core.relayer.transportClose().catch(() => undefined)
      storage.flush()
      releaseFetch()
    },
  }
}
