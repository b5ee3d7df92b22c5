import fc from 'fast-check'
import { expect, test } from 'vitest'
import { equals, formatDecimal, roundTo } from '../decimal.ts'
import { formIssueText } from '../text/form-text.ts'
import { numberIssue, readAs, slippageBps, typedDecimal } from './typed-number.ts'

const digits = (min: number, max: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max })

test('the app refuses a typed number such as 1,500, whose comma may mean a decimal point, or shows how it read the number [F1]', () => {
  fc.assert(
    fc.property(digits(0, 6), digits(3, 3), fc.constantFrom('', ' ', '-', '\u2212'), (whole, fraction, before) => {
      const typed = `${before}${whole},${fraction}`
      const value = typedDecimal(typed)
      if (value === null) expect(readAs(typed)).toBeNull()
      else expect(readAs(typed)).toBe(formatDecimal(value, { decimals: 2 }))
    }),
  )
})

test('the app refuses a typed number such as 0,500 and suggests a decimal point, because such a comma cannot separate thousands [F1]', () => {
  fc.assert(
    fc.property(digits(3, 3), fc.constantFrom('0', '00', '-0', '012'), (fraction, whole) => {
      expect(typedDecimal(`${whole},${fraction}`)).toBeNull()
      expect(formIssueText(numberIssue(`${whole},${fraction}`, ['typePrice']))).toMatch(/^Write -?\d+(\.\d+)? with a point\./)
    }),
  )
})

test.each([
  ['0,001', null, null, 'Write 0.001 with a point. A comma only groups thousands.'],
  ['0,5', null, null, 'Write 0.5 with a point. A comma only groups thousands.'],
  ['1.500,25', null, null, 'Write 1500.25 with a point. A comma only groups thousands.'],
  ['1,50', null, null, 'Write 1.5 with a point. A comma only groups thousands.'],
  ['1,500', '1500', '1,500.00', ''],
  ['12,345,678.9', '12345678.9', '12,345,678.90', ''],
  ['1,500.125', '1500.125', '1,500.125', ''],
  ['+1,500.25', '1500.25', '1,500.25', ''],
  ['1.5e3', '1500', '1,500.00', ''],
  ['5E-3', '0.005', '0.005', ''],
  ['0,5e3', null, null, 'Type a price.'],
  ['1,5,000', null, null, 'Type a price.'],
  ['1 500', null, null, 'Type a price.'],
  ['1500', '1500', null, ''],
  [' \u00a01500.50\u202f', '1500.5', null, ''],
  ['\u22121.5', '-1.5', null, ''],
  [',', null, null, 'Type a price.'],
  ['abc', null, null, 'Type a price.'],
])('the app reads the typed text %s as a number (%s), and shows the user how it read the text: %s', (typed, value, read, issue) => {
  expect(typedDecimal(typed)).toBe(value)
  expect(readAs(typed)).toBe(read)
  if (value === null) expect(formIssueText(numberIssue(typed, ['typePrice']))).toBe(issue)
})

test('the app reads every number back as the same number, in every format in which it shows numbers [F19]', () => {
  const amount = fc
    .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 14n }), digits(1, 8))
    .map(([below, whole, part]) => `${below ? '-' : ''}${whole}.${part}`)
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 8 }), fc.constantFrom('auto' as const, 'always' as const), (value, decimals, sign) => {
      const back = typedDecimal(formatDecimal(value, { decimals, sign }))
      expect(back !== null && equals(back, roundTo(value, decimals))).toBe(true)
    }),
  )
})

test('the app refuses a typed slippage with a decimal comma', () => {
  expect([slippageBps('0.5'), slippageBps('0,5'), slippageBps('0,500')]).toEqual([50, null, null])
})
