import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ElectronApplication } from 'playwright-core'
import { activityRows, openActivity, openRequest, requestDetail, showOwnCalls } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { keyIdOf, notices } from '../../pages/keys.ts'
import { join as joinExchange, openSignedIn } from '../../pages/ready.ts'
import { appValue } from '../../support/bridge.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, test, testSignedIn } from '../../support/fixtures.ts'
import { recordOf, statusWith } from '../../support/key-facts.ts'
import { keptSecrets } from '../../support/keyring.ts'
import { createSearch } from '../../support/search/secret-search.ts'

const run = promisify(execFile)
const accountRoute = 'GET /api/dex/v1/account'
const keysRoute = 'POST /api/dex/developer/keys'

const clipboard = (app: ElectronApplication): Promise<string> => app.evaluate(({ clipboard: board }) => board.readText())

test('the user can inspect and filter all requests of the app, and copy a request as a command without its secret [GEN-05, AUTH-09]', async ({
  open,
  practice,
}) => {
  const desk = await open()
  const page = desk.main
  await joinExchange(desk, 'console')
  const keyId = await keyIdOf(page, 'console')
  const [secret = ''] = keptSecrets(keyId)
  const search = createSearch([{ name: 'API key', value: secret }])
  await practice.faults({ dropRequest: [{ route: accountRoute, times: 1 }] })
  await goTo(page, 'Overview')
  const answers = async () => (await practice.callsTo(accountRoute)).map(({ status }) => status).join(' ')
  await expect.poll(answers, { timeout: 20_000 }).toContain('0 200')
  await openActivity(page, 'Requests')
  const filter = page.getByRole('textbox', { name: 'Filter requests' })
  const rows = activityRows(page, 'Requests')

  await test.step('filters limit the list of requests to those that change something, or to one route', async () => {
    await page.getByRole('radio', { name: 'Changes' }).click()
    await expect(rows.filter({ hasText: 'GET ' })).toHaveCount(0)
    await filter.fill('DEVELOPER/keys')
    await expect(rows).toHaveCount(2)
    await page.getByRole('button', { name: 'Any response' }).click()
    await page.getByRole('menuitemradio', { name: '4xx, refused' }).click()
    await expect(page.getByRole('heading', { name: 'No matching request' })).toBeVisible()
    await page.getByRole('button', { name: '4xx, refused' }).click()
    await page.getByRole('menuitemradio', { name: '2xx, succeeded' }).click()
    await expect(rows).toHaveCount(2)
  })
  await test.step('a request’s detail shows the request and its response with the service’s request id', async () => {
    const detail = await openRequest(page, /POST \/api\/dex\/developer\/keys(?!\/)/)
    await expect(page).toHaveURL(/#\/activity\/dsk-[0-9a-f]{12}\?tab=requests$/)
    const [call] = await practice.callsTo(keysRoute)
    await expect(detail).toContainText(call?.requestId ?? 'none')
    await expect(detail).toContainText('Your sign-in')
    const answer = detail.getByRole('region', { name: 'Response body' })
    await expect(answer).toContainText('"api_key": "[redacted]"')
    await expect(answer).toContainText(`"key_id": "${keyId}"`)
    await detail.getByRole('tab', { name: 'Request' }).click()
    await expect(detail.getByRole('region', { name: 'Request body' })).toContainText('"signature": "[redacted]"')
    await detail.getByRole('tab', { name: 'Copy as' }).click()
    await expect(detail.getByRole('region', { name: 'Request as code: curl' })).toContainText('--header "Authorization: Bearer $SVC_SESSION"')
    await expect(detail).toContainText('This app never shares its own')
  })
  await test.step('Escape closes a request’s detail and leaves the list unchanged', async () => {
    await page.keyboard.press('Escape')
    await expect(requestDetail(page)).toBeHidden()
    await expect(page).toHaveURL(/#\/activity\?tab=requests$/)
    await expect(filter).toHaveValue('DEVELOPER/keys')
    await expect(rows.getByRole('button', { name: /developer\/keys$/ })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(requestDetail(page)).toBeVisible()
    await page.keyboard.press('Escape')
  })
  await test.step('a probe of the disabled stream is labelled as a probe, and does not count as a failure', async () => {
    await page.getByRole('button', { name: '2xx, succeeded' }).click()
    await page.getByRole('menuitemradio', { name: 'Any response' }).click()
    await page.getByRole('radio', { name: 'All', exact: true }).click()
    await filter.fill('v1/stream')
    await expect(rows.first()).toContainText('The stream is off')
    await page.getByRole('radio', { name: 'Failures' }).click()
    await expect(page.getByRole('heading', { name: 'No matching request' })).toBeVisible()
  })
  await test.step('a failed request links to the retry that succeeded', async () => {
    await filter.fill('')
    await expect(rows).toHaveCount(1)
    const detail = await openRequest(page, '/api/dex/v1/account')
    await expect(detail).toContainText('No response received.')
    const tries = detail.getByRole('list', { name: 'Attempts of this request' }).getByRole('link')
    await expect(tries).toHaveCount(2)
    await tries.nth(1).click()
    await expect(detail.getByRole('region', { name: 'Response body' })).toContainText('"collateral')
    await expect(tries.nth(1)).toHaveAttribute('aria-current', 'true')
  })
  await test.step('the copied command contains no secret, and gets the same response in a terminal that provides the key', async () => {
    const detail = requestDetail(page)
    await detail.getByRole('tab', { name: 'Copy as' }).click()
    await detail.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => clipboard(desk.app)).toContain('curl ')
    const curl = await clipboard(desk.app)
    for (const language of ['Python', 'TypeScript']) {
      await detail.getByRole('radio', { name: language }).click()
      await detail.getByRole('button', { name: 'Copy', exact: true }).click()
      await expect.poll(() => clipboard(desk.app)).toContain(language === 'Python' ? 'urllib' : 'fetch')
      const text = await clipboard(desk.app)
      expect(text).toContain('SVC_API_KEY')
      expect(search.inText('clipboard', text)).toEqual([])
    }
    expect(search.inText('clipboard', curl)).toEqual([])
    expect(curl).toContain('--header "X-Svc-API-Key: $SVC_API_KEY"')
    const env = { ...process.env, SVC_API_KEY: secret, SVC_BASE_URL: `${practice.descriptor.hostUrl}/api/dex/v1` }
    const { stdout } = await run('bash', ['-c', curl], { env })
    expect(JSON.parse(stdout)).toMatchObject({ success: true })
    expect((await practice.callsTo(accountRoute)).some(({ userAgent, status }) => userAgent?.startsWith('curl/') && status === 200)).toBe(true)
  })
  await test.step('while a request’s detail is open, the list does not move but counts new rows', async () => {
    await page.getByRole('radio', { name: 'All', exact: true }).click()
    await expect(rows).not.toHaveCount(1)
    const top = rows.first().getByRole('button').first()
    const before = (await top.getAttribute('data-request')) ?? 'none'
    const newer = page.getByRole('button', { name: /^Show \d+ newer requests?$/ })
    await appValue(page, 'account.summary', { watch: null })
    await expect(newer).toBeVisible()
    await expect(top).toHaveAttribute('data-request', before)
    await newer.click()
    await expect(top).not.toHaveAttribute('data-request', before)
    await expect(requestDetail(page)).toBeVisible()
  })
})

test('the user can search, filter and export the audit log; it hides the app’s own calls and shows the user’s names for keys [KEY-14]', async ({
  open,
  practice,
  profileDir,
}) => {
  const desk = await open()
  const page = desk.main
  await joinExchange(desk, 'auditor')
  const keyId = await keyIdOf(page, 'auditor')
  const [secret = ''] = keptSecrets(keyId)
  expect((await recordOf(practice, 'auditor')).label).toMatch(/^auditor #/)
  // Advances the clock by two minutes, because during the first minute of its log the app cannot tell its own calls from other calls.
  await practice.advance(120_000)
  const accountReads = async () => (await practice.callsTo(accountRoute)).length
  const before = await accountReads()
  // Opening Overview makes the app read the account.
  await goTo(page, 'Overview')
  await expect.poll(accountReads).toBeGreaterThan(before)
  expect(await statusWith(practice, secret)).toBe(200)
  const callsBefore = (await practice.callsTo('GET /api/dex/v1/account')).length
  await goTo(page, 'Account')
  await expect.poll(async () => (await practice.callsTo('GET /api/dex/v1/account')).length).toBeGreaterThan(callsBefore)
  await openActivity(page, 'Audit')
  const rows = activityRows(page, 'Audit')
  const only = (name: string) => page.getByRole('radiogroup', { name: 'Source' }).getByRole('radio', { name }).click()
  const kind = async (from: string, to: string) => {
    await page.getByRole('button', { name: from, exact: true }).click()
    await page.getByRole('menuitemradio', { name: to, exact: true }).click()
  }
  const audit = page.getByRole('region', { name: 'Audit' })

  await test.step('a key’s creation appears in two rows: one from the service’s log, one from the app’s journal', async () => {
    await kind('All kinds', 'Keys created')
    const created = rows.filter({ hasText: 'Key created' })
    for (const name of ['The service', 'This app']) await expect(created.filter({ has: page.getByRole('cell', { name, exact: true }) })).toHaveCount(1)
    for (const row of await created.all()) await expect(row.getByRole('link')).toHaveText('auditor')
    const [call] = await practice.callsTo(keysRoute)
    await expect(created.filter({ hasText: call?.requestId ?? 'none' })).toHaveCount(2)
  })
  await test.step('the audit log marks calls that were made outside this app', async () => {
    await kind('Keys created', 'Calls')
    await page.getByRole('textbox', { name: 'Filter the log' }).fill('v1/account')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText('Elsewhere')
    await showOwnCalls(audit, true)
    await expect(rows.filter({ hasNotText: 'Elsewhere' })).not.toHaveCount(0)
    await expect(rows.filter({ hasText: 'Elsewhere' })).toHaveCount(1)
    await showOwnCalls(audit, false)
    await expect(rows).toHaveCount(1)
    await only('This app')
    await expect(page.getByRole('heading', { name: 'No matching events' })).toBeVisible()
  })
  await kind('Calls', 'All kinds')
  await page.getByRole('textbox', { name: 'Filter the log' }).fill('auditor')
  await only('Both')
  await kind('All kinds', 'Keys created')
  // Waits, because the previous rows stay visible until the response arrives.
  await expect(rows.filter({ hasNotText: 'Key created' })).toHaveCount(0)
  await expect(rows.filter({ hasNotText: 'auditor' })).toHaveCount(0)
  const shown = await rows.count()
  expect(shown).toBeGreaterThanOrEqual(2)
  for (const format of ['csv', 'json'] as const)
    await test.step(`an export as ${format} contains exactly the rows on the screen`, async () => {
      const path = join(profileDir, `audit.${format}`)
      const asked = await answerDialogs(desk.app, { save: path })
      await audit.getByRole('button', { name: 'Export' }).click()
      await Promise.all([
        expect(notices(page).getByText(path)).toBeVisible(),
        page.getByRole('menuitem', { name: format === 'csv' ? 'As CSV' : 'As JSON' }).click(),
      ])
      expect((await asked()).at(-1)).toMatchObject({ title: 'Export audit log' })
      const text = readFileSync(path, 'utf8')
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(format === 'csv' ? text.trimEnd().split('\r\n').length - 1 : JSON.parse(text).length).toBe(shown)
      expect(text).toContain(keyId)
      expect(text).toContain(format === 'csv' ? ',auditor,' : '"label": "auditor"')
      expect(text).not.toContain('auditor #')
      expect(createSearch([{ name: 'API key', value: secret }]).inText(format, text)).toEqual([])
    })
})

testSignedIn(
  'the page with an audit log of thousands of rows draws only visible rows and scrolls to the end; a search covers all rows [KEY-14]',
  async ({ open, practice }) => {
    await practice.sample(64, 5_000)
    const { page } = await openSignedIn(open)
    await openActivity(page, 'Audit')
    const table = page.getByRole('table', { name: 'Audit' })
    const rows = table.locator('tbody tr[aria-rowindex]')
    await expect(table).toHaveAttribute('aria-rowcount', /^[5-9]\d{3}$/, { timeout: 30_000 })
    const places = Number(await table.getAttribute('aria-rowcount'))
    const screenful = 120
    expect(await rows.count()).toBeLessThan(screenful)

    await rows.first().hover()
    await page.mouse.wheel(0, 10_000_000)
    await expect(rows.last()).toHaveAttribute('aria-rowindex', String(places))
    await expect(rows.last().getByRole('cell').nth(1)).toHaveText(/\S/)
    expect(await rows.count()).toBeLessThan(screenful)
    const ids = await rows.evaluateAll((drawn) => drawn.map((row) => Number(row.getAttribute('aria-rowindex'))))
    expect(ids).toEqual(Array.from(ids, (_, index) => places - ids.length + 1 + index))

    await page.getByRole('textbox', { name: 'Filter the log' }).fill('treasury sweep')
    await expect(rows.first()).toHaveAttribute('aria-rowindex', '2')
    await expect(rows.filter({ hasNotText: 'treasury sweep' })).toHaveCount(0)
    expect(Number(await table.getAttribute('aria-rowcount'))).toBeLessThan(places)
  },
)
