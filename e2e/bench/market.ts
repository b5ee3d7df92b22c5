import type { Page } from 'playwright-core'
import { frameMs, withCpu } from './cpu.ts'
import { compare, type Measured } from './metric.ts'
import { interleave, type Rounds } from './rounds.ts'

interface MarketBench {
  firstPaint(side: 'ours' | 'all'): Promise<number>
  openChart(count: number): Promise<void>
  panFrame(by: number): Promise<void>
  closeChart(): void
  openBook(side: 'ours' | 'direct'): Promise<void>
  updates(frames: number, perFrame: number): Promise<void>
  closeBook(): void
}
declare global {
  var bench: MarketBench
}

const panFrames = 90
const bookFrames = 120
const updatesPerFrame = Math.ceil(10_000 / 60)

/** CPU milliseconds per frame while the order book gets 10,000 updates a second. */
const bookCost = (page: Page, side: 'ours' | 'direct'): Promise<number> =>
  withCpu(page, async (cpuMs) => {
    await page.evaluate((name) => bench.openBook(name), side)
    // The first frames fill every row of the order book and are therefore not measured.
    await page.evaluate((count) => bench.updates(10, count), updatesPerFrame)
    const before = await cpuMs()
    await page.evaluate(([frames, count]) => bench.updates(frames, count), [bookFrames, updatesPerFrame] as const)
    const cost = ((await cpuMs()) - before) / bookFrames
    await page.evaluate(() => bench.closeBook())
    return cost
  })

/** CPU milliseconds of the most expensive frame while the chart pans. */
const panCost = (page: Page): Promise<number> =>
  withCpu(page, async (cpuMs) => {
    await page.evaluate(() => bench.openChart(50_000))
    let most = 0
    for (let frame = 0; frame < panFrames; frame += 1) {
      const before = await cpuMs()
      await page.evaluate(() => bench.panFrame(-0.25))
      most = Math.max(most, (await cpuMs()) - before)
    }
    await page.evaluate(() => bench.closeChart())
    return most
  })

/** Measures the chart with 50,000 candles and the order book at 10,000 updates a second, in a page with nothing else. */
export async function measureMarket(rounds: Rounds, page: Page): Promise<Measured[]> {
  const paint = await interleave(
    { ours: () => page.evaluate(() => bench.firstPaint('ours')), all: () => page.evaluate(() => bench.firstPaint('all')) },
    { ...rounds, turns: 3 },
  )
  await panCost(page)
  const pans: number[] = []
  for (let round = 0; round < rounds.rounds; round += 1) pans.push(await panCost(page))
  const book = await interleave({ ours: () => bookCost(page, 'ours'), direct: () => bookCost(page, 'direct') }, rounds)
  return [
    compare('50,000 candles to first paint, ms, against lightweight-charts given all', { ours: paint.ours, against: paint.all, target: 0.3 }),
    compare('Pan through 50,000 candles, CPU ms of the most expensive frame, against a frame', { ours: pans, against: frameMs, target: 1 }),
    compare('Order book, 10,000 updates a second, CPU ms per frame, against direct DOM writes', { ours: book.ours, against: book.direct, target: 1.2 }),
  ]
}
