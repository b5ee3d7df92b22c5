import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { onQuit } from './quit.ts'

/** An app as Electron's: `quit` asks first, and ends where nobody objects. */
function setUp(first: readonly (() => unknown)[]) {
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
  onQuit(app, { first, last: () => happened.push('last'), failed: (error) => happened.push(String(error)) })
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
  expect(happened).toEqual([])
  await gone
  expect(ended).toEqual(['slow', 'quick'])
  expect(happened).toEqual(['last'])
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
  expect(happened).toEqual(['Error: the socket is gone', 'last'])
})
