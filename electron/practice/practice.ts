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

/** True if the build contains the test hooks; `false` in the product's build. Undefined if Node runs the source directly, without a build. */
declare const __HOOKS__: boolean

export interface StartPracticeOptions extends PracticeOptions {
  readonly clock: PracticeClock
  /**
   * The seed of the dialect that the exchange uses from the start. `null` means the exchange’s own format.
   */
  readonly dialect?: number | null
  /** Wallets besides the phone's that get play money at each start of practice. */
  readonly funded?: readonly Address[]
  /** If true, practice serves the test hooks. Has no effect in the product's build, which contains no test hooks. */
  readonly hooks: boolean
}

export type PracticeFailure = Omit<Extract<PracticeMessage, { type: 'failed' }>, 'type'>

/** What a bot needs to trade on the practice exchange. With it, the bot can only use play money on this computer. */
export interface BotKit {
  /** Private key of the practice wallet. The key is random and was created for practice, so it controls nothing of real value. */
  readonly walletKey: Hex
  readonly executor: string
  readonly funded: readonly Address[]
}

/** Practice mode as a whole: chain, exchange, WalletConnect relay and phone, all on loopback. */
export interface Practice {
  /** The addresses with which the app connects to practice. The app receives this object, so it must not contain a private key. */
  readonly descriptor: PracticeDescriptor
  readonly bots: BotKit
  readonly clock: PracticeClock
  readonly faults: Faults
  readonly chain: RunningChain
  readonly exchange: Exchange
  readonly relay: Relay
  readonly phone: Phone
  /** Resolves if a part of practice, such as the chain, ends although `stop` was not called. Practice then no longer works. */
  readonly broken: Promise<PracticeFailure>
  /** Stops all parts of practice, so that no process and no open port remains. */
  stop(): Promise<void>
}

/** The collateral that a practice wallet gets on the exchange, in USDC. */
const playCollateral = '10000'
/** The USDC that a practice wallet gets for deposits: 5,000 with 6 decimals. */
const playTokens = 5_000_000_000n
/** How much of the protocol’s own token a practice wallet gets: 2,500 with 18 decimals. */
const playOwnTokens = 2_500n * 10n ** 18n
/** The ETH that a practice wallet gets at each start, for the gas of its own transactions: 0.05 ETH in wei. */
const playGas = 50_000_000_000_000_000n

/** Starts all parts of practice, within about three seconds. If a part fails to start, stops the parts that have started. */
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
    // Keep this condition inside the `if`. The build recognises only this form, and then removes the branch and with it the test hooks.
    if ((typeof __HOOKS__ === 'undefined' || __HOOKS__) && hooks) {
      const { serveHooks } = await import('./hooks/serve-hooks.ts')
      hooksUrl = started(await serveHooks({ token, clock, faults, chain, exchange, relay, phone })).url
    }

    const { rpcUrl, router, usdc, svc } = chain
    const walletAddress = phone.address
    const descriptor = { hostUrl, secondHostUrl, rpcUrl, relayUrl: relay.url, phoneUrl, token, walletAddress, router, usdc, svc, hooksUrl }
    const broken = chain.ended.then((how) => ({ part: 'chain' as const, detail: `The practice chain has stopped: ${how}.` }))
    const bots = { walletKey: keys.main, executor: executorName, funded }
    return ok({ descriptor, bots, clock, faults, chain, exchange, relay, phone, broken, stop })
  } catch (error) {
    await stop()
    return fail({ part, detail: error instanceof Error ? error.message : String(error) })
  }
}

/** Raises a wallet's USDC balance to the phone's initial balance, and sends the wallet ETH for gas. */
async function topUp(chain: RunningChain, owner: Address): Promise<void> {
  const held = await chain.usdcOf(owner)
  await chain.fund(owner, held < playTokens ? playTokens - held : 0n, playGas)
}

/**
 * Advances the practice clock to the time of the stored chain, if that is ahead of real time because an earlier run advanced the clock. Time must
 * never go back.
 */
async function neverBack(clock: PracticeClock, chain: RunningChain): Promise<void> {
  const aheadMs = (await chain.timestamp()) * second - clock.now()
  if (aheadMs > 2 * second) clock.advance(aheadMs)
}

const longPollMs = 25 * second

/** Serves the HTTP interface of the practice phone, which only the phone’s own window uses. `PhoneAnswer` describes its three calls. */
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
