import { readFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import type { Page } from '@playwright/test'
import { accountHead, drawnRows, openTab, tableFoot, tables, watchWallet } from '../../pages/account.ts'
import { intentDetail } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { openPaired, openSignedIn, openWithPast } from '../../pages/ready.ts'
import { signToFinal } from '../../pages/rows.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { appValue } from '../../support/bridge.ts'
import { sees } from '../../support/coverage.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, testWithKey as test, testPaired } from '../../support/fixtures.ts'
import { holdAnswers } from '../../support/ipc-traffic.ts'

const anyRow = { symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '', offset: 0, limit: 50 } as const
const region = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name })
const row = (page: Page, about: string | RegExp) => drawnRows(page).filter({ hasText: about })
const stranger = '0x00000000219ab540356cBB839Cbe05303d7705Fa'

test('the Account page shows figures and tables read with the user’s key; an order’s row opens the order and shows whether it is final [ACC-01, ACC-02]', async ({
  open,
  practice,
}) => {
  const { page, phone } = await openSignedIn(open)
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '500' })
  await signToFinal(page, phone, practice)
  await goTo(page, 'Account')
  await sees(practice, 'GET /api/dex/v1/account', () => expect(region(page, 'Equity')).toContainText(/Equity[\d,]+\.\d\d USDC/))
  await expect(accountHead(page)).toContainText('With first-key')
  await expect(region(page, 'Health factor').getByRole('img', { name: /^Health factor \d/ })).toBeVisible()
  await sees(practice, 'GET /api/dex/v1/positions', () =>
    expect(tables(page).getByRole('table', { name: 'Positions' }).getByRole('row').filter({ hasText: 'BTC-PERP' })).toContainText('Long'),
  )
  await expect(region(page, 'Health factor')).toContainText(/1 position.*Distance to liquidation/)
  await test.step('mark prices update while the positions request fails, and the positions table can be filtered', async () => {
    const mark = tables(page).getByRole('row').filter({ hasText: 'BTC-PERP' }).getByRole('cell').nth(5)
    await practice.faults({ delay: [{ route: 'GET /api/dex/v1/positions', ms: null }] })
    const before = await mark.innerText()
    await sees(practice, 'GET /api/dex/marks', () => expect(mark).not.toHaveText(before))
    await practice.faults({ delay: [] })
    await tables(page).getByRole('button', { name: 'Both sides' }).click()
    await page.getByRole('menuitemradio', { name: 'Short' }).click()
    await expect(tables(page)).toContainText('No matches')
    await tables(page).getByRole('button', { name: 'Clear filter' }).click()
    await tables(page).getByRole('button', { name: 'All margin modes' }).click()
    await page.getByRole('menuitemradio', { name: 'Cross' }).click()
    await expect(tables(page)).toContainText('1 of 1')
    await expect(tables(page).getByRole('row').filter({ hasText: 'BTC-PERP' })).toBeVisible()
  })
  await openTab(page, 'Orders')
  await sees(practice, 'GET /api/dex/v1/orders', () => expect(row(page, 'BTC-PERP')).toContainText(/Market/))
  await test.step('the user finds an order by its client order id, and the app reports an unknown id as not found', async () => {
    const [transaction] = (await appValue(page, 'account.history', { watch: null, table: 'transactions', ...anyRow })).rows
    const clientOrderId = transaction?.clientOrderId ?? 'none'
    await tables(page).getByRole('button', { name: 'Find by client order ID' }).click()
    const finder = page.getByRole('dialog', { name: 'Find by client order ID' })
    await finder.getByRole('textbox', { name: 'Client order ID' }).fill(`${clientOrderId}-not`)
    await finder.getByRole('button', { name: 'Find' }).click()
    await expect(finder).toContainText('Order not found')
    await finder.getByRole('textbox', { name: 'Client order ID' }).fill(clientOrderId)
    await finder.getByRole('button', { name: 'Find' }).click()
    await sees(practice, 'GET /api/dex/v1/orders/by-client-id', () =>
      expect(finder.getByRole('region', { name: 'Order found' })).toContainText(/BTC-PERP, long, open position.*confirmed.*Final/i),
    )
    await finder.getByRole('button', { name: 'Open in Activity' }).click()
    await expect(intentDetail(page)).toContainText('Final')
    await goTo(page, 'Account')
  })
  await openTab(page, 'Closed positions')
  await sees(practice, 'GET /api/dex/v1/positions/history', () => expect(tables(page)).toContainText('No closed positions yet'))
  await openTab(page, 'Collateral')
  await sees(practice, 'GET /api/dex/v1/collateral', () => expect(tables(page).getByRole('row').filter({ hasText: 'USDC' }).last()).toContainText(/\d/))
  await openTab(page, 'Transactions')
  await sees(practice, 'GET /api/dex/v1/transactions', () => expect(row(page, 'Open position')).toHaveCount(1))
  await openTab(page, 'Trades')
  await sees(practice, 'GET /api/dex/v1/trades', () => expect(row(page, 'BTC-PERP')).toHaveCount(1))
  await row(page, 'BTC-PERP').getByRole('button').click()
  const sheet = page.getByRole('dialog', { name: 'Trade' })
  await sees(practice, 'GET /api/dex/v1/native/executions/{tx_hash}', () => expect(sheet).toContainText(/Final.*block [\d,]+, [\d,]+ confirmations/))
  await sheet.getByRole('button', { name: 'Open in Activity' }).click()
  await expect(intentDetail(page)).toContainText('Final')
})

