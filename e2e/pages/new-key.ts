import { expect, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

/** Opens the wizard, names the key and asks for its grant. Creates nothing. */
export async function prepareKey(page: Page, label: string, days?: string): Promise<void> {
  await goTo(page, 'Keys')
  await page
    .getByRole('main')
    .getByRole('button', { name: /New key/ })
    .or(page.getByRole('main').getByRole('link', { name: /New key/ }))
    .first()
    .click()
  await page.getByRole('textbox', { name: 'Name' }).fill(label)
  if (days) await page.getByRole('textbox', { name: 'Days, 1 to 2000' }).fill(days)
  await page.getByRole('button', { name: /Prepare the grant|Ask for the grant|See the grant/ }).click()
  await expect(page.getByRole('heading', { name: 'The grant, in words' })).toBeVisible()
}

/** Opens the signing sheet for the grant on screen. */
export async function openGrant(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in your wallet' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

export async function expectKeyStored(page: Page, label: string): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: `${label} is in the keychain, read back` })).toBeVisible({ timeout: 30_000 })
}
