import { randomBytes } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import type { PhoneAnswer, PracticeDescriptor, PracticeMessage, PracticeOptions } from '../../shared/practice.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { second, systemClock } from '../../shared/time.ts'
import { type Faults, noFaults } from './base/faults.ts'
import { badRequest, done, type LoopbackServer, notFound, serveOnLoopback } from './base/loopback-server.ts'
import type { PracticeClock } from './base/practice-clock.ts'
import { type RunningChain, startChain } from './chain/start-chain.ts'
import { createExchange, type Exchange } from './exchange/exchange.ts'
import { marketOfText } from './exchange/market/catalogue.ts'
import { executorName } from './exchange/routes/market-views.ts'
import { type Relay, startRelay } from './relay/relay-server.ts'
import { type Phone, startPhone, walletKeys } from './wallet/phone.ts'

/** Set by the build: false in the product's, which then holds no hook at all. Run from source there is none. */
declare const __HOOKS__: boolean

export interface StartPracticeOptions extends PracticeOptions {
  readonly clock: PracticeClock
  /** The seed of the dialect that the exchange speaks from the start; null: its own way. */
  readonly dialect?: number | null
  /** Wallets that get play money besides the phone's, at each start. */
  readonly funded?: readonly Address[]
  /** Opens the test hooks. Has no effect in the product's build. */
  readonly hooks: boolean
}

export type PracticeFailure = Omit<Extract<PracticeMessage, { type: 'failed' }>, 'type'>

/** What a bot needs to trade here. All of it is play money, on this computer only. */
export interface BotKit {
  /** Private key of the practice wallet: random, and no wallet's anywhere else. */
  readonly walletKey: Hex
  readonly executor: string
  readonly funded: readonly Address[]
}

/** A whole local service: chain, exchange, WalletConnect relay and phone, all on loopback. */
export interface Practice {
  /** Holds no private key: the app gets it. */
  readonly descriptor: PracticeDescriptor
  readonly bots: BotKit
  readonly clock: PracticeClock
  readonly faults: Faults
  readonly chain: RunningChain
  readonly exchange: Exchange
  readonly relay: Relay
  readonly phone: Phone
  /** Resolves when a part has ended without `stop`, after which nothing works any more. */
  readonly broken: Promise<PracticeFailure>
  /** Leaves no process and no open port behind. */
  stop(): Promise<void>
}

/** Collateral on the exchange, in USDC. */
const playCollateral = '10000'
/** In the wallet, for deposits: 5,000 USDC with 6 decimals. */
const playTokens = 5_000_000_000n
/** Of the protocol's own token, with 18 decimals: 2,500. */
const playOwnTokens = 2_500n * 10n ** 18n
/** For the gas of the wallet's own transactions, at each start, in wei: 0.05 ETH. */
const playGas = 50_000_000_000_000_000n

