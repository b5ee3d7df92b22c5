import { afterEach, beforeEach, expect, test } from 'vitest'
import { brief, type Developer, openDeveloper } from '../../../../e2e/support/practice/developer.ts'
import { at, type Bench, keyHeader, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let developer: Developer
beforeEach(async () => {
  bench = await start()
  developer = await openDeveloper(bench)
})
afterEach(() => bench.stop())

async function withAllowlist<T>(ip_allowlist: unknown, look: (created: Awaited<ReturnType<Developer['create']>>) => Promise<T> | T): Promise<T> {
  const created = await developer.create({ ip_allowlist })
  const seen = await look(created)
  if (created.status === 201) await developer.call(`DELETE /api/dex/developer/keys/${text(created, 'key.key_id')}`)
  return seen
}

const listed = (ip_allowlist: unknown) => withAllowlist(ip_allowlist, (created) => (created.status === 201 ? at(created, 'key.ip_allowlist') : brief(created)))

const account = 'GET /api/dex/v1/account'

test('the practice exchange accepts a key’s IP allowlist as an array or as comma-separated text [KEY-03]', async () => {
  expect(await listed(['203.0.113.0/28', '2001:db8:4f::/64'])).toEqual(['203.0.113.0/28', '2001:db8:4f::/64'])
  expect(await listed('203.0.113.7, ::1 ,10.0.0.0/8,')).toEqual(['203.0.113.7', '::1', '10.0.0.0/8'])
  expect([await listed([]), await listed(''), await listed(undefined)]).toEqual([[], [], []])
})

test('the practice exchange refuses an IP allowlist with an entry that is neither an address nor a range, as an array or as text [KEY-03]', async () => {
  const wrong = [
    '203.0.113.256',
    '010.0.0.1',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '/8',
    '::1/129',
    '::1/',
    ':::1',
    'fe80::1%eth0',
    'example.org',
  ]
  for (const entry of wrong) {
    expect([entry, await listed([entry])]).toEqual([entry, '400 VALIDATION_ERROR'])
    expect([entry, await listed(`10.0.0.1,${entry}`)]).toEqual([entry, '400 VALIDATION_ERROR'])
  }
  for (const value of ['10.0.0.1;10.0.0.2', 7, [7], [null], [['10.0.0.1']], [''], { 0: '10.0.0.1' }, null])
    expect([value, await listed(value)]).toEqual([value, '400 VALIDATION_ERROR'])
  const refused = await developer.create({ ip_allowlist: ['10.0.0.1', '300.0.0.1'] })
  expect([at(refused, 'error.field'), at(refused, 'error.message')]).toEqual([
    'ip_allowlist',
    'ip_allowlist: "300.0.0.1" is neither an IP address nor a CIDR range',
  ])
})

test('the practice exchange lists each entry of a key’s IP allowlist in its normal form and only once [KEY-03]', async () => {
  const normal: Record<string, string> = {
    '2001:0DB8:0000:0000:0000:0000:0000:0001': '2001:db8::1',
    '2001:db8:0:0:1:0:0:1': '2001:db8::1:0:0:1',
    '::ffff:203.0.113.7': '203.0.113.7',
    '::ffff:203.0.113.7/120': '203.0.113.0/24',
    '10.20.30.40/8': '10.0.0.0/8',
    '203.0.113.77/28': '203.0.113.64/28',
    '198.51.100.9/32': '198.51.100.9',
    '2001:DB8:4F:1:2::9/64': '2001:db8:4f:1::/64',
    '2001:db8:ffff:ffff::/49': '2001:db8:ffff:8000::/49',
    '::1/128': '::1',
    '0.0.0.0/0': '0.0.0.0/0',
    '::/0': '::/0',
  }
  expect(await listed(Object.keys(normal))).toEqual(Object.values(normal))
  expect(await listed('::1,0:0:0:0:0:0:0:1, ::1/128 ,10.0.0.1/8,10.0.0.2/8')).toEqual(['::1', '10.0.0.0/8'])
})

test('the practice exchange accepts at most 64 entries in a key’s IP allowlist [KEY-03]', async () => {
  const addresses = Array.from({ length: 65 }, (_, index) => `10.0.0.${index}`)
  expect(await listed(addresses.slice(1))).toHaveLength(64)
  expect(await listed(addresses)).toBe('400 VALIDATION_ERROR')
})

test('the practice exchange responds with 403 IP_NOT_ALLOWED to an IPv4 or IPv6 address that is not in the key’s IP allowlist [AUTH-05] [KEY-03]', async () => {
  const cases: [entry: string, inside: string[], outside: string[]][] = [
    ['203.0.113.7', ['203.0.113.7', '::ffff:203.0.113.7'], ['203.0.113.8', '::ffff:203.0.113.8', '::203.0.113.7']],
    ['203.0.113.0/28', ['203.0.113.0', '203.0.113.15'], ['203.0.113.16', '203.0.112.255']],
    ['2001:db8::1', ['2001:0db8:0:0:0:0:0:1', '2001:DB8::1'], ['2001:db8::2', '203.0.113.7']],
    ['2001:db8:4f::/64', ['2001:db8:4f::1', '2001:db8:4f:0:ffff:ffff:ffff:ffff'], ['2001:db8:4f:1::1', '2001:db8:4e:ffff::']],
    ['0.0.0.0/0', ['203.0.113.7', '127.0.0.1'], ['2001:db8::1']],
    ['::/0', ['2001:db8::1', '::1'], ['203.0.113.7']],
  ]
  for (const [entry, inside, outside] of cases)
    await withAllowlist([entry, '192.0.2.1'], async (created) => {
      const from = async (address: string) => {
        bench.faults.callerIp = address
        return brief(await bench.call(account, keyHeader(text(created, 'api_key'))))
      }
      for (const address of [...inside, '192.0.2.1']) expect([entry, address, await from(address)]).toEqual([entry, address, '200'])
      for (const address of outside) expect([entry, address, await from(address)]).toEqual([entry, address, '403 IP_NOT_ALLOWED'])
      bench.faults.callerIp = null
    })
})

test('the practice exchange compares the connection’s address with a key’s IP allowlist, and trusts no forwarding header [AUTH-05]', async () => {
  const here = text(await developer.create({ ip_allowlist: '127.0.0.0/8' }), 'api_key')
  const elsewhere = text(await developer.create({ ip_allowlist: ['203.0.113.7'] }), 'api_key')
  expect(brief(await bench.call(account, keyHeader(here)))).toBe('200')
  const forwarded = { 'X-Forwarded-For': '203.0.113.7', 'X-Real-IP': '203.0.113.7', Forwarded: 'for=203.0.113.7' }
  expect(brief(await bench.call(account, { headers: { 'X-Svc-API-Key': elsewhere, ...forwarded } }))).toBe('403 IP_NOT_ALLOWED')
})

test('the practice exchange applies a key’s IP allowlist only to versioned routes, and checks it before the scope [AUTH-05]', async () => {
  const apiKey = text(await developer.create({ scopes: ['market:read'], ip_allowlist: ['203.0.113.7'] }), 'api_key')
  for (const route of ['GET /api/dex/v1/status', account, 'POST /api/dex/v1/orders/prepare', 'POST /api/dex/v1/orders/execute', 'GET /api/dex/v1/stream'])
    expect([route, brief(await bench.call(route, keyHeader(apiKey)))]).toEqual([route, '403 IP_NOT_ALLOWED'])
  expect(brief(await bench.call('GET /api/dex/status', keyHeader(apiKey)))).toBe('200')
  expect(brief(await developer.call('GET /api/dex/developer/keys'))).toBe('200')
})

test('the practice exchange’s refusal because of a key’s IP allowlist names the caller’s IP address only if configured to do so [AUTH-05]', async () => {
  const apiKey = text(await developer.create({ ip_allowlist: ['203.0.113.7'] }), 'api_key')
  const refused = async () => Object(at(await bench.call(account, keyHeader(apiKey)), 'error'))
  expect(Object.keys(await refused())).toEqual(['code', 'message'])
  bench.faults.ipInRefusal = true
  expect(await refused()).toMatchObject({ code: 'IP_NOT_ALLOWED', ip: '127.0.0.1' })
  bench.faults.callerIp = '2001:db8::17'
  expect(await refused()).toMatchObject({ ip: '2001:db8::17' })
})
