import { expect, type Locator, type Page } from '@playwright/test'
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
