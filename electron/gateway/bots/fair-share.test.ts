import { expect, test } from 'vitest'
import { createFairShare } from './fair-share.ts'

const ask = (bot: string) => ({ bot, isExit: false, scope: 'key' })

/** Counts the turns of each bot while all of them ask again at once after each turn. */
async function share(bots: number, perSecond: number, ms: number, asks: (bot: number) => number): Promise<number[]> {
  const fair = createFairShare({ monotonic: () => performance.now() }, perSecond)
  const turns = Array<number>(bots).fill(0)
  const until = performance.now() + ms
  const work = Array.from({ length: bots }, (_, bot) =>
    Array.from({ length: asks(bot) }, async () => {
      while (performance.now() < until && (await fair.turn(ask(String(bot)))) === 'go' && performance.now() < until) turns[bot] = (turns[bot] ?? 0) + 1
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
  expect(await fair.turn(ask('flood'))).toBe('go')
  const order: string[] = []
  const waiting = Array.from({ length: 32 }, (_, at) => fair.turn(ask('flood')).then(() => order.push(`call ${at}`)))
  expect(await fair.turn(ask('flood'))).toBe('busy')
  const close = fair.turn({ ...ask('flood'), isExit: true }).then(() => order.push('close'))
  const other = fair.turn(ask('other')).then((turn) => order.push(`other ${turn}`))
  fair.stop()
  await Promise.all([...waiting, close, other])
  expect(order[0]).toBe('close')
  expect(order).toContain('other ended')
})

test('a bot that hangs up leaves its place in the queue', async () => {
  const fair = createFairShare({ monotonic: () => 0 }, 1)
  expect(await fair.turn(ask('a'))).toBe('go')
  const gone = new AbortController()
  const waiting = fair.turn({ ...ask('a'), signal: gone.signal })
  gone.abort()
  expect(await waiting).toBe('ended')
  expect(await fair.turn({ ...ask('a'), signal: gone.signal })).toBe('ended')
  fair.stop()
})

test('after the service asks one key to wait, only the bots of that key wait, and their rate is halved', async () => {
  let now = 0
  const fair = createFairShare({ monotonic: () => now }, 100)
  fair.slower('key', 5_000)
  let isOver = false
  const waiting = fair.turn(ask('a')).then(() => {
    isOver = true
  })
  expect(await fair.turn({ ...ask('b'), scope: 'other key' })).toBe('go')
  expect(isOver).toBe(false)
  now = 5_001
  expect(await fair.turn({ ...ask('b'), scope: 'other key' })).toBe('go')
  await waiting
  const counted = async (scope: string) => {
    now += 1_000
    let turns = 0
    while ((await fair.turn({ bot: scope, scope, isExit: false, signal: AbortSignal.timeout(1) })) === 'go') turns += 1
    return turns
  }
  // A burst is a quarter of a second's calls: of 100 for all, of 50 after the refusal.
  expect(await counted('key')).toBe(12)
  expect(await counted('other key')).toBe(25)
  fair.stop()
})

test('a close waits for the service at most ten seconds, and for no lowered rate; another call learns how long it would wait', async () => {
  let now = 0
  const fair = createFairShare({ monotonic: () => now }, 100)
  const queued = fair.turn(ask('a'))
  expect(await queued).toBe('go')
  fair.slower('key', 60_000)
  expect(await fair.turn(ask('a'))).toEqual({ heldMs: 60_000 })
  const close = { ...ask('a'), isExit: true }
  expect(await fair.turn({ ...close, signal: AbortSignal.timeout(1) })).toBe('ended')
  now = 10_000
  for (let at = 0; at < 20; at += 1) expect(await fair.turn(close)).toBe('go')
  expect(await fair.turn(ask('a'))).toEqual({ heldMs: 50_000 })
  fair.stop()
})
