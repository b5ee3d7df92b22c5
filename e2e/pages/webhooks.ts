import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

export const webhookRow = (page: Page, url: string): Locator => page.getByRole('table', { name: 'Webhooks' }).getByRole('row').filter({ hasText: url })

/** The sheet for a new one. */
export const newWebhook = (page: Page): Locator => page.getByRole('dialog', { name: 'New webhook' })

export async function openNewWebhook(page: Page): Promise<Locator> {
  await goTo(page, 'Webhooks')
  await page
    .getByRole('main')
    .getByRole('button', { name: /New webhook/ })
    .first()
    .click()
  await expect(newWebhook(page)).toBeVisible()
  return newWebhook(page)
}

/** Fills the sheet and presses Create. What came of it is for the caller to see. */
export async function createWebhook(page: Page, url: string): Promise<void> {
  const sheet = await openNewWebhook(page)
  await sheet.getByRole('textbox', { name: 'Send to' }).fill(url)
  await sheet.getByRole('button', { name: 'Create webhook' }).click()
}

/** The panel about the secret of the webhook that is open. */
export const signingSecret = (page: Page): Locator => page.getByRole('region', { name: 'Signing secret' })

/** The note about a creation whose answer was lost. */
export const lostWebhook = (page: Page): Locator => page.locator('[data-part=note]').filter({ hasText: 'The response to creating a webhook was lost.' })

/** Confirms what takes the host typed. */
export async function confirmHost(page: Page, host: string, button: string): Promise<void> {
  const sheet = page.getByRole('alertdialog')
  await expect(sheet.getByRole('button', { name: button })).toBeDisabled()
  await sheet.getByRole('textbox').fill(host)
  await sheet.getByRole('button', { name: button }).click()
  await expect(sheet).toBeHidden()
}
