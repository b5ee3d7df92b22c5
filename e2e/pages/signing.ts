import { expect, type Locator, type Page } from '@playwright/test'

export const signingSheet = (page: Page): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'))

/** One line of the comparison: what was asked for, the verdict, what would be signed. */
export const comparisonLine = (page: Page, id: string): Locator => signingSheet(page).locator(`[data-line="${id}"]`)

/**
 * Sends what the sheet shows to the wallet. Contracts that were never seen are confirmed by their checkboxes, a layout by a tick
 * or by typing the phrase that the sheet names, as a user would the first time. Says whether a phrase was typed.
 */
export async function sendToWallet(page: Page): Promise<boolean> {
  const sheet = signingSheet(page)
  const contracts = sheet.getByRole('region', { name: /^A (router|collateral token) to confirm$/ })
  const question = sheet.getByRole('region', { name: /^A (signing format|field|transaction) to confirm$/ })
  const send = sheet.getByRole('button', { name: 'Send to wallet' })
  const proceed = sheet.getByRole('button', { name: 'Continue' })
  await expect(send.or(proceed)).toBeVisible()
  for (const contract of await contracts.all()) await contract.getByRole('checkbox').check()
  if (await proceed.isVisible()) await proceed.click()
  let typed = false
  if (await question.isVisible()) {
    const field = question.getByRole('textbox')
    const tick = question.getByRole('checkbox')
    await expect(field.or(tick)).toBeVisible()
    // A form in which all is recognised takes a tick, any other one its phrase.
    typed = !(await tick.isVisible())
    if (typed) await field.fill(((await question.locator('label code').textContent()) ?? '').trim())
    else await tick.check()
  }
  await expect(send).toBeEnabled()
  await send.click()
  return typed
}

export async function expectFinal(page: Page, timeout = 60_000): Promise<void> {
  await expect(signingSheet(page).getByRole('heading', { name: 'Done. It is final on Base' })).toBeVisible({ timeout })
}
