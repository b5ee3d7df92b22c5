import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

export const labPanel = (page: Page): Locator => page.getByRole('region', { name: 'Receiver lab' })

const capturedEvents = (page: Page): Locator => page.getByRole('table', { name: 'Captured events' })

export const capturedRow = (page: Page, words: string): Locator => capturedEvents(page).getByRole('row').filter({ hasText: words })

export const labSetup = (page: Page): Locator => page.getByRole('dialog', { name: 'Receive deliveries here' })

export async function openLab(page: Page): Promise<void> {
  await goTo(page, 'Webhooks')
  await page.getByRole('tab', { name: 'Receiver lab' }).click()
  await expect(labPanel(page)).toBeVisible()
}

export async function chooseInLab(page: Page, entry: string): Promise<void> {
  await labPanel(page).getByRole('button', { name: 'More lab actions' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

/**
 * Starts the receiver lab with the webhook and address that the form suggests. `port`: another port. `forwardTo`: the endpoint that gets all
 * deliveries and whose responses the lab returns.
 */
export async function listenInLab(page: Page, forwardTo?: string, port?: number): Promise<void> {
  await labPanel(page).getByRole('button', { name: 'Listen' }).click()
  const sheet = labSetup(page)
  if (port !== undefined) await sheet.getByRole('textbox', { name: 'Port' }).fill(String(port))
  if (forwardTo !== undefined) {
    await sheet.getByRole('textbox', { name: 'Forward to' }).fill(forwardTo)
    await sheet.getByRole('radio', { name: 'As my endpoint does' }).click()
  }
  await sheet.getByRole('button', { name: 'Listen' }).click()
  await expect(labPanel(page).getByText('Listening')).toBeVisible()
}
