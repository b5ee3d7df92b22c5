import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

export async function openGaps(page: Page): Promise<void> {
  await goTo(page, 'Webhooks')
  await page.getByRole('tab', { name: 'Gap check' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Gap check' })).toBeVisible()
}

export const expectedEvents = (page: Page): Locator => page.getByRole('table', { name: 'Expected events' }).locator('tbody').getByRole('row')

/** The gap check’s result as one sentence. */
export const gapSummary = (page: Page): Locator => page.getByRole('region', { name: 'Gap check' }).getByRole('status').first()

/** The gap check’s list of reports to the service, about transactions that the wallet broadcast itself. */
export const ownReports = (page: Page): Locator => page.getByRole('region', { name: /^Reported broadcasts/ })

/** Presses “Check again”, so that the gap check reads the service’s complete event history again. */
export const checkAgain = (page: Page): Promise<void> => page.getByRole('button', { name: 'Check again' }).click()
