import type { Locator, Page } from '@playwright/test'
import { goTo } from './frame.ts'

export const riskLimits = (page: Page): Locator => page.getByRole('region', { name: 'Risk limits' })

export async function openRiskLimits(page: Page): Promise<Locator> {
  await goTo(page, 'Settings')
  const panel = riskLimits(page)
  await panel.getByRole('textbox', { name: 'Max order size' }).waitFor()
  return panel
}

/** Confirms a raised risk limit by typing the profile’s name, as the sheet requires. */
export const raiseByName = (page: Page): Promise<void> => confirmLimits(page, 'Raise risk limits', 'Raise limits')

/** Confirms the sheet `title` by typing the profile’s name and pressing `button`. */
export async function confirmLimits(page: Page, title: string, button: string): Promise<void> {
  const sheet = page.getByRole('alertdialog', { name: title })
  await sheet.getByRole('textbox').fill(((await sheet.locator('label code').textContent()) ?? '').trim())
  await sheet.getByRole('button', { name: button }).click()
  await sheet.waitFor({ state: 'hidden' })
}
