import { expect, type Page } from '@playwright/test'
import { favour, marketLine, openMarket, openMarkets, panel } from './pages/markets.ts'
import type { Practice } from './support/practice.ts'

interface MarketShots {
  readonly page: Page
  readonly practice: Practice
  readonly shoot: (name: string, options?: { narrow?: boolean }) => Promise<void>
}

/** Every view of the Markets page, with what stands there when nothing is known or can be read. */
export async function takeMarketShots({ page, practice, shoot }: MarketShots): Promise<void> {
  await openMarkets(page)
  await expect(marketLine(page, 'BTC-PERP').getByRole('img', { name: /last 24 h/ })).toBeVisible()
  await page.getByRole('radio', { name: /^Favourites/ }).click()
  await shoot('markets-no-favourites')
  await page.getByRole('radio', { name: /^All/ }).click()
  for (const symbol of ['ETH-PERP', 'BTC-PERP', 'SOL-PERP', 'AERO-PERP']) await favour(page, symbol)
  await expect(page.getByRole('list', { name: 'Favourites' })).toContainText(/\d/)
  await shoot('markets', { narrow: true })
  await page.getByRole('searchbox', { name: 'Search markets' }).fill('nothing like it')
  await shoot('markets-none-found')
  await page.getByRole('searchbox', { name: 'Search markets' }).fill('')
  await openMarket(page, 'BTC-PERP')
  await expect(page.getByRole('slider', { name: /^Open interest of/ })).toBeVisible()
  await shoot('markets-one', { narrow: true })
  await page.getByRole('slider', { name: /^Funding rate of/ }).focus()
  for (let press = 0; press < 30; press += 1) await page.keyboard.press('ArrowLeft')
  await shoot('markets-one-read-off')
  await panel(page, 'Recent liquidations').scrollIntoViewIfNeeded()
  await shoot('markets-one-end')
  await openMarkets(page, 'Liquidations')
  await shoot('markets-liquidations', { narrow: true })
  await openMarkets(page, 'Vault')
  await panel(page, 'Liquidity vault').getByText('Yearly return').waitFor()
  await shoot('markets-vault', { narrow: true })
  await openMarkets(page, 'Protocol token')
  await panel(page, 'Supply and holders').getByText('Burned in 24 h').waitFor()
  await shoot('markets-token', { narrow: true })
  await openMarkets(page, 'Exchange')
  await panel(page, 'How it works').getByText('trading_fee_bps').waitFor()
  await shoot('markets-exchange', { narrow: true })

  await practice.faults({ breakers: [{ name: 'withdrawals', reason: 'The oracle is being replaced', sinceMs: Date.now() - 2 * 3_600_000 }] })
  await page.getByRole('status').filter({ hasText: 'circuit breaker' }).waitFor()
  await shoot('markets-breaker', { narrow: true })
  await practice.clearFaults()

  await practice.faults({ shapes: [{ route: '*', kind: 'labels' }] })
  await page.reload()
  await openMarkets(page)
  await page.getByRole('table', { name: 'Markets' }).getByRole('row').nth(20).waitFor()
  await shoot('markets-hostile')
  await openMarkets(page, 'Exchange')
  await panel(page, 'How it works').getByText('trading_fee_bps').waitFor()
  await shoot('markets-hostile-exchange')
  await practice.clearFaults()
  await page.reload()
  await openMarkets(page)

  await practice.faults({ omitOptional: true, extraFields: true })
  await openMarkets(page)
  await expect(marketLine(page, 'BTC-PERP')).toContainText('—')
  await shoot('markets-partial')
  await practice.clearFaults()
  await practice.faults({ answer: [{ route: '*', status: 500, code: 'INTERNAL', times: 9_999 }] })
  await expect(page.getByText(/^Stale, read/)).toBeVisible({ timeout: 20_000 })
  await shoot('markets-stale')
  await page.reload()
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).first().waitFor()
  await shoot('markets-error')
  await openMarkets(page, 'Vault')
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).first().waitFor()
  await shoot('markets-vault-error')
  await practice.clearFaults()
}
