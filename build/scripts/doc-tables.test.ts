import { expect, test } from 'vitest'
import { exitCodeMeanings } from '../../electron/terminal/channel/refusal.ts'
import { runnable } from '../../electron/terminal/commands/table.ts'
import { docTables, tableProblems, withTable } from './doc-tables.ts'

test('replaces the table between its marker comments and keeps the rest of the page', () => {
  expect(withTable('a\n<!-- t -->\nold\n<!-- /t -->\nb', 't', '| new |\n')).toBe('a\n<!-- t -->\n\n| new |\n\n<!-- /t -->\nb')
})

test('refuses a page without marker comments for its table', () => {
  expect(() => withTable('a\n<!-- t -->\n', 't', '| new |')).toThrow('no place for the table "t"')
})

test('reports a page whose table is out of date', () => {
  const page = { file: 'build/docs/x.md', written: 'same', wanted: 'same' }
  expect(tableProblems([page, { ...page, wanted: 'new' }])).toEqual(['build/docs/x.md: its table is old; `npm run readme` updates it'])
})

test('every generated table in the documents is current, and the endpoint table lists all 66 endpoints', () => {
  const pages = docTables()
  expect(tableProblems(pages)).toEqual([])
  expect(pages[0]?.wanted.match(/^\| `(GET|POST|PUT|DELETE) /gm)).toHaveLength(66)
})

test('the document about the terminal lists every command and every exit code of `svc-desk`', () => {
  const page = docTables().find(({ file }) => file.endsWith('terminal.md'))?.wanted ?? ''
  for (const path of runnable) expect(page).toContain(`| \`svc-desk ${path}\` | `)
  for (const [code, meaning] of exitCodeMeanings) expect(page).toContain(`| ${code} | ${meaning} |`)
})
