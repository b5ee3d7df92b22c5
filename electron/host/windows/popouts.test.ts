import { EventEmitter } from 'node:events'
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import { createMemoryRecords } from '../../../e2e/support/main/memory-vault.ts'
import { contract, popoutContract } from '../../../shared/ipc/contract.ts'
import { popoutAddress, popoutOf } from '../../../shared/ipc/host/popout-place.ts'
import { ok } from '../../../shared/result.ts'
import { createAnswerCall } from '../ipc/answer-call.ts'
import type { Area } from './page-rules.ts'
import { createPopouts } from './popouts.ts'

const page = 'app://bundle/popout.html?locale=en-GB'
const chart = (pairId: number) => ({ kind: 'chart', pairId }) as const

/** A fake window that records its bounds and the events that it received. */
class FakeWindow extends EventEmitter {
  readonly heard: unknown[] = []
  readonly contents = Object.assign(new EventEmitter(), { isCrashed: () => false, send: (_channel: string, event: unknown) => this.heard.push(event) })
  readonly webContents = this.contents
  readonly url: string
  readonly takesFocus: boolean
  bounds: Area
  forward = 0
  destroyed = false
  constructor(url: string, takesFocus: boolean, { x = 100, y = 100, width = 0, height = 0 }: BrowserWindowConstructorOptions) {
    super()
    this.url = url
    this.takesFocus = takesFocus
    this.bounds = { x, y, width, height }
  }
  getNormalBounds = () => this.bounds
  isMinimized = () => false
  isDestroyed = () => this.destroyed
  show = () => undefined
  focus = () => {
    this.forward += 1
  }
  close() {
    this.emit('close')
    this.destroy()
  }
  destroy() {
    this.destroyed = true
    this.emit('closed')
  }
  goTo(address: string) {
    this.contents.emit('did-navigate-in-page', {}, `${page}${address}`)
  }
}

function setUp(rows = new Map<string, string>()) {
  const opened: FakeWindow[] = []
  const inMain: string[] = []
  let profile: string | null = 'practice'
  const popouts = createPopouts({
    records: createMemoryRecords(rows),
    profileId: () => profile,
    workAreas: () => [{ x: 0, y: 0, width: 1_920, height: 1_080 }],
    zoomFactor: () => 1,
    url: () => page,
    open: (url, takesFocus, options) => {
      const window = new FakeWindow(url, takesFocus, options)
      opened.push(window)
      return window as unknown as BrowserWindow
    },
    openInMain: (to) => inMain.push(to),
  })
  return {
    ...{ popouts, opened, inMain, rows, open: popouts.handlers['popouts.open'], handOver: popouts.handlers['popouts.handOver'] },
    profile: (id: string | null) => {
      profile = id
    },
    shown: () => opened.filter(({ destroyed }) => !destroyed).map(({ url }) => url.replace(page, '')),
  }
}

test('the app opens one pop-out window per view, and brings that window to the front if the user opens the view again', async () => {
  const { open, opened, shown } = setUp()
  await open(chart(1))
  await open(chart(2))
  await open({ kind: 'positions' })
  await open(chart(1))
  expect(shown()).toEqual(['#/chart/1', '#/chart/2', '#/positions'])
  expect(opened.map(({ forward }) => forward)).toEqual([1, 0, 0])
  // Simulates that the user chooses another market in the second window.
  opened[1]?.goTo('#/chart/3')
  await open(chart(3))
  expect(opened[1]?.forward).toBe(1)
  await open(chart(2))
  expect(shown()).toHaveLength(4)
})

test('the app remembers size and position of pop-out windows for each kind of view, and offsets a second window of the same kind', async () => {
  const { open, opened } = setUp()
  await open(chart(1))
  const [first] = opened
  if (first === undefined) throw new Error('no window')
  first.bounds = { x: 40, y: 50, width: 700, height: 500 }
  await open(chart(2))
  expect(opened[1]?.bounds).toEqual({ x: 72, y: 82, width: 700, height: 500 })
  opened[1]?.close()
  first.close()
  await open(chart(3))
  expect(opened[2]?.bounds).toEqual({ x: 40, y: 50, width: 700, height: 500 })
  await open({ kind: 'book', pairId: 1 })
  expect(opened[3]?.bounds).toMatchObject({ width: 340, height: 720 })
})

