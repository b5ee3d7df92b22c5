import { expect, type Locator, type Page } from '@playwright/test'

export const signingSheet = (page: Page): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'))

/** One line of the comparison: the requested value, the verdict, and the value to be signed. */
export const comparisonLine = (page: Page, id: string): Locator => signingSheet(page).locator(`[data-line="${id}"]`)

/** The picture of the phone, shown as long as the phone has not answered. */
export const phonePicture = (page: Page): Locator => signingSheet(page).locator('[data-part=phone]')

/** The questions about contracts that the profile does not trust yet. */
export const contractQuestions = (page: Page): Locator => signingSheet(page).getByRole('region', { name: /^A (router|collateral token) to confirm$/ })

/** What a final order brought: its fill and the position after it. */
export const fillResult = (page: Page): Locator => signingSheet(page).getByRole('region', { name: 'What you got' })

/** How many pixels of the comparison its own scroller hides. */
export const hiddenLines = (page: Page): Promise<number> =>
  signingSheet(page)
    .getByRole('region', { name: 'Comparison', exact: true })
    .evaluate((lines) => lines.scrollHeight - lines.clientHeight)

/** The texts of the comparison that are cut off at their end. */
export const cutLines = (page: Page): Promise<readonly string[]> =>
  signingSheet(page)
    .getByRole('region', { name: 'Comparison', exact: true })
    .locator('*')
    .evaluateAll((parts) => parts.flatMap((part) => (part.clientWidth > 4 && part.scrollWidth > part.clientWidth + 1 ? [part.textContent ?? ''] : [])))

/** The list of values that the sheet asks the user to check on the phone. */
export const phoneCheckList = (page: Page): Locator =>
  signingSheet(page)
    .getByRole('list')
    .filter({ has: page.locator('em') })

/**
 * Sends the request on the sheet to the wallet. Confirms unknown contracts by their checkboxes. Confirms an unknown signing format by sending it
 * or by typing the phrase on the sheet, as a user would the first time. Returns whether a phrase was typed.
 */
export async function sendToWallet(page: Page): Promise<boolean> {
  const sheet = signingSheet(page)
  const contracts = contractQuestions(page)
  const question = sheet.getByRole('region', { name: /^A (signing format|field|transaction) to confirm$/ })
  const send = sheet.getByRole('button', { name: 'Send to wallet' })
  const proceed = sheet.getByRole('button', { name: 'Continue' })
  await expect(send.or(proceed)).toBeVisible()
  for (const contract of await contracts.all()) await contract.getByRole('checkbox').check()
  if (await proceed.isVisible()) await proceed.click()
  // Sending accepts a signing format in which the app recognises every field. Everything else needs its typed phrase.
  const field = question.getByRole('textbox')
  const typed = await field.isVisible()
  if (typed) await field.fill(((await question.locator('label code').textContent()) ?? '').trim())
  await expect(send).toBeEnabled()
  await send.click()
  return typed
}

export async function expectFinal(page: Page, timeout = 60_000): Promise<void> {
  await expect(signingSheet(page).getByRole('heading', { name: 'Done and final on Base' })).toBeVisible({ timeout })
}

/** As `expectFinal`, for an order that may stay open: a limit or stop order, a close at a limit, or a changed order. */
export async function expectPlaced(page: Page, timeout = 60_000): Promise<void> {
  await expect(signingSheet(page).getByRole('heading', { name: 'Order placed' })).toBeVisible({ timeout })
}
