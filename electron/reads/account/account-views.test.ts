import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withTrading } from '../../../e2e/support/main/trader.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { AccountSource } from '../../../shared/ipc/reads/account-history.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
})
afterEach(() => workspace.stop())

const keysSent = () => new Set(workspace.sent.flatMap(({ headers }) => headers['x-svc-api-key'] ?? []))

async function reads() {
  const own = { watch: null }
  const handlers = workspace.handlers()
  return [
    await handlers['account.summary'](own),
    await handlers['account.positions'](own),
    await handlers['account.orders'](own),
    await handlers['account.collateral'](own),
  ]
}
async function asked() {
  const from = workspace.sent.length
  const sources = (await reads()).map((read) => value<{ readonly source: AccountSource }>(read).source)
  const paths = workspace.sent.slice(from).flatMap(({ path }) => (path.includes('/config') ? [] : [path.split('?')[0]]))
  return { sources, paths }
}

test('the app reads the account without a key by the public route and says that a key is required; with a key, by the versioned route [AUTH-02, GEN-10]', async () => {
  const bare = await asked()
  expect(new Set(bare.sources.map((source) => JSON.stringify(source)))).toEqual(
    new Set([JSON.stringify({ route: 'public', why: { kind: 'api_key_required', scope: 'account:read' } })]),
  )
  expect(bare.paths).toEqual(['/api/dex/account', '/api/dex/positions', '/api/dex/orders', '/api/dex/collateral'])
  expect(keysSent().size).toBe(0)
  await workspace.signIn()
  await workspace.createKey('reader')
  const keyed = await asked()
  for (const source of keyed.sources) expect(source).toEqual({ route: 'versioned', keyLabel: 'reader' })
  expect(keyed.paths).toEqual(['/api/dex/v1/account', '/api/dex/v1/positions', '/api/dex/v1/orders', '/api/dex/v1/collateral'])
})

test('the app sends no account request if no wallet is connected [AUTH-02]', async () => {
  value(await workspace.handlers()['wallet.report'](null))
  for (const read of await reads()) expect(failure(read)).toEqual({ kind: 'no_wallet' })
  expect(workspace.sent).toEqual([])
})

test('the app reads the same position with a key and without one [ACC-01]', async () => {
  await workspace.signIn()
  await workspace.createKey()
  const { ref, signature } = await withTrading(workspace).asked({ marginMode: 'isolated' })
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.chain.mine(9)
  await workspace.tick()
  const read = async () => {
    const { positions, source } = value(await workspace.handlers()['account.positions']({ watch: null }))
    const [{ markPrice: _, unrealisedPnl: __, notionalUsdc: ___, ...still } = expect.fail('no position'), ...more] = positions
    expect(more).toEqual([])
    return { still, route: source.route }
  }
  const keyed = await read()
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/positions', status: 403, code: 'IP_NOT_ALLOWED', times: 1 }]
  expect(await read()).toEqual({ still: keyed.still, route: 'public' })
  expect(keyed.route).toBe('versioned')
})

test('the app reads a wallet’s account with a key that belongs to the same wallet [AUTH-03]', async () => {
  await workspace.signIn()
  await workspace.createKey()
  const summary = value(await workspace.handlers()['account.summary']({ watch: null }))
  expect(summary).toMatchObject({ wallet: workspace.account.address, collateral: '10000' })
  expect(value(await workspace.handlers()['account.positions']({ watch: null })).positions).toEqual([])
  expect(value(await workspace.handlers()['account.orders']({ watch: null })).orders).toEqual([])
})

test('the app never uses one wallet’s key to read another wallet’s account [AUTH-03]', async () => {
  await workspace.signIn()
  const id = await workspace.createKey()
  value(await workspace.handlers()['account.summary']({ watch: null }))
  expect(keysSent().size).toBe(1)
  const before = workspace.sent.length
  const other = privateKeyToAccount(generatePrivateKey())
  await workspace.connect(other)
  const theirs = value(await workspace.handlers()['account.summary']({ watch: null }))
  expect(theirs).toMatchObject({ wallet: other.address, source: { route: 'public', why: { kind: 'api_key_required' } } })
  expect(value(await workspace.handlers()['markets.list']({})).source).toBe('public')
  expect(failure(await workspace.handlers()['keys.copySecret']({ keyId: id }))).toEqual({ kind: 'not_found', what: 'key' })
  expect(failure(await workspace.handlers()['keys.use']({ keyId: id }))).toEqual({ kind: 'not_found', what: 'key' })
  expect(workspace.sent.slice(before).filter(({ headers }) => headers['x-svc-api-key'] !== undefined)).toEqual([])
})

