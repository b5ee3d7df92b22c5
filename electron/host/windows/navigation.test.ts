import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { forbidNavigation, isSamePage } from './page-rules.ts'

test('a page of the app may load its own URL again, with any URL fragment', () => {
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
])('the app does not let a page navigate to %s', (wanted) => {
  expect(isSamePage('app://bundle/index.html', wanted)).toBe(false)
})

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

test.each(['will-navigate', 'will-redirect', 'will-attach-webview', 'window.open'])('the app blocks %s if a page uses it to load another page', (name) => {
  expect(allows(name, 'https://evil.test/')).toBe(false)
})

test('the app refuses every HTTP redirect of its pages, even one to another of its pages', () => {
  expect(allows('will-redirect', 'app://bundle/index.html')).toBe(false)
  expect(allows('will-navigate', 'app://bundle/index.html#/keys')).toBe(true)
})
