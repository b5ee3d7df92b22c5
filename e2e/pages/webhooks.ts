import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

export const webhookRow = (page: Page, url: string): Locator => page.getByRole('table', { name: 'Webhooks' }).getByRole('row').filter({ hasText: url })

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

/** Fills in the sheet for a new webhook and presses Create. The caller checks the result. */
export async function createWebhook(page: Page, url: string): Promise<void> {
  const sheet = await openNewWebhook(page)
  await sheet.getByRole('textbox', { name: 'Send to' }).fill(url)
  await sheet.getByRole('button', { name: 'Create webhook' }).click()
}

export const signingSecret = (page: Page): Locator => page.getByRole('region', { name: 'Signing secret' })

/** The note about a webhook that may have been created although the service’s response was lost. */
export const lostWebhook = (page: Page): Locator => page.locator('[data-part=note]').filter({ hasText: 'The response to creating a webhook was lost.' })

/** Confirms an action by typing the webhook’s host, as the sheet requires. */
export async function confirmHost(page: Page, host: string, button: string): Promise<void> {
  const sheet = page.getByRole('alertdialog')
  await expect(sheet.getByRole('button', { name: button })).toBeDisabled()
  await sheet.getByRole('textbox').fill(host)
  await sheet.getByRole('button', { name: button }).click()
  await expect(sheet).toBeHidden()
}
