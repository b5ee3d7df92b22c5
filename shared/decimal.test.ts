import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  absolute,
  add,
  basisPointsOf,
  changePercent,
  compare,
  decimalsOf,
  divide,
  equals,
  formatDecimal,
  fromUnits,
  isMultipleOf,
  isZero,
  multiply,
  negate,
  normalise,
  parseDecimal,
  percentOf,
  roundTo,
  roundToStep,
  signOf,
  subtract,
  toUnits,
} from './decimal.ts'

const scaled = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 30 }))

test('the app converts amounts between whole units and decimal text at every scale without loss [ORD-04]', () => {
  fc.assert(fc.property(scaled, ([units, scale]) => toUnits(fromUnits(units, scale), scale) === units))
})

test('the app adds, subtracts and multiplies decimal numbers without losing a digit [ORD-04]', () => {
  expect(add('0.1', '0.2')).toBe('0.3')
  expect(subtract('1', '0.999999999999999999999999')).toBe('0.000000000000000000000001')
  fc.assert(
    fc.property(scaled, scaled, ([a, scaleA], [b, scaleB]) => {
      const [x, y] = [fromUnits(a, scaleA), fromUnits(b, scaleB)]
      expect(subtract(add(x, y), y)).toBe(normalise(x))
      expect(toUnits(multiply(x, y), scaleA + scaleB)).toBe(a * b)
    }),
  )
})

test('the app’s decimal conversion returns null for a value with more decimals than the scale allows', () => {
  expect(toUnits('25000.0000001', 6)).toBeNull()
  expect(toUnits('25000.0000000', 6)).toBe(25_000_000_000n)
})

test('the app reads numbers as people type them, and refuses text that only looks like a number', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['25000', '25000'],
    [' 007.10 ', '7.1'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
    ['+3', '3'],
    ['-0', '0'],
    ['1e-7', '0.0000001'],
    ['1,000', null],
    ['', null],
    ['.', null],
    ['0x10', null],
    ['NaN', null],
    ['Infinity', null],
    ['1 000', null],
    ['1e9999', null],
  ]
  for (const [typed, value] of cases) expect([typed, parseDecimal(typed)]).toEqual([typed, value])
})

const digits = fc.string({ unit: fc.constantFrom('0', '0', '1', '9'), minLength: 1, maxLength: 12 })
const plain = fc
  .tuple(fc.constantFrom('', '-'), digits, fc.option(digits))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}`)

test('the app normalises decimal text in the same way as the library big.js, but drops the sign of zero [ORD-04]', () => {
  fc.assert(
    fc.property(plain, (value) => {
      const expected = new Big(value).eq(0) ? '0' : new Big(value).toFixed()
      expect(normalise(value)).toBe(expected)
      expect(parseDecimal(` ${value} `)).toBe(expected)
      expect(parseDecimal(value)).toBe(expected)
    }),
    { examples: [['-0'], ['-0.0'], ['00'], ['-007.010'], ['0.10'], ['100'], ['10.0']] },
  )
})

test('the app compares decimal numbers in the same way as the library big.js, and changes their sign in the same way [ORD-04]', () => {
  const one = (value: Big): string => (value.eq(0) ? '0' : value.toFixed())
  fc.assert(
    fc.property(plain, plain, (a, b) => {
      expect(compare(a, b)).toBe(new Big(a).cmp(new Big(b)))
      expect(compare(a, a)).toBe(0)
      expect(equals(a, b)).toBe(new Big(a).eq(new Big(b)))
      expect(signOf(a)).toBe(new Big(a).cmp(0))
      expect(isZero(a)).toBe(new Big(a).eq(0))
      expect(negate(a)).toBe(one(new Big(a).times(-1)))
      expect(absolute(a)).toBe(one(new Big(a).abs()))
    }),
    {
      examples: [
        ['-0', '0'],
        ['1.10', '1.1'],
        ['9', '10'],
        ['-9', '-10'],
        ['1.5', '1.45'],
        ['12', '12.5'],
        ['-12', '-12.5'],
      ],
    },
  )
})

test('the app refuses a decimal number that is too long, in any notation', () => {
  expect(parseDecimal('9'.repeat(200))).toBe('9'.repeat(200))
  expect(parseDecimal('9'.repeat(201))).toBeNull()
  expect(parseDecimal(`0.${'0'.repeat(200)}`)).toBeNull()
})

test('the app’s decimal functions throw on text that is not a decimal number, because only a bug can pass such text', () => {
  expect(() => add('1', 'abc')).toThrow(TypeError)
  expect(() => divide('1', '0', 2)).toThrow(RangeError)
})

test('the app rounds decimal numbers up, down or to the nearest, as requested', () => {
  expect(roundTo('1.005', 2)).toBe('1.01')
  expect(roundTo('1.009', 2, 'down')).toBe('1')
  expect(roundTo('1.001', 2, 'up')).toBe('1.01')
  expect(divide('1', '3', 4)).toBe('0.3333')
  expect(roundToStep('96412.37', '0.5')).toBe('96412.5')
  expect(roundToStep('96412.9', '5', 'down')).toBe('96410')
  expect(isMultipleOf('96412.5', '0.5')).toBe(true)
  expect(isMultipleOf('96412.4', '0.5')).toBe(false)
})

test('the app computes percentages and basis points of decimal numbers', () => {
  expect(percentOf('1', '8', 2)).toBe('12.5')
  expect(percentOf('1', '0', 2)).toBeNull()
  expect(changePercent('96412.5', '98500', 2)).toBe('2.17')
  expect(basisPointsOf('25000', 50)).toBe('125')
  expect(compare('10', '9')).toBe(1)
  expect(decimalsOf('1.50')).toBe(1)
})

test('the app formats numbers with thousands separators, fixed decimals and a real minus sign', () => {
  expect(formatDecimal('-1234567.5', { decimals: 2 })).toBe('−1,234,567.50')
  expect(formatDecimal('25000', { minDecimals: 2 })).toBe('25,000.00')
  expect(formatDecimal('0.00012345')).toBe('0.00012345')
  expect(formatDecimal('509.83', { decimals: 2, sign: 'always' })).toBe('+509.83')
  expect(formatDecimal('-0.001', { decimals: 2, sign: 'always' })).toBe('0.00')
  expect(formatDecimal('1234', { grouped: false })).toBe('1234')
})
