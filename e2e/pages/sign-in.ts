import { expect, type Locator, type Page } from '@playwright/test'

export const signInSheet = (page: Page): Locator => page.getByRole('dialog', { name: /Sign in/ })

/** The button at the top of the window that shows when the sign-in expires. Exists only while the user is signed in. */
export const signInButton = (page: Page): Locator => page.getByRole('banner').getByRole('button', { name: /^Sign-in .* left$/ })

export async function openSignIn(page: Page): Promise<Locator> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Sign in$|Sign-in ended/ })
    .click()
  await expect(signInSheet(page)).toBeVisible()
  return signInSheet(page)
}

/** Sends the sign-in message to the wallet, after confirming its signing format if that format is unknown. */
export async function sendChallenge(page: Page): Promise<void> {
  const sheet = signInSheet(page)
  const send = sheet.getByRole('button', { name: 'Send to wallet' })
  await expect(send).toBeVisible()
  const word = sheet.getByRole('checkbox')
  if (await word.isVisible()) await word.check()
  await send.click()
}

/** Expects that the user is signed in and the sign-in sheet is closed. While the sheet is open, the button may still show the previous session. */
export async function expectSignedIn(page: Page): Promise<void> {
  await expect(signInSheet(page)).toBeHidden()
  await expect(signInButton(page)).toBeVisible()
}
