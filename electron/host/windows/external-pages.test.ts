import fc from 'fast-check'
import { expect, test } from 'vitest'
import { externalUrl } from '../app/app-handlers.ts'

test('the app opens a transaction, an address and the WalletConnect page for project ids in the system’s browser', () => {
  expect(externalUrl('transaction', `0x${'a'.repeat(64)}`)).toEqual({ ok: true, value: `https://basescan.org/tx/0x${'a'.repeat(64)}` })
  expect(externalUrl('address', `0x${'B'.repeat(40)}`)).toEqual({ ok: true, value: `https://basescan.org/address/0x${'B'.repeat(40)}` })
  expect(externalUrl('walletconnect_projects', null)).toEqual({ ok: true, value: 'https://dashboard.reown.com' })
})

test('the app opens an external page only on a known host, whichever transaction hash, address or other text a page passes', () => {
  const odd = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.constantFrom('javascript:alert(1)', '../../evil', `0x${'a'.repeat(64)}@evil.test`, `0x${'a'.repeat(64)}\n`, 'file:///etc/passwd'),
  )
  fc.assert(
    fc.property(fc.constantFrom('transaction' as const, 'address' as const, 'walletconnect_projects' as const), odd, (page, id) => {
      const url = externalUrl(page, id)
      return !url.ok || ['basescan.org', 'dashboard.reown.com'].includes(new URL(url.value).host)
    }),
  )
  fc.assert(
    fc.property(
      odd.filter((id) => !/^0x[0-9a-fA-F]{40}$|^0x[0-9a-fA-F]{64}$/.test(id)),
      (id) => !externalUrl('transaction', id).ok && !externalUrl('address', id).ok,
    ),
  )
})
