import { expect, test } from 'vitest'
import { unknownRows, unknownTables } from './more-fields.tsx'

test('the list of unknown fields shows each as a row, and nested fields under their full path [ERR-02]', () => {
  expect(unknownRows('{"tier":"gold","limits":{"daily":5,"open":{"max":null}},"tags":["a",1,true],"nested":[{"a":1}],"none":{}}')).toEqual({
    rows: [
      { name: 'tier', value: 'gold' },
      { name: 'limits.daily', value: '5' },
      { name: 'limits.open.max', value: 'null' },
      { name: 'tags', value: 'a, 1, true' },
      { name: 'nested', value: '[{"a":1}]' },
      { name: 'none', value: '{}' },
    ],
    leftOut: 0,
  })
})

test('the list of unknown fields counts the fields that the main process left out, and shows no row for them', () => {
  expect(unknownRows('{"a":1,"…":4321}')).toEqual({ rows: [{ name: 'a', value: '1' }], leftOut: 4_321 })
})

test('the app shows no list of unknown fields if there are none, or if their text is not a valid JSON object', () => {
  for (const fields of [null, '', 'soon', '[1]', '7', '{"a":']) expect(unknownRows(fields)).toEqual({ rows: [], leftOut: 0 })
})

test('the list of unknown fields shows a list of similar records as a table with named columns, and any other list as one row [ERR-02]', () => {
  const tokens = [
    { token: 'USDC', decimals: 6, permit: true },
    { token: 'SVC', decimals: 18, note: null },
  ]
  expect(unknownTables(JSON.stringify({ model: { tokens }, mixed: [1, { a: 1 }], deep: [{ a: { b: 1 } }], bare: [{}], text: '[oops' }))).toEqual({
    tables: [
      {
        name: 'model.tokens',
        columns: ['token', 'decimals', 'permit', 'note'],
        lines: [
          ['USDC', '6', 'true', null],
          ['SVC', '18', null, null],
        ],
      },
    ],
    rows: [
      { name: 'mixed', value: '[1,{"a":1}]' },
      { name: 'deep', value: '[{"a":{"b":1}}]' },
      { name: 'bare', value: '[{}]' },
      { name: 'text', value: '[oops' },
    ],
    leftOut: 0,
  })
})

test('the list of unknown fields shows a value that the app could not read unchanged, with the reason', () => {
  const { rows } = unknownRows('{"size":"500","tier":"gold","agent.rate":"1","?":{"size":"unit","agent.rate":"conflict","tier":"because"}}')
  expect(rows).toEqual([
    { name: 'size', value: '500', reason: 'unit' },
    { name: 'tier', value: 'gold' },
    { name: 'agent.rate', value: '1', reason: 'conflict' },
  ])
})
