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
export const intentDetail = (page: Page): Locator => page.getByRole('main').locator('[data-part=intent]')

export const happened = (page: Page): Locator => intentDetail(page).getByRole('list', { name: 'What happened' })

/** Whether the service was told the hash of each transaction of the intent that is open. */
export const reports = (page: Page): Locator => intentDetail(page).getByRole('region', { name: 'Transaction reports' }).getByRole('listitem')

/** Opens Activity at one of its lists. */
export async function openActivity(page: Page, list: 'Orders' | 'Requests' | 'Keys and secrets' | 'Audit'): Promise<void> {
  await goTo(page, 'Activity')
  await page.getByRole('radiogroup', { name: 'Show' }).getByRole('radio', { name: list }).click()
}

/** Rows of the table of requests or of the audit that are drawn, without its head. */
export const activityRows = (page: Page, table: 'Requests' | 'Audit'): Locator => page.getByRole('table', { name: table }).locator('tbody').getByRole('row')

/** The request that is open beside the list. */
export const requestDetail = (page: Page): Locator => page.getByRole('region', { name: 'Request', exact: true })

/** Opens the newest request in the list whose line holds these words. */
export async function openRequest(page: Page, words: string | RegExp): Promise<Locator> {
  await activityRows(page, 'Requests').filter({ hasText: words }).first().getByRole('button').first().click()
  await expect(requestDetail(page).getByRole('tab', { name: 'Response' })).toBeVisible()
  return requestDetail(page)
}
