import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { FieldMap } from '../../../shared/api/reader/field.ts'
import { redact } from '../../../shared/api/redact.ts'
import { boundFields, joinFields } from '../../../shared/api/unknown-fields.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Market, MarketSummary, markets } from '../../../shared/ipc/reads/markets.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute } from '../../../shared/time.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { FieldMapService } from '../../service/field-names/field-map.ts'
import { type ApiClient, beforeExit } from '../../service/transport/api-client.ts'
import { createMarketReads, type MarketReadsDeps, type Readings } from './market-reads.ts'

export interface MarketsDeps extends MarketReadsDeps {
  readonly api: ApiClient
  readonly clock: Clock
  readonly fieldMap: Pick<FieldMapService, 'answers'>
  /** Stores the values of every market summary that the app reads. Charts use the stored values if the service keeps no history. */
  readonly readings?: Readings
}

export interface Markets {
  /** Returns one listed market, read at most a minute ago. Fails with `not_found` if the service does not list the id. */
  market(pairId: number): Promise<Result<Market, Failure>>
  /** Returns the market from the last read; sends no request. */
  known(pairId: number): Market | null
  /**
   * Only for a cancel or close. Returns the market from the last read, or else reads it with a short deadline. Returns `null` if that read fails; the
   * cancel or close then continues without the market.
   */
  forExit(pairId: number): Promise<Market | null>
  /** Only for a cancel or close. Reads the newest prices with a short deadline. Returns `null` if no prices arrive in time. */
  pricesForExit(pairId: number): Promise<Pick<MarketSummary, 'mark' | 'index'> | null>
  readonly handlers: Handlers<keyof typeof markets>
}

const mostScopes = 64

const mostSources = 8
const longestSource = 80
const mostLevels = 1_000

const shown = (fields: Readonly<Record<string, unknown>> | null): string | null => (fields === null ? null : boundFields(JSON.stringify(redact(fields))))

const documented = { apiVersion: 'v1', schema: 'svc-dex-api-v1.1' }

