import { endpoint } from '../endpoint.ts'
import { noParams, noQuery } from '../schemas/inputs.ts'
import { DelegatedExecution, ExecuteRequest } from '../schemas/intents.ts'
import { PreparedAction, PrepareRequest } from '../schemas/prepared-action.ts'

const write = { root: 'base', credential: 'key', limiter: 'versioned', secrets: [], evidence: 'documented', params: noParams, query: noQuery } as const

/** Trading: 2. Scopes by action stand in `actions.ts`. */
export const tradingEndpoints = {
  prepareOrder: endpoint({
    ...write,
    route: 'POST /orders/prepare',
    scope: 'by_action',
    success: 200,
    // Executes nothing, and the idempotency key makes a repetition a replay. Not 'safe': the caller decides, since
    // only the journalled body may be sent again (Idempotency rule 5).
    retry: 'never',
    body: PrepareRequest,
    response: PreparedAction,
  }),
  executeOrder: endpoint({
    ...write,
    route: 'POST /orders/execute',
    scope: 'by_action',
    success: 202,
    retry: 'never',
    body: ExecuteRequest,
    response: DelegatedExecution,
  }),
} as const
