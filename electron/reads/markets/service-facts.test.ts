import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { agreed, failure, value } from '../../../e2e/support/main/workspace.ts'

let workspace: Trader
beforeEach(async () => {
  workspace = await startTrader()
})
afterEach(() => workspace.stop())

const planted = { svc_unlisted: 'practice', svc_unlisted_detail: { level: 1 }, svc_unlisted_note: 'by\u202Ehand' }
const parsed = (fields: string | null): unknown => (fields === null ? null : JSON.parse(fields))

test('the app sends the window the facts that the service publishes about itself: versions, scopes, capabilities, contracts', async () => {
  const meta = value(await workspace.handlers()['markets.meta']({}))
  expect(meta).toMatchObject({
    apiVersion: 'v1',
    schema: 'svc-dex-api-v1.1',
    scopes: ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage'],
    chainId: 8453,
    router: workspace.chain.router,
    collateral: workspace.chain.usdc,
    unknownFields: null,
  })
  expect(parsed(meta.capabilities)).toMatchObject({ signed_intent: true, stream: false })
})

test('without a key, the app reads the service’s status by the public route, and reports that /meta needs a key [GEN-10]', async () => {
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  const answer = value(await workspace.handlers()['markets.status']({}))
  expect(answer).toMatchObject({ api: 'ok', network: 'ok', engine: 'ok', source: 'public', apiVersion: null })
  expect(answer.blockNumber).toBe(Number(await workspace.chain.blockNumber()))
  expect(failure(await workspace.handlers()['markets.meta']({})).kind).toBe('api_key_required')
})

test('the app returns undocumented fields of every object that the service sends, and null for missing fields [ERR-02]', async () => {
  workspace.faults.extraFields = true
  workspace.faults.omitOptional = true
  const handlers = workspace.handlers()
  const meta = value(await handlers['markets.meta']({}))
  expect(parsed(meta.unknownFields)).toMatchObject({ ...planted, 'contracts.svc_unlisted': 'practice' })
  expect(parsed(meta.capabilities)).toMatchObject(planted)
  const status = value(await handlers['markets.status']({}))
  expect([parsed(status.unknownFields), status.blockNumber]).toEqual([planted, null])
  const { markets } = value(await handlers['markets.list']({}))
  expect(markets.map(({ unknownFields }) => parsed(unknownFields))).toEqual(markets.map(() => expect.objectContaining(planted)))
  const { summary } = value(await handlers['markets.summary']({ pairId: 1 }))
  expect([parsed(summary.unknownFields), summary.index, summary.fundingRate]).toEqual([expect.objectContaining(planted), null, null])
  const account = value(await handlers['account.summary']({ watch: null }))
  expect([parsed(account.unknownFields), account.healthFactor]).toEqual([expect.objectContaining(planted), null])
  const { keys } = value(await handlers['keys.list']({}))
  expect(parsed(keys[0]?.unknownFields ?? null)).toMatchObject({ ...planted, 'agent.svc_unlisted': 'practice' })

  const prepared = await workspace.prepare()
  const ofPreparation = { ...planted, 'execution.svc_unlisted': 'practice' }
  expect(parsed(prepared.unknownFields)).toMatchObject(ofPreparation)
  value(await handlers['intents.ask']({ ref: prepared.intent.ref, ...agreed }))
  expect(parsed(value(await handlers['intents.get']({ ref: prepared.intent.ref })).unknownFields)).toMatchObject(ofPreparation)
})
