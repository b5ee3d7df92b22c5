import { expect, type Locator, type Page } from '@playwright/test'
import type { Practice } from '../support/practice.ts'
import { goTo } from './frame.ts'
import { asksToSend, asksToSign, type PhonePage } from './phone.ts'
import { expectFinal, expectPlaced, sendToWallet, signingSheet } from './signing.ts'
import { chooseOrderType, reviewOrder, ticket, ticketField } from './ticket.ts'
import { blotter, blotterRow } from './trade.ts'

export type PositionAction = 'Close' | 'Invert position' | 'Take profit and stop loss' | 'Add or remove margin' | 'Change leverage'

/** The form opened from a row. */
export const rowForm = (page: Page): Locator => page.getByRole('dialog')

export async function showTab(page: Page, tab: 'Positions' | 'Orders' | 'Activity'): Promise<void> {
  await blotter(page)
    .getByRole('tab', { name: new RegExp(`^${tab}`) })
    .click()
}

/** Opens the menu of a position's row. */
export async function openRowMenu(page: Page, symbol: string): Promise<Locator> {
  await blotterRow(page, 'Positions', symbol)
    .getByRole('button', { name: /^Actions for the (long|short) on/ })
    .click()
  const menu = page.getByRole('menu', { name: /^Actions for the (long|short) on/ })
  await expect(menu).toBeVisible()
  return menu
}

/** Opens the form of a position's action by its row's menu. */
export async function openPositionForm(page: Page, symbol: string, action: PositionAction): Promise<Locator> {
  const menu = await openRowMenu(page, symbol)
  await menu.getByRole('menuitem', { name: action }).click()
  await expect(rowForm(page)).toBeVisible()
  return rowForm(page)
}

export async function review(page: Page): Promise<void> {
  const button = rowForm(page).getByRole('button', { name: /^Review/ })
  await expect(button).toBeEnabled()
  await button.click()
}

/** Goes from the signing sheet to FINAL by approving the request on the phone, then closes the sheet. */
export const signToFinal = (page: Page, phone: PhonePage, practice: Practice): Promise<void> => sign(page, phone, practice, expectFinal)

/** As `signToFinal`, for an order that may stay open: a limit or stop order, or a close at a limit. */
export const signToPlaced = (page: Page, phone: PhonePage, practice: Practice): Promise<void> => sign(page, phone, practice, expectPlaced)

async function sign(page: Page, phone: PhonePage, practice: Practice, expectEnd: (page: Page) => Promise<void>): Promise<void> {
  const relayed = (await practice.effects()).relayed.length
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await expect.poll(async () => (await practice.effects()).relayed.length).toBe(relayed + 1)
  await practice.chain({ mine: 8 })
  await expectEnd(page)
  await signingSheet(page).getByRole('button', { name: 'Done' }).click()
  await expect(signingSheet(page)).toBeHidden()
}

/**
 * As `signToFinal`, for a wallet that sends the transaction itself instead of signing a message. `phone` null: the phone approves every request
 * automatically.
 */
export async function sendToFinal(page: Page, phone: PhonePage | null, practice: Practice): Promise<void> {
  await sendToWallet(page)
  await phone?.approve(asksToSend)
  await expect(async () => {
    await practice.chain({ mine: 4 })
    await expectFinal(page, 1_500)
  }).toPass({ timeout: 60_000 })
  await signingSheet(page).getByRole('button', { name: 'Done' }).click()
  await expect(signingSheet(page)).toBeHidden()
}

/** Opens a Bitcoin position, and a waiting order far below the market that would add to it. The order remains when the position is gone. */
export async function openPositionAndOrder(page: Page, phone: PhonePage, practice: Practice): Promise<void> {
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '500', leverage: '5' })
  await signToFinal(page, phone, practice)
  await chooseOrderType(page, 'Limit')
  await ticket(page).getByRole('button', { name: 'Mark' }).click()
  const price = ticketField(page, 'Limit price')
  await expect(price).not.toHaveValue('')
  await price.fill(String(Math.round(Number(await price.inputValue()) * 0.8)))
  await reviewOrder(page, { value: '500', leverage: '5' })
  await signToPlaced(page, phone, practice)
}
