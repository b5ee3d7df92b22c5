// A bot of somebody else, with `fetch`: opens a position through its executor, changes it in each way there is, and closes it.
// It takes the URL and the token from its environment, and knows nothing of the gateway. It writes down each answer that it gets as a line of JSON.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const baseUrl = process.env.SVC_BASE_URL ?? ''
const token = process.env.SVC_API_KEY ?? ''
const hostUrl = baseUrl.replace(/\/api\/dex\/v1$/, '')
const market = 3

// biome-ignore lint/suspicious/noExplicitAny: the answers are JSON of another program, and a wrong shape ends this bot with an error
type Json = any

/** One call. Waits as long as Retry-After says if the exchange or the gateway is busy. */
async function call(method: 'GET' | 'POST', url: string, body?: unknown): Promise<Json> {
  const requestId = `fetch-${randomUUID()}`
  const answer = await fetch(url, {
    method,
    headers: {
      'X-Request-ID': requestId,
      ...(url.startsWith(baseUrl) && { 'X-Svc-API-Key': token }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const { status, headers } = answer
  console.log(JSON.stringify({ kind: 'answer', requestId, status, headers: Object.fromEntries(headers), body: bytes.toString('base64') }))
  const wait = headers.get('Retry-After')
  if ((status === 429 || status === 503) && wait !== null) {
    await sleep(Number(wait) * 1_000)
    return call(method, url, body)
  }
  if (status >= 400) throw new Error(`${method} ${url} ${JSON.stringify(body)}: ${status} ${bytes}`)
  return JSON.parse(bytes.toString())
}

const read = (path: string): Promise<Json> => call('GET', `${baseUrl}${path}`)
const execute = (body: object): Promise<Json> => call('POST', `${baseUrl}/orders/execute`, body)

/** Has the exchange validate an action, then execute it, and follows it to its end. */
async function act(action: string, payload: object): Promise<void> {
  const key = randomUUID()
  const tried = await execute({ action, payload: { ...payload, idempotency_key: `${key}-try` }, prepare_only: true })
  if (tried.delegated.state !== 'validated') throw new Error(`${action} was not validated: ${JSON.stringify(tried)}`)
  const { delegated } = await execute({ action, payload: { ...payload, idempotency_key: key } })
  for (;;) {
    const { execution } = await read(`/executions/${delegated.command_id}`)
    if (execution.state === 'executed') return
    if (execution.state !== 'submitted') throw new Error(`${action}: ${JSON.stringify(execution)}`)
    await sleep(50)
  }
}

const atMarket = async () => ({ reference_price: (await read(`/summary?pair_id=${market}`)).summary.mark_price, max_slippage_bps: 200 })
/** A price on a tick of the market: whole dollars. */
const partOfMark = async (share: number) => String(Math.floor(Number((await atMarket()).reference_price) * share))
const position = async () => {
  const { positions } = await read('/positions')
  return { position_id: positions.find((row: Json) => row.pair_id === market).position_id }
}

const order = { pair_id: market, side: 'long', margin_mode: 'isolated', leverage: 5, order_value_usdc: '200' }
await read('/account')
await read('/collateral')
const { preview } = await call('POST', `${baseUrl}/risk/preview`, { action: 'open_position', payload: { ...order, ...(await atMarket()) } })
if (preview.executable !== true) throw new Error(`The order is not possible: ${JSON.stringify(preview)}`)
await act('open_position', { ...order, ...(await atMarket()) })
const own = await position()
await act('increase', { ...own, order_value_usdc: '50', ...(await atMarket()) })
await act('reduce', { ...own, size: '0.1', ...(await atMarket()) })
await act('set_tp', { ...own, price: await partOfMark(1.5) })
await act('set_sl', { ...own, price: await partOfMark(0.85) })
await act('clear_tp', own)
await act('clear_sl', own)
await act('isolated_manage', { ...own, margin_delta_usdc: '20' })
await act('isolated_manage', { ...own, margin_delta_usdc: '-5' })
await act('isolated_manage', { ...own, leverage: 4 })
await act('invert', { ...own, ...(await atMarket()) })
await act('close', { ...(await position()), ...(await atMarket()) })

const { wallet } = await read('/positions')
const ofWallet = ['account', 'positions', 'orders', 'collateral', 'transactions', 'trades', 'positions/history'].map((name) => `${name}?wallet=${wallet}`)
const ofMarket = ['summary', 'candles', 'candles/history', 'orderbook'].map((name) => `${name}?pair_id=${market}`)
const plain = ['config', 'markets', 'summaries', 'vault', 'liquidations', 'status', 'circuit-breakers', `markets/${market}/funding`]
for (const path of [...plain, `markets/${market}/open-interest`, `marks?pair_ids=1,${market}`, ...ofMarket, ...ofWallet])
  await call('GET', `${hostUrl}/api/dex/${path}`)
for (const name of ['baq-market', 'baq-metrics']) await call('GET', `${hostUrl}/api/public/${name}`)
