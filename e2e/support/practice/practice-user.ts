import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import type { PracticeDescriptor } from '../../../shared/practice.ts'
import type { Dapp } from './dapp.ts'

type Json = Record<string, unknown>

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

/** Sends a request as a bot would, without the product’s client. */
export async function send(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? (JSON.parse(text) as Json) : { text } }
}

/** Calls a test hook of the practice exchange and returns the response. */
export async function hook(descriptor: PracticeDescriptor, call: string, body?: unknown): Promise<unknown> {
  const [method = 'GET', path = '/'] = call.split(' ')
  const response = await fetch(`${descriptor.hooksUrl}${path}`, {
    method,
    headers: { Authorization: `Bearer ${descriptor.token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${call}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

/** Pairs the app with the practice phone through the phone’s own interface. A test hook approves the request in place of the user. */
export async function pair(descriptor: PracticeDescriptor, dapp: Dapp): Promise<void> {
  await hook(descriptor, 'POST /wallet', { autoApprove: true })
  const { uri, connected } = await dapp.connect()
  await send(`${descriptor.phoneUrl}/pair`, { method: 'POST', headers: { Authorization: `Bearer ${descriptor.token}` }, body: { uri } })
  await connected
}

export interface Member {
  readonly apiKey: string
  readonly keyId: string
  /** Calls a developer route with the session, for example `POST /keys/{key_id}/rotate`. */
  manage(route: string, body?: unknown): Promise<Reply>
  /** Calls a versioned route (`/api/v1`) with the API key. */
  get(path: string): Promise<Reply>
  post(path: string, body: unknown): Promise<Reply>
}

/** Signs in with the phone and creates an API key, as the API document describes. */
export async function join({ hostUrl, walletAddress }: PracticeDescriptor, dapp: Dapp): Promise<Member> {
  const developer = `${hostUrl}/api/dex/developer`
  const challenge = await send(`${developer}/challenge`, { method: 'POST', body: { wallet: walletAddress } })
  const { message, nonce } = challenge.body as { message: string; nonce: string }
  const signature = await dapp.request('personal_sign', [`0x${Buffer.from(message).toString('hex')}`, walletAddress])
  const session = await send(`${developer}/session`, { method: 'POST', body: { wallet: walletAddress, nonce, signature } })
  const bearer = { Authorization: `Bearer ${session.body.developer_session}` }
  const manage: Member['manage'] = (route, body) => {
    const [method = 'GET', path = ''] = route.split(' ')
    return send(`${developer}${path}`, { method, headers: bearer, body })
  }
  const created = await manage('POST /keys', { label: 'test' })
  if (created.status !== 201) throw new Error(`No key: ${JSON.stringify([challenge, session, created])}`)
  const apiKey = String(created.body.api_key)
  const headers = { 'X-Svc-API-Key': apiKey }
  return {
    apiKey,
    keyId: (created.body.key as { key_id: string }).key_id,
    manage,
    get: (path) => send(`${hostUrl}/api/dex/v1${path}`, { headers }),
    post: (path, body) => send(`${hostUrl}/api/dex/v1${path}`, { method: 'POST', headers, body }),
  }
}

export interface Prepared {
  readonly intentId: string
  readonly typedData: { readonly domain: { readonly name: string; readonly version: string; readonly chainId: number; readonly verifyingContract: string } }
}

/** Prepares a market order at the current mark price. */
export async function prepareOrder(member: Member): Promise<Prepared> {
  const { body } = await member.get('/summary?pair_id=1')
  const { mark_price: price } = body.summary as { mark_price: string }
  const payload = {
    pair_id: 1,
    side: 'long',
    leverage: 5,
    order_value_usdc: '250',
    reference_price: price,
    max_slippage_bps: 100,
    client_order_id: randomUUID(),
  }
  const prepared = await member.post('/orders/prepare', { action: 'open_position', payload })
  const { intent_id: intentId, execution } = prepared.body as { intent_id: string; execution: { ready: boolean; typed_data: Prepared['typedData'] } }
  if (execution?.ready !== true) throw new Error(`Not ready: ${JSON.stringify(prepared)}`)
  return { intentId, typedData: execution.typed_data }
}

/** Signs a prepared order with the phone and relays it; resolves with the transaction's hash. */
export async function relayOrder({ hostUrl, walletAddress }: PracticeDescriptor, dapp: Dapp, { intentId, typedData }: Prepared): Promise<Hex> {
  const signature = await dapp.request('eth_signTypedData_v4', [walletAddress, JSON.stringify(typedData)])
  const relayed = await send(`${hostUrl}/api/dex/actions/relay`, { method: 'POST', body: { wallet: walletAddress, intent_id: intentId, signature } })
  if (relayed.status !== 200) throw new Error(`Not relayed: ${JSON.stringify(relayed)}`)
  return relayed.body.tx_hash as Hex
}
