import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFieldPlans } from './field-plan.ts'
import { decimal, fieldsReader, findField, may, must, objectReader, text } from './loose.ts'
import { redact } from './redact.ts'

const never = () => {}
const row = objectReader({ id: must(['id', 'key_id'], text), price: may(['mark_price', 'mark', 'price'], decimal) })

test('rows of different names, one after the other, are each read by their own [ERR-02]', () => {
  const variants = [
    { id: 'a', mark: '1', note: 'x' },
    { mark: '1', id: 'a', note: 'x' },
    { id: 'a', note: 'x', price: '1' },
    { keyId: 'a', 'MARK-PRICE': '1', note: 'x' },
    { id: null, key_id: 'a', mark_price: null, price: '1.0', note: 'x' },
    ...Array.from({ length: 20 }, (_, index) => ({ id: 'a', mark: 1, note: 'x', [`absent${index}`]: null })),
  ]
  for (const value of [...variants, ...variants.toReversed(), ...variants])
    expect([value, row(value, never)]).toEqual([value, { id: 'a', price: '1', unknownFields: '{"note":"x"}' }])
})

test('a value that is null in one row and not in the next is found in both [ERR-02]', () => {
  expect(row({ id: 'a', mark_price: null, mark: '2' }, never)?.price).toBe('2')
  expect(row({ id: 'a', mark_price: '3', mark: '2' }, never)).toEqual({ id: 'a', price: '3', unknownFields: '{"mark":"2"}' })
  expect(row({ id: 'a', mark_price: 'soon', mark: '2' }, never)).toEqual({ id: 'a', price: null, unknownFields: '{"mark_price":"soon","mark":"2"}' })
})

test('reading one row leaves no trace in the next [ERR-02]', () => {
  expect(row({ id: 'a', mark: '1', note: 'x' }, never)).toEqual({ id: 'a', price: '1', unknownFields: '{"note":"x"}' })
  expect(row({ id: 'b', mark: null, note: null }, never)).toEqual({ id: 'b', price: null, unknownFields: null })
})

/** They say nothing about the subject of an answer, and are never unknown. */
const envelope = ['success', 'ok', 'request_id', 'requestId']
const name = fc
  .oneof(fc.constantFrom('id', 'Mark_Price', 'price', '__proto__', 'api_key', 'SVC0123456789abcdef', 'é"\\', '7'), fc.string())
  .filter((one) => !envelope.includes(one))
const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('SVC0123456789abcdef', 'a "quoted" \\ text', 'é', '\u2028', '{"token": "x"}'))

test('whatever the names and values, what is not known is told as the redacted object would be [AUTH-09] [ERR-02]', () => {
  const reader = objectReader({ price: may(['mark_price', 'price'], decimal) })
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), (entries) => {
      const source = JSON.parse(JSON.stringify(Object.fromEntries(entries))) as Record<string, unknown> // an object of our own making
      const found = findField(source, ['mark_price', 'price'])
      const price = found === null ? undefined : decimal(found.value, never)
      const rest = Object.entries(source).filter(([key, held]) => held !== null && !(price !== undefined && key === found?.name))
      const told = rest.length === 0 ? null : JSON.stringify(redact(Object.fromEntries(rest)))
      // Twice: the first object of its names, and one whose names are known.
      for (let time = 0; time < 2; time += 1) expect(reader(source, never)).toEqual({ price: price ?? null, unknownFields: told })
    }),
    { examples: [[[['api_key', 'x']]], [[['SVC0123456789abcdef', 1]]], [[['note', 'SVC0123456789abcdef']]], [[['a', '{"token": "x"}']]]] },
  )
})

test('names that may hold a secret, and objects of very many names, are not remembered [AUTH-09]', () => {
  const planOf = createFieldPlans([['id']], new Set())
  const remembers = (source: Readonly<Record<string, unknown>>): boolean => planOf(source) === planOf({ ...source })
  expect(remembers({ id: 1, note: 2 })).toBe(true)
  expect(remembers({ id: 1, SVC0123456789abcdef: 2 })).toBe(false)
  expect(remembers(Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`name${index}`, index])))).toBe(false)
})

test('what is not asked for is not looked at, and not handed on', () => {
  expect(fieldsReader({ id: must(['id'], text) })({ id: 'a', api_key: 'x' }, never)).toEqual({ id: 'a' })
})

test('a required field that cannot be read says why, with the path below it', () => {
  const inner = objectReader({ amount: must(['amount'], decimal) })
  const reader = objectReader({ costs: must(['costs', 'fees'], inner) })
  const issues: unknown[] = []
  const complain = (path: readonly PropertyKey[], issue: string) => issues.push([path, issue])
  for (const wrong of [{ fees: { amount: 'soon' } }, { fees: {} }, { fees: 7 }, {}]) expect(reader(wrong, complain)).toBeUndefined()
  expect(issues).toEqual([
    [['fees', 'amount'], 'not readable'],
    [['fees', 'amount'], 'missing'],
    [['fees'], 'not readable'],
    [['costs'], 'missing'],
  ])
})
