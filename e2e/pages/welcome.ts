import { expect, type Page } from '@playwright/test'

/** From the first screen to the pairing code of practice mode, by one click. */
export async function startPractising(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start practice' }).click()
  await expect(page.getByRole('button', { name: 'Scan with the practice phone' })).toBeEnabled({ timeout: 30_000 })
}

/** Lets the practice phone scan the code; its window opens and asks. */
export async function scanWithPhone(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Scan with the practice phone' }).click()
}

/** The frame with a connected wallet. */
export async function expectConnected(page: Page): Promise<void> {
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
}
