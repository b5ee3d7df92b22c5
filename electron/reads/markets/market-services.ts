import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { limits } from '../../../shared/api/limits.ts'
import { fail, ok } from '../../../shared/result.ts'
import { type Clock, minute } from '../../../shared/time.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import { type FieldMapService, perFieldMap } from '../../service/field-names/field-map.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { Records } from '../../store/records/registry.ts'
import { createMarketReads, createReadings, type MarketReadsDeps } from './market-reads.ts'
import { createMarketState, type MarketState } from './market-state.ts'
import { createMarkets, type Markets } from './markets.ts'

export interface MarketServicesDeps extends MarketReadsDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly records: Records
  readonly fieldMap: Pick<FieldMapService, 'answers'>
  readonly clock: ServiceClock
}

export interface MarketServices {
  readonly markets: Markets
  readonly handlers: Markets['handlers'] & MarketState['handlers'] & MarketLists['handlers'] & Favourites['handlers']
}

export function createMarketServices(deps: MarketServicesDeps): MarketServices {
  const readings = createReadings(deps.fieldMap.answers)
  const markets = createMarkets({ ...deps, readings })
  const state = createMarketState({ ...deps, readings })
  const lists = createMarketLists({ ...deps, candles: markets.handlers['markets.candles'] })
  const favourites = createFavourites(deps)
  return { markets, handlers: { ...markets.handlers, ...state.handlers, ...lists.handlers, ...favourites.handlers } }
}

interface Favourites {
  readonly handlers: Handlers<'markets.favourites' | 'markets.setFavourite'>
}

/** Maximum number of favourites. No service lists this many markets, so only a manipulated file can contain more. */
const most = 512

/** The user's favourite markets. Each profile has its own list, stored only on this computer. */
export function createFavourites({ profile, records }: { readonly profile: ProfileFacts; readonly records: Records }): Favourites {
  const key = { profile: profile.id }
  const read = (): number[] => (records.favouriteMarkets.read(key) ?? []).slice(0, most)

  return {
    handlers: {
      'markets.favourites': () => ok({ pairIds: read() }),
      'markets.setFavourite': ({ pairId, favourite }) => {
        const others = read().filter((one) => one !== pairId)
        const pairIds = favourite ? [...others, pairId] : others
        records.favouriteMarkets.write(key, pairIds)
        return ok({ pairIds })
      },
    },
  }
}

interface MarketListsDeps extends MarketReadsDeps {
  readonly api: ApiClient
  readonly clock: Clock
  readonly fieldMap: Pick<FieldMapService, 'answers'>
  readonly candles: Markets['handlers']['markets.candles']
}

interface MarketLists {
  readonly handlers: Handlers<'markets.marks' | 'markets.trends'>
}

/**
 * How long the app keeps a trend before it reads the trend again. A trend consists of hourly values of one day, so it changes little in this time.
 */
const trendKeptMs = 10 * minute
const trendCandles = 24
/** Maximum number of simultaneous requests for trends. The number is low, because requests for prices are more important. */
const trendsAtOnce = 3

/** Serves the market data of many markets at once. */
export function createMarketLists({ api, clock, fieldMap, candles, ...access }: MarketListsDeps): MarketLists {
  const { open } = createMarketReads(access)
  const kept = perFieldMap(fieldMap.answers, () => new Map<number, { readonly atMs: number; readonly closes: Promise<string[] | null> }>())

  const trend = (pairId: number): Promise<string[] | null> => {
    const trends = kept()
    const known = trends.get(pairId)
    if (known !== undefined && clock.monotonic() - known.atMs < trendKeptMs) return known.closes
    const closes = (async () => {
      const answer = await candles({ pairId, interval: '1h', limit: trendCandles })
      if (answer.ok) return answer.value.candles.map(({ close }) => close)
      trends.delete(pairId)
      return null
    })()
    trends.set(pairId, { atMs: clock.monotonic(), closes })
    return closes
  }

  return {
    handlers: {
      'markets.marks': async ({ pairIds }) => {
        const answers = await Promise.all(
          inBatches([...new Set(pairIds)], limits.marksMarkets.max).map((batch) =>
            open((credential) => api.call(endpoints.getMarks, { params: {}, query: { pair_ids: batch.join(',') }, body: undefined, credential })),
          ),
        )
        const read = answers.filter((answer) => answer.ok).map(({ value }) => value)
        const [failed] = answers.filter((answer) => !answer.ok)
        if (read.length === 0 && failed !== undefined) return fail(failed.failure)
        const asked = new Set(pairIds)
        const marks = read.flatMap(({ value }) => value.marks).filter(({ pairId }) => asked.has(pairId))
        return ok({ marks, readAtMs: Math.min(...read.map(({ readAtMs }) => readAtMs)) })
      },
      'markets.trends': async ({ pairIds }) => {
        const wanted = [...new Set(pairIds)]
        const found = new Map<number, string[]>()
        const work = async (): Promise<void> => {
          for (let pairId = wanted.shift(); pairId !== undefined; pairId = wanted.shift()) {
            const closes = await trend(pairId)
            if (closes !== null) found.set(pairId, closes)
          }
        }
        await Promise.all(Array.from({ length: trendsAtOnce }, work))
        return ok({ trends: [...found].map(([pairId, closes]) => ({ pairId, closes })).sort((a, b) => a.pairId - b.pairId) })
      },
    },
  }
}

const inBatches = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