test('a history table says that it is loading while it still shows the rows of the previous filter [ACC-02]', async ({ open, practice }) => {
  const { desk, page } = await openWithPast(open, practice, 40)
  await goTo(page, 'Account')
  await openTab(page, 'Trades')
  await expect(tableFoot(page)).toContainText(/rows/)
  const table = tables(page).getByRole('table', { name: 'Trades' })
  await expect(table).not.toHaveAttribute('aria-busy', 'true')
  const release = await holdAnswers(desk.app, 'account.history')
  await tables(page).getByRole('textbox', { name: 'Filter rows' }).fill('no-such-market')
  await expect(table).toHaveAttribute('aria-busy', 'true')
  await expect(tableFoot(page)).toContainText('Loading matching rows')
  await expect(tableFoot(page)).not.toContainText(/\d rows/)
  await expect.poll(() => table.locator('tbody').evaluate((body) => Number(getComputedStyle(body).opacity))).toBeLessThan(0.5)
  await release()
  await expect(tables(page).getByText('No matches')).toBeVisible()
  await expect(tableFoot(page)).not.toContainText('Loading matching rows')
})

test('the table with a year of trades scrolls to its end, shows each trade once while new ones arrive, and can be filtered and exported [ACC-02]', async ({
  open,
  practice,
  profileDir,
}) => {
  test.setTimeout(180_000)
  const { desk, page, past } = await openWithPast(open, practice, 3_000)
  await goTo(page, 'Account')
  await openTab(page, 'Trades')
  await expect(tableFoot(page)).toContainText(/rows/)
  await practice.faults({ rowsArrive: 3 })
  const box = tables(page).locator('[data-part=scroll]')
  await expect(async () => {
    await box.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect(tableFoot(page)).toContainText(/\d rows(?!, older)/, { timeout: 500 })
  }).toPass({ timeout: 90_000 })
  await practice.clearFaults()
  await expect(drawnRows(page).last()).toBeVisible()
  expect(await drawnRows(page).count()).toBeLessThan(120)
  // While the user scrolls, the table only counts new rows. A button shows them at the top.
  await tables(page)
    .getByRole('button', { name: /newer$/ })
    .click()
  await expect(tables(page).getByRole('button', { name: /newer$/ })).toBeHidden()
  await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBe(0)

  const file = joinPath(profileDir, 'trades.csv')
  await answerDialogs(desk.app, { save: file })
  await tables(page).getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'As CSV' }).click()
  await expect(page.getByText(/rows saved/)).toBeVisible()
  const lines = readFileSync(file, 'utf8').trim().split('\r\n')
  expect(lines.length - 1).toBeGreaterThanOrEqual(past.trades)
  expect(new Set(lines).size).toBe(lines.length)

  // The trades are random, so the test scrolls until a row shows a taker trade that closed a position with profit or loss.
  await expect(async () => {
    const closing = drawnRows(page).filter({ hasText: /(Reduce|Close).*[+−][\d,]+\.\d\d.*Taker/ })
    if ((await closing.count()) === 0) await box.evaluate((element) => element.scrollBy(0, element.clientHeight))
    await expect(closing.first()).toBeVisible({ timeout: 500 })
  }).toPass()
  await tables(page).getByRole('textbox', { name: 'Filter rows' }).fill('ETH-PERP')
  await expect(row(page, 'BTC-PERP')).toHaveCount(0)
  await expect(row(page, 'ETH-PERP').first()).toBeVisible()
  await tables(page).getByRole('button', { name: 'Clear' }).click()
  await tables(page).getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemradio', { name: 'Fee' }).click()
  await expect(tables(page).getByRole('columnheader', { name: 'Fee' })).toBeHidden()
  await page.reload()
  await expect(tables(page).getByRole('columnheader', { name: 'Price' })).toBeVisible()
  await expect(tables(page).getByRole('columnheader', { name: 'Fee' })).toBeHidden()

  await openTab(page, 'Reports')
  await tables(page).getByRole('radio', { name: 'All' }).click()
  await tables(page).getByRole('radio', { name: 'Market' }).click()
  await expect(tableFoot(page)).not.toContainText('so far')
  const report = tables(page).getByRole('table', { name: 'Report' })
  await expect(report.getByRole('row').filter({ hasText: 'BTC-PERP' })).toContainText(/[+−][\d,]+\.\d\d/)
  await expect(report.getByRole('row').nth(1)).toContainText(past.trades.toLocaleString('en-US').slice(0, 1))
  // The table must have no columns for missing amounts and liquidations, because every amount is known and no trade was a liquidation.
  await expect(report.getByRole('columnheader')).toHaveText(['Market', 'Realised, USDC', 'Fees', 'Funding', 'Net', 'Lost and gained', 'Trades', 'Closed'])
  await expect(report.getByRole('row').filter({ hasText: 'BTC-PERP' }).locator('[data-made=fees][data-loss]')).toBeVisible()
  await tables(page).getByRole('radio', { name: 'Key' }).click()
  await expect(report.getByRole('row').filter({ hasText: 'No key' })).toContainText(/−[\d,]+\.\d\d/, { timeout: 30_000 })
})

