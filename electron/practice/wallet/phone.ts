import { join } from 'node:path'
import type { WalletKitTypes } from '@reown/walletkit'
import { type Address, formatUnits } from 'viem'
import type { PhoneRequest, PhoneState } from '../../../shared/ipc/host/wallet.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { PracticeClock } from '../base/practice-clock.ts'
import { installKeys } from '../chain/install-keys.ts'
import type { Chain } from '../chain/practice-chain.ts'
import type { MarketName } from './human-text.ts'
import { describeProposal, describeRequest } from './request-card.ts'
import { createRequestQueue } from './request-queue.ts'
import { base, shareAccount } from './shared-account.ts'
import { type AccountName, createWalletAccounts } from './wallet-accounts.ts'
import { type RequestRefusal, readWalletRequest, type WalletRequest } from './wallet-request.ts'
import { connectWalletKit } from './walletconnect-peer.ts'

export interface PhoneOptions {
  readonly clock: PracticeClock
  /** The clock that WalletConnect clients use in their requests: real time, which no test changes. */
  readonly peerClock: Clock
  readonly chain: Pick<Chain, 'rpcUrl' | 'onBlock' | 'usdcOf' | 'usdc' | 'svc' | 'router'>
  readonly relay: { readonly url: string; admitWallet(clientId: string): void }
  /** Folder in which the phone stores its pairings. `null` keeps them in memory. */
  readonly dataDir: string | null
  readonly keys: WalletKeys
  marketOf(pairId: string): MarketName | null
}

export type WalletKeys = ReturnType<typeof walletKeys>

/** The practice phone: a wallet that shows every request to its user. The phone never approves a request on its own. */
export interface Phone {
  readonly address: Address
  readonly clientId: string
  state(): PhoneState
  /** Returns a number that increases with every change of the phone's state. */
  revision(): number
  onChange(listener: () => void): () => void
  /** Pairs as if the user had scanned the app’s QR code. Throws if the link is not a WalletConnect 2 pairing link. */
  pair(uri: string): Promise<void>
  /**
   * Approves a request. Returns `false` if the request does not exist or has expired. Resolves when the phone has signed or sent; the app may not yet
   * have received the response.
   */
  approve(id: string): Promise<boolean>
  /**
   * Rejects a request.
   * @param code the JSON-RPC error code; `null` means “rejected by the user”
   */
  reject(id: string, code?: number | null): Promise<boolean>
  onRequest(listener: (card: PhoneRequest) => void): () => void
  /** Switches to another account of the wallet and notifies the paired apps. Tests use this to simulate a user with several accounts. */
  switchAccount(name: AccountName): Promise<void>
  switchChain(chainId: number): Promise<void>
  /** Makes the phone sign all later requests with this account, even if a request names another account. `null` makes it follow the request again. */
  signAs(name: AccountName | null): void
  disconnectAll(): Promise<void>
  stop(): Promise<void>
}

/** How long a request stays pending if it names no expiry. Current WalletConnect clients always send an expiry. */
const defaultRequestLife = 5 * minute
const userRejected = 5_000
const notAuthorised = { code: 4_100, message: 'The wallet does not share this account' }
const unknownChain = { code: 4_902, message: 'The practice wallet knows Base only' }

/** The wallet's random private keys, stored in `dataDir`. */
export const walletKeys = (dataDir: string | null) => installKeys(dataDir === null ? null : join(dataDir, 'wallet-keys.json'), ['main', 'other'])

