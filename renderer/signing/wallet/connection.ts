import type { EthereumProvider } from '@walletconnect/ethereum-provider'
import { createConfig, custom } from 'wagmi'
import { connect, disconnect, reconnect } from 'wagmi/actions'
import { base } from 'wagmi/chains'
import { walletConnect } from 'wagmi/connectors/walletConnect'
import type { StoreApi } from 'zustand'
import type { WalletBootstrap } from '../../../shared/ipc/host/wallet.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute, second, systemClock } from '../../../shared/time.ts'
import type { IpcCall } from '../../ipc/use-ipc.ts'
import { signingText } from '../../text/en/signing.en.tsx'
import { type Engine, hearRequest, heedChecks, openCodes, withdrawRequest } from './engine.ts'
import { announceRefusals, watchRelay } from './relay-watch.ts'
import type { Reporter } from './reporter.ts'
import { sharesChain, walletOfSession } from './session-account.ts'
import { classifySignFailure, createSign, type RequestingProvider, type Sign, type SignFailure, switchRequest } from './sign.ts'
import type { WalletStore } from './wallet-state.ts'
import type { KeyValueStorage, WalletStorage } from './wallet-storage.ts'

export interface WalletConnection {
  /** Shows a pairing code, replacing any earlier code. Resolves when a wallet is connected or the attempt failed. The result is in the store. */
  connect(): Promise<void>
  restore(): Promise<void>
  disconnect(): Promise<void>
  switchChain(): Promise<Result<null, SignFailure>>
  readonly sign: Sign
}

type Provider = Awaited<ReturnType<(typeof EthereumProvider)['init']>>

interface ConnectionParts {
  readonly bootstrap: WalletBootstrap
  readonly storage: WalletStorage
  readonly call: IpcCall
  readonly store: StoreApi<WalletStore>
  readonly report: Reporter
  readonly clock: Clock
}

/** Lifetime that the app assumes for a pairing code without a stated expiry. */
const proposalMs = 5 * minute

/**
 * Time left until the pairing code in `uri` expires. WalletConnect sets the expiry by this computer's clock, which may differ from the service's
 * clock. So the function uses this computer's clock.
 */
function lifeOf(uri: string): number {
  const stated = Number(new URLSearchParams(uri.split('?')[1] ?? '').get('expiryTimestamp'))
  return Number.isFinite(stated) && stated > 0 ? stated * second - systemClock.now() : proposalMs
}

function requesting(provider: Provider, engine: Engine): RequestingProvider {
  const client = provider.signer.client
  return {
    get session() {
      return provider.session
    },
    request: (request, expiry) => provider.request({ method: request.method, params: [...request.params] }, expiry),
    onSent: (listener) => hearRequest(client.core.history, listener),
    withdraw: (id, onLate) => withdrawRequest(engine, id, onLate),
    onGone(listener) {
      provider.on('session_delete', listener)
      return () => provider.removeListener('session_delete', listener)
    },
  }
}

/**
 * The app's single wallet connection. Creating it loads the WalletConnect library. So create it only when the user connects a wallet or a session is
 * stored.
 */