testPaired(
  'without a key, every page reads the account from public routes and says so, and the Account page offers to create a key [ACC-01, GEN-10]',
  async ({ open, practice }) => {
    const { page } = await openPaired(open)
    await goTo(page, 'Account')
    await sees(practice, 'GET /api/dex/account', () => expect(region(page, 'Equity')).toContainText(/[\d,]+\.\d\d USDC/))
    await expect(page.getByRole('main')).toContainText('No key on this computer can read this account.')
    await expect(accountHead(page)).toContainText('From public routes, without a key')
    const equity = (await region(page, 'Equity').textContent())?.match(/[\d,]+\.\d\d USDC/)?.[0] ?? 'none'
    await goTo(page, 'Overview')
    await expect(region(page, 'Account')).toContainText('From public routes, without a key')
    await expect(region(page, 'Account')).toContainText(equity)
    await goTo(page, 'Trade')
    await expect(region(page, 'Positions and orders')).toContainText('From public routes, without a key')
    await expect(region(page, 'Positions and orders')).toContainText('No open positions')
    await page.getByRole('tab', { name: /^Orders/ }).click()
    await sees(practice, 'GET /api/dex/orders', () => expect(region(page, 'Positions and orders')).toContainText('No open orders'))
    await goTo(page, 'Account')
    await page.getByRole('main').getByRole('button', { name: 'New key' }).click()
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toContainText(/key/i)
    expect((await practice.calls()).filter(({ path }) => path.startsWith('/api/dex/v1/'))).toEqual([])
  },
)

