import { expect, type Locator, type Page } from '@playwright/test'

/** Goes from the first screen to practice mode’s pairing code with one click. */
export async function startPractising(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start practice' }).click()
  await expect(page.getByRole('button', { name: 'Scan with the practice phone' })).toBeEnabled({ timeout: 30_000 })
}

/** Goes from the first screen to the page that connects a wallet to the exchange at this address. */
export async function addExchange(page: Page, address: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Exchange address' }).fill(address)
  await page.getByRole('button', { name: 'Check address' }).click()
  await page.getByRole('button', { name: 'Add exchange' }).click()
}

/** The field for the WalletConnect project id, on the page that connects a wallet and in the settings. */
export const projectIdField = (page: Page): Locator => page.getByRole('textbox', { name: 'WalletConnect project ID' })

/** Lets the practice phone scan the code; the phone’s window opens and shows the request. */
export async function scanWithPhone(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Scan with the practice phone' }).click()
}

/** Expects the app’s frame with a connected wallet. */
export async function expectConnected(page: Page): Promise<void> {
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
}
