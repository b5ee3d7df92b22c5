import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatIpAddress, parseIpAddress } from '../../../../shared/net/ip-address.ts'
import { readAllowlist, readEntry, sentAllowlist, splitEntries } from './allowlist-editor.tsx'

test.each([
  ['45.76.113.7', '45.76.113.7'],
  ['45.76.113.0/28', '45.76.113.0/28'],
  ['45.76.113.7/32', '45.76.113.7'],
  [' 2A01:DB8:4f:0::/64 ', '2a01:db8:4f::/64'],
  ['2a01:db8::1/128', '2a01:db8::1'],
  ['::ffff:45.76.113.7', '45.76.113.7'],
  ['::ffff:45.76.113.0/124', '45.76.113.0/28'],
])('the form for a new key accepts the IP allowlist entry %s as %s [KEY-03]', (typed, normal) => {
  expect(readEntry(typed)).toMatchObject({ normal, issue: null })
})

test.each([
  '',
  '203.0.113',
  '45.76.113.256',
  '45.76.113.07',
  '1.2.3.4.5',
  '2001:db8',
  ':::',
  '1::2::3',
  '45.76.113.7::',
  '1.2.3.4::5',
  'fe80::1%eth0',
  '45.76.113.0/33',
  '2001:db8::/129',
  '45.76.113.0/',
  '1.2.3.4/8/8',
  '45.76.113.0/+8',
  'bot.example',
])('the form for a new key refuses the IP allowlist entry %j and says why [KEY-03]', (typed) => {
  const entry = readEntry(typed)
  expect(entry.normal).toBeNull()
  expect(entry.issue?.level).toBe('error')
  expect(entry.issue?.text).toMatch(/\.$/)
})

test('the new-key form suggests the single IP address when the prefix length of an allowlist range is invalid', () => {
  expect(readEntry('45.32.100.0/33').issue?.fix).toEqual({ label: 'Use 45.32.100.0', entry: '45.32.100.0' })
  expect(readEntry('::ffff:45.32.100.0/24').issue?.fix?.entry).toBe('45.32.100.0')
})

test.each([
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/8',
  '10.1.2.3',
  '192.168.1.0/24',
  '172.20.0.1',
  '127.0.0.1',
  '100.64.0.0/10',
  'fd00::/8',
  'fe80::1',
  '::1',
  '8.0.0.0/5',
  '0.0.0.0',
  '::',
  '::ffff:10.0.0.1',
  '224.0.0.1',
  '224.0.0.0/4',
  '240.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '198.18.0.0/15',
  '198.51.100.7',
  '203.0.113.0/24',
  '2001:db8::1',
  'ff02::1',
  'fec0::1',
])('the form for a new key warns about the IP allowlist entry %s, but still sends it [KEY-03] [F11]', (typed) => {
  const entry = readEntry(typed)
  expect(entry.issue?.level).toBe('warning')
  expect(entry.normal).not.toBeNull()
})

test.each([
  ['"45.76.113.7"', '45.76.113.7', '"'],
  ['45.76.113.7\u200b', '45.76.113.7', '‹U+200B›'],
  ['[2a01:db8::1]', '2a01:db8::1', '['],
])('the form for a new key names the invalid character in the IP allowlist entry %s, and suggests the entry without it [F11]', (typed, entry, character) => {
  expect(readEntry(typed)).toMatchObject({
    normal: null,
    issue: { level: 'error', text: `An address cannot contain ${character}.`, fix: { label: `Use ${entry}`, entry } },
  })
})

test('the new-key form does not warn about a public IP address range in an allowlist just because it contains private addresses', () => {
  expect(readEntry('172.0.0.0/8').issue).toBeNull()
})

test('the new-key form clears the host bits of an allowlist range, and reports the change', () => {
  const entry = readEntry('45.76.113.9/28')
  expect(entry.normal).toBe('45.76.113.0/28')
  expect(entry.issue?.fix?.entry).toBe('45.76.113.9')
})

test('the new-key form sends each IP address range of an allowlist once, even if the user enters it in different spellings [KEY-03]', () => {
  const entries = readAllowlist(['2001:db8::/32', '2001:0DB8:0::/32', '45.76.113.1', 'nonsense'])
  expect(entries[1]?.issue?.level).toBe('warning')
  expect(sentAllowlist(entries)).toEqual(['2001:db8::/32', '45.76.113.1'])
})

test('the new-key form does not warn about a private address at which the exchange itself sees this computer', () => {
  expect(readAllowlist(['127.0.0.1'])[0]?.issue?.level).toBe('warning')
  expect(readAllowlist(['127.0.0.1'], '127.0.0.1')).toEqual([{ text: '127.0.0.1', normal: '127.0.0.1', issue: null }])
  expect(readAllowlist(['10.0.0.1'], '127.0.0.1')[0]?.issue?.level).toBe('warning')
})

test('the new-key form splits a pasted allowlist at commas and line ends', () => {
  expect(splitEntries('45.76.113.1, 45.76.113.2\n2a01:db8::1;')).toEqual(['45.76.113.1', '45.76.113.2', '2a01:db8::1'])
})

test('the app’s standard spelling of an IP address always parses back to the same address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = parseIpAddress(text)
      if (address === null) throw new Error(`not read: ${text}`)
      expect(parseIpAddress(formatIpAddress(address))).toEqual(address)
    }),
  )
})
