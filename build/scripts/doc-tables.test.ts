import { expect, test } from 'vitest'
import { docTables, tableProblems, withTable } from './doc-tables.ts'

test('replaces the table between its comments and keeps the rest', () => {
  expect(withTable('a\n<!-- t -->\nold\n<!-- /t -->\nb', 't', '| new |\n')).toBe('a\n<!-- t -->\n\n| new |\n\n<!-- /t -->\nb')
})

test('refuses a page without a place for its table', () => {
  expect(() => withTable('a\n<!-- t -->\n', 't', '| new |')).toThrow('no place for the table "t"')
})

test('reports a page whose table is old', () => {
  const page = { file: 'build/docs/x.md', written: 'same', wanted: 'same' }
  expect(tableProblems([page, { ...page, wanted: 'new' }])).toEqual(['build/docs/x.md: its table is old; `npm run readme` updates it'])
})

test('every generated table is current, and lists the 66 endpoints', () => {
  const pages = docTables()
  expect(tableProblems(pages)).toEqual([])
  expect(pages[0]?.wanted.match(/^\| `(GET|POST|PUT|DELETE) /gm)).toHaveLength(66)
})
