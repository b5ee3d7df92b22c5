import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

/**
 * The buttons that continue from a prepared grant: `signGrant` and `refusedGrant`. Both are missing until the service has prepared the grant,
 * although the grant’s panel is already there.
 */
export const signGrant = (page: Page): Locator => page.getByRole('button', { name: 'Sign in your wallet' })
export const refusedGrant = (page: Page): Locator => page.getByRole('button', { name: 'See why it is refused' })

/** The button on the page of keys that opens the wizard. */
export const newKeyButton = (page: Page): Locator =>
  page
    .getByRole('main')
    .getByRole('button', { name: /New key/ })
    .first()

/** The wizard’s button that continues from the form, by the kind of key: it creates the key, or prepares its grant. */
export const createButton = (page: Page): Locator => page.getByRole('button', { name: 'Create key' }).or(page.getByRole('button', { name: 'Prepare grant' }))

/** Opens the wizard, names the key and requests its grant. The caller checks the result. */
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

/** Requests a key’s grant and gets one that may be signed. Creates nothing. */
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
