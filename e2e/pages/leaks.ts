import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

/** Opens the leak scan from the header of the keys page. */
export async function openLeaks(page: Page): Promise<void> {
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Leak guard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Leak guard' })).toBeVisible()
}

/** Scans the selected folders and waits until the result shows the words of `outcome`. */
export async function scanFolders(page: Page, outcome: string): Promise<void> {
  await page.getByRole('button', { name: /^Scan( again)?$/ }).click()
  await expect(page.getByRole('status').filter({ hasText: outcome })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Scan again' })).toBeVisible()
}

/** The finding whose place starts with these words, for example `.env:1`. */
export const foundPlace = (page: Page, place: string): Locator =>
  page
    .getByRole('table', { name: 'Found keys' })
    .getByRole('row')
    .filter({ has: page.getByText(place, { exact: true }) })
