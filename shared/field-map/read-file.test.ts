import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnswerFields } from './answer-fields.ts'
import { fieldMapText, type MapEntry, mapLimits } from './field-map-entries.ts'
import { readFieldMapFile } from './read-file.ts'

const answers: AnswerFields = {
  position: {
    size: { documented: false, guarded: false, units: 'amount' },
    ratio: { documented: false, guarded: false, units: 'ratio' },
    id: { documented: false, guarded: false, units: 'none' },
    side: { documented: true, guarded: false, units: 'none' },
    agent: { documented: false, guarded: true, units: 'none' },
  },
}
const read = (text: string) => readFieldMapFile(text, answers)
const issues = (text: string): string[] => {
  const found = read(text)
  if (found.ok) throw new Error('it was read')
  return found.failure.map(({ line, code, path }) => `${line} ${code} ${path.join('.')}`.trim())
}
const lines = (...text: string[]) => text.join('\n')

const entries: readonly MapEntry[] = [
  { part: 'answers', of: 'position', field: 'ratio', at: 'margin.pct', unit: 'percent', from: 'file' },
  { part: 'answers', of: 'position', field: 'size', at: 'amounts.size', unit: null, from: 'file' },
  { part: 'payloads', of: 'cancel_order', field: 'order_id', at: 'orderId', unit: null, from: 'file' },
]

test('the app reads a field-map file that it exported back unchanged', () => {
  expect(read(fieldMapText(entries))).toEqual({ ok: true, value: entries })
  expect(read(`\ufeff${fieldMapText(entries)}`)).toEqual({ ok: true, value: entries })
  expect(read(fieldMapText([]))).toEqual({ ok: true, value: [] })
})

test('the app reads a field-map file without a version as an old file that contains only names of request fields', () => {
  expect(read('{"cancel_order":{"order_id":"id"},"update_tpsl":{"take_profit":"take_profit"}}')).toMatchObject({
    value: [{ part: 'payloads', of: 'cancel_order', field: 'order_id', at: 'id' }],
  })
})

test('the app reports every wrong line of a field-map file with its problem, and imports nothing if one line is wrong', () => {
  expect(
    issues(
      lines(
        '{',
        '  "version": 2,',
        '  "payloads": {',
        '    "open_position": { "leverage": "lev" },',
        '    "cancel_order": {',
        '      "order_id": "a b",',
        '      "price": "p"',
        '    },',
        '    "cancel": { "order_id": "idempotency_key" },',
        '    "close": { "position_id": 7 },',
        '    "fly": { "a": "b" },',
        '    "reduce": { "size": "size_usdc" },',
        '    "update_tpsl": {',
        '      "take_profit": "stop_loss",',
        '      "stop_loss": "sl"',
        '    },',
        '    "key_creation": { "label": "name" }',
        '  },',
        '  "answers": {',
        '    "position": {',
        '      "side": { "path": "direction" }, "agent": "owner",',
        '      "size": { "path": "a..b" },',
        '      "ratio": { "path": "margin", "unit": "usdc" },',
        '      "id": { "path": "ref", "unit": "percent" }',
        '    },',
        '    "signing_formats": { "a": { "path": "b" } }',
        '  }',
        '}',
      ),
    ),
  ).toEqual([
    '4 documented_request payloads.open_position.leverage',
    '6 bad_name payloads.cancel_order.order_id',
    '7 unknown_field payloads.cancel_order.price',
    '9 documented_name payloads.cancel.order_id',
    '10 not_text payloads.close.position_id',
    '11 unknown_request payloads.fly.a',
    '12 other_unit payloads.reduce.size',
    '14 taken payloads.update_tpsl.take_profit',
    '17 documented_field payloads.key_creation.label',
    '21 documented_field answers.position.side',
    '21 guarded_field answers.position.agent',
    '22 bad_path answers.position.size',
    '23 bad_unit answers.position.ratio',
    '24 no_unit answers.position.id',
    '26 unknown_resource answers.signing_formats.a',
  ])
})

