import { expect, test } from 'vitest'
import { findFloats } from './float-arithmetic.ts'

const findings = (source: string) => findFloats(source).map(({ finding }) => finding)

test.each([
  'const a = Number(price)',
  'const a = parseFloat(typed)',
  'const a = Number.parseFloat(typed)',
  'const a = globalThis.parseInt(typed)',
  'const a = +price',
  'const a = ~~price',
  'const a = price | 0',
  'const a = price >>> 0',
])('the check for floating-point arithmetic finds code that converts text to a number [ORD-04]: %s', (source) => {
  expect(findings(source)).toContain('text made into a number')
})

test.each(['const a = price.toFixed(2)', 'const a = x.toPrecision(3)', 'const a = Math.round(x)', 'const a = Math.max(...all)'])(
  'the check for floating-point arithmetic finds code that rounds a number [ORD-04]: %s',
  (source) => {
    expect(findings(source)).toEqual(['rounded as a number'])
  },
)

test.each([
  'const a = price + fee',
  'const a = ticket.limitPrice < mark',
  'const a = order?.size >= held',
  'const a = (margin as string) * x',
  'const a = x / orderValueUsdc.amount',
  'margin += more',
  'const a = -profit',
  'size++',
  'const a = takeProfit! > x',
])('the check for floating-point arithmetic finds arithmetic on a variable that contains an amount [ORD-04]: %s', (source) => {
  expect(findings(source)).toContain('arithmetic on an amount')
})

test.each([
  'interface A { readonly amountUsdc: number }',
  'interface A { readonly price: number | null }',
  'const f = (price: number) => price',
  'class A { fee: number = 1 }',
  'const A = z.object({ orderPrice: z.number().min(1) })',
])('the check for floating-point arithmetic finds an amount declared with the type number [ORD-04]: %s', (source) => {
  expect(findings(source)).toEqual(['an amount declared as a number'])
})

test('the check for floating-point arithmetic finds a fractional number literal, but accepts the same digits in a string', () => {
  expect(findings('const a = 0.5')).toEqual(['a number with a fraction'])
  expect(findings("const a = '0.5'")).toEqual([])
})

test('the check for floating-point arithmetic ignores whole numbers, times, on-chain integers and numbers that are kept as text', () => {
  const source = `
    const later = nowMs + 5 * second
    const share = index + 1 < list.length
    const units = 10n ** 6n - (value << 8n)
    const next = add(price, multiply(fee, '2'))
    const decimals = priceDecimals + 1
    const same = price === mark
    interface A { readonly price: string; readonly maxSlippageBps: number; readonly sizeDecimals: number }
  `
  expect(findings(source)).toEqual([])
})

test('the check for floating-point arithmetic reports the line and the enclosing declaration, also after multi-byte characters', () => {
  const source = "// ×××\nconst text = '×'\n\nexport function total(list: string[]) {\n  return list.map((one) => Number(one))\n}\n"
  expect(findFloats(source)).toEqual([{ line: 5, finding: 'text made into a number', within: 'total' }])
  expect(findFloats(source)).toEqual(findFloats(source))
})