/** Reads market data by the versioned route if a key of the connected wallet has `market:read`, otherwise by the public route (Versioning 4). */
export function createMarkets({ api, clock, fieldMap, readings, ...access }: MarketsDeps): Markets {
  const { read } = createMarketReads(access)
  const nothing = { params: {}, query: {}, body: undefined } as const
  let catalogue: { readonly markets: Market[]; readonly atMs: number; readonly map: FieldMap | undefined } | null = null
  const isOfThisMap = () => catalogue?.map === fieldMap.answers()

  const list = async ({ call }: Pick<ApiClient, 'call'> = api) => {
    const map = fieldMap.answers()
    const answer = await read(
      (credential) => call(endpoints.getMarkets, { ...nothing, credential }),
      (credential) => call(endpoints.getPublicMarkets, { ...nothing, credential }),
    )
    if (answer.ok) catalogue = { markets: answer.value.value.markets, atMs: clock.monotonic(), map }
    return answer
  }

  const known = (pairId: number): Market | null => catalogue?.markets.find(({ id }) => id === pairId) ?? null
  const summary = ({ call }: Pick<ApiClient, 'call'>, pairId: number) =>
    read(
      (credential) => call(endpoints.getSummary, { ...nothing, query: { pair_id: pairId }, credential }),
      (credential) => call(endpoints.getPublicSummary, { ...nothing, query: { pair_id: pairId }, credential }),
    )

  return {
    known,
    forExit: async (pairId) => {
      if (known(pairId) === null || !isOfThisMap()) await list(beforeExit(api))
      return known(pairId)
    },
    pricesForExit: async (pairId) => {
      const answer = await summary(beforeExit(api), pairId)
      return answer.ok ? answer.value.value.summary : null
    },
    market: async (pairId) => {
      if (catalogue === null || !isOfThisMap() || clock.monotonic() - catalogue.atMs > minute) {
        const answer = await list()
        if (!answer.ok) return answer
      }
      const market = catalogue?.markets.find(({ id }) => id === pairId)
      return market === undefined ? fail({ kind: 'not_found', what: 'market' }) : ok(market)
    },
    handlers: {
      'markets.list': async () => {
        const answer = await list()
        if (!answer.ok) return answer
        const { markets, missing } = answer.value.value
        return ok({ markets, missing, source: answer.value.source, readAtMs: answer.value.readAtMs })
      },
      'markets.summaries': async () => {
        const answer = await read(
          (credential) => api.call(endpoints.getSummaries, { ...nothing, credential }),
          (credential) => api.call(endpoints.getPublicSummaries, { ...nothing, credential }),
        )
        if (!answer.ok) return answer
        for (const summary of answer.value.value.summaries) {
          const { id, fundingRate, openInterestLongUsdc: long, openInterestShortUsdc: short } = summary
          const atMs = summary.priceAtMs ?? answer.value.readAtMs
          if (fundingRate !== null) readings?.noteFunding(id, { atMs, rate: fundingRate })
          if (long !== null && short !== null) readings?.noteInterest(id, { atMs, long, short })
        }
        return ok({ summaries: answer.value.value.summaries, source: answer.value.source, readAtMs: answer.value.readAtMs })
      },
      'markets.summary': async ({ pairId }) => {
        const answer = await summary(api, pairId)
        if (!answer.ok) return answer
        return ok({ summary: answer.value.value.summary, source: answer.value.source, readAtMs: answer.value.readAtMs })
      },
      'markets.candles': async ({ pairId, interval, limit }) => {
        const query = { pair_id: pairId, interval, limit }
        const answer = await read(
          (credential) => api.call(endpoints.getCandles, { ...nothing, query, credential }),
          (credential) => api.call(endpoints.getPublicCandles, { ...nothing, query, credential }),
        )
        return answer.ok ? ok({ candles: answer.value.value.candles, source: answer.value.source, readAtMs: answer.value.readAtMs }) : answer
      },
      'markets.history': async ({ pairId, interval, beforeMs, limit }) => {
        const query = { pair_id: pairId, interval, limit, ...(beforeMs === null ? {} : { before: beforeMs }) }
        const answer = await api.call(endpoints.getPublicCandleHistory, { ...nothing, query, credential: null })
        if (!answer.ok) return fail(answer.failure.failure)
        const { candles, historySources } = answer.value.value
        const sources = (historySources ?? []).slice(0, mostSources).map(({ name, untilMs }) => ({ name: name.slice(0, longestSource), untilMs }))
        return ok({ candles, sources, source: 'public' as const, readAtMs: answer.value.receivedAtMs })
      },
      'markets.orderbook': async ({ pairId }) => {
        const query = { pair_id: pairId }
        const answer = await read(
          (credential) => api.call(endpoints.getOrderbook, { ...nothing, query, credential }),
          (credential) => api.call(endpoints.getPublicOrderbook, { ...nothing, query, credential }),
        )
        if (!answer.ok) return answer
        const { books } = answer.value.value
        const [only] = books
        const book = books.find((one) => one.pairId === pairId) ?? (books.length === 1 && only?.pairId === null ? only : undefined)
        if (book === undefined) return fail({ kind: 'not_found', what: 'order_book' })
        const { source, readAtMs } = answer.value
        return ok({ bids: book.bids.slice(0, mostLevels), asks: book.asks.slice(0, mostLevels), sizeUnit: book.sizeUnit, atMs: book.atMs, source, readAtMs })
      },
      // The API document names no public route for `/snapshot`, so this read needs a key.
      'markets.snapshot': async () => {
        const answer = await read((credential) => api.call(endpoints.getSnapshot, { ...nothing, credential }), null)
        return answer.ok ? ok({ sequence: answer.value.value.sequence, atMs: answer.value.value.atMs, readAtMs: answer.value.readAtMs }) : answer
      },
      'markets.status': async () => {
        const answer = await read(
          (credential) => api.call(endpoints.getStatus, { ...nothing, credential }),
          (credential) => api.call(endpoints.getPublicStatus, { ...nothing, credential }),
        )
        if (!answer.ok) return answer
        const { value, source, readAtMs } = answer.value
        const drift = api.serviceChange()
        // Only responses of the versioned API have the version headers (Versioning 2).
        const versions = drift ?? (source === 'versioned' ? documented : { apiVersion: null, schema: null })
        const { api: apiState, network, engine, blockNumber, unknownFields } = value
        return ok({ api: apiState, network, engine, blockNumber, unknownFields, ...versions, drift: drift !== null, source, readAtMs })
      },
      'markets.meta': async () => {
        const answer = await read((credential) => api.call(endpoints.getMeta, { ...nothing, credential }), null)
        if (!answer.ok) return answer
        const { capabilities, limits, contracts, scopes, ...meta } = answer.value.value
        return ok({
          ...meta,
          scopes: scopes === null ? null : scopes.slice(0, mostScopes),
          capabilities: shown(capabilities),
          limits: shown(limits),
          router: contracts?.router ?? null,
          collateral: contracts?.usdc ?? null,
          unknownFields: joinFields({ '': meta.unknownFields, contracts: contracts?.unknownFields ?? null }),
          readAtMs: answer.value.readAtMs,
        })
      },
    },
  }
}
