import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { AppEvent } from '../../../shared/ipc/contract.ts'
import { ok } from '../../../shared/result.ts'
import { type CloseChoice, createPresence, type PresenceParts } from './presence.ts'

/** A fake main window, because these tests run without Electron. */
class FakeWindow extends EventEmitter {
  visible: boolean
  destroyed = false
  readonly webContents = new EventEmitter()
  constructor(visible: boolean) {
    super()
    this.visible = visible
  }
  isMinimized = () => false
  restore = () => undefined
  focus = () => undefined
  isVisible = () => this.visible
  isDestroyed = () => this.destroyed
  show = () => {
    this.visible = true
  }
  hide = () => {
    this.visible = false
  }
  close = () => {
    let isPrevented = false
    this.emit('close', {
      preventDefault: () => {
        isPrevented = true
      },
    })
    if (isPrevented) return
    this.destroyed = true
    this.emit('closed')
  }
}

interface Given {
  readonly tray?: boolean
  readonly choice?: 'ask' | 'tray' | 'quit'
  readonly answer?: CloseChoice
}

function setUp({ tray = true, choice = 'ask', answer = null }: Given = {}) {
  const happened: string[] = []
  const told: AppEvent[] = []
  const windows: FakeWindow[] = []
  const app = new EventEmitter()
  const state = { tray, choice, answer, locked: false }
  const shown: { window: FakeWindow | null } = { window: null }
  const parts: PresenceParts<FakeWindow & never> = {
    // The cast is needed: a fake cannot match the type of Electron’s `on`, which has an overload for each event.
    app: app as never,
    startAgain: () => happened.push('start again'),
    shown: shown as never,
    open: (appears) => {
      const window = new FakeWindow(appears())
      windows.push(window)
      return window as never
    },
    hasTray: async () => state.tray,
    choice: () => state.choice,
    keepChoice: (kept) => {
      state.choice = kept
      happened.push(`keep ${kept}`)
    },
    ask: async () => {
      happened.push('ask')
      return state.answer
    },
    locked: () => state.locked,
    tell: (event) => told.push(event),
    left: () => happened.push('left'),
    returned: () => happened.push('returned'),
    closed: () => happened.push('closed'),
    sleep: async () => {
      happened.push('sleep')
      return true
    },
    failed: (error) => happened.push(String(error)),
  }
  const presence = createPresence(parts)
  const ready = presence.watch(async () => ({ result: ok(null), invalidates: [] }))
  return {
    presence,
    state,
    happened,
    told,
    windows,
    shown,
    quit: () => app.emit('before-quit'),
    /** Simulates that the window has loaded its page. Returns the state that main hands over to the page; null if there is none. */
    load: async () => {
      shown.window?.webContents.emit('did-navigate')
      const { result } = await ready('lock.takeBack', {})
      return result.ok ? result.value : null
    },
    close: async () => {
      shown.window?.close()
      await new Promise(setImmediate)
    },
  }
}

test('the app asks once what closing its window should do; if the user chooses the tray, each close then hides the window', async () => {
  const desk = setUp({ answer: 'tray' })
  await desk.presence.start(false)
  await desk.close()
  expect(desk.happened).toEqual(['ask', 'keep tray', 'left'])
  expect(desk.windows.map(({ visible, destroyed }) => [visible, destroyed])).toEqual([[false, false]])
  expect(desk.presence.isAway()).toBe(true)
  desk.presence.present()
  expect(desk.windows[0]?.visible).toBe(true)
  await desk.close()
  expect(desk.happened).toEqual(['ask', 'keep tray', 'left', 'returned', 'left'])
})

test.each([
  ['without a tray', { tray: false, choice: 'tray' }],
  ['if the user chose to quit', { choice: 'quit' }],
  ['if the user answers that the app should quit', { answer: 'quit' }],
] as const)('closing the app’s window closes all windows %s', async (_when, given) => {
  const desk = setUp(given)
  await desk.presence.start(false)
  await desk.close()
  expect(desk.windows[0]?.destroyed).toBe(true)
  expect(desk.shown.window).toBeNull()
  expect(desk.happened.at(-1)).toBe('closed')
})

