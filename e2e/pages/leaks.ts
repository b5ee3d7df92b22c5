import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

export async function openLeaks(page: Page): Promise<void> {
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Leak guard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Leak guard' })).toBeVisible()
}

/** Scans the selected folders for leaked keys and waits until the result contains the text `outcome`. */
export async function scanFolders(page: Page, outcome: string): Promise<void> {
  await page.getByRole('button', { name: /^Scan( again)?$/ }).click()
  await expect(page.getByRole('status').filter({ hasText: outcome })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Scan again' })).toBeVisible()
}

/** The finding of the leak scan whose location starts with `place`, for example `.env:1`. */
export const foundPlace = (page: Page, place: string): Locator =>
  page
    .getByRole('table', { name: 'Found keys' })
    .getByRole('row')
    .filter({ has: page.getByText(place, { exact: true }) })
