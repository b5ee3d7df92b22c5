import type { Locator, Page } from '@playwright/test'
import { goTo } from './frame.ts'

/** The user’s risk limits, in the settings. */
export const riskLimits = (page: Page): Locator => page.getByRole('region', { name: 'Risk limits' })

export async function openRiskLimits(page: Page): Promise<Locator> {
  await goTo(page, 'Settings')
  const panel = riskLimits(page)
  await panel.getByRole('textbox', { name: 'Max order size' }).waitFor()
  return panel
}

/** Types the profile’s name, which the sheet for raising a limit requires. */
export const raiseByName = (page: Page): Promise<void> => confirmLimits(page, 'Raise risk limits', 'Raise limits')

/** Types the profile’s name on the confirmation sheet with this `title`, and presses its `button`. */
export async function confirmLimits(page: Page, title: string, button: string): Promise<void> {
  const sheet = page.getByRole('alertdialog', { name: title })
  await sheet.getByRole('textbox').fill(((await sheet.locator('label code').textContent()) ?? '').trim())
  await sheet.getByRole('button', { name: button }).click()
  await sheet.waitFor({ state: 'hidden' })
}
