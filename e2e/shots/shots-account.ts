import { expect } from '@playwright/test'
import { drawnRows, openTab, tableFoot, tables, watchWallet } from '../pages/account.ts'
import { goTo } from '../pages/frame.ts'
import { join } from '../pages/ready.ts'
import { signToFinal } from '../pages/rows.ts'
import { reviewOrder } from '../pages/ticket.ts'
import { appValue } from '../support/bridge.ts'
import type { Studio } from './shots-studio.ts'

const firstRows = { symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '', offset: 0, limit: 50 } as const
const stranger = '0x00000000219ab540356cBB839Cbe05303d7705Fa'

export async function takeAccountShots({ desk, page, practice, shoot }: Studio): Promise<void> {
  const phone = await join(desk, 'grid-eth-2')
  await goTo(page, 'Account')
  await expect(tables(page)).toContainText('No open positions')
  await shoot('account-empty', { narrow: true })
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '2500', leverage: '10' })
  await signToFinal(page, phone, practice)
  await practice.past({ trades: 10_000 })
  await practice.past({ trades: 400, wallet: stranger })
  await goTo(page, 'Account')
  await openTab(page, 'Trades')
  await expect(drawnRows(page).first()).toBeVisible({ timeout: 30_000 })
  await openTab(page, 'Positions')
  await shoot('account-positions', { narrow: true })
  for (const [tab, name] of [
    ['Orders', 'orders'],
    ['Trades', 'trades'],
    ['Closed positions', 'closed'],
    ['Transactions', 'transactions'],
    ['Collateral', 'collateral'],
  ] as const) {
    await openTab(page, tab)
    await expect(tables(page).locator('tbody:not([aria-busy]) tr').first()).toBeVisible()
    await shoot(`account-${name}`, { narrow: name === 'trades' || name === 'transactions' })
  }
  await openTab(page, 'Orders')
  const { rows } = await appValue(page, 'account.history', { watch: null, table: 'transactions', ...firstRows })
  await tables(page).getByRole('button', { name: 'Find by client order ID' }).click()
  const finder = page.getByRole('dialog', { name: 'Find by client order ID' })
  await finder
    .getByRole('textbox', { name: 'Client order ID' })
    .fill(rows.find(({ what, clientOrderId }) => what === 'open_position' && clientOrderId !== null)?.clientOrderId ?? 'none')
  await finder.getByRole('button', { name: 'Find' }).click()
  await expect(finder).toContainText('Intent')
  await shoot('account-find', { narrow: true })
  await finder.getByRole('textbox', { name: 'Client order ID' }).fill('nobody-asked')
  await finder.getByRole('button', { name: 'Find' }).click()
  await expect(finder).toContainText('Order not found')
  await shoot('account-find-none')
  await finder.getByRole('button', { name: 'Close' }).click()
  await openTab(page, 'Trades')
  await drawnRows(page).first().getByRole('button').click()
  await shoot('account-row', { narrow: true })
  await page.keyboard.press('Escape')
  await tables(page).getByRole('textbox', { name: 'Filter rows' }).fill('nothing like it')
  await expect(tables(page)).toContainText('No matches', { timeout: 60_000 })
  await shoot('account-nothing-fits')
  await openTab(page, 'Reports')
  await tables(page).getByRole('radio', { name: '1y' }).click()
  await expect(tableFoot(page)).not.toContainText('so far', { timeout: 60_000 })
  await tables(page)
    .getByRole('row', { name: /^Total/ })
    .waitFor()
  await shoot('account-report', { narrow: true })
  await tables(page).getByRole('radio', { name: 'Market' }).click()
  await expect(tables(page).getByRole('table', { name: 'Report' })).toContainText('BTC-PERP')
  await shoot('account-report-markets')
  await tables(page).getByRole('radio', { name: 'Key' }).click()
  await expect(tables(page).getByRole('table', { name: 'Report' })).toContainText('Total', { timeout: 60_000 })
  await expect(tableFoot(page)).not.toContainText('so far', { timeout: 60_000 })
  await shoot('account-report-keys')
  await page.getByRole('button', { name: /Set alerts|Alerts are on/ }).click()
  await shoot('account-alerts', { narrow: true })
  await page.keyboard.press('Escape')
  await watchWallet(page, stranger, 'Old fund')
  await openTab(page, 'Trades')
  await expect(drawnRows(page).first()).toBeVisible({ timeout: 30_000 })
  await shoot('account-watched', { narrow: true })
  await practice.faults({ answer: [{ route: 'GET /api/dex/account', status: 503, code: 'UNAVAILABLE', times: 1_000 }] })
  await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible({ timeout: 60_000 })
  await shoot('account-stale', { narrow: true })
  await practice.clearFaults()
  await page.getByRole('main').getByRole('button', { name: 'Old fund' }).click()
  await page.getByRole('menuitemradio', { name: /^Connected wallet/ }).click()
}
