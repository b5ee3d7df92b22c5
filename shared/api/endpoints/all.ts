import { accountEndpoints } from './account.ts'
import { developerEndpoints } from './developer.ts'
import { marketEndpoints } from './market.ts'
import { publicEndpoints } from './public.ts'
import { relayEndpoints } from './relay.ts'
import { tradingEndpoints } from './trading.ts'

/** The 66 endpoints of the document, in its groups. */
export const endpointGroups = {
  developer: developerEndpoints,
  market: marketEndpoints,
  account: accountEndpoints,
  trading: tradingEndpoints,
  public: publicEndpoints,
  relay: relayEndpoints,
} as const

export const endpoints = { ...developerEndpoints, ...marketEndpoints, ...accountEndpoints, ...tradingEndpoints, ...publicEndpoints, ...relayEndpoints } as const
export type EndpointName = keyof typeof endpoints
