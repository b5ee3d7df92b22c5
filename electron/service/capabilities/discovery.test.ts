import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyCredential, testClient } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { createMemoryRecords } from '../../../e2e/support/main/memory-vault.ts'
import { preparePath, startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import type { ServiceChange } from '../../../shared/ipc/host/service.ts'
import { systemClock } from '../../../shared/time.ts'
import { createDiscovery } from './discovery.ts'

const schema = 'svc-dex-api-v1.2'
const cancelling = {
  action: 'cancel_order',
  order: {
    orderId: 'ord_1',
    pairId: 1,
    symbol: 'BTC-PERP',
    side: null,
    orderValueUsdc: null,
    limitPrice: null,
    triggerPrice: null,
    takeProfit: null,
    stopLoss: null,
  },
} as const

let workspace: Trader | null = null
let service: TestService
beforeEach(async () => {
  service = await startService()
})
afterEach(async () => {
  await workspace?.stop()
  workspace = null
  await service.close()
})

test('if the service’s version changed, the app asks the user once before the next action that adds risk, and never delays a cancel [GEN-09]', async () => {
  workspace = await startTrader()
  const drift = async () => value(await (workspace as Trader).handlers()['service.drift']({}))
  expect(await drift()).toEqual({ drifts: [], agreed: false })
  const ticket = await workspace.ticket()
  workspace.faults.versions = { api: 'v1', schema }
  value(await workspace.handlers()['markets.summaries']({}))
  const { drifts } = await drift()
  expect(drifts).toEqual([{ what: 'schema', expected: 'svc-dex-api-v1.1', found: schema }])

  expect(failure(await workspace.handlers()['intents.prepare'](ticket))).toEqual({ kind: 'held_back', why: 'drift', intentRef: null })
  const batch = { ticket: { action: 'batch' as const, items: [{ action: 'open_market' as const, order: ticket }] }, keyId: null }
  expect(failure(await workspace.handlers()['intents.execute'](batch))).toMatchObject({ kind: 'held_back', why: 'drift' })
  expect(workspace.sentTo(preparePath)).toEqual([])
  expect(value(await workspace.handlers()['intents.prepare'](cancelling)).status).toBe('preflight_failed')
  expect(workspace.sentTo(preparePath)).toHaveLength(1)

  value(await workspace.handlers()['service.acceptChange']({ drifts }))
  expect(await drift()).toEqual({ drifts, agreed: true })
  expect((await workspace.prepare()).ready).toBe(true)

  // The user agreed only to the first change of the versions. The second change needs another agreement.
  workspace.faults.versions = { api: 'v2', schema }
  value(await workspace.handlers()['markets.summaries']({}))
  expect(failure(await workspace.handlers()['intents.prepare'](ticket))).toMatchObject({ kind: 'held_back', why: 'drift' })
  expect(failure(await workspace.handlers()['service.acceptChange']({ drifts }))).toMatchObject({ kind: 'bad_input', field: 'drifts' })
  workspace.faults.versions = null
  value(await workspace.handlers()['markets.summaries']({}))
  expect((await workspace.prepare()).ready).toBe(true)
})

test('the app keeps the user’s agreement to a new service version across a restart, and reads data under any version [GEN-09]', async () => {
  workspace = await startTrader()
  workspace.faults.versions = { api: '', schema }
  expect(value(await workspace.handlers()['markets.summaries']({})).source).toBe('versioned')
  const { drifts } = value(await workspace.handlers()['service.drift']({}))
  expect(drifts.map(({ what }) => what)).toEqual(['api_version', 'schema'])
  value(await workspace.handlers()['service.acceptChange']({ drifts }))
  await workspace.restart()
  await workspace.connect()
  value(await workspace.handlers()['markets.summaries']({}))
  expect(value(await workspace.handlers()['service.drift']({}))).toEqual({ drifts, agreed: true })
})

function discover(published: { readonly config?: unknown; readonly meta?: unknown }, pinned: string | null = null) {
  const client = testClient(service.hostUrl)
  const versions = { 'x-svc-api-version': 'v1', 'x-svc-api-schema': 'svc-dex-api-v1.1' }
  service.answer = (request, response) => {
    const body = request.path === '/api/dex/config' ? published.config : published.meta
    if (body === undefined) json(response, 404, { error: { code: 'NOT_FOUND' } })
    else json(response, 200, body, versions)
  }
  const logged: (readonly ServiceChange[])[] = []
  const told: (readonly string[])[] = []
  const discovery = createDiscovery({
    profile: { id: 'p', kind: 'live', hostUrl: service.hostUrl, practiceWallet: null },
    api: client.api,
    key: async () => keyCredential,
    records: createMemoryRecords(),
    pinnedRouter: () => pinned,
    fieldMap: { answers: () => undefined },
    emit: (event) => void (event.type === 'invalidate' && told.push(event.queries)),
    clock: systemClock,
    log: (drifts) => logged.push(drifts),
  })
  return { ...discovery, logged, told, close: () => client.api.close() }
}

const sixScopes = ['collateral:manage', 'market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage']
const router = `0x${'ab'.repeat(20)}`

test('the app reads at start which orders and modes the exchange accepts, and allows all of them if the exchange publishes none [GEN-10]', async () => {
  const told = discover({
    config: { order_model: { order_types: ['MARKET', 'limit'], margin_modes: ['cross'], time_in_force: 'gtc,ioc', new_field: 1 } },
    meta: { scopes: sixScopes, capabilities: { delegated_execution: false } },
  })
  const offers = value(await told.handlers['service.offers']({}))
  expect(offers).toMatchObject({ orderTypes: ['market', 'limit'], marginModes: ['cross'], delegated: false, readAtMs: expect.any(Number) })
  expect(told.held()).toBe(null)
  expect(service.received.map(({ path }) => path).sort()).toEqual(['/api/dex/config', '/api/dex/v1/meta'])
  // The second view asks a few minutes later. It gets the stored answer, and the app sends no request.
  await told.handlers['service.offers']({})
  expect(service.received).toHaveLength(2)
  await told.close()

  const silent = discover({ config: { order_model: { order_types: [] } } })
  expect(value(await silent.handlers['service.offers']({}))).toMatchObject({ orderTypes: null, marginModes: null, timesInForce: null, delegated: null })
  expect(silent.held()).toBe(null)
  await silent.close()
})

test('when the user asks, the app rereads which orders and modes the exchange accepts, and notifies the windows of changes [MKT-02]', async () => {
  const order_model = { order_types: ['market', 'limit'] }
  const changing = discover({ config: { order_model }, meta: { scopes: sixScopes } })
  await changing.handlers['service.offers']({})
  changing.told.splice(0)
  await changing.handlers['service.offers']({ again: true })
  expect([service.received.length, changing.told]).toEqual([4, []])
  order_model.order_types = ['market']
  expect(value(await changing.handlers['service.offers']({})).orderTypes).toEqual(['market', 'limit'])
  expect(value(await changing.handlers['service.offers']({ again: true })).orderTypes).toEqual(['market'])
  expect(changing.told).toEqual([['service.offers']])
  await changing.close()
})

test('the app logs and reports an untrusted router or changed scopes once, and takes the schema version from the response header, not /meta [GEN-09]', async () => {
  const other = `0x${'cd'.repeat(20)}`
  const found = discover(
    {
      config: { contracts: { router: other } },
      meta: { schema, scopes: [...sixScopes, 'vault:manage'], contracts: { router: router.toUpperCase().replace('0X', '0x') } },
    },
    router,
  )
  await found.read()
  const { drifts } = value(await found.handlers['service.drift']({}))
  expect(drifts).toEqual([
    { what: 'router', expected: router, found: other },
    { what: 'scopes', expected: expect.stringContaining('market:read'), found: expect.stringContaining('vault:manage') },
  ])
  expect(found.held()).toMatchObject({ why: 'drift' })
  await found.read()
  found.watch()
  expect(found.logged).toEqual([drifts])
  expect(found.told).toHaveLength(1)
  await found.close()

  const unpinned = discover({ config: { contracts: { router: other } }, meta: { scopes: sixScopes } })
  await unpinned.read()
  expect(unpinned.held()).toBe(null)
  await unpinned.close()
})
