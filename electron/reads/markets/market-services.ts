import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/service-clock.ts'
import type { FieldMapBook } from '../../service/field-names/field-map.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { Values } from '../../store/journal/journal.ts'
import { createFavourites, type Favourites } from './favourites.ts'
import { createMarketLists, type MarketLists } from './market-lists.ts'
import type { MarketReadsDeps } from './market-reads.ts'
import { createMarketState, type MarketState } from './market-state.ts'
import { createMarkets, type Markets } from './markets.ts'
import { createReadings } from './readings.ts'

export interface MarketServicesDeps extends MarketReadsDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly values: Values
  readonly fieldMap: Pick<FieldMapBook, 'answers'>
  readonly clock: ServiceClock
}

export interface MarketServices {
  /** The catalogue. */
  readonly markets: Markets
  readonly handlers: Markets['handlers'] & MarketState['handlers'] & MarketLists['handlers'] & Favourites['handlers']
}

/** What is read of the markets, with a key or without, and which of them the user likes. */
export function createMarketServices(deps: MarketServicesDeps): MarketServices {
  const readings = createReadings(deps.fieldMap.answers)
  const markets = createMarkets({ ...deps, readings })
  const state = createMarketState({ ...deps, readings })
  const lists = createMarketLists({ ...deps, candles: markets.handlers['markets.candles'] })
  const favourites = createFavourites(deps)
  return { markets, handlers: { ...markets.handlers, ...state.handlers, ...lists.handlers, ...favourites.handlers } }
}
