import { expect, test } from 'vitest'
import type { ComparisonLine } from '../../../shared/ipc/intents/comparison-lines.ts'
import type { Comparison } from '../../../shared/ipc/intents/signing.ts'
import { digestGroups, phoneChecks } from './phone-checks.ts'

const line = (id: string, signed: string | null, more: Partial<ComparisonLine> = {}): ComparisonLine => ({
  id,
  asked: signed,
  signed,
  unit: null,
  field: id,
  verdict: 'match',
  remark: null,
  group: 'order',
  ...more,
})

const comparison = (lines: readonly ComparisonLine[]): Comparison => ({
  compares: 'message',
  primaryType: 'OpenPosition',
  lines: [...lines],
  matched: lines.length,
  total: lines.length,
  verdict: 'pass',
  asks: null,
  blocked: null,
  formatHash: '0x00',
  formatKnown: true,
  earlierFormats: [],
  digest: '0x00',
  raw: '{}',
})

test('picks the amount, the price and the contract to check on the phone, regardless of the order of the lines [FLOW-02]', () => {
  const checks = phoneChecks(
    comparison([
      line('side', 'Long'),
      line('contract', '0x4B1c…82Fb', { field: 'domain.verifyingContract', group: 'envelope' }),
      line('referencePrice', '96,412.5'),
      line('orderValue', '250.00', { unit: 'USDC' }),
    ]),
  )
  expect(checks.map((check) => check.field)).toEqual(['orderValue', 'referencePrice', 'verifyingContract'])
  expect(checks[2]?.code).toBe(true)
})

test('never asks the user to check a value on the phone that did not match the request', () => {
  const checks = phoneChecks(comparison([line('orderValue', '2,500.00', { verdict: 'differ' }), line('leverage', '10×')]))
  expect(checks.map((check) => check.field)).toEqual(['leverage'])
})

test('splits the digest into eight groups of eight characters', () => {
  const digest = `0x${'0123456789abcdef'.repeat(4)}`
  const groups = digestGroups(digest)
  expect(groups).toHaveLength(8)
  expect(groups.join('')).toBe(digest)
})
