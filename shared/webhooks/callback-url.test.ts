import { expect, test } from 'vitest'
import { formIssueText } from '../text/form-text.ts'
import { defaultEvents, eventGroups, eventNames } from './events.ts'
import { isPublicAddress, readCallbackUrl } from './public-address.ts'

const live = (url: string) => readCallbackUrl(url, { practice: false })
const issue = (url: string, practice = false) => {
  const read = readCallbackUrl(url, { practice })
  return read.ok ? 'taken' : formIssueText(read.failure)
}

test('the app accepts a webhook URL only with HTTPS, port 443 or 8443, no credentials and at most 512 characters [HOOK-01]', () => {
  const longest = `https://bots.example/${'a'.repeat(491)}`
  expect(longest).toHaveLength(512)
  expect(live(' https://bots.example/in ')).toEqual({ ok: true, value: { url: 'https://bots.example/in', lookUp: 'bots.example', loopback: false } })
  expect(live('https://93.184.216.34:8443/in')).toEqual({ ok: true, value: { url: 'https://93.184.216.34:8443/in', lookUp: null, loopback: false } })
  for (const url of ['https://bots.example:443/in', 'https://bots.example:8443/in?x=1', 'https://[2606:2800:220:1::1]/in', longest])
    expect([url, issue(url)]).toEqual([url, 'taken'])
  const refused: readonly (readonly [string, RegExp])[] = [
    ['', /Type the URL/],
    [`${longest}a`, /512 characters\. This has 513/],
    ['bots.example/in', /not a URL/],
    ['https://bots.example/a b', /not a URL/],
    ['http://bots.example/in', /begin with https/],
    ['ftp://bots.example/in', /begin with https/],
    ['https://bots.example:444/in', /443, 8443, not 444/],
    ['https://bots.example:80/in', /not 80/],
    ['https://me@bots.example/in', /user name and password/],
    ['https://:pw@bots.example/in', /user name and password/],
    ['https://@bots.example/in', /user name and password/],
    ['https://:@bots.example/in', /user name and password/],
    // A browser reads this text as a URL with the host bots.example, but other programs do not.
    ['https:bots.example/in', /not a URL/],
    ['https:/bots.example/in', /not a URL/],
    ['https:///bots.example/in', /not a URL/],
    ['https://bots.example\\@inner.example/in', /not a URL/],
  ]
  for (const [url, words] of refused) expect([url, issue(url)]).toEqual([url, expect.stringMatching(words)])
})

test('the app refuses webhook URLs with addresses that are not public, in any notation [HOOK-01]', () => {
  const inner = [
    ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.127.255.255', '169.254.169.254', '0.0.0.0', '192.0.0.8'],
    ...['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '255.255.255.255', '127.0.0.1'],
    ...['::', '::1', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1', '2002:a00:1::', '2001::1', '64:ff9b::a00:1', '::ffff:10.0.0.1'],
  ]
  for (const address of inner) expect([address, isPublicAddress(address)]).toEqual([address, false])
  for (const address of ['1.1.1.1', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:2800:220:1::1', '2a00:1450::1', '::ffff:1.1.1.1'])
    expect([address, isPublicAddress(address)]).toEqual([address, true])
  // Browsers understand the hosts of these URLs as IP addresses.
  for (const url of [
    'https://0x0a000001/',
    'https://167772161/',
    'https://10.1/',
    'https://[::ffff:a00:1]/',
    'https://192.168.0.1/in',
    'https://10.0.0.1./',
    'https://012.0.0.1/',
  ])
    expect([url, issue(url)]).toEqual([url, expect.stringMatching(/not a public address/)])
})

test('the app accepts a webhook URL on this computer only in practice mode, and there with any port [HOOK-01]', () => {
  for (const url of ['http://127.0.0.1:4000/hooks', 'https://localhost:9443/in', 'http://[::1]:4000/', 'http://127.8.9.1/']) {
    expect([url, issue(url)]).toEqual([url, 'This is an address of this computer. The service only reaches public addresses.'])
    expect([url, issue(url, true)]).toEqual([url, 'taken'])
  }
  expect(issue('ftp://localhost/in', true)).toMatch(/begin with http:/)
  expect(issue('http://bots.example/in', true)).toMatch(/begin with https/)
})

test('the app lists every documented webhook event, including one that the service never sends, and the default events [HOOK-02] [HOOK-09]', () => {
  expect(eventNames.toSorted()).toEqual(
    [
      ...['order.accepted', 'order.filled', 'order.partially_filled', 'order.cancelled', 'position.changed', 'liquidation', 'funding.charged'],
      ...['funding.credited', 'collateral.changed', 'transaction.confirmed', 'transaction.reverted', 'chain.reorg', 'transaction.pending'],
      'liquidation.warning',
    ].toSorted(),
  )
  expect(defaultEvents).toEqual(['transaction.confirmed', 'transaction.reverted'])
  const remarks = eventGroups.flatMap(({ events }) => events.filter(({ remark }) => remark !== null).map(({ name, remark }) => [name, remark]))
  expect(remarks).toEqual([
    ['liquidation.warning', 'neverSent'],
    ['transaction.pending', 'onlyCorrection'],
  ])
  expect(eventGroups.find(({ events }) => events.some(({ name }) => name === 'transaction.confirmed'))?.remark).toBe('knownTransactions')
})
