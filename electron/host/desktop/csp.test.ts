import { expect, test } from 'vitest'
import { contentSecurityPolicy } from './page-gates.ts'

test('the content security policy lets a page connect only to the public WalletConnect relay, and not to the service [GEN-04]', () => {
  expect(contentSecurityPolicy(null)).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src wss://relay.walletconnect.org; frame-src 'none'; worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
})

test('the content security policy allows the practice relay if it is on loopback', () => {
  expect(contentSecurityPolicy('ws://127.0.0.1:40123')).toContain("connect-src wss://relay.walletconnect.org ws://127.0.0.1:40123; frame-src 'none'")
})

test.each([
  'ws://evil.test:1',
  'ws://127.0.0.1:1 https://evil.test',
  "ws://127.0.0.1:1; script-src 'unsafe-inline'",
  'http://127.0.0.1:1',
  'ws://127.0.0.1',
  '*',
])('the content security policy of a page does not allow a wallet relay at %s', (relay) => {
  expect(contentSecurityPolicy(relay)).toBe(contentSecurityPolicy(null))
})
