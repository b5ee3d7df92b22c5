import { expect, test } from 'vitest'
import { formatPlace, parsePlace } from './shell-store.ts'

test('the app splits a page address (#/activity/…) into the page’s name, the rest of the path, and the query', () => {
  expect(parsePlace('#/activity/in%2F1?tab=requests')).toEqual({ name: 'activity', rest: ['in/1'], query: { tab: 'requests' } })
  expect(parsePlace('keys/new')).toEqual({ name: 'keys', rest: ['new'], query: {} })
  expect(parsePlace('/trade/3')).toEqual({ name: 'trade', rest: ['3'], query: {} })
})

test('the app opens the overview for an unknown, empty or broken page address', () => {
  for (const text of ['', '#', '#/', 'nothing', '#/constructor', '%E0%A4%A']) expect(parsePlace(text).name).toBe('overview')
})

test('a page address has the same page, path and query after a conversion to its parts and back', () => {
  for (const text of ['#/keys/new', '#/activity/a%20b?tab=requests', '#/overview']) expect(formatPlace(parsePlace(text))).toBe(text)
})
