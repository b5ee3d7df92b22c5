import { execFileSync, spawnSync } from 'node:child_process'
import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatIpAddress, parseIpAddress } from './ip-address.ts'

test('the app accepts a dotted IPv4 part only at the end of an IPv6 address [F12]', () => {
  for (const text of ['1.2.3.4::', '1.2.3.4::1', '203.0.113.7::', '::1.2.3.4:1', '1:1.2.3.4::']) expect(parseIpAddress(text)).toBeNull()
  expect(formatIpAddress(parseIpAddress('::ffff:1.2.3.4') ?? { family: 4, value: 0n })).toBe('::ffff:102:304')
})

test('the app accepts exactly the IP addresses that Node’s function isIP accepts', () => {
  const piece = fc.constantFrom('0', '1', '12', '255', '256', 'ffff', 'db8', ':', '::', '.', '1.2.3.4', '/')
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      expect(parseIpAddress(text)?.family ?? 0).toBe(isIP(text))
    }),
    { numRuns: 20_000 },
  )
})

test.each([
  ['::1.2.3.4', '::102:304'],
  ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
  ['1:0:2:0:0:3:0:0', '1:0:2::3:0:0'],
  ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
  ['::0177.0.0.1', null],
  ['::ffff:001.2.3.4', null],
  ['0x7f.1', null],
  ['2130706433', null],
  ['fe80::1%1', null],
])('the app reads the IP address %s as %s', (text, canonical) => {
  const address = parseIpAddress(text)
  expect(address === null ? null : formatIpAddress(address)).toBe(canonical)
})

const python = spawnSync('python3', ['--version']).status === 0

test.runIf(python)('the app reads and writes IP addresses in the same way as Python’s ipaddress module', () => {
  const group = fc.oneof(fc.constant('0'), fc.stringMatching(/^[0-9a-fA-F]{1,4}$/))
  const dotted = fc.array(fc.oneof(fc.nat(256).map(String), fc.constantFrom('01', '0x1')), { minLength: 4, maxLength: 4 }).map((parts) => parts.join('.'))
  const six = fc
    .tuple(fc.array(group, { maxLength: 4 }), fc.constantFrom(':', '::'), fc.array(group, { maxLength: 4 }), fc.option(dotted))
    .map(([head, between, tail, end]) => `${head.join(':')}${between}${[...tail, ...(end === null ? [] : [end])].join(':')}`)
  const texts = fc.sample(fc.oneof(dotted, six), { numRuns: 20_000, seed: 1 })
  const script =
    'import sys, json, ipaddress\ndef read(t):\n try: return str(ipaddress.ip_address(t))\n except ValueError: return None\nprint(json.dumps([read(t) for t in json.load(sys.stdin)]))'
  const byPython = JSON.parse(
    execFileSync('python3', ['-c', script], { input: JSON.stringify(texts), encoding: 'utf8', maxBuffer: 64 * 1_048_576 }),
  ) as unknown[]
  const wrong = texts.flatMap((text, index) => {
    const address = parseIpAddress(text)
    const ours = address === null ? null : formatIpAddress(address)
    // Newer Python versions write an IPv4-mapped address (`::ffff:…`) with a dotted IPv4 part. Both spellings mean the same address, so they count
    // as equal.
    const theirs = typeof byPython[index] === 'string' && byPython[index].startsWith('::ffff:') && byPython[index].includes('.') ? ours : byPython[index]
    return ours === theirs ? [] : [[text, ours, theirs]]
  })
  expect(byPython.filter((address) => address !== null).length).toBeGreaterThan(1_000)
  expect(wrong).toEqual([])
})