test('if no stored key has the scope to read the account, the app names that scope and reads by the public route without a key [AUTH-04]', async () => {
  await workspace.signIn()
  const { label } = value(
    await workspace.handlers()['keys.createCustom']({ label: 'prices', scopes: ['market:read'], expiresInDays: 30, ipAllowlist: [], quotas: [] }),
  )
  expect(value(await workspace.handlers()['markets.list']({})).source).toBe('versioned')
  const before = workspace.sent.length
  const { source } = value(await workspace.handlers()['account.summary']({ watch: null }))
  expect(source).toEqual({ route: 'public', why: { kind: 'scope_missing', scope: 'account:read', keyLabel: label } })
  expect(workspace.sent.slice(before).map(({ path, headers }) => [path, headers['x-svc-api-key']])).toEqual([
    [`/api/dex/account?wallet=${workspace.account.address}`, undefined],
  ])
})

test('the app hides the answer to an account read if the wallet changed before the answer arrived [AUTH-03]', async () => {
  await workspace.signIn()
  await workspace.createKey()
  workspace.faults.delay = [{ route: 'GET /api/dex/v1/account', ms: null }]
  const pending = workspace.handlers()['account.summary']({ watch: null })
  await expect.poll(() => workspace.sent.at(-1)?.path).toBe('/api/dex/v1/account')
  const other = privateKeyToAccount(generatePrivateKey())
  await workspace.connect(other)
  workspace.faults.delay = []
  expect(failure(await pending)).toEqual({ kind: 'wrong_wallet', wallet: other.address, expected: workspace.account.address })
})

test('the app reads market data by the public routes without a key, and by the versioned routes with a key', async () => {
  expect(value(await workspace.handlers()['markets.list']({}))).toMatchObject({ source: 'public' })
  expect(failure(await workspace.handlers()['markets.snapshot']({}))).toEqual({ kind: 'api_key_required', scope: 'market:read' })
  await workspace.signIn()
  await workspace.createKey()
  const { markets, source } = value(await workspace.handlers()['markets.list']({}))
  expect(source).toBe('versioned')
  expect(markets.length).toBeGreaterThanOrEqual(12)
  expect(value(await workspace.handlers()['markets.summaries']({})).summaries).toHaveLength(markets.length)
  expect(value(await workspace.handlers()['markets.candles']({ pairId: 1, interval: '1m', limit: 10 })).candles.length).toBeGreaterThan(0)
  expect(value(await workspace.handlers()['markets.snapshot']({})).sequence).not.toBeNull()
  expect(value(await workspace.handlers()['markets.status']({}))).toMatchObject({ source: 'versioned', drift: false, apiVersion: 'v1' })
})

test('the app reads the list of markets by the public route if the service refuses the key', async () => {
  await workspace.signIn()
  await workspace.createKey()
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/markets', status: 403, code: 'IP_NOT_ALLOWED', times: 1 }]
  expect(value(await workspace.handlers()['markets.list']({})).source).toBe('public')
})

test('the app reports a service version that the API document does not list, and shows a notice about it', async () => {
  await workspace.signIn()
  await workspace.createKey()
  workspace.faults.versions = { api: 'v2', schema: 'svc-dex-api-v2.0' }
  expect(value(await workspace.handlers()['markets.status']({}))).toMatchObject({ drift: true, apiVersion: 'v2', schema: 'svc-dex-api-v2.0' })
  expect(value(await workspace.handlers()['app.attention']({})).map(({ kind }) => kind)).toContain('service_changed')
})

test('the app reads the account with the key that the user chose, or else with the newest key', async () => {
  await workspace.signIn()
  const first = await workspace.createKey('first')
  workspace.clock.advance(2_000)
  const second = await workspace.createKey('second')
  const inUse = async () => value(await workspace.handlers()['keys.list']({})).keys.find((key) => key.inUse)?.id
  expect(await inUse()).toBe(second)
  value(await workspace.handlers()['keys.use']({ keyId: first }))
  expect(await inUse()).toBe(first)
  value(await workspace.handlers()['account.summary']({ watch: null }))
  const stored = [...workspace.secrets.entries].find(([account]) => account.includes(first))?.[1]
  expect(workspace.sent.at(-1)?.headers['x-svc-api-key']).toBe(stored?.reveal())
})
