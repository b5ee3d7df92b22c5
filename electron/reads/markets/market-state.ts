import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { isRecord } from '../../../shared/api/loose.ts'
import { redact } from '../../../shared/api/redact.ts'
import { boundFields, joinFields } from '../../../shared/api/unknown-fields.ts'
import type { ConfigModel, marketState } from '../../../shared/ipc/reads/market-state.ts'
import { ok } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import { createMarketReads, type MarketReadsDeps, type Readings } from './market-reads.ts'

export interface MarketStateDeps extends MarketReadsDeps {
  readonly api: ApiClient
  readonly clock: Clock
  readonly readings: Readings
}

export interface MarketState {
  readonly handlers: Handlers<Exclude<keyof typeof marketState, 'markets.marks' | 'markets.trends' | 'markets.favourites' | 'markets.setFavourite'>>
}

type Fields = Readonly<Record<string, unknown>> | null

/** Maximum number of rows of each kind that main sends to the window. More rows would make the window slow. */
const mostShown = { liquidations: 500, breakers: 64, points: 2_000 } as const

/** Creates the reader for the state of single markets and of the whole exchange. */
export function createMarketState({ api, clock, readings, ...access }: MarketStateDeps): MarketState {
  const { read, open } = createMarketReads(access)
  const nothing = { params: {}, query: {}, body: undefined } as const
  const seen = new Map<string, number>()

  return {
    handlers: {
      'markets.funding': async ({ pairId }) => {
        const answer = await read(
          (credential) => api.call(endpoints.getFunding, { ...nothing, params: { pair_id: pairId }, credential }),
          (credential) => api.call(endpoints.getPublicFunding, { ...nothing, params: { id: pairId }, credential }),
        )
        if (!answer.ok) return answer
        const { value, source, readAtMs } = answer.value
        const now = value.rate === null ? null : { atMs: value.updatedAtMs ?? readAtMs, rate: value.rate }
        if (now !== null) readings.noteFunding(pairId, now)
        return ok({ ...value, ...history(value.history, now, readings.funding(pairId)), source, readAtMs })
      },
      'markets.openInterest': async ({ pairId }) => {
        const answer = await read(
          (credential) => api.call(endpoints.getOpenInterest, { ...nothing, params: { pair_id: pairId }, credential }),
          (credential) => api.call(endpoints.getPublicOpenInterest, { ...nothing, params: { id: pairId }, credential }),
        )
        if (!answer.ok) return answer
        const { value, source, readAtMs } = answer.value
        const { long, short } = value
        const now = long === null || short === null ? null : { atMs: value.updatedAtMs ?? readAtMs, long, short }
        if (now !== null) readings.noteInterest(pairId, now)
        return ok({ ...value, ...history(value.history, now, readings.interest(pairId)), source, readAtMs })
      },
      'markets.vault': async () => {
        const answer = await read(
          (credential) => api.call(endpoints.getVault, { ...nothing, credential }),
          (credential) => api.call(endpoints.getPublicVault, { ...nothing, credential }),
        )
        if (!answer.ok) return answer
        const { value, source, readAtMs } = answer.value
        return ok({ vault: { ...value, history: oldestFirst(value.history) }, source, readAtMs })
      },
      'markets.liquidations': async () => {
        const answer = await open((credential) => api.call(endpoints.getLiquidations, { ...nothing, credential }))
        if (!answer.ok) return answer
        const { liquidations, missing } = answer.value.value
        return ok({
          liquidations: liquidations.slice(0, mostShown.liquidations),
          missing: { ...missing, more: missing.more || liquidations.length > mostShown.liquidations },
          readAtMs: answer.value.readAtMs,
        })
      },
      'markets.breakers': async () => {
        const answer = await open((credential) => api.call(endpoints.getCircuitBreakers, { ...nothing, credential }))
        if (!answer.ok) return answer
        const { missing, breakers: all } = answer.value.value
        const breakers = all.toSorted((a, b) => Number(b.tripped === true) - Number(a.tripped === true)).slice(0, mostShown.breakers)
        for (const { name, tripped } of breakers) {
          if (tripped !== true) seen.delete(name)
          else if (!seen.has(name)) seen.set(name, clock.now())
        }
        return ok({
          breakers: breakers.map(({ sinceMs, ...breaker }) => ({
            ...breaker,
            sinceMs: breaker.tripped === true ? sinceMs : null,
            seenAtMs: seen.get(breaker.name) ?? null,
          })),
          missing: { ...missing, more: missing.more || all.length > mostShown.breakers },
          readAtMs: answer.value.readAtMs,
        })
      },
      'markets.ownToken': async () => {
        const answer = await open((credential) => api.call(endpoints.getTokenMarket, { ...nothing, credential }))
        if (!answer.ok) return answer
        return ok({ ...answer.value.value, history: oldestFirst(answer.value.value.history), readAtMs: answer.value.readAtMs })
      },
      'markets.ownTokenMetrics': async () => {
        const answer = await open((credential) => api.call(endpoints.getTokenMetrics, { ...nothing, credential }))
        if (!answer.ok) return answer
        return ok({ ...answer.value.value, history: oldestFirst(answer.value.value.history), readAtMs: answer.value.readAtMs })
      },
      'markets.config': async () => {
        const answer = await open((credential) => api.call(endpoints.getConfig, { ...nothing, credential }))
        if (!answer.ok) return answer
        const { chainId, permit, contracts, orderModel, feeModel, precisionModel, collateralModel, developerApi, executionModel, unknownFields } =
          answer.value.value
        const models = {
          ...{ order: orderModel, fee: feeModel, precision: precisionModel },
          ...{ collateral: collateralModel, developer: developerApi, execution: executionModel },
        } as const
        const named = { router: contracts?.router, usdc: contracts?.usdc, svc: contracts?.svc }
        return ok({
          chainId,
          permit,
          models: (Object.entries(models) as [ConfigModel, Fields][]).map(([model, fields]) => ({ model, fields: shown(fields) })), // The cast is safe: `models` has exactly the names of `ConfigModel` as keys.
          contracts: Object.entries(named).flatMap(([name, address]) => (address == null ? [] : [{ name, address }])),
          unknownFields: joinFields({ '': unknownFields, contracts: contracts?.unknownFields ?? null }),
          readAtMs: answer.value.readAtMs,
        })
      },
    },
  }
}

