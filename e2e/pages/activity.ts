import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

/** What Overview says of something that waits for the user. */
export const needsYou = (page: Page): Locator => page.getByRole('region', { name: 'Needs you' })

/** Opens what waits for the user by its own button. */
export async function takeUp(page: Page, about: string | RegExp, button: string): Promise<void> {
  await goTo(page, 'Overview')
  const item = needsYou(page).getByRole('listitem').filter({ hasText: about })
  await expect(item).toBeVisible()
  await item
    .getByRole('button', { name: button })
    .or(item.getByRole('link', { name: button }))
    .click()
}

/** The details of the intent that is open in Activity. */
export const intentDetail = (page: Page): Locator => page.getByRole('main').locator('section.det')

export const happened = (page: Page): Locator => intentDetail(page).getByRole('list', { name: 'What happened' })
