import { expect, type Locator, type Page } from '@playwright/test'
import { goTo } from './frame.ts'

export const needsYou = (page: Page): Locator => page.getByRole('region', { name: 'Needs you' })

/** Presses a button or link of an item on Overview that needs the user’s attention. `about`: the item’s text. */
export async function takeUp(page: Page, about: string | RegExp, button: string): Promise<void> {
  await goTo(page, 'Overview')
  const item = needsYou(page).getByRole('listitem').filter({ hasText: about })
  await expect(item).toBeVisible()
  await item
    .getByRole('button', { name: button })
    .or(item.getByRole('link', { name: button }))
    .click()
}

export const intentDetail = (page: Page): Locator => page.getByRole('main').locator('[data-part=intent]')

export const happened = (page: Page): Locator => intentDetail(page).getByRole('list', { name: 'What happened' })

/** For each transaction of the open intent: whether the app reported the transaction’s hash to the service. */
export const reports = (page: Page): Locator => intentDetail(page).getByRole('region', { name: 'Transaction reports' }).getByRole('listitem')

export async function openActivity(page: Page, list: 'Orders' | 'Requests' | 'Keys and secrets' | 'Audit'): Promise<void> {
  await goTo(page, 'Activity')
  await page.getByRole('radiogroup', { name: 'Show' }).getByRole('radio', { name: list }).click()
}

export const activityRows = (page: Page, table: 'Requests' | 'Audit'): Locator => page.getByRole('table', { name: table }).locator('tbody').getByRole('row')

/** Toggles whether an audit log shows this app’s own calls, and expects the state `shown` afterwards. */
export async function showOwnCalls(log: Locator, shown: boolean): Promise<void> {
  const label = 'Show this app’s own calls'
  // The styled switch covers the native checkbox, so the test clicks the label.
  await log.getByText(label, { exact: true }).click()
  await expect(log.getByRole('switch', { name: label })).toBeChecked({ checked: shown })
}

export const requestDetail = (page: Page): Locator => page.getByRole('region', { name: 'Request', exact: true })

/** Opens the newest request in the list whose row contains the given text. */
export async function openRequest(page: Page, words: string | RegExp): Promise<Locator> {
  await activityRows(page, 'Requests').filter({ hasText: words }).first().getByRole('button').first().click()
  await expect(requestDetail(page).getByRole('tab', { name: 'Response' })).toBeVisible()
  return requestDetail(page)
}
