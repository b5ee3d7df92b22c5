import { endpoint } from '../endpoint.ts'
import { noParams, noQuery } from '../schemas/inputs.ts'
import { ReceiptRequest, RelayAnswer, RelayRequest } from '../schemas/intents.ts'
import { AnyAnswer } from '../schemas/markets/service.ts'

const host = { root: 'host', credential: 'none', scope: null, limiter: 'public', success: 200, params: noParams, query: noQuery } as const

/** Relay and receipt: 2, unversioned, without a credential (Authentication 9). */
export const relayEndpoints = {
  relayIntent: endpoint({
    ...host,
    route: 'POST /api/dex/actions/relay',
    retry: 'never',
    secrets: ['signature'],
    evidence: 'documented',
    body: RelayRequest,
    response: RelayAnswer,
  }),
  // Only reports what is on the chain already: saying it twice says it once.
  reportReceipt: endpoint({
    ...host,
    route: 'POST /api/dex/actions/receipt',
    retry: 'safe',
    empty: 'ok',
    secrets: [],
    evidence: 'documented',
    body: ReceiptRequest,
    response: AnyAnswer,
  }),
} as const