test('if the user cancels the app’s question about closing its window, the window stays open, and the next close asks again', async () => {
  const desk = setUp()
  await desk.presence.start(false)
  await desk.close()
  await desk.close()
  expect(desk.happened).toEqual(['ask', 'ask'])
  expect(desk.windows[0]?.visible).toBe(true)
  expect(desk.state.choice).toBe('ask')
})

test('quitting the app closes its window without asking what closing should do', async () => {
  const desk = setUp({ choice: 'tray' })
  await desk.presence.start(false)
  desk.quit()
  await desk.close()
  expect(desk.windows[0]?.destroyed).toBe(true)
  expect(desk.happened).not.toContain('ask')
})

test('a second start of the running app shows its main window, even if the window is hidden or closed', async () => {
  const desk = setUp({ choice: 'tray' })
  desk.presence.present()
  expect(desk.windows).toEqual([])
  await desk.presence.start(false)
  await desk.close()
  desk.presence.present()
  expect(desk.windows.map(({ visible }) => visible)).toEqual([true])
  desk.state.choice = 'quit'
  await desk.close()
  desk.presence.present()
  expect(desk.windows.map(({ visible }) => visible)).toEqual([true, true])
  expect(desk.shown.window).toBe(desk.windows[1])
})

test('if the user starts the app again while it quits, it restarts once', async () => {
  const desk = setUp()
  await desk.presence.start(false)
  desk.quit()
  desk.presence.present()
  desk.presence.present()
  expect(desk.happened).toEqual(['start again'])
})

test('if the system starts the app at login, the app stays in the tray, and shows its window if no tray appears', async () => {
  const hidden = setUp()
  await hidden.presence.start(true)
  expect([hidden.windows[0]?.visible, hidden.presence.isAway()]).toEqual([false, true])

  const shown = setUp({ tray: false })
  await shown.presence.start(true)
  expect([shown.windows[0]?.visible, shown.presence.isAway()]).toEqual([true, false])
  expect(shown.happened.filter((one) => one === 'sleep')).toHaveLength(10)
})

test('the app shows its hidden window again if the desktop’s tray stays away, but not while the desktop only restarts its panel', async () => {
  const desk = setUp({ choice: 'tray' })
  await desk.presence.start(false)
  await desk.close()
  const looks = async (tray: boolean, times: number) => {
    desk.state.tray = tray
    for (let count = 0; count < times; count += 1) await desk.presence.look()
    return desk.windows[0]?.visible
  }
  expect(await looks(false, 2)).toBe(false)
  expect(await looks(true, 1)).toBe(false)
  expect(await looks(false, 2)).toBe(false)
  expect(await looks(false, 1)).toBe(true)
  expect(desk.happened.at(-1)).toBe('returned')
})

test('the app opens a page requested by a link or menu at once if its window has already loaded', async () => {
  const desk = setUp()
  await desk.presence.start(false)
  expect(await desk.load()).toBeNull()
  desk.presence.openPage('/keys')
  expect(desk.told).toEqual([{ type: 'open', to: '/keys' }])
})

test('if a link or menu requests a page while the window is loading, the window shows this page first', async () => {
  const desk = setUp()
  await desk.presence.start(false)
  desk.presence.openPage('/trade/stop')
  expect(desk.told).toEqual([])
  expect(await desk.load()).toEqual({ place: '#/trade/stop', drafts: null, notices: [], calls: [] })
  expect(await desk.load()).toBeNull()
})

test('if a link or menu requests a page while the app is locked, the page opens after the unlock', async () => {
  const desk = setUp()
  await desk.presence.start(false)
  await desk.load()
  desk.state.locked = true
  desk.presence.openPage('/activity')
  desk.presence.unlocked()
  expect(desk.told).toEqual([])
  desk.state.locked = false
  desk.presence.unlocked()
  expect(desk.told).toEqual([{ type: 'open', to: '/activity' }])

  desk.state.locked = true
  desk.presence.openPage('/keys/expiry')
  desk.shown.window?.webContents.emit('did-navigate')
  desk.state.locked = false
  desk.presence.unlocked()
  expect(desk.told).toHaveLength(1)
  const taken = desk.presence.watch(async () => ({ result: ok({ place: '#/overview', drafts: '{}', notices: [], calls: [] }), invalidates: [] }))
  expect((await taken('lock.takeBack', {})).result).toEqual(ok({ place: '#/keys/expiry', drafts: '{}', notices: [], calls: [] }))
})
