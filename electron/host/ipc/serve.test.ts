import { expect, test } from 'vitest'
import { bundleOrigin, type ServeParts, serve } from './serve.ts'

const url = 'app://bundle/index.html'
const page = { url }
const stranger = { url }

/** Runs `serve` with one window that shows `page`. The result can send messages from any frame. */
function served(shown = { isDestroyed: () => false, webContents: { mainFrame: page } }) {
  const asked: unknown[] = []
  let handler: Parameters<ServeParts['ipc']['handle']>[1] | undefined
  serve({
    ipc: {
      handle: (_channel, taken) => {
        handler = taken
      },
    },
    origin: bundleOrigin,
    audiences: [
      {
        windows: () => [shown as never],
        answerCall: async (name) => {
          asked.push(name)
          return { result: { ok: true, value: 'answer' }, invalidates: [] }
        },
      },
    ],
  })
  return { asked, send: async (senderFrame: unknown) => handler?.({ senderFrame } as never, 'app.info', {}) }
}

test('the main process answers a page’s call if the call comes from the page’s own window', async () => {
  const { asked, send } = served()
  expect(await send(page)).toMatchObject({ result: { value: 'answer' } })
  expect(asked).toEqual(['app.info'])
})

test.each([
  ['a frame inside the page', stranger],
  ['the page of a window that it does not know', { url: 'app://bundle/phone.html' }],
  ['a frame that is gone', null],
  ['nobody', undefined],
])('the main process refuses an IPC call from %s, and runs no handler', async (_what, frame) => {
  const { asked, send } = served()
  await expect(send(frame)).rejects.toThrow('refused')
  expect(asked).toEqual([])
})

test('the main process refuses a call from a window that now shows a page of another origin or was closed', async () => {
  const elsewhere = { url: 'https://example.org/' }
  await expect(served({ isDestroyed: () => false, webContents: { mainFrame: elsewhere } }).send(elsewhere)).rejects.toThrow('refused')
  await expect(served({ isDestroyed: () => true, webContents: { mainFrame: page } }).send(page)).rejects.toThrow('refused')
})

test('the main process offers each kind of window its own IPC contract, and tells each handler which window called', async () => {
  const asked: unknown[] = []
  const [mainFrame, popoutFrame] = [{ url }, { url: 'app://bundle/popout.html#/positions' }]
  const windowOf = (frame: typeof page) => ({ isDestroyed: () => false, webContents: { mainFrame: frame } }) as never
  const [main, popout] = [windowOf(mainFrame), windowOf(popoutFrame)]
  const audience = (kind: string, window: never) => ({
    windows: () => [window],
    answerCall: async (...call: readonly unknown[]) => {
      asked.push([kind, ...call])
      return { result: { ok: true, value: {} } as const, invalidates: [] }
    },
  })
  let handler: Parameters<ServeParts['ipc']['handle']>[1] | undefined
  serve({
    ipc: {
      handle: (_channel, taken) => {
        handler = taken
      },
    },
    origin: bundleOrigin,
    audiences: [audience('main', main), audience('popout', popout)],
  })
  await handler?.({ senderFrame: popoutFrame } as never, 'keys.list', {}, 500)
  await handler?.({ senderFrame: mainFrame } as never, 'keys.list', {}, 'soon')
  expect(asked).toEqual([
    ['popout', 'keys.list', {}, { window: popout, withinMs: 500 }],
    ['main', 'keys.list', {}, { window: main, withinMs: 0 }],
  ])
})
