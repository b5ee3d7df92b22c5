/**
 * Your first bot: signs in, creates an API key, opens one position at the market price and follows it to FINAL.
 *
 * Needs Node 22.18 or newer, and viem. Reads two variables, which `npm run sandbox` prints for the practice exchange:
 * SVC_HOST_URL, the host of the exchange, and SVC_WALLET_KEY, the private key of the wallet that trades.
 *
 * The service’s documentation leaves some names undefined: fields in the responses of /markets, /summary and key creation,
 * and the fields of the typed data. This bot uses the practice exchange’s names; check your exchange’s responses first.
 */
import { deepStrictEqual as isSame } from 'node:assert'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, parseUnits, type TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const { SVC_HOST_URL: host, SVC_WALLET_KEY: walletKey } = process.env
if (!host || !walletKey) throw new Error('Set SVC_HOST_URL and SVC_WALLET_KEY first.')
const wallet = privateKeyToAccount(walletKey as Hex)
const maxAttempts = 5

// biome-ignore lint/suspicious/noExplicitAny: the answers are JSON, and each use below checks what it takes
type Json = any
interface Call {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Whether the call may be sent again after a failure. True for reads, and for calls with an idempotency key, because the service executes those
   * only once.
   */
  readonly repeatable?: boolean
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, what: string) {
    super(what)
    this.status = status
  }
}

/** Makes one call. After 429 it waits as long as Retry-After says. After other failures it retries if repeating is safe. */
async function call(path: string, { method = 'GET', body, headers = {}, repeatable = method === 'GET' }: Call = {}): Promise<Json> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === maxAttempts
    const init = { method, headers: { 'Content-Type': 'application/json', ...headers }, body: body === undefined ? null : JSON.stringify(body) }
    const answer = await fetch(host + path, { ...init, signal: AbortSignal.timeout(10_000) })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch((error: unknown) => {
        if (isLast || !repeatable) throw error
        return null
      })
    if (answer?.response.ok) return JSON.parse(answer.text)
    const status = answer?.response.status ?? 0
    // Status 429 (too many requests) means that the service did nothing, so any call may be retried.
    if (answer && (isLast || !(status === 429 || (repeatable && status >= 500)))) {
      throw new Refused(status, `${method} ${path}: ${status} ${answer.text} (${answer.response.headers.get('X-Request-ID')})`)
    }
    await sleep(1_000 * (Number(answer?.response.headers.get('Retry-After')) || attempt))
  }
}

/** Signs in with the wallet. The session manages keys; it cannot trade. */
async function signIn(): Promise<Readonly<Record<string, string>>> {
  const asked = { method: 'POST', body: { wallet: wallet.address } }
  const { message, nonce } = await call('/api/dex/developer/challenge', { ...asked, repeatable: true })
  for (const part of [wallet.address, new URL(host as string).host, '8453', nonce]) {
    if (!message.includes(part)) throw new Error(`The challenge does not name ${part}: ${message}`)
  }
  const signature = await wallet.signMessage({ message })
  const session = await call('/api/dex/developer/session', { method: 'POST', body: { wallet: wallet.address, nonce, signature } })
  return { Authorization: `Bearer ${session.developer_session}` }
}

/** The struct that opens a position: its fields in signing order. Amounts are integers: USDC with 6 decimals, prices with 8. */
const structOf = (order: Json): [name: string, type: string, value: string | boolean][] => [
  ['trader', 'address', wallet.address],
  ['pairId', 'uint256', String(order.pair_id)],
  ['side', 'string', order.side],
  ['orderType', 'string', 'market'],
  ['marginMode', 'string', 'cross'],
  ['leverage', 'uint256', String(order.leverage)],
  ['orderValue', 'uint256', String(parseUnits(order.order_value_usdc, 6))],
  ['referencePrice', 'uint256', String(parseUnits(order.reference_price, 8))],
  ['maxSlippageBps', 'uint256', String(order.max_slippage_bps)],
  ['limitPrice', 'uint256', '0'],
  ['triggerPrice', 'uint256', '0'],
  ['timeInForce', 'string', 'ioc'],
  ['restIfUnfilled', 'bool', false],
  ['postOnly', 'bool', false],
  ['takeProfit', 'uint256', '0'],
  ['stopLoss', 'uint256', '0'],
  ['clientOrderId', 'string', order.client_order_id],
]

