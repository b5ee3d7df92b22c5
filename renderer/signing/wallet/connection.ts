import type { EthereumProvider } from '@walletconnect/ethereum-provider'
import { connect, disconnect, reconnect } from 'wagmi/actions'
import type { StoreApi } from 'zustand'
import type { WalletBootstrap } from '../../../shared/ipc/host/wallet.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute, second, systemClock } from '../../../shared/time.ts'
import type { DeskCall } from '../../ipc/use-desk.ts'
import { type Engine, hearRequest, heedChecks, openCodes, withdrawRequest } from './engine.ts'
import { announceRefusals, watchRelay } from './relay-watch.ts'
import type { Reporter } from './reporter.ts'
import { sharesChain, walletOfSession } from './session-account.ts'
import { createSign, type RequestingProvider, type Sign, switchRequest } from './sign.ts'
import { classifySignFailure, type SignFailure } from './sign-failure.ts'
import { createWagmiConfig } from './wagmi-config.ts'
import type { WalletStore } from './wallet-state.ts'
import type { WalletStorage } from './wallet-storage.ts'

export interface WalletConnection {
  /** Shows a code, or a new one in the place of the old. Ends when a wallet is connected or the attempt failed; the store says which. */
  connect(): Promise<void>
  /** Takes up the stored session. */
  restore(): Promise<void>
  disconnect(): Promise<void>
  /** Asks the wallet to go to the exchange's chain. */
  switchChain(): Promise<Result<null, SignFailure>>
  readonly sign: Sign
}

type Provider = Awaited<ReturnType<(typeof EthereumProvider)['init']>>

interface ConnectionParts {
  readonly bootstrap: WalletBootstrap
  readonly storage: WalletStorage
  readonly call: DeskCall
  readonly store: StoreApi<WalletStore>
  readonly report: Reporter
  readonly clock: Clock
}

/** How long a code lives when it does not say so itself. */
const proposalMs = 5 * minute

/** The library dates a code by this computer's clock, which need not be the service's. */
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

/** The one connection to a wallet. Loads WalletConnect, so it is made only when a wallet is asked for or a session was kept. */
export async function createConnection({ bootstrap, storage, call, store, report, clock }: ConnectionParts): Promise<WalletConnection> {
  const { apply } = store.getState()
  const config = createWagmiConfig({ bootstrap, storage, call })
  const [connector] = config.connectors
  if (connector === undefined) throw new Error('wagmi made no connector')
  // A cast at the boundary: wagmi types every connector's provider as unknown.
  const provider = (await connector.getProvider()) as Provider
  const client = provider.signer.client
  // The vendor's attestation frame is not allowed by the page's policy; without this each request waits 5 s for it.
  client.core.verify.register = async () => ''
  // The library puts the page's origin in its place without a word.
  client.metadata.url = bootstrap.appUrl
  announceRefusals(client.core.relayer)
  // A cast at the boundary: see `Engine`.
  const engine = client.engine as unknown as Engine
  heedChecks(engine)
  // It answers a change of the phone's chain by asking the phone for that change, and lets a refusal go uncaught. The phone has just said it.
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
  // Some wallets change the account by a new session alone, without the event for it.
  provider.on('session_update', () => {
    chosen = null
    void tell()
  })
  provider.on('chainChanged', () => void tell())
  provider.on('session_delete', () => {
    chosen = null
    if (!leaving) void report.gone('by_wallet')
  })

  /** A wallet that shares the exchange's chain next to others is taken there without asking. */
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
    await client.session.delete(topic, { code: 6000, message: 'User disconnected.' })
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
        // An older code that runs out says nothing about the new one.
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
      // The stored session is enough to know the wallet; the relay may come later.
      await tell()
      await reconnect(config, { connectors: [connector] }).catch(() => [])
      if (provider.session === undefined) await report.gone('by_wallet')
      else await tell()
    },

    async disconnect() {
      leaving = true
      try {
        if (await relay.reach()) await disconnect(config, { connector }).catch(() => undefined)
        // Without the relay the wallet cannot be told; the session is forgotten here all the same.
        await forget()
      } finally {
        leaving = false
        chosen = null
        await report.gone('here')
      }
    },

    async switchChain() {
      if (!(await relay.reach())) return fail({ kind: 'unreachable', detail: 'The relay did not answer' })
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
