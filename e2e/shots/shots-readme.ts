import { expect, type Page } from '@playwright/test'
import { roundToStep } from '../../shared/decimal.ts'
import { drawnRows, openTab } from '../pages/account.ts'
import { goTo } from '../pages/frame.ts'
import { keyRow, openKey } from '../pages/keys.ts'
import { favour, openMarket, openMarkets } from '../pages/markets.ts'
import { join } from '../pages/ready.ts'
import { signToFinal, signToPlaced } from '../pages/rows.ts'
import { signingSheet } from '../pages/signing.ts'
import { chooseOrderType, chooseTpSl, fillOrder, reviewButton, reviewOrder, ticket, ticketField } from '../pages/ticket.ts'
import { bookRow, figure, marketHead, orderBook } from '../pages/trade.ts'
import type { Studio } from './shots-studio.ts'

async function choose(page: Page, symbol: string): Promise<void> {
  await marketHead(page)
    .getByRole('button', { name: /Choose another$/ })
    .click()
  await page.getByRole('listbox', { name: 'Markets' }).getByRole('option').filter({ hasText: symbol }).click()
  await expect(figure(marketHead(page), 'Mark')).toHaveText(/\d/)
}

/** Closes the toasts on screen. An error, such as the expiry of a key within a day, stays until the user closes it. */
async function closeToasts(page: Page): Promise<void> {
  const dismiss = page.locator('[data-part=toast]').getByRole('button', { name: 'Dismiss' })
  await expect(async () => {
    for (const button of await dismiss.all()) await button.click({ timeout: 1_000 })
    await expect(dismiss).toHaveCount(0, { timeout: 500 })
  }).toPass({ timeout: 30_000 })
}

/** Takes the screenshots for the README. Copy them into `build/pictures` by hand. */
export async function takeReadmeShots({ desk, page, practice, shoot }: Studio): Promise<void> {
  const phone = await join(desk, 'grid-eth-2')
  await practice.past({ trades: 2_000 })
  const sample = await practice.sample(5)
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(keyRow(page, sample[0]?.key_id ?? '')).toBeVisible()
  await goTo(page, 'Trade')
  for (const [symbol, side, value, leverage] of [
    ['ETH-PERP', 'Short', '6200', '5'],
    ['SOL-PERP', 'Long', '3400', '8'],
  ] as const) {
    await choose(page, symbol)
    await ticket(page).getByRole('radio', { name: 'Isolated' }).click()
    await reviewOrder(page, { side, value, leverage })
    await signToFinal(page, phone, practice)
  }
  await choose(page, 'BTC-PERP')
  await ticket(page).getByRole('radio', { name: 'Cross' }).click()
  const mark = Number((await figure(marketHead(page), 'Mark').innerText()).replace(/[^\d.]/g, ''))
  await chooseTpSl(page, 'Price')
  await fillOrder(page, { side: 'Long', value: '12500', leverage: '10' })
  await ticketField(page, /^(Take profit|TP)/).fill(roundToStep(String(mark * 1.015), '1'))
  await ticketField(page, /^(Stop loss|SL)/).fill(roundToStep(String(mark * 0.985), '1'))
  await expect(reviewButton(page)).toBeEnabled()
  await reviewButton(page).click()
  await signToFinal(page, phone, practice)
  await ticket(page)
    .getByRole('checkbox', { name: /^(Take profit and stop loss|TP\/SL by)$/ })
    .uncheck()
  await bookRow(page, 'bid', 6).getByRole('button').click()
  await fillOrder(page, { value: '2500' })
  await expect(reviewButton(page)).toBeEnabled()
  await reviewButton(page).click()
  await signToPlaced(page, phone, practice)
  await expect(orderBook(page).locator('tr[data-own]').first()).toBeVisible()
  await closeToasts(page)
  await page.mouse.move(0, 0)
  await shoot('readme-trade')
  await chooseOrderType(page, 'Market')
  await reviewOrder(page, { side: 'Short', value: '1200.5' })
  await signingSheet(page).getByRole('button', { name: 'Send to wallet' }).waitFor()
  await shoot('readme-signing')
  await page.keyboard.press('Escape')
  await openKey(page, 'grid-eth-2')
  await page.getByRole('button', { name: 'Test key' }).click()
  await expect(page.getByRole('main')).toContainText(/\d+ of \d+ pass/, { timeout: 30_000 })
  await closeToasts(page)
  await page.mouse.move(0, 0)
  await shoot('readme-key')
  await goTo(page, 'Overview')
  await page.getByRole('region', { name: 'Recent' }).getByRole('listitem').first().waitFor()
  await expect(page.getByRole('region', { name: 'Key expiry' })).toBeVisible()
  await shoot('readme-overview')
  await goTo(page, 'Account')
  await openTab(page, 'Trades')
  await expect(drawnRows(page).first()).toBeVisible({ timeout: 30_000 })
  await page.mouse.move(0, 0)
  await shoot('readme-account')
  await openMarkets(page)
  for (const symbol of ['ETH-PERP', 'BTC-PERP', 'SOL-PERP']) await favour(page, symbol)
  await openMarket(page, 'BTC-PERP')
  await page.getByRole('slider', { name: /^Open interest of/ }).waitFor()
  await page.mouse.move(0, 0)
  await shoot('readme-market')
}