const oldestFirst = <T extends { readonly atMs: number }>(points: readonly T[] | null): T[] =>
  (points ?? []).toSorted((a, b) => a.atMs - b.atMs).slice(-mostShown.points)

const shown = (fields: Fields): string | null => (fields === null ? null : boundFields(JSON.stringify(redact(withSymbols(fields)))))

/**
 * Renames the `token` field of a collateral to `symbol`, because redaction would remove a field named `token` as a secret. Here the field contains
 * only a coin's name.
 */
function withSymbols(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSymbols)
  if (!isRecord(value)) return value
  const isSymbol = (name: string, held: unknown) => name === 'token' && typeof held === 'string' && /^[A-Z][A-Z0-9]{1,7}$/.test(held)
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [isSymbol(name, held) ? 'symbol' : name, withSymbols(held)]))
}

/**
 * Returns the service's own history with the current value added. If the service has no history, returns the values that the app has read since its
 * start.
 */
function history<T extends { readonly atMs: number }>(
  kept: readonly T[],
  now: T | null,
  read: readonly T[],
): { history: T[]; historyFrom: 'service' | 'readings' } {
  if (kept.length === 0) return { history: [...read], historyFrom: 'readings' }
  const last = kept.at(-1)
  const withNow = now !== null && last !== undefined && now.atMs > last.atMs ? [...kept, now] : kept
  return { history: withNow.slice(-mostShown.points), historyFrom: 'service' }
}
