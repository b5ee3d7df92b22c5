import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { noticeDays } from '../../electron/keys/expiry/expiry-items.ts'
import { scanLimits } from '../../electron/keys/leaks/run-scan.ts'
import { catalogue } from '../../electron/practice/exchange/market/catalogue.ts'
import { exitCodeMeanings } from '../../electron/terminal/channel/refusal.ts'
import { runnable } from '../../electron/terminal/commands/table.ts'
import { grantLifeMs } from '../../electron/terminal/terminal-grants.ts'
import { planOf } from '../../electron/workspace/service-check/steps.ts'
import { groupings } from '../../renderer/kit/book/book-rows.ts'
import { limits } from '../../shared/api/limits.ts'
import { formatCount } from '../../shared/decimal.ts'
import { receiverChecks } from '../../shared/text/receiver-test-text.ts'
import { hour, second } from '../../shared/time.ts'
import { docTables, tableProblems, withTable } from './doc-tables.ts'
import { inRoot } from './project.ts'

test('the documentation updater replaces the table between a page’s marker comments and keeps the rest of the page', () => {
  expect(withTable('a\n<!-- t -->\nold\n<!-- /t -->\nb', 't', '| new |\n')).toBe('a\n<!-- t -->\n\n| new |\n\n<!-- /t -->\nb')
})

test('the documentation updater fails for a page without marker comments for its table', () => {
  expect(() => withTable('a\n<!-- t -->\n', 't', '| new |')).toThrow('no place for the table "t"')
})

test('the documentation check reports a page whose table is out of date', () => {
  const page = { file: 'build/docs/x.md', written: 'same', wanted: 'same' }
  expect(tableProblems([page, { ...page, wanted: 'new' }])).toEqual(['build/docs/x.md: its table is old; `npm run readme` updates it'])
})

test('the generated tables in the documentation are up to date, and the table of the service’s endpoints lists all 66 of them', () => {
  const pages = docTables()
  expect(tableProblems(pages)).toEqual([])
  expect(pages[0]?.wanted.match(/^\| `(GET|POST|PUT|DELETE) /gm)).toHaveLength(66)
})

test('the documentation page about the terminal lists every command and every exit code of the terminal program svc-desk', () => {
  const page = docTables().find(({ file }) => file.endsWith('terminal.md'))?.wanted ?? ''
  for (const path of runnable) expect(page).toContain(`| \`svc-desk ${path}\` | `)
  for (const [code, meaning] of exitCodeMeanings) expect(page).toContain(`| ${code} | ${meaning} |`)
})

/** For each chapter of the documentation, phrases that must contain the current value of a constant in the code. */
const said: Readonly<Record<string, readonly string[]>> = {
  keys: [
    `notifies you ${noticeDays.filter((days) => days > 1).join(', ')} and 1 days before`,
    `up to ${scanLimits.historyBytes / 2 ** 20} MiB for each repository`,
  ],
  account: [`load ${limits.page.max} rows at a time`],
  orders: [`A batch holds ${limits.batchActions.min} to ${limits.batchActions.max} actions`],
  webhooks: [
    `allows ${limits.webhooks.active} active webhooks`,
    `each of ${Object.keys(receiverChecks).length} checks`,
    `${limits.webhookDelivery.toleranceMs / second} s`,
  ],
  practice: [
    `Its ${catalogue.length} markets`,
    `waits of ${limits.webhookDelivery.waitsMs
      .map((ms) => ms / second)
      .join(', ')
      .replace(/, (\d+)$/, ' and $1')} seconds`,
  ],
  markets: [
    `up to ${formatCount(limits.candleHistory)} candles`,
    `grouped by ${Math.min(...groupings)} to ${Math.max(...groupings)} ticks`,
    `older than ${limits.priceAgeMs / second} seconds`,
  ],
  polling: [`Dry runs of the ${planOf(true).length - planOf(false).length} delegated actions`],
  terminal: [`up to ${grantLifeMs / hour} hours`],
}

test.each(Object.entries(said))('the numbers in the documentation chapter %s equal those in the code', (page, sentences) => {
  const chapter = readFileSync(inRoot(`build/docs/${page}.md`), 'utf8')
  for (const sentence of sentences) expect(chapter).toContain(sentence)
})
