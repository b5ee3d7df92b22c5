import { expect, type Locator, type Page } from '@playwright/test'

/** Starts practice mode from the first screen with one click. Ends at the QR code for pairing. */
export async function startPractising(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start practice' }).click()
  await expect(page.getByRole('button', { name: 'Scan with the practice phone' })).toBeEnabled({ timeout: 30_000 })
}

/** Adds an exchange by its address on the first screen. Ends at the page that connects a wallet. */
export async function addExchange(page: Page, address: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Exchange address' }).fill(address)
  await page.getByRole('button', { name: 'Check address' }).click()
  await page.getByRole('button', { name: 'Add exchange' }).click()
}

export const projectIdField = (page: Page): Locator => page.getByRole('textbox', { name: 'WalletConnect project ID' })

/** Lets the practice phone scan the QR code for pairing. The phone’s window opens and shows the request. */
export async function scanWithPhone(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Scan with the practice phone' }).click()
}

export async function expectConnected(page: Page): Promise<void> {
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
}
