import { afterEach, beforeEach, expect, test } from 'vitest'
import { brief, type Developer, openDeveloper } from '../../../e2e/support/practice/developer.ts'
import { at, type Bench, start, text } from '../../../e2e/support/practice/start.ts'
import { SampleHook, takeSample } from './sample-hook.ts'

let bench: Bench
let developer: Developer
beforeEach(async () => {
  bench = await start()
  developer = await openDeveloper(bench)
})
afterEach(() => bench.stop())

const take = (asked: object = {}) => takeSample(bench, { ...SampleHook.parse(asked), wallet: bench.wallet.address })

type Row = Readonly<Record<string, unknown>>
async function listed(): Promise<readonly Row[]> {
  const keys = at(await developer.call('GET /api/dex/developer/keys'), 'keys')
  return Array.isArray(keys) ? keys : []
}
async function entries(): Promise<readonly Row[]> {
  const found = at(await developer.call('GET /api/dex/developer/audit'), 'entries')
  return Array.isArray(found) ? found : []
}
const kinds = (keys: readonly Row[], name: string) => new Set(keys.map((key) => JSON.stringify(key[name])))

test('a test hook of the practice exchange fills the key list with 64 sample keys of all kinds, ten of them active', async () => {
  take()
  const keys = await listed()
  expect(keys).toHaveLength(64)
  const count = (status: string) => keys.filter((key) => key.status === status).length
  expect([count('active'), count('expired') > 10, count('revoked') > 10]).toEqual([10, true, true])
  expect(kinds(keys, 'scopes').size).toBeGreaterThan(5)
  expect(kinds(keys, 'ip_allowlist').size).toBeGreaterThan(4)
  expect(kinds(keys, 'executor').size).toBe(3)
  expect(new Set(keys.map((key) => at(key, 'agent.granted')))).toEqual(new Set([true, false, undefined]))
  expect(kinds(keys, 'key_id').size).toBe(64)
  const left = keys.filter((key) => key.status === 'active').map((key) => (Date.parse(String(key.expires_at)) - bench.clock.now()) / 86_400_000)
  expect([Math.min(...left) < 0.1, Math.max(...left) > 1_900]).toEqual([true, true])
  expect(brief(await developer.create())).toBe('409 KEY_LIMIT_REACHED')
})

test('the practice exchange’s sample keys have plausible times of creation, last use and expiry', async () => {
  take()
  const now = bench.clock.now()
  for (const key of await listed()) {
    const [created, expires, used, revoked] = ['created_at', 'expires_at', 'last_used_at', 'revoked_at'].map((name) => Date.parse(String(key[name])))
    const end = Math.min(now, expires ?? 0, key.revoked_at === null ? now : (revoked ?? 0))
    expect([key.key_id, (created ?? 0) < end]).toEqual([key.key_id, true])
    if (key.last_used_at !== null) expect([key.key_id, (created ?? 0) < (used ?? 0) && (used ?? 0) <= end]).toEqual([key.key_id, true])
    expect([key.key_id, key.status === 'expired']).toEqual([key.key_id, key.revoked_at === null && (expires ?? 0) <= now])
  }
})

test('the test hook for sample keys returns the secrets of the active sample keys, and the practice exchange accepts those secrets', async () => {
  const keys = take({ keys: 12 })
  expect(keys.map(({ api_key }) => api_key.slice(0, 3))).toEqual(Array(keys.length).fill('SVC'))
  const reader = (await listed()).find(
    (key) => key.status === 'active' && JSON.stringify(key.scopes).includes('market:read') && at(key, 'ip_allowlist.length') === 0,
  )
  const apiKey = keys.find(({ key_id }) => key_id === reader?.key_id)?.api_key ?? ''
  expect(await developer.outcome(apiKey)).toBe('200')
  const rotated = await developer.call(`POST /api/dex/developer/keys/${reader?.key_id}/rotate`)
  expect([rotated.status, await developer.outcome(apiKey), await developer.outcome(text(rotated, 'api_key'))]).toEqual([200, '401 INVALID_API_KEY', '200'])
})

test('a test hook adds 5,000 sample audit entries of the last 90 days in order of time; new audit entries follow them', async () => {
  take()
  const found = await entries()
  expect(found).toHaveLength(5_001)
  const times = found.map((entry) => Date.parse(String(entry.at)))
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect((times[0] ?? 0) - (times.at(-1) ?? 0)).toBeGreaterThan(85 * 86_400_000)
  expect(new Set(found.map((entry) => entry.event)).size).toBeGreaterThan(10)
  expect(new Set(found.map((entry) => entry.status))).toEqual(new Set([200, 400, 401, 403, 429, 503, undefined]))
  await developer.create()
  expect(await entries()).toHaveLength(5_003)
})

test('a client can read all pages of the practice exchange’s sample audit log, up to the last entry', async () => {
  take({ audit: 1_000 })
  const seen = new Set<unknown>()
  let cursor = ''
  for (let page = 0; page < 6; page += 1) {
    const answer = await developer.call(`GET /api/dex/developer/audit?limit=200${cursor}`)
    const found = at(answer, 'entries')
    for (const entry of Array.isArray(found) ? found : []) seen.add(entry.id)
    cursor = `&cursor=${at(answer, 'next_cursor')}`
    if (at(answer, 'has_more') !== true) break
  }
  expect(seen.size).toBeGreaterThanOrEqual(1_001)
})

test('if a test adds sample keys twice, the practice exchange keeps the wallet’s own keys and creates the same sample keys again', async () => {
  const own = text(await developer.create({ label: 'own' }), 'key.key_id')
  const first = take({ keys: 63, audit: 100 })
  expect((await listed()).filter((key) => key.status === 'active')).toHaveLength(10)
  expect(take({ keys: 63, audit: 100 })).toEqual(first)
  const keys = await listed()
  expect([keys.length, keys.filter((key) => key.key_id === own).length]).toEqual([64, 1])
  expect(bench.exchange.effects().keys).toHaveLength(64)
  expect(kinds(await entries(), 'id').size).toBe((await entries()).length - 1)
})

test('the test hook for sample data refuses more keys or audit entries than the practice exchange can list', () => {
  for (const wrong of [{ keys: 65 }, { audit: 5_001 }, { keys: -1 }, { wallet: '0x1' }, { key: 1 }])
    expect([wrong, SampleHook.safeParse(wrong).success]).toEqual([wrong, false])
})