/** Signs the bot’s own order and nothing else: refuses unless every field of the typed data equals what the bot requested. */
async function sign({ domain, types, primaryType, message }: Json, order: Json, router: string): Promise<Hex> {
  const { nonce, deadline } = message
  const struct = [...structOf(order), ['nonce', 'uint256', nonce] as const, ['deadline', 'uint256', deadline] as const]
  const expected = {
    domain: { name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: router },
    types: { OpenPosition: struct.map(([name, type]) => ({ name, type })) },
    primaryType: 'OpenPosition',
    message: Object.fromEntries(struct.map(([name, , value]) => [name, value])),
  } as const
  isSame({ domain, types: { OpenPosition: types.OpenPosition }, primaryType, message }, expected)
  const secondsLeft = Number(deadline) - Date.now() / 1_000
  if (!(secondsLeft > 0 && secondsLeft <= 310)) throw new Error(`The deadline is ${secondsLeft} s away.`)
  return wallet.signTypedData(expected as TypedDataDefinition)
}

/** Prepares an order of the smallest size that the first open market accepts. Preparing does not execute the order. */
async function prepare(key: Readonly<Record<string, string>>, attempt = 1): Promise<{ order: Json; prepared: Json }> {
  const { markets } = await call('/api/dex/v1/markets', { headers: key })
  const market = markets.find(({ status }: Json) => status === 'open')
  const { summary } = await call(`/api/dex/v1/summary?pair_id=${market.id}`, { headers: key })
  const order = {
    pair_id: market.id,
    side: 'long',
    order_type: 'market',
    leverage: 2,
    order_value_usdc: market.min_order_value_usdc,
    reference_price: summary.mark_price,
    max_slippage_bps: 100,
    client_order_id: randomUUID(),
  }
  const headers = { ...key, 'Idempotency-Key': order.client_order_id }
  try {
    const body = { action: 'open_position', payload: order }
    return { order, prepared: await call('/api/dex/v1/orders/prepare', { method: 'POST', headers, body, repeatable: true }) }
  } catch (error) {
    // The price has moved or is stale. A new price makes it a different order, which needs a new idempotency key.
    if (attempt === maxAttempts || !/PRICE_DEVIATION_EXCEEDED|MARKET_DATA_STALE/.test(String(error))) throw error
    await sleep(2_000)
    return prepare(key, attempt + 1)
  }
}

/** Prepares, signs and relays an order. Returns the hash of the order’s transaction. */
async function openPosition(key: Readonly<Record<string, string>>): Promise<string> {
  const { order, prepared } = await prepare(key)
  const { intent_id, execution } = prepared
  if (!execution.ready || execution.status !== 'signature_ready' || execution.mode !== 'signed_intent') {
    throw new Error(`Not executable: ${execution.status} ${execution.reason}`)
  }
  // In your own bot, hard-code the router’s address, so that the bot notices if the exchange publishes another router.
  const { contracts } = await call('/api/dex/config')
  const signature = await sign(execution.typed_data, order, contracts.router)
  try {
    const relayed = await call('/api/dex/actions/relay', { method: 'POST', body: { wallet: wallet.address, intent_id, signature } })
    return relayed.tx_hash
  } catch (error) {
    if (error instanceof Refused && error.status < 500) throw error
    // The response is missing or unreliable, so the service may have executed the order. Look the order up instead of sending it again.
    await sleep(5_000)
    const { intent } = await call(`/api/dex/v1/orders/by-client-id?client_order_id=${order.client_order_id}`, { headers: key })
    if (!intent.tx_hash) throw error
    return intent.tx_hash
  }
}

/** Follows a transaction until it is final or failed, for five minutes at most. */
async function follow(hash: string, key: Readonly<Record<string, string>>): Promise<void> {
  let last = ''
  for (const end = Date.now() + 300_000; Date.now() < end; await sleep(1_000)) {
    const { finality } = await call(`/api/dex/v1/native/executions/${hash}`, { headers: key })
    if (finality !== last) console.log(finality)
    last = finality
    if (finality === 'FINAL') return
    if (finality === 'REVERTED') throw new Error(`The transaction ${hash} was reverted.`)
  }
  throw new Error(`The transaction ${hash} is still ${last}.`)
}

const session = await signIn()
const terms = { label: 'first bot', scopes: ['market:read', 'account:read', 'trade:prepare'], expires_in_days: 1 }
const created = await call('/api/dex/developer/keys', { method: 'POST', headers: session, body: terms })
try {
  const key = { 'X-Svc-API-Key': created.api_key }
  const hash = await openPosition(key)
  console.log(hash)
  await follow(hash, key)
} finally {
  // Deletes this bot’s key, because a wallet may have at most ten. A long-running bot would keep its key in a file that only the bot can read.
  await call(`/api/dex/developer/keys/${created.key.key_id}`, { method: 'DELETE', headers: session, repeatable: true })
}
