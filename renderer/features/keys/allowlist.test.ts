import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatIpAddress, parseIpAddress } from '../../../shared/ip-address.ts'
import { readAllowlist, readEntry, sentAllowlist, splitEntries } from './allowlist.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.0/28', '203.0.113.0/28'],
  ['203.0.113.7/32', '203.0.113.7'],
  [' 2001:DB8:4f:0::/64 ', '2001:db8:4f::/64'],
  ['2001:db8::1/128', '2001:db8::1'],
  ['::ffff:203.0.113.7', '::ffff:cb00:7107'],
])('takes %s as %s [KEY-03]', (typed, normal) => {
  expect(readEntry(typed)).toMatchObject({ normal, issue: null })
})

test.each([
  '',
  '203.0.113',
  '203.0.113.256',
  '203.0.113.07',
  '1.2.3.4.5',
  '2001:db8',
  ':::',
  '1::2::3',
  'fe80::1%eth0',
  '203.0.113.0/33',
  '2001:db8::/129',
  '203.0.113.0/',
  '1.2.3.4/8/8',
  '203.0.113.0/+8',
  'bot.example',
])('refuses %j and says why [KEY-03]', (typed) => {
  const entry = readEntry(typed)
  expect(entry.normal).toBeNull()
  expect(entry.issue?.level).toBe('error')
  expect(entry.issue?.text).toMatch(/\.$/)
})

test('offers the single address where the ending of a range is impossible', () => {
  expect(readEntry('198.51.100.0/33').issue?.fix).toEqual({ label: 'Use 198.51.100.0', entry: '198.51.100.0' })
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
])('warns about %s and still sends it [KEY-03]', (typed) => {
  const entry = readEntry(typed)
  expect(entry.issue?.level).toBe('warning')
  expect(entry.normal).not.toBeNull()
})

test('a range around a private one is not called private', () => {
  expect(readEntry('172.0.0.0/8').issue).toBeNull()
})

test('clears the host bits of a range and says so', () => {
  const entry = readEntry('203.0.113.9/28')
  expect(entry.normal).toBe('203.0.113.0/28')
  expect(entry.issue?.fix?.entry).toBe('203.0.113.9')
})

test('sends each range once, whatever way it was written [KEY-03]', () => {
  const entries = readAllowlist(['2001:db8::/32', '2001:0DB8:0::/32', '203.0.113.1', 'nonsense'])
  expect(entries[1]?.issue?.level).toBe('warning')
  expect(sentAllowlist(entries)).toEqual(['2001:db8::/32', '203.0.113.1'])
})

test('cuts a pasted list at commas and line ends', () => {
  expect(splitEntries('203.0.113.1, 203.0.113.2\n2001:db8::1;')).toEqual(['203.0.113.1', '203.0.113.2', '2001:db8::1'])
})

test('the canonical text of an address reads back as the same address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = parseIpAddress(text)
      if (address === null) throw new Error(`not read: ${text}`)
      expect(parseIpAddress(formatIpAddress(address))).toEqual(address)
    }),
  )
})