test.each([
  ['no JSON', 'order_id=id', ['1 not_json']],
  ['a line that breaks it', lines('{', '  "version": 2,', '  "payloads": {,', '}'), ['3 not_json']],
  ['a cut off file', lines('{', '  "version": 2,', ''), ['3 not_json']],
  ['a list', '[]', ['1 not_a_map']],
  ['a newer version', '{"version":3,"things":{}}', ['1 newer_version version']],
  ['no version', '{"answers":{}}', ['null bad_version version']],
  ['a version that is none', '{"version":"2"}', ['1 bad_version version']],
  ['signing formats', lines('{"version":2,', '"signingFormats":{}}'), ['2 forbidden_part signingFormats']],
  ['contracts', lines('{"version":2,', '"contracts":{"router":"0x00"}}'), ['2 forbidden_part contracts']],
  ['another part', '{"version":2,"notes":{}}', ['1 unknown_part notes']],
  ['something beside a path', '{"version":2,"answers":{"position":{"size":{"path":"a","scale":6}}}}', ['1 unknown_part answers.position.size.scale']],
  ['a part that is no object', '{"version":2,"answers":[]}', ['1 not_an_object answers']],
  [
    'a key that stands twice',
    lines('{"version":2,"payloads":{"cancel_order":{"order_id":"a",', '"order_id":"b"}}}'),
    ['2 twice payloads.cancel_order.order_id'],
  ],
  [
    'names of the prototype',
    '{"version":2,"payloads":{"__proto__":{"order_id":"a"},"cancel_order":{"order_id":"constructor"}}}',
    ['1 reserved_name payloads.__proto__', '1 reserved_name payloads.cancel_order.order_id'],
  ],
  ['a path through the prototype', '{"version":2,"answers":{"position":{"size":{"path":"a.__proto__.b"}}}}', ['1 reserved_name answers.position.size']],
  [
    'two fields under one name',
    lines('{"version":2,"payloads":{"reduce":{"position_id":"x",', '"size":"x"}, "cancel":{"order_id":"x"}}}'),
    ['2 taken payloads.reduce.size'],
  ],
  ['hidden characters', '{"version":2,"payloads":{"cancel_order":{"order_id":"\\u202edi_redro"}}}', ['1 hidden_characters payloads.cancel_order.order_id']],
  ['a long path', JSON.stringify({ version: 2, answers: { position: { size: { path: 'a'.repeat(300) } } } }), ['1 too_long answers.position.size']],
])('the app refuses to import a field map file: %s', (_, text, expected) => {
  expect(issues(text)).toEqual(expected)
})

test('the app quickly refuses a field-map file that is too large, too deeply nested or too long', () => {
  const startedAt = performance.now()
  expect(issues(`{"version":2,"payloads":{}}${' '.repeat(mapLimits.fileBytes)}`)).toEqual(['null too_large'])
  expect(issues(`{"version":2,"a":${'['.repeat(100_000)}`)).toEqual(['1 too_deep'])
  expect(issues(`{"version":2,"a":${'{"a":'.repeat(64)}1${'}'.repeat(65)}`)).toEqual(['1 too_deep'])
  const many = Object.fromEntries(Array.from({ length: mapLimits.entries + 1 }, (_, index) => [`f${index}`, 'x']))
  expect(issues(JSON.stringify({ version: 2, payloads: { cancel_order: many } }))).toEqual(['null too_many'])
  expect(issues(JSON.stringify({ version: 2, payloads: { cancel_order: Object.fromEntries(Object.entries(many).slice(0, 1_500)) } }))).toHaveLength(
    mapLimits.issues,
  )
  expect(performance.now() - startedAt).toBeLessThan(3_000)
})

test('the app shows a wrong line of a field-map file shortened and without hidden characters', () => {
  const found = read(JSON.stringify({ version: 2, payloads: { ['\u202e'.repeat(200)]: { a: 'b'.repeat(500) } } }))
  if (found.ok) throw new Error('it was read')
  expect(JSON.stringify(found.failure)).not.toMatch(/\u202e/)
  expect(JSON.stringify(found.failure).length).toBeLessThan(400)
})

const damaged = fc
  .tuple(fc.constant(fieldMapText(entries)), fc.array(fc.tuple(fc.nat(), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 4 }))
  .map(([text, cuts]) =>
    cuts.reduce((cut, [place, instead]) => {
      const at = place % (cut.length + 1)
      return `${cut.slice(0, at)}${instead}${cut.slice(at + (place % 7))}`
    }, text),
  )

test('the app reads any field-map file completely or refuses the file, never throws, and reports only existing line numbers', () => {
  const known = fc.oneof(
    fc.constantFrom('version', 'payloads', 'answers', 'cancel_order', 'order_id', 'position', 'size', 'path', 'unit', '__proto__'),
    fc.string(),
  )
  const tree = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      fc.dictionary(known, tie('any')),
      fc.record({ version: fc.constant(2), payloads: tie('any'), answers: tie('any') }),
    ),
  })).any
  fc.assert(
    fc.property(
      fc.oneof(
        damaged,
        fc.string({ unit: 'binary' }),
        tree.map((value) => JSON.stringify(value, null, 1) ?? ''),
      ),
      (text) => {
        const found = read(text)
        if (found.ok) {
          expect(read(fieldMapText(found.value))).toEqual(found)
          return
        }
        expect(found.failure.length).toBeGreaterThan(0)
        for (const { line } of found.failure) expect(line ?? 1).toBeLessThanOrEqual(text.split('\n').length)
      },
    ),
    { numRuns: 400 },
  )
  expect({}).not.toHaveProperty('order_id')
})
