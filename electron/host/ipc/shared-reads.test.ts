import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer, AppEvent } from '../../../shared/ipc/contract.ts'
import { command, query } from '../../../shared/ipc/define.ts'
import { createSharedReads } from './shared-reads.ts'

const price = query(z.object({}), z.object({}), 'app')
const positions = query(z.object({}), z.object({}), 'wallet')
const contract = { price, positions, other: query(z.object({}), z.object({}), 'app'), send: command(z.object({}), z.object({}), { invalidates: ['price'] }) }

interface Window {
  readonly name: string
  readonly heard: AppEvent[]
}

/** Three windows that share reads. Each read returns its number, starting with 1. */
function setUp() {
  const open = (name: string): Window => ({ name, heard: [] })
  const [main, chart, book] = [open('main'), open('chart'), open('book')]
  let [now, count] = [0, 0]
  let gate: Promise<void> | null = null
  let failing = false
  const reads = createSharedReads<Window>({
    reads: { price, positions },
    clock: { monotonic: () => now },
    windows: () => [main, chart, book],
    mayHear: (window, { of }) => of === 'app' || window !== main,
    tell: (window, event) => window.heard.push(event),
  })
  const call = reads.share(async (name): Promise<Answer<unknown>> => {
    const value = ++count
    await gate
    if (failing) return { result: { ok: false, failure: { kind: 'no_profile' } }, invalidates: [] }
    return { result: { ok: true, value }, invalidates: name === 'send' ? ['price'] : [] }
  }, contract)
  return {
    ...{ main, chart, book, changed: reads.changed, asked: () => count },
    ask: async (window: Window, name: string, withinMs = 1_000, input: unknown = {}) => {
      const { result } = await call(name, input, { window, withinMs })
      return result.ok ? result.value : result.failure
    },
    pass: (ms: number) => {
      now += ms
    },
    fails: (now: boolean) => {
      failing = now
    },
    /** Delays all answers until the returned function is called. */
    hold: () => {
      const held = Promise.withResolvers<void>()
      gate = held.promise
      return () => {
        gate = null
        held.resolve()
      }
    },
  }
}

test('the main process reads once for several windows that ask for the same data at the same time or soon after each other', async () => {
  const { main, chart, book, ask, pass, hold, asked } = setUp()
  const release = hold()
  const both = Promise.all([ask(main, 'price'), ask(chart, 'price')])
  release()
  expect(await both).toEqual([1, 1])
  pass(999)
  expect(await ask(book, 'price')).toBe(1)
  expect(asked()).toBe(1)
})

test('the main process reads again if a window already has the answer, wants a newer one, or asks with another input', async () => {
  const { main, chart, book, ask, pass } = setUp()
  expect(await ask(main, 'price')).toBe(1)
  expect(await ask(main, 'price')).toBe(2)
  pass(1_000)
  expect(await ask(chart, 'price')).toBe(3)
  expect(await ask(book, 'price', 0)).toBe(4)
  expect(await ask(book, 'price', 1_000, { pairId: 2 })).toBe(5)
})

test('the main process sends an answer to all windows that ask for the same data, so that none of them causes another read', async () => {
  const { main, chart, book, ask, pass } = setUp()
  await ask(main, 'price')
  await ask(chart, 'price')
  pass(1_000)
  expect(await ask(chart, 'price')).toBe(2)
  expect(main.heard).toEqual([{ type: 'answer', name: 'price', input: {}, value: 2 }])
  expect([...chart.heard, ...book.heard]).toEqual([])
  // The answer was already on its way to the main window when that window asked. So the question causes no second read.
  expect(await ask(main, 'price')).toBe(2)
  expect(await ask(main, 'price')).toBe(3)
})

test('the main process pushes fresh account data only to windows that may receive it; other windows get the data when they ask [AUTH-03]', async () => {
  const { main, chart, ask, pass } = setUp()
  await ask(main, 'positions')
  await ask(chart, 'positions')
  pass(1_000)
  expect(await ask(chart, 'positions')).toBe(2)
  expect(main.heard).toEqual([])
  expect(await ask(main, 'positions')).toBe(2)
})

test('the main process gives no window an answer that it read before the data changed', async () => {
  const { main, chart, book, ask, changed, hold, asked } = setUp()
  await ask(main, 'price')
  changed(['positions'])
  expect(await ask(chart, 'price')).toBe(1)
  changed(['price'])
  expect(await ask(book, 'price')).toBe(2)
  const release = hold()
  const early = ask(book, 'price')
  changed()
  const late = ask(chart, 'price')
  release()
  expect(await Promise.all([early, late])).toEqual([3, 4])
  expect(asked()).toBe(4)
  // The main window got no answer that was read before the data changed.
  expect(main.heard).toEqual([2, 4].map((value) => ({ type: 'answer', name: 'price', input: {}, value })))
})

test('after a command, the main process discards all answers shared between windows, and tells other windows which queries are outdated', async () => {
  const { main, chart, book, ask } = setUp()
  await ask(main, 'price')
  await ask(main, 'send')
  expect([main.heard, chart.heard, book.heard]).toEqual([[], [{ type: 'invalidate', queries: ['price'] }], [{ type: 'invalidate', queries: ['price'] }]])
  expect(await ask(chart, 'price')).toBe(3)
})

test('the main process shares no failures between windows, and no reads that the IPC contract lacks or does not declare as shared', async () => {
  const { main, chart, ask, fails, asked } = setUp()
  fails(true)
  await ask(main, 'price')
  fails(false)
  expect(await ask(chart, 'price')).toBe(2)
  await ask(main, 'other')
  await ask(chart, 'other')
  await ask(chart, 'unknown')
  expect(asked()).toBe(5)
})