test('after unlocking or a restart, the app reopens pop-out windows without taking the focus, except those that the user closed', async () => {
  const { open, opened, popouts, shown, rows, profile } = setUp()
  await open(chart(1))
  await open({ kind: 'book', pairId: 1 })
  await open({ kind: 'positions' })
  opened[1]?.close()
  opened[0]?.goTo('#/chart/9')
  profile(null)
  popouts.leave()
  expect(shown()).toEqual([])
  popouts.restore()
  expect(shown()).toEqual([])
  popouts.leave()
  profile('practice')
  popouts.restore()
  popouts.restore()
  expect(shown()).toEqual(['#/chart/9', '#/positions'])
  expect(opened.slice(3).map(({ takesFocus }) => takesFocus)).toEqual([false, false])

  const later = setUp(rows)
  later.profile('live-1')
  later.popouts.restore()
  expect(later.shown()).toEqual([])
  later.profile('practice')
  later.popouts.restore()
  expect(later.shown()).toEqual(['#/chart/9', '#/positions'])
})

test('the app opens no pop-out window without a profile or while it is locked', async () => {
  const { open, shown, profile } = setUp()
  profile(null)
  expect(await open(chart(1))).toEqual({ ok: false, failure: { kind: 'no_profile' } })
  expect(shown()).toEqual([])
})

test('a pop-out window passes the user’s actions, such as closing a position, to the main window, where the user completes them', async () => {
  const { handOver, inMain } = setUp()
  await handOver({ kind: 'position', id: '../a b', action: 'close' })
  await handOver({ kind: 'order', id: '7', action: 'cancel' })
  await handOver({ kind: 'market', pairId: 3 })
  await handOver({ kind: 'close_all' })
  await handOver({ kind: 'connect' })
  expect(inMain).toEqual(['trade/position/close/..%2Fa%20b', 'trade/order/cancel/7', 'trade/3', 'trade/stop?what=close_all', 'connect'])
})

test.each([
  [true, { type: 'reload' }],
  [false, { type: 'invalidate', queries: ['account.positions', 'account.orders'] }],
])('if the main window reports a wallet (a different one: %s), pop-out windows remove or update their account data [AUTH-03]', async (changed, event) => {
  const { open, opened, popouts } = setUp()
  await open({ kind: 'positions' })
  const call = popouts.watch(async () => ({ result: ok({ state: 'taken', expected: null, changed }), invalidates: [] }))
  await call('app.info', {})
  expect(opened[0]?.heard).toEqual([])
  await call('wallet.report', null)
  expect(opened[0]?.heard).toEqual([event])
})

test('a pop-out window may read markets, positions and orders; of all other calls to the main process, only a few are allowed', async () => {
  const handlers = Object.fromEntries(Object.keys(contract).map((name) => [name, () => ok({})]))
  const call = createAnswerCall({ definitions: popoutContract, handlers: () => handlers, log: { error: () => undefined } })
  const reached: string[] = []
  for (const name of Object.keys(contract)) {
    const { result } = await call(name, {})
    if (result.ok || result.failure.kind !== 'not_found') reached.push(name)
  }
  expect(reached.sort()).toEqual([
    ...['account.orders', 'account.positions', 'app.clock', 'app.copyText', 'app.pollingRate', 'app.settings', 'lock.state', 'lock.touch'],
    ...['markets.candles', 'markets.history', 'markets.list', 'markets.marks', 'markets.orderbook', 'markets.summaries', 'popouts.handOver'],
  ])
})

test('the URL of a pop-out window names the view that it shows, and the app accepts no other URL for a pop-out window', () => {
  for (const view of [chart(12), { kind: 'book', pairId: 0 }, { kind: 'positions' }] as const) expect(popoutOf(`${page}${popoutAddress(view)}`)).toEqual(view)
  for (const address of ['', '#/', '#/chart', '#/chart/x', '#/chart/1/2', '#/keys', '#/positions/1', '#/chart/1e3'])
    expect(popoutOf(address), address).toBeNull()
})
