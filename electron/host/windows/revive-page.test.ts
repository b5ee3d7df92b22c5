import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { minute } from '../../../shared/time.ts'
import { type RevivePageParts, revivePage } from './page-rules.ts'

function setUp() {
  const happened: string[] = []
  let now = 0
  let destroyed = false
  const page = Object.assign(new EventEmitter(), { reload: () => happened.push('reload'), isDestroyed: () => destroyed })
  const parts: RevivePageParts = {
    clock: { monotonic: () => now },
    reloads: ({ message }) => happened.push(message),
    givesUp: () => happened.push('given up'),
  }
  revivePage(page as never, parts)
  return {
    happened,
    ends: (reason: string, atMs = now) => {
      now = atMs
      page.emit('render-process-gone', {}, { reason, exitCode: 5 })
    },
    destroy: () => {
      destroyed = true
    },
  }
}

test.each(['crashed', 'oom', 'killed', 'abnormal-exit', 'launch-failed', 'memory-eviction'])(
  'the app reloads a page after its process crashed, if the reason is: %s',
  (reason) => {
    const { happened, ends } = setUp()
    ends(reason)
    expect(happened).toEqual([`The process of the page ended: ${reason}, exit code 5`, 'reload'])
  },
)

test('the app does not reload a page whose process exited normally or whose window is closed', () => {
  const { happened, ends, destroy } = setUp()
  ends('clean-exit')
  destroy()
  ends('crashed')
  expect(happened).toEqual([])
})

test('the app reloads a crashed page, but stops at the page’s third crash within five minutes', () => {
  const { happened, ends } = setUp()
  for (let count = 0; count < 10; count += 1) ends('crashed', count * 2.5 * minute)
  expect(happened.filter((one) => one === 'reload')).toHaveLength(10)
  ends('crashed')
  expect(happened.at(-1)).toBe('given up')
})
