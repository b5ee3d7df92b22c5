import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { onQuit } from './end-on-error.ts'

function setUp(first: readonly (() => unknown)[], isEnding = false) {
  const happened: string[] = []
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const events = new EventEmitter()
  const quit = () => {
    let held = false
    events.emit('before-quit', { preventDefault: () => (held = true) })
    if (held) return
    events.emit('will-quit')
    resolve()
  }
  const app: Parameters<typeof onQuit>[0] = Object.assign(events, { quit }) as never
  onQuit(app, {
    ending: { quits: () => happened.push('quits'), isEnding: () => isEnding },
    first,
    last: () => happened.push('last'),
    failed: (error) => happened.push(String(error)),
  })
  return { app, happened, gone }
}

test('on quit, the app stops its parts in order and only once, even if quitting is requested repeatedly', async () => {
  const ended: string[] = []
  const { app, happened, gone } = setUp([
    async () => {
      await Promise.resolve()
      ended.push('slow')
    },
    () => ended.push('quick'),
  ])
  app.quit()
  app.quit()
  expect(happened).toEqual(['quits'])
  await gone
  expect(ended).toEqual(['slow', 'quick'])
  expect(happened).toEqual(['quits', 'last'])
})

test('on quit, the app stops all other parts if one part fails to stop', async () => {
  const ended: string[] = []
  const { app, happened, gone } = setUp([
    async () => {
      throw new Error('the socket is gone')
    },
    () => ended.push('the clipboard'),
  ])
  app.quit()
  await gone
  expect(ended).toEqual(['the clipboard'])
  expect(happened).toEqual(['quits', 'Error: the socket is gone', 'last'])
})

test('the app does not stop its parts a second time if a window closes while the app ends after an error', () => {
  const ended: string[] = []
  const { app, happened } = setUp([() => ended.push('the clipboard')], true)
  app.quit()
  expect([...ended, ...happened]).toEqual([])
})
