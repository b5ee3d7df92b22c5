import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

export async function openGaps(page: Page): Promise<void> {
  await goTo(page, 'Webhooks')
  await page.getByRole('tab', { name: 'Gap check' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Gap check' })).toBeVisible()
}

/** The rendered rows of the expected events, without their header. */
export const expectedEvents = (page: Page): Locator => page.getByRole('table', { name: 'Expected events' }).locator('tbody').getByRole('row')

/** The result of the gap check, in a sentence. */
export const gapSummary = (page: Page): Locator => page.getByRole('region', { name: 'Gap check' }).getByRole('status').first()

/** Reports of transactions that the wallet itself broadcast. */
export const ownReports = (page: Page): Locator => page.getByRole('region', { name: /^Reported broadcasts/ })

/** Presses “Check again”: the gap check reads the complete event history again. */
export const checkAgain = (page: Page): Promise<void> => page.getByRole('button', { name: 'Check again' }).click()
