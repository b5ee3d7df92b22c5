import type { PrivateKeyAccount } from 'viem/accounts'
import { signTypedData } from './signing.ts'
import { type Answer, at, type Bench } from './start.ts'

export type Payload = Record<string, unknown>

/** Orders of one key. */
export interface Desk {
  readonly apiKey: string
  /** A market order that is right in every field, with what a test wants otherwise; `undefined` leaves a field out. */
  marketOrder(change?: Payload): Promise<Payload>
  /** `POST /orders/prepare` for `open_position`; a null key sends no header. */
  prepare(payload: Payload, idempotencyKey?: string | null): Promise<Answer>
  /** Signs what was prepared and relays it. */
  relay(prepared: Answer, by?: PrivateKeyAccount): Promise<Answer>
  /** Status and error code, or `200 signature_ready`. */
  outcome(payload: Payload, idempotencyKey?: string | null): Promise<string>
  read(path: string): Promise<Answer>
}

export async function openDesk(bench: Bench): Promise<Desk> {
  const { apiKey } = await bench.newKey()
  let made = 0
  const prepare: Desk['prepare'] = (payload, idempotencyKey) => {
    made += 1
    const key = idempotencyKey === undefined ? `order-${String(made).padStart(4, '0')}` : idempotencyKey
    return bench.call('POST /api/dex/v1/orders/prepare', {
      headers: { 'X-Svc-API-Key': apiKey, ...(key !== null && { 'Idempotency-Key': key }) },
      body: { action: 'open_position', payload },
    })
  }
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
