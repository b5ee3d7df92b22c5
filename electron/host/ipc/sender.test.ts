import { expect, test } from 'vitest'
import { bundleOrigin, isFromPage } from './serve.ts'

const main = { url: 'app://bundle/index.html' }

test('the main process accepts a message from the main frame of a page of the app', () => {
  expect(isFromPage(main, main, bundleOrigin)).toBe(true)
  const phone = { url: 'app://bundle/phone.html#/' }
  expect(isFromPage(phone, phone, bundleOrigin)).toBe(true)
})

test.each([
  ['a frame inside the page', { url: 'app://bundle/index.html' }, main],
  ['a frame that is gone', null, main],
  ['no frame at all', undefined, undefined],
  ['two missing frames', null, null],
])('the main process refuses a message from %s', (_what, sender, frame) => {
  expect(isFromPage(sender, frame, bundleOrigin)).toBe(false)
})

test.each([
  'about:blank',
  '',
  'app://bundle.evil/index.html',
  'app://evil/index.html',
  'apps://bundle/index.html',
  'https://bundle/index.html',
  'file:///index.html',
  'app://bundle:81/',
  'app://bundle@evil/',
  'data:text/html,app://bundle/',
])('the main process refuses a message from a page at %s', (url) => {
  const frame = { url }
  expect(isFromPage(frame, frame, bundleOrigin)).toBe(false)
})

test('in development, the main process accepts only messages from pages of the dev server', () => {
  const dev = { protocol: 'http:', host: 'localhost:5173' }
  const frame = { url: 'http://localhost:5173/index.html' }
  expect(isFromPage(frame, frame, dev)).toBe(true)
  expect(isFromPage(main, main, dev)).toBe(false)
  const other = { url: 'http://localhost:5174/index.html' }
  expect(isFromPage(other, other, dev)).toBe(false)
})
