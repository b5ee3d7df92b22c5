import { expect, type Locator, type Page } from '@playwright/test'

export type AccountTab = 'Positions' | 'Orders' | 'Trades' | 'Transactions' | 'Closed positions' | 'Collateral' | 'Reports'

export const accountHead = (page: Page): Locator =>
  page
    .getByRole('main')
    .locator('[data-part=head]')
    .filter({ has: page.getByRole('heading', { level: 1, name: 'Account', exact: true }) })

export const tables = (page: Page): Locator => page.getByRole('region', { name: 'Account tables' })

export async function openTab(page: Page, tab: AccountTab): Promise<void> {
  await tables(page)
    .getByRole('tab', { name: new RegExp(`^${tab}`) })
    .click()
  await expect(tables(page).getByRole('tab', { name: new RegExp(`^${tab}`) })).toHaveAttribute('aria-selected', 'true')
}

export const drawnRows = (page: Page): Locator => tables(page).locator('tbody tr[aria-rowindex]')

export const tableFoot = (page: Page): Locator => tables(page).locator('[data-part=foot]')

export async function watchWallet(page: Page, address: string, name: string): Promise<void> {
  await accountHead(page)
    .getByRole('button', { name: /Connected wallet|Choose a wallet/ })
    .click()
  await page.getByRole('menuitem', { name: 'Watch another wallet' }).click()
  const sheet = page.getByRole('dialog', { name: 'Watch a wallet' })
  await sheet.getByRole('textbox', { name: 'Address' }).fill(address)
  await sheet.getByRole('textbox', { name: 'Name' }).fill(name)
  await sheet.getByRole('button', { name: 'Watch', exact: true }).click()
  await expect(sheet).toBeHidden()
}