test('a wallet that the user only watches is read from public routes, without any actions and without data of the user’s own account [ACC-03]', async ({
  open,
  practice,
}) => {
  await practice.past({ trades: 300, wallet: stranger })
  const { page } = await openSignedIn(open)
  await goTo(page, 'Account')
  await expect(accountHead(page)).toContainText('With first-key')
  await watchWallet(page, stranger.toLowerCase(), 'Old fund')
  await expect(page.getByRole('main')).toContainText('Watch-only. The data comes from public routes, which carry no guarantee.')
  await expect(page.getByRole('main')).toContainText(stranger)
  await sees(practice, 'GET /api/dex/account', () => expect(accountHead(page)).toContainText('From public routes'))
  await expect(page.getByRole('main').getByRole('button', { name: /Withdraw|Deposit collateral/ })).toHaveCount(0)
  await sees(practice, 'GET /api/dex/positions', () => expect(tables(page)).toContainText('No open positions'))
  await openTab(page, 'Collateral')
  await sees(practice, 'GET /api/dex/collateral', () => expect(tables(page).getByRole('row').filter({ hasText: 'USDC' }).last()).toBeVisible())
  for (const [tab, route] of [
    ['Orders', 'orders'],
    ['Trades', 'trades'],
    ['Transactions', 'transactions'],
    ['Closed positions', 'positions/history'],
  ] as const) {
    await openTab(page, tab)
    await sees(practice, `GET /api/dex/${route}`, () => expect(drawnRows(page).first()).toContainText(/PERP|Deposit|Withdraw/))
  }
  await drawnRows(page).first().getByRole('button').click()
  const sheet = page.getByRole('dialog', { name: 'Closed position' })
  await expect(sheet).toContainText('Watch-only. You cannot act on this account.')
  await sheet.getByRole('button', { name: 'Close' }).click()
  // Back in the user’s own account, the other account’s data must be gone.
  await accountHead(page).getByRole('button', { name: 'Old fund' }).click()
  await page.getByRole('menuitemradio', { name: /^Connected wallet/ }).click()
  await expect(tables(page)).toContainText('No closed positions yet')
  await expect(accountHead(page)).toContainText('With first-key')
})

test('when the account gets close to liquidation, the app shows an alert in its window and as a system notification [ACC-01]', async ({ open, practice }) => {
  const { desk, page, phone } = await openSignedIn(open)
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '500' })
  await signToFinal(page, phone, practice)
  await goTo(page, 'Account')
  await page.getByRole('button', { name: 'Set alerts' }).click()
  const sheet = page.getByRole('dialog', { name: 'Account alerts' })
  await sheet.getByRole('textbox', { name: /^Health factor below/ }).fill('-1')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await expect(sheet.getByRole('alert')).toContainText('Enter a number above zero.')
  await sheet.getByRole('textbox', { name: /^Health factor below/ }).fill('100000')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(/Health factor [\d,.]+The health factor is below your threshold of 100,000\./)
  await expect(page.getByRole('button', { name: 'Alerts are on. Change alerts' })).toBeVisible()
  // Only the stand-in for Electron has `standIn`, which records the app’s requests to the desktop, such as notifications.
  const warnings = (click: boolean) =>
    desk.app.evaluate((electron, wanted) => {
      const { standIn } = electron as unknown as { standIn: { requests: { kind: string; title?: string; click?: () => void }[] } }
      const found = standIn.requests.filter(({ kind, title }) => kind === 'notification' && title?.includes('Health factor') === true)
      if (wanted) for (const { click: open } of found) open?.()
      return found.length
    }, click)
  await expect.poll(() => warnings(false)).toBe(1)
  await goTo(page, 'Overview')
  await warnings(true)
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
})

test('while the app reads, and after a failed page, the sums of the report and of the equity panel say that they are incomplete [ACC-02]', async ({
  open,
  practice,
}) => {
  test.setTimeout(180_000)
  const { page } = await openSignedIn(open)
  await practice.past({ trades: 2_000 })
  await goTo(page, 'Account')
  await openTab(page, 'Trades')
  await expect(tableFoot(page)).toContainText('older ones exist', { timeout: 30_000 })
  await practice.faults({ answer: [{ route: 'GET /api/dex/v1/trades', status: 503, code: 'UNAVAILABLE', times: 1_000 }] })
  await openTab(page, 'Reports')
  await tables(page).getByRole('radio', { name: 'All' }).click()
  const report = tables(page).getByRole('table', { name: 'Report' })
  await expect(report.getByRole('row').nth(1)).toContainText('Total incomplete', { timeout: 60_000 })
  const equity = region(page, 'Equity')
  await expect(equity).toContainText('Realised, all incomplete')
  await practice.clearFaults()
  await tables(page).getByRole('button', { name: 'Read more' }).click()
  await expect(report.getByRole('row').nth(1)).not.toContainText('incomplete', { timeout: 60_000 })
  await expect(equity).not.toContainText('incomplete')
})
