import { expect, type Locator, type Page } from '@playwright/test'
import type { Practice } from '../support/practice.ts'
import { intentDetail, openActivity } from './activity.ts'
import { goTo } from './frame.ts'
import { signingSheet } from './signing.ts'

export const collateralSheet = (page: Page): Locator => page.getByRole('dialog', { name: /^(Deposit|Withdraw) collateral$/ })

/** Opens the Deposit or Withdraw sheet through the command palette. */
export async function openCollateral(page: Page, what: 'Deposit' | 'Withdraw'): Promise<Locator> {
  await goTo(page, 'Overview')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill(`${what} collateral`)
  // After a start, the command exists only once the app knows the account.
  await expect(page.getByRole('option', { selected: true })).toHaveText(`${what} collateral`)
  await page.keyboard.press('Enter')
  await expect(collateralSheet(page)).toBeVisible()
  return collateralSheet(page)
}

export interface CollateralEntry {
  readonly amount: string
  readonly token?: 'USDC' | 'SVC'
  /** How to deposit USDC. If undefined, the sheet’s preselected method stays. */
  readonly way?: 'One signature' | 'Transactions'
}

/** Fills in the open deposit or withdrawal sheet and presses Review. The caller checks the result. */
export async function reviewCollateral(page: Page, { amount, token = 'USDC', way }: CollateralEntry): Promise<void> {
  const sheet = collateralSheet(page)
  await sheet.getByRole('radio', { name: token, exact: true }).click()
  // The choice of a deposit method appears on the sheet only after the exchange has published its methods.
  if (way !== undefined) await sheet.getByRole('radio', { name: way }).click()
  await sheet.getByRole('textbox', { name: 'Amount' }).fill(amount)
  await sheet.getByRole('button', { name: /^Review/ }).click()
}

export const steps = (page: Page): Locator => signingSheet(page).getByRole('list', { name: 'Transactions' }).getByRole('listitem')

/** Expects that the signing sheet shows transaction `number` as the next step, without a button press of the user. */
export async function expectStep(page: Page, number: number): Promise<void> {
  await expect(steps(page).nth(number - 1)).toHaveAttribute('aria-current', 'step', { timeout: 30_000 })
  await expect(signingSheet(page).getByRole('button', { name: 'Send to wallet' })).toBeVisible({ timeout: 30_000 })
}

/**
 * Opens, in Activity, a deposit request to which a contract wallet never responded. First advances time and mines blocks, so that Activity lists the
 * request as unknown.
 */
export async function openUnknownDeposit(page: Page, practice: Practice): Promise<void> {
  await practice.advance(10 * 60_000)
  await practice.chain({ mine: 10 })
  // A second Escape may be needed: the first one may only return from the request to the form.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(signingSheet(page)).toBeHidden({ timeout: 500 })
  }).toPass()
  await openActivity(page, 'Orders')
  await page.getByRole('table', { name: 'Orders' }).getByRole('row').filter({ hasText: 'Deposit 500.00 USDC' }).filter({ hasText: 'Unknown' }).click()
  await expect(intentDetail(page)).toContainText('The chain shows no such transaction.')
}
