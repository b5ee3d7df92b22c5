import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

/** The ways on from a prepared grant. Before the service has prepared one, neither is there, though the grant's panel is. */
export const signGrant = (page: Page): Locator => page.getByRole('button', { name: 'Sign in your wallet' })
export const refusedGrant = (page: Page): Locator => page.getByRole('button', { name: 'See why it is refused' })

/** Opens the wizard, names the key and asks for its grant. What came of it is for the caller to see. */
export async function askForGrant(page: Page, label: string): Promise<void> {
  await goTo(page, 'Keys')
  await page
    .getByRole('main')
    .getByRole('button', { name: /New key/ })
    .or(page.getByRole('main').getByRole('link', { name: /New key/ }))
    .first()
    .click()
  await page.getByRole('textbox', { name: 'Name' }).fill(label)
  await page.getByRole('radio', { name: /Trading bot/ }).click()
  await page.getByRole('button', { name: 'Prepare grant' }).click()
}

/** Asks for a key's grant and gets one that may be signed. Creates nothing. */
export async function prepareKey(page: Page, label: string): Promise<void> {
  await askForGrant(page, label)
  await expect(signGrant(page)).toBeVisible()
}

/** Opens the signing sheet for the grant on screen. */
export async function openGrant(page: Page): Promise<void> {
  await signGrant(page).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

export async function expectKeyStored(page: Page, label: string): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: `${label}: secret stored in the keychain and verified` })).toBeVisible({ timeout: 30_000 })
}
