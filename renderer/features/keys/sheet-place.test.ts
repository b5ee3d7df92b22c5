import { expect, test } from 'vitest'
import { parsePlace } from '../../app/shell-store.ts'
import { sheetPlace, underOf } from './key-view.ts'

test('the address of a sheet says what it lies over', () => {
  for (const under of ['list', 'expiry', null] as const) {
    const { name, rest, query } = parsePlace(sheetPlace('key/1', 'rotate', under))
    expect({ name, rest, under: underOf(query) }).toEqual({ name: 'keys', rest: ['key/1', 'rotate'], under })
  }
})

test('what is not known lies over the key’s own page', () => {
  for (const over of ['', 'overview', 'toString', '__proto__']) expect(underOf({ over })).toBeNull()
})
