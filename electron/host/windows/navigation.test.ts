import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { forbidNavigation, isSamePage } from './page-rules.ts'

test('a page may reload itself, with any URL fragment', () => {
  expect(isSamePage('app://bundle/index.html#/trade', 'app://bundle/index.html#/keys')).toBe(true)
  expect(isSamePage('app://bundle/index.html', 'app://bundle/index.html')).toBe(true)
})

test.each([
  'app://bundle/phone.html',
  'app://bundle/index.html?x=1',
  'app://other/index.html',
  'https://bundle/index.html',
  'https://evil.test/',
  'about:blank',
  'javascript:0',
  '',
])('does not let a page navigate to %s', (wanted) => {
  expect(isSamePage('app://bundle/index.html', wanted)).toBe(false)
})

/** Whether the window allows this navigation event. */
function allows(name: string, url: string): boolean {
  let opens: unknown
  const contents = Object.assign(new EventEmitter(), {
    getURL: () => 'app://bundle/index.html',
    setWindowOpenHandler: (handler: (details: { url: string }) => unknown) => {
      opens = handler({ url })
    },
  })
  forbidNavigation(contents as never)
  if (name === 'window.open') return (opens as { action: string }).action !== 'deny'
  let prevented = false
  contents.emit(name, { url, preventDefault: () => (prevented = true) })
  return !prevented
}

test.each(['will-navigate', 'will-redirect', 'will-attach-webview', 'window.open'])('the app refuses %s if it would load another page', (name) => {
  expect(allows(name, 'https://evil.test/')).toBe(false)
})

test('the app refuses every redirect of a page, even to its own pages, because its own pages send none', () => {
  expect(allows('will-redirect', 'app://bundle/index.html')).toBe(false)
  expect(allows('will-navigate', 'app://bundle/index.html#/keys')).toBe(true)
})
