import { expect, type Locator, type Page } from '@playwright/test'
import { submitForm } from './frame.ts'

export const ticket = (page: Page): Locator => page.getByRole('region', { name: 'Order ticket' })

export type OrderType = 'Market' | 'Limit' | 'Stop'
export type TpSlBy = 'Price' | '%' | 'USDC'

export const reviewButton = (page: Page): Locator => ticket(page).getByRole('button', { name: /^Review/ })

export const ticketField = (page: Page, name: string | RegExp): Locator => ticket(page).getByRole('textbox', { name })

export const riskPreview = (page: Page): Locator => ticket(page).getByRole('region', { name: 'Risk preview' })

/** The main figures of the risk preview, which stay visible above the Review button, or the reason why there are none. */
export const riskSummary = (page: Page): Locator => ticket(page).getByRole('region', { name: 'Risk summary' })

export const ticketFoot = (page: Page): Locator => ticket(page).locator('[data-part=foot]')

export async function chooseOrderType(page: Page, type: OrderType): Promise<void> {
  await ticket(page).getByRole('tab', { name: type }).click()
  await expect(ticket(page).getByRole('tab', { name: type })).toHaveAttribute('aria-selected', 'true')
}

/** Opens the ticket’s fields for take profit and stop loss. `by`: the unit of both fields (price, % or USDC). */
export async function chooseTpSl(page: Page, by: TpSlBy): Promise<void> {
  const form = ticket(page)
  await form.getByRole('checkbox', { name: /^(Take profit and stop loss|TP\/SL by)$/ }).check()
  await form.getByRole('radiogroup', { name: 'TP/SL by' }).getByRole('radio', { name: by, exact: true }).click()
}

export interface TicketEntry {
  readonly side?: 'Long' | 'Short'
  readonly value: string
  readonly leverage?: string
}

export async function fillOrder(page: Page, entry: TicketEntry): Promise<void> {
  await ticket(page)
    .getByRole('radio', { name: entry.side ?? 'Long' })
    .click()
  if (entry.leverage) await ticketField(page, 'Leverage').fill(entry.leverage)
  await ticketField(page, 'Order value').fill(entry.value)
}

export async function reviewOrder(page: Page, entry: TicketEntry): Promise<void> {
  await fillOrder(page, entry)
  await submitForm(reviewButton(page))
}

export async function turnExpert(page: Page, on: boolean): Promise<void> {
  const toggle = ticket(page).getByRole('button', { name: 'Expert mode' })
  if ((await toggle.getAttribute('aria-pressed')) !== String(on)) await toggle.click()
  await expect(toggle).toHaveAttribute('aria-pressed', String(on))
}

export const presetSheet = (page: Page): Locator => page.getByRole('dialog', { name: 'Presets' })

export async function openPresets(page: Page): Promise<Locator> {
  await ticket(page)
    .getByRole('button', { name: /^Presets/ })
    .click()
  await page.getByRole('menuitem', { name: 'Save or delete presets' }).click()
  await expect(presetSheet(page)).toBeVisible()
  return presetSheet(page)
}

export async function keepPreset(page: Page, name: string): Promise<void> {
  const sheet = await openPresets(page)
  await sheet.getByRole('textbox', { name: 'Save these terms as' }).fill(name)
  await sheet.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(sheet.getByRole('button', { name: `Use ${name}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
}
