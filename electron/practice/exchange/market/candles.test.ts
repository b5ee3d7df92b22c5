import { afterEach, beforeEach, expect, test } from 'vitest'
import { at, type Bench, keyHeader, start, startMs } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let apiKey: string
beforeEach(async () => {
  bench = await start()
  apiKey = (await bench.newKey({ scopes: ['market:read'] })).apiKey
})
afterEach(() => bench.stop())

const read = (path: string) => bench.call(`GET /api/dex/v1${path}`, keyHeader(apiKey))
type Candle = Record<'t', number> & Record<'o' | 'h' | 'l' | 'c' | 'v', string>
interface Page {
  readonly candles: Candle[]
  readonly next_before: number | null
  readonly has_more: boolean
  readonly history_sources: string[]
}
const history = async (query: string): Promise<Page> => (await bench.call(`GET /api/dex/candles/history?${query}`)).json as Page
async function pagesOf(query: string): Promise<Page[]> {
  const pages = [await history(query)]
  for (let last = pages[0]; last?.has_more === true; last = pages.at(-1)) pages.push(await history(`${query}&before=${last.next_before}`))
  return pages
}
const oldestFirst = (pages: readonly Page[]): Candle[] => pages.toReversed().flatMap(({ candles }) => candles)

test('the practice exchange computes a market’s candles without gaps, and the last candle closes at the current mark price [MKT-03]', async () => {
  for (const [interval, length] of Object.entries({ '1m': 60, '3m': 180, '5m': 300, '15m': 900, '1h': 3_600, '4h': 14_400, '1d': 86_400, '1w': 604_800 })) {
    const answer = await read(`/candles?pair_id=2&interval=${interval}&limit=30`)
    const candle = (index: number, name: string) => at(answer, `candles.${index}.${name}`)
    expect([interval, at(answer, 'candles.length'), candle(29, 'c')]).toEqual([interval, 30, await bench.mark(2)])
    for (let index = 0; index < 29; index += 1) {
      expect(Number(candle(index + 1, 't')) - Number(candle(index, 't'))).toBe(length * 1_000)
      expect(candle(index + 1, 'o')).toBe(candle(index, 'c'))
      expect(Number(candle(index, 'h'))).toBeGreaterThanOrEqual(Math.max(Number(candle(index, 'o')), Number(candle(index, 'c'))))
      expect(Number(candle(index, 'l'))).toBeLessThanOrEqual(Math.min(Number(candle(index, 'o')), Number(candle(index, 'c'))))
    }
  }
})

test('the practice exchange returns the same candle for a past time whenever it is requested [MKT-03]', async () => {
  const before = await read('/candles?pair_id=1&interval=5m&limit=3')
  bench.clock.advance(300_000)
  const after = await read('/candles?pair_id=1&interval=5m&limit=4')
  expect([at(after, 'candles.0'), at(after, 'candles.1')]).toEqual([at(before, 'candles.0'), at(before, 'candles.1')])
  const history = await bench.call(`GET /api/dex/candles/history?pair_id=1&interval=5m&limit=2&before=${at(after, 'candles.2.t')}`)
  expect(at(history, 'candles')).toEqual([at(after, 'candles.0'), at(after, 'candles.1')])
  expect(at(history, 'history_sources')).toEqual([])
})

