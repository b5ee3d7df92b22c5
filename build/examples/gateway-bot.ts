// A bot that holds no key. It knows the gateway's URL and its token, as `svc-desk bots add` prints it, and speaks the exchange's own API.
// SVC_BASE_URL=http://127.0.0.1:8421/api/dex/v1 SVC_API_KEY=… node build/examples/gateway-bot.ts
import { randomUUID } from 'node:crypto'

const baseUrl = process.env.SVC_BASE_URL ?? ''
const token = process.env.SVC_API_KEY ?? ''

interface Answer {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
}

async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { 'X-Svc-API-Key': token, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const json = (await answer.json()) as Answer['json'] // The cast is safe: both the exchange and the gateway answer with an object.
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`)
  return { status: answer.status, json }
}

const { json } = await call('GET', '/summary?pair_id=1')
const price = /"mark(?:_price)?":"?([0-9.]+)/.exec(JSON.stringify(json))?.[1]
if (price === undefined) throw new Error('The exchange names no mark price')
console.log(`mark ${price}`)

// The same key again gets the first answer: a bot can repeat a request whose answer it never got.
const order = {
  ...{ pair_id: 1, side: 'long', leverage: 2, order_value_usdc: '20', reference_price: price, max_slippage_bps: 50 },
  idempotency_key: `example-${randomUUID()}`,
}
const { status } = await call('POST', '/orders/execute', { action: 'open_market', payload: order, prepare_only: true })
console.log(`the order is valid: ${status}`)
