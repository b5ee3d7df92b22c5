import { expect, test } from 'vitest'
import { parsePlace } from '../../app/shell-store.ts'
import { sheetPlace, underOf } from './key-view.ts'

test('a sheet’s page address names the page that the sheet covers', () => {
  for (const under of ['list', 'expiry', null] as const) {
    const { name, rest, query } = parsePlace(sheetPlace('key/1', 'rotate', under))
    expect({ name, rest, under: underOf(query) }).toEqual({ name: 'keys', rest: ['key/1', 'rotate'], under })
  }
})

test('the app opens a sheet over the key’s own page if the sheet’s page address names an unknown page', () => {
  for (const over of ['', 'overview', 'toString', '__proto__']) expect(underOf({ over })).toBeNull()
})
