import { expect, type Locator, type Page } from '@playwright/test'
import type { Practice } from '../support/practice.ts'
import { intentDetail, openActivity } from './activity.ts'
import { goTo } from './frame.ts'
import { signingSheet } from './signing.ts'

export const collateralSheet = (page: Page): Locator => page.getByRole('dialog', { name: /^(Deposit|Withdraw) collateral$/ })

/** Opens the sheet by its command. */
export async function openCollateral(page: Page, what: 'Deposit' | 'Withdraw'): Promise<Locator> {
  await goTo(page, 'Overview')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill(`${what} collateral`)
  await page.keyboard.press('Enter')
  await expect(collateralSheet(page)).toBeVisible()
  return collateralSheet(page)
}

export interface CollateralEntry {
  readonly amount: string
  readonly token?: 'USDC' | 'SVC'
  /** For a deposit of USDC; by default as the sheet has it. */
  readonly way?: 'One signature' | 'Transactions'
}

/** Fills the sheet that is open, and reviews. What comes of it is for the caller to see. */
export async function reviewCollateral(page: Page, { amount, token = 'USDC', way }: CollateralEntry): Promise<void> {
  const sheet = collateralSheet(page)
  await sheet.getByRole('radio', { name: token, exact: true }).click()
  // The way is offered once the exchange has said so.
  if (way !== undefined) await sheet.getByRole('radio', { name: way }).click()
  await sheet.getByRole('textbox', { name: 'Amount' }).fill(amount)
  await sheet.getByRole('button', { name: /^Review/ }).click()
}

/** The transactions on the signing sheet, in their order. */
export const steps = (page: Page): Locator => signingSheet(page).getByRole('list', { name: 'Transactions' }).getByRole('listitem')

/** The sheet offers the next transaction by itself. */
export async function expectStep(page: Page, number: number): Promise<void> {
  await expect(steps(page).nth(number - 1)).toHaveAttribute('aria-current', 'step', { timeout: 30_000 })
  await expect(signingSheet(page).getByRole('button', { name: 'Send to wallet' })).toBeVisible({ timeout: 30_000 })
}

/** What only a contract wallet was asked for, and nobody answered: time passes, blocks come, and its intent is opened where it is said to be unknown. */
export async function openUnknownDeposit(page: Page, practice: Practice): Promise<void> {
  await practice.advance(10 * 60_000)
  await practice.chain({ mine: 10 })
  // What was only asked for leads back to the form first.
  await expect(async () => {
    await page.keyboard.press('Escape')
    await expect(signingSheet(page)).toBeHidden({ timeout: 500 })
  }).toPass()
  await openActivity(page, 'Orders')
  await page.getByRole('table', { name: 'Orders' }).getByRole('row').filter({ hasText: 'Deposit 500.00 USDC' }).filter({ hasText: 'Unknown' }).click()
  await expect(intentDetail(page)).toContainText('The chain shows no such transaction.')
}
