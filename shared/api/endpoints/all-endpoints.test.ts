import { expect, test } from 'vitest'
import { delegatedActions, delegatedScopes, preparedActionNames, preparedActions } from '../actions.ts'
import { assumptions, assumptionTable, coverageTable } from '../coverage-table.ts'
import type { Endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { endpointGroups, endpoints } from './all-endpoints.ts'

/** The expected endpoints, copied from the tables of the API document. */
const documented = {
  developer: `
    POST /api/dex/developer/challenge
    POST /api/dex/developer/session
    GET /api/dex/developer/keys
    POST /api/dex/developer/keys
    POST /api/dex/developer/keys/prepare
    POST /api/dex/developer/keys/{key_id}/rotate
    PUT /api/dex/developer/keys/{key_id}/expiry
    POST /api/dex/developer/keys/{key_id}/agent
    POST /api/dex/developer/keys/{key_id}/agent/grant
    PUT /api/dex/developer/keys/{key_id}/executor
    POST /api/dex/developer/keys/{key_id}/execution-payment
    DELETE /api/dex/developer/keys/{key_id}
    GET /api/dex/developer/audit
    GET /api/dex/developer/webhooks
    POST /api/dex/developer/webhooks
    DELETE /api/dex/developer/webhooks/{webhook_id}`,
  market: `
    GET /status
    GET /meta
    GET /markets
    GET /candles
    GET /snapshot
    GET /summary
    GET /summaries
    GET /markets/{pair_id}/funding
    GET /markets/{pair_id}/open-interest
    GET /orderbook
    GET /vault`,
  account: `
    GET /account
    GET /positions
    GET /orders
    GET /orders/by-client-id
    GET /collateral
    POST /risk/preview
    GET /transactions
    GET /trades
    GET /positions/history
    GET /native/executions/{tx_hash}
    GET /executions/{command_id}
    GET /stream`,
  trading: `
    POST /orders/prepare
    POST /orders/execute`,
  public: `
    GET /api/dex/config
    GET /api/dex/markets
    GET /api/dex/summaries
    GET /api/dex/summary
    GET /api/dex/candles
    GET /api/dex/candles/history
    GET /api/dex/marks
    GET /api/dex/orderbook
    GET /api/dex/vault
    GET /api/dex/liquidations
    GET /api/dex/markets/{id}/funding
    GET /api/dex/markets/{id}/open-interest
    GET /api/dex/status
    GET /api/dex/circuit-breakers
    GET /api/dex/account
    GET /api/dex/positions
    GET /api/dex/orders
    GET /api/dex/collateral
    GET /api/dex/transactions
    GET /api/dex/trades
    GET /api/dex/positions/history
    GET /api/public/baq-market
    GET /api/public/baq-metrics`,
  relay: `
    POST /api/dex/actions/relay
    POST /api/dex/actions/receipt`,
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const all: readonly Endpoint[] = Object.values(endpoints)

test('the app’s list of endpoints declares each of the 66 documented endpoints exactly once', () => {
  const declared: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = endpointGroups
  const routes = Object.fromEntries(Object.entries(declared).map(([group, members]) => [group, Object.values(members).map((endpoint) => endpoint.route)]))
  expect(routes).toEqual(Object.fromEntries(Object.entries(documented).map(([group, text]) => [group, linesOf(text)])))
  expect(all).toHaveLength(66)
  expect(Object.values(endpointGroups).flatMap((group) => Object.keys(group))).toHaveLength(66)
  expect(new Set(all.map((endpoint) => `${endpoint.root} ${endpoint.route}`)).size).toBe(66)
})

test('the app sends API keys only to versioned routes, and sign-in sessions only to developer routes [GEN-07]', () => {
  for (const endpoint of all) {
    if (endpoint.root === 'base') expect([endpoint.route, endpoint.credential, endpoint.limiter]).toEqual([endpoint.route, 'key', 'versioned'])
    else expect([endpoint.route, endpoint.credential === 'key']).toEqual([endpoint.route, false])
    expect([endpoint.route, endpoint.credential === 'session']).toEqual([
      endpoint.route,
      endpoint.limiter === 'developer' && !/challenge|session$/.test(endpoint.route),
    ])
    if (endpoint.credential === 'key') expect(endpoint.scope).not.toBeNull()
  }
})

test('the app sends no credential with relay and receipt calls, because their bodies contain everything that the service needs [AUTH-10]', () => {
  const { relayIntent, reportReceipt } = endpoints
  expect([relayIntent.credential, reportReceipt.credential]).toEqual(['none', 'none'])
  const wallet = '0x7A3fB2c45D81e0926fC3aD4E17b9805f2E6Dc91E'
  expect(relayIntent.body.parse({ wallet, intent_id: 'dx_1', signature: '0x12ab' })).toEqual({ wallet, intent_id: 'dx_1', signature: '0x12ab' })
  expect(relayIntent.body.safeParse({ wallet, intent_id: 'dx_1' }).success).toBe(false)
})

test('the app never automatically repeats a call that creates a secret or could execute something twice, but may repeat a revoke', () => {
  const effects: readonly Endpoint[] = [
    endpoints.createKey,
    endpoints.rotateKey,
    endpoints.createWebhook,
    endpoints.relayIntent,
    endpoints.executeOrder,
    endpoints.createSession,
    endpoints.prepareKey,
  ]
  for (const endpoint of effects) expect([endpoint.route, endpoint.retry]).toEqual([endpoint.route, 'never'])
  expect(endpoints.revokeKey.retry).toBe('safe')
})

test('the app keeps every secret that the service shows only once out of the logs [AUTH-09]', () => {
  expect(endpoints.createKey.secrets).toContain('api_key')
  expect(endpoints.rotateKey.secrets).toContain('api_key')
  expect(endpoints.createSession.secrets).toContain('developer_session')
  expect(endpoints.createWebhook.secrets).toContain('signing_secret')
})

test('the app declares 12 actions for the wallet and 16 for an executor, each with its scopes', () => {
  expect(preparedActionNames).toHaveLength(12)
  expect(Object.keys(delegatedActions)).toHaveLength(16)
  expect(preparedActions.cancel_order).toBe('orders:manage')
  expect(preparedActions.withdraw_collateral).toBe('collateral:manage')
  expect(delegatedScopes('open_market')).toEqual(['trade:execute'])
  expect(delegatedScopes('batch', ['open_market', 'set_tp'])).toEqual(['trade:execute', 'orders:manage'])
})

test('the app refuses a request that exceeds a documented limit before it sends the request', () => {
  expect(endpoints.createKey.body.safeParse({ expires_in_days: 2_001 }).success).toBe(false)
  expect(endpoints.setKeyExpiry.body.safeParse({ expires_in_days: 60 }).success).toBe(false)
  expect(endpoints.getOrders.query.safeParse({ limit: limits.page.max + 1 }).success).toBe(false)
  expect(endpoints.getMarks.query.safeParse({ pair_ids: '1,2,3,4,5,6,7,8,9,10,11,12' }).success).toBe(true)
  expect(endpoints.getMarks.query.safeParse({ pair_ids: '1,2,3,4,5,6,7,8,9,10,11,12,13' }).success).toBe(false)
  expect(limits.requestBodyBytes).toBe(49_152)
})

test('the endpoint table in the documents has a row for each endpoint, and marks the endpoints that the end-to-end tests call', () => {
  const table = coverageTable(endpointGroups, new Set(['listKeys']))
  expect(table.match(/^\| `/gm)).toHaveLength(66)
  expect(table).toContain('| `GET /api/dex/developer/keys` | sign-in | — | assumed | `listKeys` | yes |')
  expect(table).toContain('| `POST /orders/prepare` | key | by action | documented | `prepareOrder` | no |')
  expect(coverageTable(endpointGroups)).not.toContain('Called end to end')
})

test('the list of assumptions states each assumption of the app, with the place where the API document leaves the detail open', () => {
  const table = assumptionTable(assumptions)
  for (const { name, sentence, source } of assumptions) {
    expect(sentence).toMatch(/\.$/)
    expect(source).not.toBe('')
    expect(table).toContain(`\`${name}\``)
  }
  expect(new Set(assumptions.map(({ name }) => name)).size).toBe(assumptions.length)
})
