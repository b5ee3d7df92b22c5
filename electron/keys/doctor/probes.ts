import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { roundToStep } from '../../../shared/decimal.ts'
import type { Result } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import type { ApiAnswer, ApiClient, ApiFailure, KeyCredential } from '../../service/transport/api-client.ts'
import { type CallFinding, findingOf } from './call-verdict.ts'

/** The calls of an examination: one for each thing that a key may do. None of them can execute anything. */
export interface Probes {
  /** Whether the service answers at all; without a key. Its `Date` tells its time. */
  service(): Promise<CallFinding>
  /** `GET /status`: scope `market:read`. */
  status(key: KeyCredential): Promise<CallFinding>
  /** `GET /account`: scope `account:read`. `wallet`: whose it says it is. */
  account(key: KeyCredential): Promise<{ readonly finding: CallFinding; readonly wallet: string | null }>
  /** A smallest limit order, prepared under a key of its own: preparing never executes, and nobody is asked to sign it. */
  prepare(key: KeyCredential): Promise<CallFinding>
  /** Cancelling an order that cannot exist. */
  manage(key: KeyCredential): Promise<CallFinding>
  /** Withdrawing nothing. */
  collateral(key: KeyCredential): Promise<CallFinding>
  /** A dry run of an order that is none: a service that did not know `prepare_only` would refuse its payload. */
  execute(key: KeyCredential): Promise<CallFinding>
}

const deadlineMs = 8 * second
const nothing = { params: {}, query: {}, body: undefined, deadlineMs } as const
/** Where the catalogue names no smallest order. */
const usualMinimum = '10'

export function createProbes({ api, clock, newId }: { readonly api: ApiClient; readonly clock: Clock; readonly newId: () => string }): Probes {
  const timed = async <T>(call: () => Promise<Result<ApiAnswer<T>, ApiFailure>>): Promise<{ finding: CallFinding; value: T | null }> => {
    const started = clock.monotonic()
    const answer = await call()
    return {
      finding: findingOf(answer.ok ? { ok: true, value: answer.value } : answer, clock.monotonic() - started),
      value: answer.ok ? answer.value.value : null,
    }
  }
  const asked = async <T>(call: () => Promise<Result<ApiAnswer<T>, ApiFailure>>): Promise<CallFinding> => (await timed(call)).finding

  const preparing = (key: KeyCredential, action: string, payload: Readonly<Record<string, unknown>>) => {
    const body = { action, payload: { ...payload } }
    return asked(() =>
      api.call(endpoints.prepareOrder, {
        ...nothing,
        body,
        rawBody: JSON.stringify(body),
        headers: { 'Idempotency-Key': `doctor-${newId()}` },
        credential: key,
      }),
    )
  }

  /** A limit order needs no fresh price; a market that cannot be read leaves an order that is refused, which tells nearly as much. */
  const smallestOrder = async (): Promise<Readonly<Record<string, unknown>>> => {
    const catalogue = await api.call(endpoints.getPublicMarkets, { ...nothing, credential: null })
    const market = catalogue.ok ? catalogue.value.value.markets[0] : undefined
    if (market === undefined) return { pair_id: 0 }
    const marks = await api.call(endpoints.getMarks, { ...nothing, query: { pair_ids: String(market.id) }, credential: null })
    const mark = marks.ok ? (marks.value.value.marks.find(({ pairId }) => pairId === market.id)?.mark ?? null) : null
    const price = mark === null || market.tickSize === null ? mark : roundToStep(mark, market.tickSize)
    return {
      pair_id: market.id,
      side: 'long',
      order_type: 'limit',
      margin_mode: 'cross',
      leverage: 1,
      order_value_usdc: market.minOrderUsdc ?? usualMinimum,
      limit_price: price ?? '1',
      time_in_force: 'gtc',
    }
  }

  return {
    service: () => asked(() => api.call(endpoints.getPublicStatus, { ...nothing, credential: null })),
    status: (key) => asked(() => api.call(endpoints.getStatus, { ...nothing, credential: key })),
    account: async (key) => {
      const { finding, value } = await timed(() => api.call(endpoints.getAccount, { ...nothing, credential: key }))
      return { finding, wallet: value?.wallet ?? null }
    },
    prepare: async (key) => preparing(key, 'open_position', await smallestOrder()),
    manage: (key) => preparing(key, 'cancel_order', { order_id: 'none' }),
    collateral: (key) => preparing(key, 'withdraw_collateral', { amount: '0' }),
    execute: (key) => {
      const payload = { pair_id: -1, order_value_usdc: '0', client_order_id: `doctor-${newId()}` }
      return asked(() => api.call(endpoints.executeOrder, { ...nothing, body: { action: 'open_position', payload, prepare_only: true }, credential: key }))
    },
  }
}
