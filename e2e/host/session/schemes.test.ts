import { expect, test } from 'vitest'
import { Schemes } from './schemes.ts'

function makeSchemes(): Schemes {
  const schemes = new Schemes()
  schemes.register('app')
  return schemes
}

test.each([
  ['app://bundle/index.html?a=1#b', 'https://bundle.app-scheme.test/index.html?a=1#b'],
  ['app://bundle', 'https://bundle.app-scheme.test/'],
  ['app://a.b/x', 'https://a.b.app-scheme.test/x'],
])('the stand-in for Electron maps the app’s address %s to an https address that Chromium loads', (url, address) => {
  expect(makeSchemes().toChromium(url)).toBe(address)
  expect(makeSchemes().toApp(address)).toBe(url === 'app://bundle' ? 'app://bundle/' : url)
})

test('the stand-in for Electron gives pages of each session partition their own host names in Chromium, and hides these names from the app', () => {
  const schemes = makeSchemes()
  const address = schemes.toChromium('app://bundle/x', 'p0123456789abcdef')
  expect(address).toBe('https://bundle.app.p0123456789abcdef-scheme.test/x')
  expect(schemes.toApp(address)).toBe('app://bundle/x')
})

test('the stand-in for Electron rewrites only the app’s own URL schemes for Chromium, and leaves other addresses unchanged', () => {
  const schemes = makeSchemes()
  for (const url of [
    'https://exchange.test/app://bundle',
    'other://bundle/',
    'https://bundle.other-scheme.test/',
    'data:text/plain,app://bundle',
    'about:blank',
  ]) {
    expect([schemes.toChromium(url), schemes.toApp(url)]).toEqual([url, url])
  }
})

test('the stand-in for Electron also rewrites the app’s URL schemes in a content security policy', () => {
  const schemes = makeSchemes()
  expect(schemes.policyToChromium("default-src 'self' app:; frame-src app://other https://x.test; img-src data:")).toBe(
    "default-src 'self' https://*.app-scheme.test; frame-src https://other.app-scheme.test https://x.test; img-src data:",
  )
})

test('the stand-in for Electron refuses a second handler for a URL scheme until the app removes the first one', () => {
  const schemes = makeSchemes()
  schemes.handle('app', () => new Response('one'))
  expect(() => schemes.handle('app', () => new Response('two'))).toThrow('The scheme has been registered')
  schemes.unhandle('app')
  expect(schemes.handler('app')).toBeUndefined()
})
