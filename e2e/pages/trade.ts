import { expect, type Locator, type Page } from '@playwright/test'

export const marketHead = (page: Page): Locator => page.getByRole('region', { name: 'Market', exact: true })

/** The value in a list of figures whose label starts with `term`, for example the mark price in the market’s header. */
export const figure = (of: Locator, term: string): Locator =>
  of
    .locator('dl > div')
    .filter({ has: of.page().locator('dt', { hasText: new RegExp(`^${term}`) }) })
    .locator('dd')

export const chart = (page: Page): Locator => page.getByRole('region', { name: 'Chart' }).getByRole('img', { name: /candles of .*, last / })

/** The panel below the chart with positions, orders and activity. */
export const blotter = (page: Page): Locator => page.getByRole('region', { name: 'Positions and orders' })

export const blotterRow = (page: Page, table: 'Positions' | 'Orders' | 'Activity', about: string): Locator =>
  blotter(page).getByRole('table', { name: table }).getByRole('row').filter({ hasText: about })

/** Opens the panel with the service’s information about a market, through the button in the market’s header. */
export async function aboutMarket(page: Page, symbol: string): Promise<Locator> {
  await marketHead(page)
    .getByRole('button', { name: `About ${symbol}` })
    .click()
  const sheet = page.getByRole('dialog', { name: `About ${symbol}` })
  await expect(sheet).toBeVisible()
  return sheet
}

export const orderBook = (page: Page): Locator => page.getByRole('region', { name: 'Order book' })

/** A row of the order book. `place` counts from 0, which is the best price of that side. */
export const bookRow = (page: Page, side: 'bid' | 'ask', place: number): Locator => orderBook(page).locator(`tr[data-side=${side}][data-index="${place}"]`)

/** The chart’s line for a take profit, a stop loss or an order, which the user can drag. */
export const chartLine = (page: Page, what: 'take profit' | 'stop loss' | 'order'): Locator => page.getByTitle(`Drag to change the ${what}`)

/** The candle chart. The arrow keys pan it. */
export const candles = (page: Page): Locator => page.getByRole('region', { name: /^Candles\. Arrow keys move/ })
