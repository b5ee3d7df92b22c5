import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

export async function openGaps(page: Page): Promise<void> {
  await goTo(page, 'Webhooks')
  await page.getByRole('tab', { name: 'Gap check' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Gap check' })).toBeVisible()
}

/** Rows of the expected events that are drawn, without their head. */
export const expectedEvents = (page: Page): Locator => page.getByRole('table', { name: 'Expected events' }).locator('tbody').getByRole('row')

/** What came of the check, in a sentence. */
export const gapSummary = (page: Page): Locator => page.getByRole('region', { name: 'Gap check' }).getByRole('status').first()

/** Reports of what the wallet broadcast itself. */
export const ownReports = (page: Page): Locator => page.getByRole('region', { name: /^Reported broadcasts/ })

/** Reads the history anew, whole. */
export const checkAgain = (page: Page): Promise<void> => page.getByRole('button', { name: 'Check again' }).click()
