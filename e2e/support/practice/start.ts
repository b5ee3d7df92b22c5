import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { type Faults, noFaults } from '../../../electron/practice/base/faults.ts'
import { createPracticeClock, type PracticeClock } from '../../../electron/practice/base/practice-clock.ts'
import type { Chain } from '../../../electron/practice/chain/practice-chain.ts'
import { createExchange, type Exchange, type ExchangeOptions } from '../../../electron/practice/exchange/exchange.ts'
import { createFakeChain, type FakeChain } from './fake-chain.ts'

/** The clock’s start: 2026-11-18 14:32:00 UTC. The clock changes only when a test advances it. */
export const startMs = Date.UTC(2026, 10, 18, 14, 32)

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed response body. Use `at` to read a field. */
  readonly json: unknown
}

type Send = { headers?: Record<string, string>; body?: unknown; raw?: BodyInit }

export interface Bench<OnChain extends Chain = FakeChain> {
  readonly exchange: Exchange
  readonly chain: OnChain
  readonly clock: ReturnType<typeof createPracticeClock>
  readonly faults: Faults
  readonly hostUrl: string
  readonly wallet: PrivateKeyAccount
  /** Sends a request to a route, for example `call('POST /api/dex/...', { body })`. */
  call(route: string, send?: Send): Promise<Answer>
  /** Signs in (challenge, signature, session) and returns the bearer token. */
  signIn(wallet?: PrivateKeyAccount): Promise<string>
  /** Creates a key with `POST /api/dex/developer/keys`. */
  newKey(body?: Record<string, unknown>, wallet?: PrivateKeyAccount): Promise<{ apiKey: string; keyId: string; session: string }>
  /** The current mark price of a market, as text. */
  mark(pairId: number): Promise<string>
  stop(): Promise<void>
}

type Options = Partial<Pick<ExchangeOptions, 'dataDir' | 'seed' | 'quotaCaps' | 'resolve' | 'receiverAuthority'>> & {
  wallet?: PrivateKeyAccount
  clock?: PracticeClock
}

/** Starts the exchange on a free port, with an in-memory chain unless `options` contains another one. */
export function start(options?: Options & { chain?: FakeChain }): Promise<Bench>
export function start<OnChain extends Chain>(options: Options & { chain: OnChain }): Promise<Bench<OnChain>>
export async function start(options: Options & { chain?: Chain } = {}): Promise<Bench<Chain>> {
  const chain = options.chain ?? createFakeChain()
  const clock = options.clock ?? createPracticeClock({ now: () => startMs, monotonic: () => 0 })
  const faults = noFaults()
  const defects: unknown[] = []
  const wallet = options.wallet ?? privateKeyToAccount(generatePrivateKey())
  const exchange = createExchange({
    chain,
    clock,
    faults,
    seed: options.seed ?? 7,
    dataDir: options.dataDir ?? null,
    ...(options.quotaCaps !== undefined && { quotaCaps: options.quotaCaps }),
    ...(options.resolve !== undefined && { resolve: options.resolve }),
    ...(options.receiverAuthority !== undefined && { receiverAuthority: options.receiverAuthority }),
    onDefect: (defect) => defects.push(defect),
  })
  exchange.seedCollateral(wallet.address, '10000')
  const { hostUrl } = await exchange.listen(0)

  const call = async (route: string, { headers = {}, body, raw }: Send = {}): Promise<Answer> => {
    const [method = 'GET', path = '/'] = route.split(' ')
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(`${hostUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(content !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(content !== undefined && { body: content }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }

  const signIn = async (account = wallet) => {
    const challenge = await call('POST /api/dex/developer/challenge', { body: { wallet: account.address } })
    const signature = await account.signMessage({ message: text(challenge, 'message') })
    const session = await call('POST /api/dex/developer/session', { body: { wallet: account.address, nonce: text(challenge, 'nonce'), signature } })
    return text(session, 'developer_session')
  }

  return {
    exchange,
    chain,
    clock,
    faults,
    hostUrl,
    wallet,
    call,
    signIn,
    newKey: async (body = {}, account = wallet) => {
      // Advances the clock before each call, because the developer routes allow only ten requests a second.
      clock.advance(1_000)
      const session = await signIn(account)
      const created = await call('POST /api/dex/developer/keys', { headers: { Authorization: `Bearer ${session}` }, body })
      return { apiKey: text(created, 'api_key'), keyId: text(created, 'key.key_id'), session }
    },
    mark: async (pairId) => text(await call(`GET /api/dex/marks?pair_ids=${pairId}`), 'marks.0.mark_price'),
    stop: async () => {
      await exchange.stop()
      expect(defects).toEqual([])
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value in a response at a path such as `execution.typed_data.message.nonce` or `keys.0.label`. */
export function at(answer: Answer | unknown, path: string): unknown {
  let value = typeof answer === 'object' && answer !== null && 'headers' in answer && 'json' in answer ? answer.json : answer
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

export function text(answer: Answer | unknown, path: string): string {
  const value = at(answer, path)
  if (typeof value !== 'string')
    throw new Error(`Expected text at ${path} of ${JSON.stringify(typeof answer === 'object' && answer !== null && 'text' in answer ? answer.text : answer)}`)
  return value
}

export const keyHeader = (apiKey: string): { headers: Record<string, string> } => ({ headers: { 'X-Svc-API-Key': apiKey } })
export const bearer = (session: string): { headers: Record<string, string> } => ({ headers: { Authorization: `Bearer ${session}` } })
