import type { PrivateKeyAccount } from 'viem/accounts'
import type { Chain } from '../../../electron/practice/chain/practice-chain.ts'
import { signTypedData } from './signing.ts'
import { type Answer, at, type Bench } from './start.ts'

export type Payload = Record<string, unknown>

/** Prepares and relays orders with one key. */
export interface Client {
  readonly apiKey: string
  /** A valid market order with the given changes. `undefined` omits a field. */
  marketOrder(change?: Payload): Promise<Payload>
  /** Calls `POST /orders/prepare` with `open_position`. `idempotencyKey`: null sends no such header. */
  prepare(payload: Payload, idempotencyKey?: string | null): Promise<Answer>
  /** Calls `POST /orders/prepare` with any action. `more.permit`: adds a permit. `more.key`: sets the idempotency key. */
  act(action: string, payload: Payload, more?: { permit?: boolean; key?: string | null }): Promise<Answer>
  relay(prepared: Answer, by?: PrivateKeyAccount): Promise<Answer>
  /** Prepares an order. Returns `200 signature_ready`, or the status and code of the error. */
  outcome(payload: Payload, idempotencyKey?: string | null): Promise<string>
  read(path: string): Promise<Answer>
}

/** @param scopes the scopes of the client’s key; the default scopes if undefined */
export async function openClient(bench: Bench<Chain>, scopes?: readonly string[]): Promise<Client> {
  const { apiKey } = await bench.newKey(scopes === undefined ? {} : { scopes })
  let made = 0
  const act: Client['act'] = (action, payload, { permit, key: given } = {}) => {
    made += 1
    const key = given === undefined ? `order-${String(made).padStart(4, '0')}` : given
    return bench.call('POST /api/dex/v1/orders/prepare', {
      headers: { 'X-Svc-API-Key': apiKey, ...(key !== null && { 'Idempotency-Key': key }) },
      body: { action, payload, ...(permit !== undefined && { permit }) },
    })
  }
  const prepare: Client['prepare'] = (payload, key) => act('open_position', payload, { ...(key !== undefined && { key }) })
  return {
    apiKey,
    marketOrder: async (change = {}) => ({
      pair_id: 1,
      side: 'long',
      leverage: 10,
      order_value_usdc: '2500',
      reference_price: await bench.mark(typeof change.pair_id === 'number' ? change.pair_id : 1),
      max_slippage_bps: 50,
      ...change,
    }),
    prepare,
    act,
    relay: async (prepared, by = bench.wallet) =>
      bench.call('POST /api/dex/actions/relay', {
        body: { wallet: bench.wallet.address, intent_id: at(prepared, 'intent_id'), signature: await signTypedData(by, prepared, 'execution.typed_data') },
      }),
    outcome: async (payload, idempotencyKey) => {
      const answer = await prepare(payload, idempotencyKey)
      return `${answer.status} ${at(answer, 'error.code') ?? at(answer, 'execution.status')}`
    },
    read: (path) => bench.call(`GET /api/dex/v1${path}`, { headers: { 'X-Svc-API-Key': apiKey } }),
  }
}

export const allScopes = ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage']

/** Opens a position by a relayed market order. Returns the position’s id. */
export async function openPosition(bench: Bench, client: Client, change: Payload = {}): Promise<string> {
  const order = await client.marketOrder(change)
  const relayed = await client.relay(await client.prepare(order))
  if (relayed.status !== 200) throw new Error(`Not relayed: ${relayed.text}`)
  await bench.chain.mine(1)
  const held = await positionsOf(client)
  const position = held.find((each) => at(each, 'pair_id') === order.pair_id && at(each, 'margin_mode') === (change.margin_mode ?? 'cross'))
  const id = at(position, 'position_id')
  if (typeof id !== 'string') throw new Error(`No position: ${JSON.stringify(held)}`)
  return id
}

export async function positionsOf(client: Client): Promise<unknown[]> {
  const held = at(await client.read('/positions'), 'positions')
  return Array.isArray(held) ? held : []
}
