import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

/** The items on Overview that need the user’s attention. */
export const needsYou = (page: Page): Locator => page.getByRole('region', { name: 'Needs you' })

/** Presses a button or link of an item on Overview that needs the user’s attention. */
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

/** For each transaction of the open intent: whether its hash was reported to the service. */
export const reports = (page: Page): Locator => intentDetail(page).getByRole('region', { name: 'Transaction reports' }).getByRole('listitem')

/** Opens one of Activity’s lists. */
export async function openActivity(page: Page, list: 'Orders' | 'Requests' | 'Keys and secrets' | 'Audit'): Promise<void> {
  await goTo(page, 'Activity')
  await page.getByRole('radiogroup', { name: 'Show' }).getByRole('radio', { name: list }).click()
}

/** The rendered rows of the requests or audit table, without its header. */
export const activityRows = (page: Page, table: 'Requests' | 'Audit'): Locator => page.getByRole('table', { name: table }).locator('tbody').getByRole('row')

/** Shows or hides the calls of this app itself in an audit log, which must not be so yet. */
export async function showOwnCalls(log: Locator, shown: boolean): Promise<void> {
  const label = 'Show this app’s own calls'
  // The drawn switch covers the native one, so the user clicks the words.
  await log.getByText(label, { exact: true }).click()
  await expect(log.getByRole('switch', { name: label })).toBeChecked({ checked: shown })
}

/** The detail of the open request, next to the list. */
export const requestDetail = (page: Page): Locator => page.getByRole('region', { name: 'Request', exact: true })

/** Opens the newest request in the list whose row contains these words. */
export async function openRequest(page: Page, words: string | RegExp): Promise<Locator> {
  await activityRows(page, 'Requests').filter({ hasText: words }).first().getByRole('button').first().click()
  await expect(requestDetail(page).getByRole('tab', { name: 'Response' })).toBeVisible()
  return requestDetail(page)
}
