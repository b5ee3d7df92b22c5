import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatIpAddress, parseIpAddress } from './ip-address.ts'

test('a dotted part stands at the very end of an IPv6 address, or it is none [F12]', () => {
  for (const text of ['1.2.3.4::', '1.2.3.4::1', '203.0.113.7::', '::1.2.3.4:1', '1:1.2.3.4::']) expect(parseIpAddress(text)).toBeNull()
  expect(formatIpAddress(parseIpAddress('::ffff:1.2.3.4') ?? { family: 4, value: 0n })).toBe('::ffff:102:304')
})

test('takes for an address what the system takes for one, and nothing else', () => {
  const piece = fc.constantFrom('0', '1', '12', '255', '256', 'ffff', 'db8', ':', '::', '.', '1.2.3.4', '/')
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      expect(parseIpAddress(text)?.family ?? 0).toBe(isIP(text))
    }),
    { numRuns: 20_000 },
  )
})
