import { expect, type Locator, type Page } from '@playwright/test'

export const signingSheet = (page: Page): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'))

/** One line of the comparison: what was asked for, the verdict, what would be signed. */
export const comparisonLine = (page: Page, id: string): Locator => signingSheet(page).locator(`[data-line="${id}"]`)

/**
 * Sends what the sheet shows to the wallet. Contracts that were never seen are confirmed by their checkboxes, a layout by a tick
 * or by typing the phrase that the sheet names, as a user would the first time.
 */
export async function sendToWallet(page: Page): Promise<void> {
  const sheet = signingSheet(page)
  const contracts = sheet.getByRole('region', { name: /^A (router|collateral token) to confirm$/ })
  const layout = sheet.getByRole('region', { name: 'A layout to confirm' })
  const send = sheet.getByRole('button', { name: 'Send to wallet' })
  const proceed = sheet.getByRole('button', { name: 'Continue' })
  await expect(send.or(proceed)).toBeVisible()
  for (const contract of await contracts.all()) await contract.getByRole('checkbox').check()
  if (await proceed.isVisible()) await proceed.click()
  if (await layout.isVisible()) {
    const field = layout.getByRole('textbox')
    const tick = layout.getByRole('checkbox')
    await expect(field.or(tick)).toBeVisible()
    // A form in which all is recognised takes a tick, any other one its phrase.
    if (await tick.isVisible()) await tick.check()
    else await field.fill(((await layout.locator('label code').textContent()) ?? '').trim())
  }
  await expect(send).toBeEnabled()
  await send.click()
}

export async function expectFinal(page: Page, timeout = 60_000): Promise<void> {
  await expect(signingSheet(page).getByRole('heading', { name: 'Done. It is final on Base' })).toBeVisible({ timeout })
}
