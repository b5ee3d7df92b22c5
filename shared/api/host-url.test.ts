import { expect, test } from 'vitest'
import { parseHostUrl } from './host-url.ts'

const roots = (written: string) => {
  const result = parseHostUrl(written)
  return result.ok ? result.value : result.failure.issue
}

test('the app derives the exchange’s host URL and the base URL of the versioned routes from the URL that the user typed [GEN-01]', () => {
  expect(roots('https://dex.example')).toEqual({
    hostUrl: 'https://dex.example',
    baseUrl: 'https://dex.example/api/dex/v1',
    host: 'dex.example',
    loopback: false,
  })
  expect(roots(' HTTPS://Dex.Example:443/ ')).toMatchObject({ hostUrl: 'https://dex.example', host: 'dex.example' })
  expect(roots('https://dex.example:8443')).toMatchObject({ baseUrl: 'https://dex.example:8443/api/dex/v1', host: 'dex.example:8443' })
})

test('the app accepts an exchange URL with http only if its host is this computer (loopback) [GEN-01]', () => {
  for (const host of ['127.0.0.1:8787', 'localhost:8787', '[::1]:8787', '127.1.2.3:1', 'exchange.localhost:8787']) {
    expect(roots(`http://${host}`)).toMatchObject({ hostUrl: `http://${host}`, host, loopback: true })
  }
  for (const host of ['dex.example', '10.0.0.1', '192.168.1.2', '127.0.0.1.evil.example', 'localhost.evil.example', '0.0.0.0'])
    expect([host, roots(`http://${host}`)]).toEqual([host, 'needs_https'])
  for (const url of ['ftp://dex.example', 'ws://dex.example', 'javascript://dex.example', 'file:///etc'])
    expect(['needs_https', 'not_a_url']).toContain(roots(url))
})

test('the app adds the missing scheme to an exchange URL: http for this computer, and https for any other host', () => {
  expect(roots('dex.example')).toMatchObject({ hostUrl: 'https://dex.example' })
  expect(roots('127.0.0.1:8787')).toMatchObject({ hostUrl: 'http://127.0.0.1:8787', host: '127.0.0.1:8787' })
})

test('the app refuses an exchange URL that is malformed or contains credentials or a path, and names the reason [GEN-01]', () => {
  expect(roots('https://user:pass@dex.example')).toBe('has_credentials')
  expect(roots('https://dex.example@evil.example')).toBe('has_credentials')
  for (const path of ['/api', '/?a=1', '?a=1', '#x', '/api/dex/v1', '?']) expect([path, roots(`https://dex.example${path}`)]).toEqual([path, 'has_path'])
  for (const text of ['', '   ', 'https://', 'not a url', 'https://dex\\example', 'http:// dex.example'])
    expect([text, roots(text)]).toEqual([text, 'not_a_url'])
})

test('the app shows a host name with a look-alike letter in punycode, so that the user notices the letter', () => {
  expect(roots('https://dеx.example')).toMatchObject({ host: 'xn--dx-nlc.example' })
})