/** Starts everything, within some three seconds; what had started is stopped again when a part fails. */
export async function startPractice(options: StartPracticeOptions): Promise<Result<Practice, PracticeFailure>> {
  const { dataDir, seed, port, clock, hooks, dialect = null, funded = [] } = options
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step()
  }
  let part: PracticeFailure['part'] = 'process'
  const started = <T extends { stop(): Promise<void> }>(value: T): T => {
    stops.push(() => value.stop())
    return value
  }
  try {
    const keys = walletKeys(dataDir)
    part = 'relay'
    const relay = started(await startRelay({ clock, peerClock: systemClock }))

    part = 'chain'
    const firstHolder = { owner: privateKeyToAddress(keys.main), usdc: playTokens, svc: playOwnTokens }
    const running = await startChain({ clock, dataDir, firstHolder, history: hooks, behindRealTime: systemClock.now() - clock.now() > 2 * second })
    if (!running.ok) {
      await stop()
      return fail({ part, detail: running.failure.detail })
    }
    const chain = started(running.value)
    await chain.fund(firstHolder.owner, 0n, playGas)
    await neverBack(clock, chain)

    part = 'exchange'
    const faults = { ...noFaults(), dialect }
    const exchange = started(createExchange({ chain, clock, faults, seed, dataDir }))
    exchange.seedCollateral(firstHolder.owner, playCollateral)
    for (const owner of funded) {
      await topUp(chain, owner)
      exchange.seedCollateral(owner, playCollateral)
    }
    const { hostUrl } = await exchange.listen(port)
    const { hostUrl: secondHostUrl } = await exchange.listenSecond(0)

    part = 'wallet'
    const token = randomBytes(32).toString('base64url')
    const phone = started(await startPhone({ clock, peerClock: systemClock, chain, relay, dataDir, keys, marketOf: marketOfText }))
    const { url: phoneUrl } = started(await servePhone(phone, token))

    part = 'process'
    let hooksUrl: string | null = null
    // Written out in the condition, so that the build can drop the branch and with it the hooks.
    if ((typeof __HOOKS__ === 'undefined' || __HOOKS__) && hooks) {
      const { serveHooks } = await import('./hooks/serve-hooks.ts')
      hooksUrl = started(await serveHooks({ token, clock, faults, chain, exchange, relay, phone })).url
    }

    const { rpcUrl, router, usdc } = chain
    const walletAddress = phone.address
    const descriptor = { hostUrl, secondHostUrl, rpcUrl, relayUrl: relay.url, phoneUrl, token, walletAddress, router, usdc, hooksUrl }
    const broken = chain.ended.then((how) => ({ part: 'chain' as const, detail: `The practice chain has stopped: ${how}.` }))
    const bots = { walletKey: keys.main, executor: executorName, funded }
    return ok({ descriptor, bots, clock, faults, chain, exchange, relay, phone, broken, stop })
  } catch (error) {
    await stop()
    return fail({ part, detail: error instanceof Error ? error.message : String(error) })
  }
}

/** Brings a wallet's USDC up to what the phone's began with, and gives it ETH for gas. */
async function topUp(chain: RunningChain, owner: Address): Promise<void> {
  const held = await chain.usdcOf(owner)
  await chain.fund(owner, held < playTokens ? playTokens - held : 0n, playGas)
}

/** A chain that was kept from a run with a moved clock is ahead of real time, and time must not go back. */
async function neverBack(clock: PracticeClock, chain: RunningChain): Promise<void> {
  const aheadMs = (await chain.timestamp()) * second - clock.now()
  if (aheadMs > 2 * second) clock.advance(aheadMs)
}

const longPollMs = 25 * second

/** The phone's interface for its own window; see `PhoneAnswer` for its three calls. */
export const servePhone = (phone: Phone, token: string): Promise<LoopbackServer> =>
  serveOnLoopback(token, async ({ method, url, body, gone }) => {
    const current = (): { status: number; body: PhoneAnswer } => ({ status: 200, body: { revision: phone.revision(), state: phone.state() } })
    if (method === 'GET' && url.pathname === '/state') {
      const since = url.searchParams.get('since')
      if (since !== null && Number(since) === phone.revision()) await nextChange(phone, gone)
      return current()
    }
    if (method === 'POST' && url.pathname === '/pair') {
      const read = z.object({ uri: z.string().startsWith('wc:').max(2_048) }).safeParse(body)
      if (!read.success) return badRequest
      await phone.pair(read.data.uri)
      return done
    }
    const [, id, action] = /^\/requests\/([^/]+)\/(approve|reject)$/.exec(url.pathname) ?? []
    if (method !== 'POST' || id === undefined) return notFound
    const settled = action === 'approve' ? await phone.approve(id) : await phone.reject(id)
    return settled ? done : { status: 410, body: { error: 'the request is not waiting any more' } }
  })

function nextChange(phone: Phone, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      unsubscribe()
      gone.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, longPollMs)
    const unsubscribe = phone.onChange(end)
    gone.addEventListener('abort', end)
  })
}
