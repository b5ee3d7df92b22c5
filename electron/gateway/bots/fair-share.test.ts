import { expect, test } from 'vitest'
import { createFairShare } from './fair-share.ts'

/** Counts the turns of each bot while all of them ask again at once after each turn. */
async function share(bots: number, perSecond: number, ms: number, asks: (bot: number) => number): Promise<number[]> {
  const fair = createFairShare({ monotonic: () => performance.now() }, perSecond)
  const turns = Array<number>(bots).fill(0)
  const until = performance.now() + ms
  const work = Array.from({ length: bots }, (_, bot) =>
    Array.from({ length: asks(bot) }, async () => {
      while (performance.now() < until && (await fair.turn(String(bot), false)) === 'go' && performance.now() < until) turns[bot] = (turns[bot] ?? 0) + 1
    }),
  ).flat()
  await new Promise((resolve) => setTimeout(resolve, ms))
  fair.stop()
  await Promise.all(work)
  return turns
}

test('100 bots share the calls per second within 10 %', async () => {
  const turns = await share(100, 2_000, 2_000, () => 5)
  const mean = turns.reduce((sum, one) => sum + one, 0) / turns.length
  expect(mean).toBeGreaterThan(20)
  for (const one of turns) expect(Math.abs(one - mean)).toBeLessThanOrEqual(Math.max(1, mean * 0.1))
}, 10_000)

test('a bot that floods waits behind itself and takes nothing from the others', async () => {
  const [flooding = 0, ...others] = await share(5, 500, 1_000, (bot) => (bot === 0 ? 30 : 1))
  for (const one of others) expect(Math.abs(one - flooding)).toBeLessThanOrEqual(flooding * 0.1 + 2)
})

test('a bot with too many waiting calls is refused alone, and its closes go before its other calls', async () => {
  const fair = createFairShare({ monotonic: () => 0 }, 1)
  expect(await fair.turn('flood', false)).toBe('go')
  const order: string[] = []
  const waiting = Array.from({ length: 32 }, (_, at) => fair.turn('flood', false).then(() => order.push(`call ${at}`)))
  expect(await fair.turn('flood', false)).toBe('busy')
  const close = fair.turn('flood', true).then(() => order.push('close'))
  const other = fair.turn('other', false).then((turn) => order.push(`other ${turn}`))
  fair.stop()
  await Promise.all([...waiting, close, other])
  expect(order[0]).toBe('close')
  expect(order).toContain('other ended')
})

test('a bot that hangs up leaves its place in the queue', async () => {
  const fair = createFairShare({ monotonic: () => 0 }, 1)
  expect(await fair.turn('a', false)).toBe('go')
  const gone = new AbortController()
  const waiting = fair.turn('a', false, gone.signal)
  gone.abort()
  expect(await waiting).toBe('ended')
  expect(await fair.turn('a', false, gone.signal)).toBe('ended')
  fair.stop()
})

test('after the service asks to wait, bots wait and the rate is halved', async () => {
  let now = 0
  const fair = createFairShare({ monotonic: () => now }, 100)
  fair.slower(5_000)
  let isOver = false
  const waiting = fair.turn('a', false).then(() => {
    isOver = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  now = 5_001
  expect(await fair.turn('b', false, AbortSignal.timeout(1))).toBe('ended')
  fair.stop()
  await waiting
})
