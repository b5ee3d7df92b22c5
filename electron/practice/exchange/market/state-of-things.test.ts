import { afterEach, beforeEach, expect, test } from 'vitest'
import { at, type Bench, start, startMs, text } from '../../../../e2e/support/practice/start.ts'
import { isMultipleOf } from '../../../../shared/decimal.ts'

let bench: Bench
beforeEach(async () => {
  bench = await start()
})
afterEach(() => bench.stop())

const read = (path: string) => bench.call(`GET /api/dex/${path}`)
const rows = async (path: string, field: string) => at(await read(path), field) as Record<string, unknown>[]
const hourBefore = (count: number) => Date.UTC(2026, 10, 18, 14) - count * 3_600_000
const decimal = expect.stringMatching(/^-?\d+(\.\d+)?$/)

test('the practice exchange reports a market’s funding of the last week hour by hour, and never changes a past value [MKT-01]', async () => {
  const past = await rows('markets/2/funding', 'funding.history')
  expect(past.map(({ at_ms }) => at_ms)).toEqual(Array.from({ length: 168 }, (_, index) => hourBefore(167 - index)))
  expect(past.every(({ funding_rate_1h_pct }) => /^-?\d+\.\d{4}$/.test(String(funding_rate_1h_pct)))).toBe(true)
  expect(new Set(past.map(({ funding_rate_1h_pct }) => funding_rate_1h_pct)).size).toBeGreaterThan(50)
  bench.clock.advance(7_200_000)
  expect((await rows('markets/2/funding', 'funding.history')).slice(0, 166)).toEqual(past.slice(2))
})

test('the practice exchange reports a market’s open interest of the last week, hour by hour [MKT-01]', async () => {
  const past = await rows('markets/1/open-interest', 'open_interest.history')
  expect(past).toHaveLength(168)
  expect(past[0]).toEqual({ at_ms: hourBefore(167), open_interest_long_usdc: decimal, open_interest_short_usdc: decimal })
  const now = at(await read('markets/1/open-interest'), 'open_interest') as Record<string, string>
  expect(Number(now.open_interest_long_usdc) / Number(past.at(-1)?.open_interest_long_usdc)).toBeCloseTo(1, 0)
})

test('the practice exchange reports the liquidity vault’s changing value over the last ninety days [MKT-01]', async () => {
  const before = at(await read('vault'), 'vault') as Record<string, unknown>
  expect(before).toMatchObject({ assets_usdc: decimal, shares: decimal, share_price_usdc: decimal, utilisation_pct: decimal, apr_30d_pct: decimal })
  const past = before.history as Record<string, string>[]
  expect([past.length, past[0]?.at_ms, past.at(-1)?.at_ms]).toEqual([90, Date.UTC(2026, 7, 21), Date.UTC(2026, 10, 18)])
  for (const { assets_usdc, shares, share_price_usdc } of past) expect(Number(assets_usdc) / (Number(shares) * Number(share_price_usdc))).toBeCloseTo(1, 6)
  bench.clock.advance(3_600_000)
  expect(at(await read('vault'), 'vault.assets_usdc')).not.toBe(before.assets_usdc)
})

test('the practice exchange lists the latest liquidations, newest first; a later list still contains the same past liquidations [MKT-05]', async () => {
  const latest = await rows('liquidations', 'liquidations')
  const markets = new Map((await rows('markets', 'markets')).map((market) => [market.id, market]))
  expect(latest).toHaveLength(100)
  expect(latest.map(({ at_ms }) => at_ms)).toEqual(latest.map(({ at_ms }) => Number(at_ms)).toSorted((a, b) => b - a))
  expect(Number(latest[0]?.at_ms)).toBeLessThanOrEqual(startMs)
  for (const { pair_id, symbol, side, size, price } of latest) {
    const market = markets.get(pair_id)
    expect([symbol, market?.status, ['long', 'short'].includes(String(side))]).toEqual([market?.symbol, 'open', true])
    expect([Number(size) > 0, isMultipleOf(String(price), String(market?.tick_size))]).toEqual([true, true])
  }
  bench.clock.advance(3_600_000)
  const later = await rows('liquidations', 'liquidations')
  const added = later.findIndex(({ at_ms }) => at_ms === latest[0]?.at_ms)
  expect(added).toBeGreaterThan(0)
  expect(later.slice(added)).toEqual(latest.slice(0, 100 - added))
})

test('the practice exchange lists its circuit breakers (automatic halts), and reports which one is tripped, why and since when [MKT-05]', async () => {
  const names = ['trading', 'deposits', 'withdrawals', 'relay', 'liquidations']
  const calm = names.map((name) => ({ name, tripped: false, reason: null, since: null }))
  expect(await rows('circuit-breakers', 'circuit_breakers')).toEqual(calm)
  bench.faults.breakers = [
    { name: 'withdrawals', reason: 'Unusual outflow', sinceMs: Date.UTC(2026, 10, 18, 13, 5) },
    { name: 'oracle', reason: null },
  ]
  const tripped = await rows('circuit-breakers', 'circuit_breakers')
  expect(tripped[2]).toEqual({ name: 'withdrawals', tripped: true, reason: 'Unusual outflow', since: '2026-11-18T13:05:00.000Z' })
  expect(tripped[5]).toEqual({ name: 'oracle', tripped: true, reason: null, since: '2026-11-18T14:32:00.000Z' })
  bench.clock.advance(60_000)
  expect(await rows('circuit-breakers', 'circuit_breakers')).toEqual(tripped)
  bench.faults.breakers = []
  expect(await rows('circuit-breakers', 'circuit_breakers')).toEqual(calm)
  expect(text(await read('status'), 'api')).toBe('ok')
})
