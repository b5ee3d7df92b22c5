import { expect, type Locator, type Page } from '@playwright/test'

export async function openKillSwitch(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Kill switch' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Bulk actions' })).toBeVisible()
}

export const whatWillHappen = (page: Page): Locator => page.getByRole('list', { name: 'What will happen' })

export const bulkActionPanel = (page: Page): Locator => page.getByRole('region', { name: 'Result of each step' })

export const bulkActionStep = (page: Page, about: string | RegExp): Locator => bulkActionPanel(page).getByRole('row').filter({ hasText: about })

/** Types the confirmation phrase that the sheet shows, as a user would. */
export async function confirmBulkAction(page: Page, button: 'Stop everything' | 'Close all positions' | 'Cancel all orders'): Promise<void> {
  await page.getByRole('button', { name: `${button}…` }).click()
  const sheet = page.getByRole('alertdialog')
  await sheet.getByRole('textbox').fill(((await sheet.locator('label code').textContent()) ?? '').trim())
  await sheet.getByRole('button', { name: button }).click()
  await expect(sheet).toBeHidden()
}
