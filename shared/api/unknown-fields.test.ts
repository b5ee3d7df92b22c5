import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UnknownFields } from '../ipc/missing.ts'
import { oneOf } from './reader/answer.ts'
import { may } from './reader/field.ts'
import { text } from './reader/kinds.ts'
import { resource } from './reader/resource.ts'
import { redact } from './redact.ts'
import { boundFields, joinFields, leftOutName, unknownFieldsBounds, withReason } from './unknown-fields.ts'

const reader = oneOf(resource({ name: 'thing', words: ['thing'], sentence: null, source: '', fields: { id: may(['id'], text) } }))
const unknownOf = (source: Readonly<Record<string, unknown>>): string => reader.parse(source).unknownFields ?? 'none'

test('the app keeps short unknown fields of a service answer unchanged', () => {
  expect(unknownOf({ id: 'a', tier: 'gold', limits: { daily: 5 } })).toBe('{"tier":"gold","limits":{"daily":5}}')
})

test('the app shortens long unknown fields of an answer and only counts those beyond the limit, so that no answer can fill the window [ERR-02]', () => {
  const many = JSON.parse(unknownOf(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field_${index}`, index]))))
  expect(many.field_0).toBe(0)
  expect(Object.keys(many).length - 1 + many[leftOutName]).toBe(5_000)
  const long = JSON.parse(unknownOf({ ['n'.repeat(9_000)]: 1, story: 'x'.repeat(9_000), list: Array.from({ length: 9_000 }, () => 7) }))
  expect(Object.entries(long)).toEqual([
    [`${'n'.repeat(79)}…`, 1],
    ['story', `${'x'.repeat(599)}…`],
    ['list', `[${'7,'.repeat(299)}…`],
  ])
})

test('the app writes the start of a long unknown field as if it had redacted all of it [AUTH-09]', () => {
  const secrets = fc.constantFrom('SVC0123456789abcdef', 'svc_whsec_0123456789', '{"api_key":"0123456789abcdef"}', 'plain')
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), secrets, fc.record({ api_key: fc.jsonValue({ maxDepth: 1 }), note: secrets }))
  const long = fc.tuple(value, fc.integer({ min: 1, max: 2_000 })).map(([one, times]) => Array.from({ length: times }, () => one))
  fc.assert(
    fc.property(long, (given) => {
      const all = boundFields(JSON.stringify({ here: redact(given) }))
      expect(unknownOf({ id: 'a', here: given })).toBe(all)
      const next = { first: given, second: 'after' }
      expect(boundFields(JSON.stringify({ here: redact(next, [], unknownFieldsBounds.characters) }))).toBe(boundFields(JSON.stringify({ here: redact(next) })))
    }),
    { numRuns: 100 },
  )
})

test('a large group does not use up the limit before the app has read the fields beside it [GEN-01]', () => {
  const large = Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`part_${index}`, { price: index }]))
  expect(reader.parse({ large, id: 'a' }).id).toBe('a')
})

test('the app writes unknown fields of an answer in a form that its window accepts, regardless of their content [ERR-02]', () => {
  const name = fc.string({ maxLength: 300, unit: 'binary' })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, fc.oneof(fc.jsonValue(), fc.string({ minLength: 500, maxLength: 3_000, unit: 'binary' }))), { maxLength: 40 }),
      (entries) => {
        const written = reader.parse({ ...Object.fromEntries(entries), id: 'a' }).unknownFields
        expect(UnknownFields.safeParse(written).success).toBe(true)
        if (written !== null) expect(JSON.parse(written)).toBeTypeOf('object')
      },
    ),
    { numRuns: 60 },
  )
})

test('the app removes secrets from unknown fields of an answer once more before its window gets the fields [AUTH-09]', () => {
  expect(UnknownFields.parse('{"note":"svc_whsec_abc and SVC0123456789abcdef"}')).toBe('{"note":"svc_whsec_[redacted] and SVC[redacted]"}')
})

test('the app lists the unknown fields of a nested part of an answer with the part’s name as prefix', () => {
  expect(joinFields({ '': '{"a":1}', execution: '{"a":2}', costs: null })).toBe('{"a":1,"execution.a":2}')
  expect(joinFields({ '': null, execution: null })).toBeNull()
})

test('the app stores why a value was unreadable beside the raw value, and keeps the reason when joining the parts of an answer', () => {
  const size = withReason('{"tier":"gold"}', 'size', '500', 'unit')
  expect(JSON.parse(size)).toEqual({ tier: 'gold', size: '500', '?': { size: 'unit' } })
  expect(JSON.parse(joinFields({ '': null, agent: size }) ?? '')).toEqual({ 'agent.tier': 'gold', 'agent.size': '500', '?': { 'agent.size': 'unit' } })
})
