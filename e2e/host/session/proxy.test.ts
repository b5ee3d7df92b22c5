import { expect, test } from 'vitest'
import { resolveProxy } from './proxy.ts'

const environment = { HTTPS_PROXY: 'http://secure.test:3128', http_proxy: 'plain.test:8080', NO_PROXY: '.inside.test, exact.test' }

test.each([
  ['https://exchange.test/', 'PROXY secure.test:3128'],
  ['wss://relay.test/', 'PROXY secure.test:3128'],
  ['http://exchange.test/', 'PROXY plain.test:8080'],
  ['https://a.inside.test/', 'DIRECT'],
  ['https://exact.test/', 'DIRECT'],
  ['https://127.0.0.1:8443/', 'DIRECT'],
  ['http://localhost:1/', 'DIRECT'],
])('the stand-in for Electron takes the proxy for %s from the environment variables: %s', (url, proxy) => {
  expect(resolveProxy(url, {}, environment)).toBe(proxy)
})

test('the stand-in for Electron connects without a proxy if no environment variable names one, or if the proxy mode is “direct”', () => {
  expect(resolveProxy('https://exchange.test/', {}, {})).toBe('DIRECT')
  expect(resolveProxy('https://exchange.test/', { mode: 'direct' }, environment)).toBe('DIRECT')
})

test('the stand-in for Electron uses the configured proxy rules, and connects directly to the listed exceptions', () => {
  const config = { proxyRules: 'socks5://fixed.test', proxyBypassRules: '*.exchange.test' }
  expect(resolveProxy('https://other.test/', config, environment)).toBe('SOCKS5 fixed.test:1080')
  expect(resolveProxy('https://api.exchange.test/', config, environment)).toBe('DIRECT')
})

test('the stand-in for Electron refuses proxy modes that only real Electron supports', () => {
  expect(() => resolveProxy('https://exchange.test/', { mode: 'pac_script' }, {})).toThrow('stand-in: the proxy mode pac_script is not implemented')
})
