import { expect, test } from 'vitest'
import { isSamePage } from './navigation.ts'

test('a page may load itself anew, at whatever place in it', () => {
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
])('it may not go to %s', (wanted) => {
  expect(isSamePage('app://bundle/index.html', wanted)).toBe(false)
})
