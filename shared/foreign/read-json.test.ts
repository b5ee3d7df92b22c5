import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foreign } from './foreign.ts'
import { deeper, deepest, mostValues, parseJson, readJson } from './parse-json.ts'

const read = (text: string): unknown => readJson(foreign(text))
const nested = (depth: number, inner = '1'): string => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`

function below(value: unknown, levels: number): unknown {
  let at = value
  for (let level = 0; level < levels; level += 1) at = Array.isArray(at) ? at[0] : undefined
  return at
}

test('type checking fails if code other than the answer parser reads a service answer as text or JSON [V2]', () => {
  const sent = foreign('{"a":1}')
  // @ts-expect-error: foreign data is not text
  JSON.parse(sent)
  // @ts-expect-error: foreign data has no length
  void sent.length
  // @ts-expect-error: foreign data is not assignable to text
  const text: string = sent
  expect(text).toBe('{"a":1}')
})

/** Parses the JSON with V8's reviver, which shows the digits of each number as written. */
function byReviver(text: string): unknown {
  const parse = JSON.parse as (text: string, revive: (name: string, value: unknown, context: { readonly source?: string }) => unknown) => unknown
  try {
    return parse(text, (_name, value, { source = '' }) => {
      if (typeof value !== 'number') return value
      if (/^-?\d+$/.test(source)) return Number.isSafeInteger(value) ? value : source
      return source.replace(/\D/g, '').length > 15 ? source : value
    })
  } catch {
    return undefined
  }
}

test('the app keeps every digit of the numbers in JSON text', () => {
  const digits = (least: number, most: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most })
  const number = fc
    .tuple(fc.constantFrom('', '-'), digits(1, 25), fc.option(digits(1, 25)), fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), digits(1, 3))))
    .map(([sign, whole, part, exponent]) => `${sign}${whole}${part === null ? '' : `.${part}`}${exponent?.join('') ?? ''}`)
  const text = fc
    .tuple(fc.json({ maxDepth: 12 }), number, number)
    .chain(([json, one, other]) =>
      fc.constantFrom(json, one, `[${one},${other}]`, `{"a":${one},"b":[${other} ]}`, `{${one}:1}`, `{${one} :1}`, `[${one} ${other}]`, `"${one}"`),
    )
  fc.assert(
    fc.property(text, (written) => {
      expect(read(written)).toEqual(byReviver(written))
      expect(parseJson(written)).toEqual(byReviver(written))
    }),
    { numRuns: 3_000 },
  )
})

test('the app reads or refuses any text as JSON, and never throws', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
    'a',
    '1',
    '12345678901234567890',
    '0.1234567890123456',
    '-',
    'null',
    ' ',
    '\\u0000',
    '\ud800',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      const text = pieces.join('')
      let expected: unknown
      try {
        expected = JSON.parse(text)
      } catch {
        expected = undefined
      }
      expect(read(text) === undefined).toBe(expected === undefined)
    }),
    { numRuns: 2_000 },
  )
})

test.each([deepest, deepest + 1, 4_000, 1_000_000])('the app parses JSON nested %i levels deep, and cuts values below the maximum depth', (depth) => {
  const value = read(nested(depth))
  expect(below(value, deepest)).toBe(depth === deepest ? 1 : deeper)
  const beside = read(`{"id":12345678901234567890,"nest":${nested(depth, '"]"')},"api_key":"SVC1"}`)
  expect(beside).toMatchObject({ id: '12345678901234567890', api_key: 'SVC1' })
})

test('the app’s JSON parser does not count brackets and quotes inside strings as nesting', () => {
  const text = JSON.stringify({ a: `${'['.repeat(500)}"\\"`, b: '\\', c: ['{'.repeat(500)] })
  expect(read(text)).toEqual(JSON.parse(text))
})

test('the app’s JSON parser refuses JSON with more values than the longest documented list has', () => {
  const list = (length: number) => `[${'1,'.repeat(length - 2)}1]`
  expect(read(list(mostValues))).toHaveLength(mostValues - 1)
  expect(read(list(mostValues + 2))).toBeUndefined()
})
