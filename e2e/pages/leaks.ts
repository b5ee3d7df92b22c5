import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

/** From the head of the keys' page. */
export async function openLeaks(page: Page): Promise<void> {
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Leak guard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Leak guard' })).toBeVisible()
}

/** Scans what is chosen and waits for the end, which is told in these words. */
export async function scanFolders(page: Page, outcome: string): Promise<void> {
  await page.getByRole('button', { name: /^Scan( again)?$/ }).click()
  await expect(page.getByRole('status').filter({ hasText: outcome })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Scan again' })).toBeVisible()
}

/** The place that begins so, for example `.env:1`. */
export const foundPlace = (page: Page, place: string): Locator =>
  page
    .getByRole('table', { name: 'Found keys' })
    .getByRole('row')
    .filter({ has: page.getByText(place, { exact: true }) })
