import type { Locator, Page } from '@playwright/test'

export type View = 'Overview' | 'Trade' | 'Account' | 'Markets' | 'Keys' | 'Webhooks' | 'Activity' | 'Settings'

export async function goTo(page: Page, view: View): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: view, exact: !['Keys', 'Webhooks', 'Activity'].includes(view) })
    .click()
}

/** The connected wallet, at the top of the window. */
export const walletChip = (page: Page): Locator => page.getByRole('banner').getByRole('button', { name: /^Wallet 0x/ })
