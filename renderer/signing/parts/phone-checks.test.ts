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

test('the signing sheet picks the amount, side, price and contract for the check on the phone, in any order of the comparison lines [FLOW-02]', () => {
  const checks = phoneChecks(
    comparison([
      line('side', 'Long'),
      line('contract', '0x4B1c…82Fb', { field: 'domain.verifyingContract', group: 'envelope' }),
      line('referencePrice', '96,412.5'),
      line('orderValue', '250.00', { unit: 'USDC' }),
    ]),
  )
  expect(checks.map((check) => check.field)).toEqual(['orderValue', 'side', 'referencePrice', 'verifyingContract'])
  expect(checks[3]?.code).toBe(true)
})

test('the signing sheet asks the user to check TP and SL on the phone, beside the price, and asks for at most five checks [FLOW-02]', () => {
  const order = [
    line('stopLoss', '94,300.0'),
    line('takeProfit', '98,500.0'),
    line('contract', '0x4B1c…82Fb', { field: 'domain.verifyingContract', group: 'envelope' }),
    line('limitPrice', '96,000.0'),
    line('leverage', '10×'),
    line('side', 'Short'),
    line('orderValue', '250.00', { unit: 'USDC' }),
  ]
  expect(phoneChecks(comparison(order)).map((check) => check.field)).toEqual(['orderValue', 'side', 'limitPrice', 'takeProfit', 'stopLoss'])
  const onlyStop = order.filter(({ id }) => id !== 'takeProfit')
  expect(phoneChecks(comparison(onlyStop)).map((check) => check.field)).toEqual(['orderValue', 'side', 'limitPrice', 'stopLoss', 'verifyingContract'])
})

test('the signing sheet asks the user to check both TP and SL of a position on the phone, and adds other values up to three checks', () => {
  const contract = line('contract', '0x4B1c…82Fb', { field: 'domain.verifyingContract', group: 'envelope' })
  const exits = [line('positionId', '90003'), line('takeProfit', '98,500.0'), line('stopLoss', '94,300.0'), contract]
  expect(phoneChecks(comparison(exits)).map((check) => check.field)).toEqual(['positionId', 'takeProfit', 'stopLoss', 'verifyingContract'])
  const cancel = [line('market', 'BTC-PERP'), line('orderId', '17'), line('note', 'Cancel'), line('reason', 'User')]
  expect(phoneChecks(comparison(cancel)).map((check) => check.field)).toEqual(['orderId', 'market', 'note'])
})

test('the signing sheet does not ask the user to check an empty price on the phone, because the phone shows no value for it', () => {
  const empty = { asked: { code: 'none' }, signed: { code: 'none' } } as const
  const lines = [line('orderId', '17'), line('limitPrice', null, empty), line('triggerPrice', '96,000.0'), line('stopLoss', '94,300.0')]
  expect(phoneChecks(comparison(lines)).map((check) => check.field)).toEqual(['orderId', 'triggerPrice', 'stopLoss'])
})

test('the signing sheet never asks the user to check a value on the phone that did not match the request', () => {
  const checks = phoneChecks(comparison([line('orderValue', '2,500.00', { verdict: 'differ' }), line('leverage', '10×')]))
  expect(checks.map((check) => check.field)).toEqual(['leverage'])
})

test('the signing sheet splits the digest of a message into eight groups of characters, without losing one', () => {
  const digest = `0x${'0123456789abcdef'.repeat(4)}`
  const groups = digestGroups(digest)
  expect(groups).toHaveLength(8)
  expect(groups.join('')).toBe(digest)
})
