import { expect, type Locator, type Page } from '@playwright/test'

export const signInSheet = (page: Page): Locator => page.getByRole('dialog', { name: /Sign in/ })

/** The button at the top of the window that says how long the sign-in lasts. Missing without a sign-in. */
export const signInButton = (page: Page): Locator => page.getByRole('banner').getByRole('button', { name: /^Sign-in .* left$/ })

export async function openSignIn(page: Page): Promise<Locator> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Sign in$|Sign-in ended/ })
    .click()
  await expect(signInSheet(page)).toBeVisible()
  return signInSheet(page)
}

/** Sends the challenge to the wallet. An unknown signing format needs the user’s confirmation first. */
export async function sendChallenge(page: Page): Promise<void> {
  const sheet = signInSheet(page)
  const send = sheet.getByRole('button', { name: 'Send to wallet' })
  await expect(send).toBeVisible()
  const word = sheet.getByRole('checkbox')
  if (await word.isVisible()) await word.check()
  await send.click()
}

/** Expects to be signed in, with the sign-in sheet closed. While the sheet is open, the bar may still show the previous session. */
export async function expectSignedIn(page: Page): Promise<void> {
  await expect(signInSheet(page)).toBeHidden()
  await expect(signInButton(page)).toBeVisible()
}
