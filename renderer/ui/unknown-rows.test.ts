import { expect, test } from 'vitest'
import { unknownRows } from './unknown-rows.ts'

test('each unknown field is a row, those inside an object under their whole name [ERR-02]', () => {
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

test('what was left out is counted and is no row', () => {
  expect(unknownRows('{"a":1,"…":4321}')).toEqual({ rows: [{ name: 'a', value: '1' }], leftOut: 4_321 })
})

test('no field, and no text of main’s, is nothing to show', () => {
  for (const fields of [null, '', 'soon', '[1]', '7', '{"a":']) expect(unknownRows(fields)).toEqual({ rows: [], leftOut: 0 })
})