export async function createConnection({ bootstrap, storage, call, store, report, clock }: ConnectionParts): Promise<WalletConnection> {
  const { apply } = store.getState()
  const config = createWagmiConfig({ bootstrap, storage, call })
  const [connector] = config.connectors
  if (connector === undefined) throw new Error('wagmi made no connector')
  // The cast is needed: wagmi types every connector's provider as unknown.
  const provider = (await connector.getProvider()) as Provider
  const client = provider.signer.client
  // The page's policy blocks the vendor's attestation frame. Without this stub, each request would wait 5 s for the frame.
  client.core.verify.register = async () => ''
  // Restore the configured URL: during its setup, the library replaced the URL with the page's origin.
  client.metadata.url = bootstrap.appUrl
  announceRefusals(client.core.relayer)
  // The cast is needed: the library's public types hide the methods of its engine that the app needs.
  const engine = client.engine as unknown as Engine
  heedChecks(engine)
  // When the phone reports a new chain, the provider asks the phone to switch to that same chain, and does not catch a refusal. Disable this
  // request.
  Object.assign(provider, { switchEthereumChain: () => undefined })

  let attempt = 0
  let chosen: string | null = null
  let leaving = false

  const tell = async () => {
    const session = provider.session
    const wallet = session === undefined ? null : walletOfSession(session, provider.chainId, chosen)
    if (wallet !== null) await report.session(wallet, bootstrap.chainId)
  }
  const waiting = () => ['starting', 'waiting'].includes(store.getState().status.kind)
  const relay = watchRelay({
    relayer: client.core.relayer,
    wanted: () => provider.session !== undefined || waiting(),
    onLight: (light) => apply({ type: 'relay', light }),
    onTrouble: (why) => apply({ type: 'connect_failed', why, detail: '' }),
  })

  const codes = openCodes(client)
  let codeEnds: ReturnType<typeof setTimeout> | undefined
  provider.on('display_uri', (uri) => {
    const lifeMs = lifeOf(uri)
    clearTimeout(codeEnds)
    codes.note()
    codeEnds = setTimeout(codes.withdraw, lifeMs)
    apply({ type: 'uri', uri, nowMs: clock.now(), expiresAtMs: clock.now() + lifeMs })
  })
  provider.on('accountsChanged', (accounts) => {
    chosen = accounts[0] ?? chosen
    void tell()
  })
  // Some wallets report an account change only through a session update, without `accountsChanged`.
  provider.on('session_update', () => {
    chosen = null
    void tell()
  })
  provider.on('chainChanged', () => void tell())
  provider.on('session_delete', () => {
    chosen = null
    if (!leaving) void report.gone('by_wallet')
  })

  /** If the session includes the exchange's chain beside other chains, switches to the exchange's chain automatically. */
  const settleChain = async () => {
    const session = provider.session
    if (session !== undefined && provider.chainId !== bootstrap.chainId && sharesChain(session, bootstrap.chainId)) {
      await provider.request({ ...switchRequest(bootstrap.chainId), params: [...switchRequest(bootstrap.chainId).params] })
    }
    await tell()
  }

  const forget = async () => {
    const topic = provider.session?.topic
    if (topic === undefined) return
    await client.session.delete(topic, { code: 6000, message: signingText.userDisconnected })
    await client.core.crypto.deleteSymKey(topic)
    client.events.emit('session_delete', { id: 0, topic })
  }

  return {
    async connect() {
      attempt += 1
      const mine = attempt
      if (bootstrap.projectId === '') {
        apply({ type: 'connecting' })
        apply({ type: 'connect_failed', why: 'bad_project_id', detail: '' })
        return
      }
      apply({ type: 'connecting' })
      codes.withdraw()
      try {
        await connect(config, { connector })
        await settleChain()
      } catch (thrown) {
        // This code belongs to an older pairing attempt, so its expiry must not end the current attempt.
        if (mine !== attempt) return
        const failure = classifySignFailure(thrown)
        const why = failure.kind === 'rejected' || failure.kind === 'expired' ? failure.kind : failure.kind === 'unreachable' ? 'relay_unreachable' : 'failed'
        apply({ type: 'connect_failed', why, detail: failure.detail })
      }
    },

    async restore() {
      apply({ type: 'restoring' })
      if (provider.session === undefined) {
        await report.gone(null)
        return
      }
      // The stored session is enough to identify the wallet. So report the wallet now, even if the relay connects later.
      await tell()
      await reconnect(config, { connectors: [connector] }).catch(() => [])
      if (provider.session === undefined) await report.gone('by_wallet')
      else await tell()
    },

    async disconnect() {
      leaving = true
      try {
        if (await relay.reach()) await disconnect(config, { connector }).catch(() => undefined)
        // If the relay is unreachable, the wallet is not notified. Delete the session anyway.
        await forget()
      } finally {
        leaving = false
        chosen = null
        await report.gone('here')
      }
    },

    async switchChain() {
      if (!(await relay.reach())) return fail({ kind: 'unreachable', detail: signingText.relaySilent })
      try {
        const request = switchRequest(bootstrap.chainId)
        await provider.request({ method: request.method, params: [...request.params] }, 300)
        await tell()
        return ok(null)
      } catch (thrown) {
        return fail(classifySignFailure(thrown))
      }
    },

    sign: createSign({ provider: requesting(provider, engine), status: () => store.getState().status, relay, clock }),
  }
}

/** Sends chain reads through main, because main has the RPC URL and allows only read methods. */
function transportOverMain(call: IpcCall) {
  return custom({
    request: async ({ method, params }: { readonly method: string; readonly params?: unknown }): Promise<unknown> => {
      const answer = await call('chain.rpc', { method, params: JSON.stringify(params ?? []) })
      if (!answer.ok) throw new Error(`chain.rpc: ${answer.failure.kind}`)
      return JSON.parse(answer.value.result)
    },
  })
}

/**
 * Configures wagmi with WalletConnect as its only connector. Neither library stores anything in the page: main stores the WalletConnect session, and
 * wagmi's own store is off because it would copy the session to localStorage.
 */
function createWagmiConfig({ bootstrap, storage, call }: { readonly bootstrap: WalletBootstrap; readonly storage: KeyValueStorage; readonly call: IpcCall }) {
  const connector = walletConnect({
    projectId: bootstrap.projectId,
    relayUrl: bootstrap.relayUrl,
    // The cast is safe: the library's type requires the library's own class, but any object with these methods works.
    storage: storage as never,
    customStoragePrefix: bootstrap.storagePrefix,
    telemetryEnabled: false,
    logger: 'silent',
    // The app draws its own QR code and loads no images from the vendor.
    showQrModal: false,
    // wagmi would read previously requested chains from its own store, which is off. So never let wagmi treat the session's chains as outdated.
    isNewChainsStale: false,
    metadata: { name: 'Svc Desk', description: signingText.appDescription, url: bootstrap.appUrl, icons: [] },
  })
  return createConfig({
    chains: [base],
    connectors: [connector],
    transports: { [base.id]: transportOverMain(call) },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
}
