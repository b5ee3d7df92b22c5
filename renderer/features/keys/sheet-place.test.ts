import { expect, test } from 'vitest'
import { parsePlace } from '../../app/shell-store.ts'
import { sheetPlace, underOf } from './key-view.ts'

test('names in a sheet’s address the page under it', () => {
  for (const under of ['list', 'expiry', null] as const) {
    const { name, rest, query } = parsePlace(sheetPlace('key/1', 'rotate', under))
    expect({ name, rest, under: underOf(query) }).toEqual({ name: 'keys', rest: ['key/1', 'rotate'], under })
  }
})

test('opens an unknown sheet over the key’s own page', () => {
  for (const over of ['', 'overview', 'toString', '__proto__']) expect(underOf({ over })).toBeNull()
})
