import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

export type MarketsTab = 'All markets' | 'Liquidations' | 'Exchange'

export async function openMarkets(page: Page, tab: MarketsTab = 'All markets'): Promise<void> {
  await goTo(page, 'Markets')
  await page.getByRole('tablist', { name: 'Markets' }).getByRole('tab', { name: tab }).click()
}

export const marketsTable = (page: Page): Locator => page.getByRole('table', { name: 'Markets' })

export const marketLine = (page: Page, symbol: string): Locator =>
  marketsTable(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: symbol, exact: true }) })

/** The market names in table order, for rows that are rendered. */
export const shownSymbols = (page: Page): Promise<string[]> => marketsTable(page).getByRole('link').locator('b').allInnerTexts()

export const panel = (page: Page, name: string | RegExp): Locator => page.getByRole('main').getByRole('region', { name, exact: true })

export async function openMarket(page: Page, symbol: string): Promise<void> {
  await openMarkets(page)
  await marketLine(page, symbol).getByRole('link', { name: symbol, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: symbol })).toBeVisible()
}

export async function favour(page: Page, symbol: string): Promise<void> {
  const star = page.getByRole('button', { name: `Favourite ${symbol}` })
  await star.click()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
}