export async function startPhone({ clock, peerClock, chain, relay, dataDir, keys, marketOf }: PhoneOptions): Promise<Phone> {
  const accounts = createWalletAccounts(keys, chain.rpcUrl)
  const listeners = new Set<() => void>()
  let revision = 1
  let usdc = '0'
  const changed = () => {
    revision += 1
    for (const listener of [...listeners]) listener()
  }
  const queue = createRequestQueue({ clock, changed })
  const peer = await connectWalletKit({
    relayUrl: relay.url,
    storageFile: dataDir === null ? null : join(dataDir, 'wallet-sessions.json'),
    admit: relay.admitWallet,
  })
  const { kit } = peer
  const practiceTime = (unixSeconds: number) => clock.now() + unixSeconds * second - peerClock.now()
  const askedOver = new Map<string, string>()
  /** Removes the requests of ended sessions, because the app can no longer receive the responses. */
  const sessionsChanged = (ended: string | null = null) => {
    const waiting = new Set(queue.cards().map(({ id }) => id))
    const open = kit.getActiveSessions()
    for (const [id, topic] of askedOver) {
      if (waiting.has(id) && topic !== ended && open[topic] !== undefined) continue
      askedOver.delete(id)
      queue.expire(id)
    }
    changed()
  }
  const shared = shareAccount({ kit, accounts, changed: sessionsChanged })

  const respond = (topic: string, id: number, answer: { result: unknown } | { error: { code: number; message: string } }) => {
    // Ignore a failure. The library retries until it reaches the relay, and a session that has ended needs no response.
    kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', ...answer } }).catch(() => undefined)
  }

  async function perform(request: WalletRequest): Promise<unknown> {
    switch (request.kind) {
      case 'message':
        return accounts.signMessage(request.account, request.bytes)
      case 'typed_data':
        return accounts.signTypedData(request.account, request.typedData)
      case 'transaction':
        return accounts.sendTransaction(request.account, request.transaction)
      case 'switch_chain':
        await shared.switchChain(request.chainId)
        return null
    }
  }

  /** Checks a request. If the phone cannot handle the request, refuses it without asking the user. */
  function accept(request: WalletRequest): Result<WalletRequest, RequestRefusal> {
    if (request.kind === 'switch_chain') return request.chainId === base ? ok(request) : fail(unknownChain)
    return accounts.owns(request.account) ? ok(request) : fail(notAuthorised)
  }

  function takeProposal({ id, params }: Pick<WalletKitTypes.SessionProposal, 'id' | 'params'>): void {
    const { name, url } = params.proposer.metadata
    queue.add({
      card: {
        id: String(id),
        peerName: name,
        peerUrl: url,
        ...describeProposal(params, shared.address(), shared.chainId()),
        atMs: clock.now(),
        expiresAtMs: practiceTime(params.expiryTimestamp),
      },
      approve: async () => {
        // Do not await this call. It resolves only when the app confirms the session, which a closed app never does.
        kit.approveSession({ id, namespaces: shared.namespaces() }).then(changed, changed)
      },
      reject: (code) => kit.rejectSession({ id, reason: { code: code ?? userRejected, message: 'User rejected.' } }),
    })
  }

  function takeRequest({ id, topic, params }: Pick<WalletKitTypes.SessionRequest, 'id' | 'topic' | 'params'>): void {
    const { method, params: asked, expiryTimestamp } = params.request
    const read = readWalletRequest(method, asked)
    const accepted = read.ok ? accept(read.value) : read
    if (!accepted.ok) {
      respond(topic, id, { error: accepted.failure })
      return
    }
    const request = accepted.value
    const metadata = kit.getActiveSessions()[topic]?.peer.metadata
    askedOver.set(String(id), topic)
    queue.add({
      card: {
        id: String(id),
        peerName: metadata?.name ?? '',
        peerUrl: metadata?.url ?? '',
        ...describeRequest(request, { nowMs: clock.now(), marketOf, contracts: chain }),
        atMs: clock.now(),
        expiresAtMs: expiryTimestamp === undefined ? clock.now() + defaultRequestLife : practiceTime(expiryTimestamp),
      },
      approve: async () => {
        try {
          respond(topic, id, { result: await perform(request) })
        } catch (error) {
          respond(topic, id, { error: { code: -32_000, message: error instanceof Error ? error.message : String(error) } })
          throw error
        }
      },
      reject: async (code) => respond(topic, id, { error: { code: code ?? userRejected, message: 'User rejected.' } }),
    })
  }

  kit.on('session_proposal', takeProposal)
  kit.on('session_request', takeRequest)
  kit.on('session_delete', ({ topic }) => sessionsChanged(topic))
  kit.on('proposal_expire', ({ id }) => queue.expire(String(id)))
  kit.on('session_request_expire', ({ id }) => queue.expire(String(id)))
  peer.onRelayChange(changed)
  for (const pending of kit.getPendingSessionRequests()) takeRequest(pending)

  const readBalance = async () => {
    const balance = formatUnits(await chain.usdcOf(accounts.addresses.main), 6)
    if (balance === usdc) return
    usdc = balance
    changed()
  }
  // Ignore a failed read, which happens if the chain is stopping. The phone reads the balance again after the next block.
  const stopBalance = chain.onBlock(() => readBalance().catch(() => undefined))
  await readBalance()

  return {
    address: accounts.addresses.main,
    clientId: peer.clientId,
    state: () => ({
      nowMs: clock.now(),
      address: shared.address(),
      chainId: shared.chainId(),
      usdc,
      sessions: Object.values(kit.getActiveSessions()).map(({ topic, peer: { metadata } }) => ({ topic, peerName: metadata.name })),
      requests: queue.cards(),
      recent: queue.recent(),
      relay: peer.relayIsUp() ? 'up' : 'down',
    }),
    revision: () => revision,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    pair: (uri) => kit.pair({ uri }),
    approve: queue.approve,
    reject: (id, code = null) => queue.reject(id, code),
    onRequest: queue.onAdded,
    switchAccount: shared.switchAccount,
    switchChain: shared.switchChain,
    disconnectAll: shared.disconnectAll,
    signAs: accounts.signAs,
    stop: async () => {
      stopBalance()
      queue.stop()
      await peer.stop()
    },
  }
}