test('on the practice exchange, candles add up exactly to longer ones: minutes to an hour, hours to a day, days to a week [MKT-03]', async () => {
  const before = startMs - 3_600_000
  for (const [pairId, long, short, times, count] of [
    [2, '1h', '1m', 60, 5],
    [12, '1h', '3m', 20, 5],
    [13, '15m', '5m', 3, 40],
    [16, '4h', '15m', 16, 20],
    [1, '1d', '1h', 24, 20],
    [6, '1d', '4h', 6, 40],
    [1, '1w', '1d', 7, 60],
  ] as const) {
    const { candles: longer } = await history(`pair_id=${pairId}&interval=${long}&limit=${count}&before=${before - 7 * 86_400_000}`)
    const last = longer.at(-1)?.t ?? 0
    const first = longer[0]?.t ?? 0
    const length = (last - first) / (count - 1)
    const { candles: shorter } = await history(`pair_id=${pairId}&interval=${short}&limit=${times * count}&before=${last + length}`)
    expect([long, longer.length, shorter.length, shorter[0]?.t]).toEqual([long, count, times * count, first])
    for (const [index, candle] of longer.entries()) {
      const parts = shorter.slice(index * times, (index + 1) * times)
      const numbers = (name: 'h' | 'l') => parts.map((part) => Number(part[name]))
      const volume = parts.reduce((sum, part) => sum + Number(part.v), 0)
      expect([candle.o, candle.c, Number(candle.h), Number(candle.l)]).toEqual([
        parts[0]?.o,
        parts.at(-1)?.c,
        Math.max(...numbers('h')),
        Math.min(...numbers('l')),
      ])
      expect(Math.abs(volume / Number(candle.v) - 1)).toBeLessThan(1e-9)
    }
  }
})

test('the trading volume of the practice exchange varies over time, and is never negative', async () => {
  for (const interval of ['1m', '15m', '1h']) {
    const { candles } = await history(`pair_id=1&interval=${interval}&limit=400`)
    const volumes = candles.map(({ v }) => Number(v)).sort((a, b) => a - b)
    const usual = volumes[200] ?? Number.NaN
    expect([interval, volumes.length, (volumes[0] ?? -1) > 0, (volumes[360] ?? 0) > 1.3 * usual]).toEqual([interval, 400, true, true])
  }
})

test('a client of the practice exchange can page back through 50,000 candles without a gap, and then learns that there are no more [MKT-03]', async () => {
  const pages = await pagesOf('pair_id=1&interval=1m&limit=1000')
  const candles = oldestFirst(pages)
  expect([pages.length, candles.length]).toEqual([50, 50_000])
  expect(pages.map(({ has_more }) => has_more)).toEqual([...Array.from({ length: 49 }, () => true), false])
  expect([pages.at(-1)?.next_before, pages.at(-1)?.history_sources]).toEqual([null, []])
  expect(candles.every(({ t }, index) => index === 0 || t - (candles[index - 1]?.t ?? 0) === 60_000)).toBe(true)
  expect((await history(`pair_id=1&interval=1m&before=${candles[0]?.t}`)).candles).toEqual([])
})

test('the practice exchange’s daily and weekly candles include older history from named external sources; its shorter candles do not [MKT-03]', async () => {
  const opened = Date.UTC(2024, 2, 4)
  const days = await pagesOf('pair_id=1&interval=1d&limit=400')
  const names = days.map(({ history_sources }) => history_sources)
  expect(names[0]).toEqual([])
  expect([...new Set(names.flat())]).toEqual(['practice-archive', 'practice-museum'])
  expect(oldestFirst(days)[0]?.t).toBe(Date.UTC(2013, 3, 1))
  expect(days.filter(({ history_sources: [name] }) => name === undefined).every(({ candles: [oldest] }) => (oldest?.t ?? 0) >= opened)).toBe(true)
  for (const interval of ['1h', '4h']) {
    const pages = await pagesOf(`pair_id=1&interval=${interval}&limit=1000`)
    expect([interval, oldestFirst(pages)[0]?.t, pages.flatMap(({ history_sources }) => history_sources)]).toEqual([interval, opened, []])
  }
  expect((await read('/candles?pair_id=1&interval=1w&limit=1000')).json).toMatchObject({ candles: { length: 142, 0: { t: opened } } })
  const young = await history('pair_id=21&interval=1d&limit=1000')
  expect([young.candles[0]?.t, young.has_more, young.next_before]).toEqual([Date.UTC(2026, 9, 27), false, null])
})

test('the practice exchange refuses an invalid request for a page of candles [MKT-03]', async () => {
  for (const query of ['limit=0', 'limit=1001', 'before=-1', 'before=soon', 'interval=2m', 'interval=1M'])
    expect([query, (await bench.call(`GET /api/dex/candles/history?pair_id=1&${query}`)).status]).toEqual([query, 400])
  expect((await bench.call('GET /api/dex/candles/history?pair_id=99')).status).toBe(400)
})
