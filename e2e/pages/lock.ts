import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

export const lockForm = (page: Page): Locator => page.getByRole('form', { name: 'Svc Desk is locked' })

export const lockSettings = (page: Page): Locator => page.getByRole('region', { name: 'Lock', exact: true })

export async function setPassphrase(page: Page, passphrase: string): Promise<void> {
  await goTo(page, 'Settings')
  await lockSettings(page).getByRole('button', { name: 'Set passphrase' }).click()
  const sheet = page.getByRole('dialog', { name: 'Set passphrase' })
  await sheet.getByLabel('New passphrase', { exact: true }).fill(passphrase)
  await sheet.getByLabel('Repeat new passphrase', { exact: true }).fill(passphrase)
  await sheet.getByRole('button', { name: 'Turn on lock' }).click()
  await expect(sheet).toBeHidden()
}

export async function givePassphrase(page: Page, passphrase: string): Promise<void> {
  await lockForm(page).getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await page.keyboard.press('Enter')
}

export async function unlock(page: Page, passphrase: string): Promise<void> {
  await givePassphrase(page, passphrase)
  await expect(lockForm(page)).toBeHidden()
}
