import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

export const keyRow = (page: Page, label: string): Locator => page.getByRole('table', { name: 'Keys' }).getByRole('row').filter({ hasText: label })

/** Opens the list and reads the id that the service gave to a key. */
export async function keyIdOf(page: Page, label: string): Promise<string> {
  await goTo(page, 'Keys')
  const id = keyRow(page, label).locator('code').first()
  await expect(id).toHaveText(/^key_/)
  return id.innerText()
}

/** Chooses from a key's menu what takes its name typed, types it and confirms. */
export async function confirmByName(page: Page, label: string, choice: 'Rotate' | 'Revoke'): Promise<void> {
  await keyRow(page, label)
    .getByRole('button', { name: `Actions for ${label}` })
    .click()
  await page.getByRole('menuitem', { name: choice }).click()
  const sheet = page.getByRole('alertdialog', { name: `${choice} ${label}` })
  const confirm = sheet.getByRole('button', { name: choice === 'Rotate' ? 'Rotate secret' : 'Revoke key' })
  await expect(confirm).toBeDisabled()
  await sheet.getByRole('textbox').fill(label)
  await confirm.click()
  await expect(sheet).toBeHidden()
}
