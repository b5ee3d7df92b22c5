import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

/**
 * The button that continues once the service has prepared a grant. `refusedGrant` appears instead if the grant must not be signed. The grant’s panel
 * appears earlier than either button.
 */
export const signGrant = (page: Page): Locator => page.getByRole('button', { name: 'Sign in your wallet' })
export const refusedGrant = (page: Page): Locator => page.getByRole('button', { name: 'See why it is refused' })

export const newKeyButton = (page: Page): Locator =>
  page
    .getByRole('main')
    .getByRole('button', { name: /New key/ })
    .first()

/** The wizard’s button at the end of the form. For a key without an agent it creates the key; otherwise it prepares the agent’s grant. */
export const createButton = (page: Page): Locator => page.getByRole('button', { name: 'Create key' }).or(page.getByRole('button', { name: 'Prepare grant' }))

/** Opens the new-key wizard, enters the label and requests the grant. The caller checks the result. */
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

/** Requests the grant of a new key and expects a grant that may be signed. Creates no key. */
export async function prepareKey(page: Page, label: string): Promise<void> {
  await askForGrant(page, label)
  await expect(signGrant(page)).toBeVisible()
}

export async function openGrant(page: Page): Promise<void> {
  await signGrant(page).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

export async function expectKeyStored(page: Page, label: string): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: `${label}: secret stored in the keychain and verified` })).toBeVisible({ timeout: 30_000 })
}
