import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allowlistFrom as practiceReads } from '../../../../electron/practice/base/allowlist.ts'
import { readEntry } from './allowlist-editor.tsx'

test('the new-key form accepts the same allowlist entries as the practice exchange, and converts each to the same standard form [F6] [KEY-03]', () => {
  const part = fc.constantFrom(
    '0',
    '1',
    '45',
    '255',
    '256',
    '010',
    '1.2.3.4',
    'ffff',
    '2a01',
    'DB8',
    ':',
    '::',
    '.',
    '/',
    '/24',
    '/031',
    '/96',
    '/124',
    '/0',
    '/129',
    '::ffff:',
    '::ffff:1.2.3.4',
  )
  const written = fc.array(part, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(''))
  let taken = 0
  fc.assert(
    fc.property(written, (text) => {
      const { normal } = readEntry(text)
      const practice = practiceReads([text])
      expect(practice.ok ? practice.value : null).toEqual(normal === null ? null : [normal])
      if (normal !== null) taken += 1
    }),
    {
      numRuns: 30_000,
      examples: [
        ['::ffff:1.2.3.4'],
        ['1.2.3.4/031'],
        ['1.2.3.4::'],
        ['::ffff:45.76.113.9/124'],
        ['::ffff:45.76.113.9/95'],
        ['::ffff:45.76.113.9/0'],
        ['2A01:0:0::1/64'],
      ],
    },
  )
  expect(taken).toBeGreaterThan(100)
})
