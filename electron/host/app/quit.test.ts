import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { onQuit } from './end-on-error.ts'

/** An app as Electron's: `quit` asks first, and ends where nobody objects. */
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
  // Electron's `on` has an overload for each of its events.
  const app: Parameters<typeof onQuit>[0] = Object.assign(events, { quit }) as never
  onQuit(app, {
    ending: { quits: () => happened.push('quits'), isEnding: () => isEnding },
    first,
    last: () => happened.push('last'),
    failed: (error) => happened.push(String(error)),
  })
  return { app, happened, gone }
}

test('what runs ends in its order before the app does, once however often it is asked', async () => {
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

test('what fails to end keeps nothing else from ending', async () => {
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

test('an app that ends after an error is not ended a second time when its window closes', () => {
  const ended: string[] = []
  const { app, happened } = setUp([() => ended.push('the clipboard')], true)
  app.quit()
  expect([...ended, ...happened]).toEqual([])
})
