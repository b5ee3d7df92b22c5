import type { Page } from '@playwright/test'

export type View = 'Overview' | 'Trade' | 'Keys' | 'Activity' | 'Settings'

export async function goTo(page: Page, view: View): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: view, exact: view !== 'Keys' && view !== 'Activity' })
    .click()
}
