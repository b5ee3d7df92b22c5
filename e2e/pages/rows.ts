import { expect, type Locator, type Page } from '@playwright/test'
import type { Practice } from '../support/practice.ts'
import { goTo, submitForm } from './frame.ts'
import { asksToSend, asksToSign, type PhonePage } from './phone.ts'
import { expectFinal, expectPlaced, sendToWallet, signingSheet } from './signing.ts'
import { chooseOrderType, reviewOrder, ticket, ticketField } from './ticket.ts'
import { blotter, blotterRow } from './trade.ts'

export type PositionAction = 'Close' | 'Invert position' | 'Take profit and stop loss' | 'Add or remove margin' | 'Change leverage'

export const rowForm = (page: Page): Locator => page.getByRole('dialog')

export async function showTab(page: Page, tab: 'Positions' | 'Orders' | 'Activity'): Promise<void> {
  await blotter(page)
    .getByRole('tab', { name: new RegExp(`^${tab}`) })
    .click()
}

export async function openRowMenu(page: Page, symbol: string): Promise<Locator> {
  await blotterRow(page, 'Positions', symbol)
    .getByRole('button', { name: /^Actions for the (long|short) on/ })
    .click()
  const menu = page.getByRole('menu', { name: /^Actions for the (long|short) on/ })
  await expect(menu).toBeVisible()
  return menu
}

/** Opens the form of a position’s action through the menu in the position’s row. */
export async function openPositionForm(page: Page, symbol: string, action: PositionAction): Promise<Locator> {
  const menu = await openRowMenu(page, symbol)
  await menu.getByRole('menuitem', { name: action }).click()
  await expect(rowForm(page)).toBeVisible()
  return rowForm(page)
}

export const review = (page: Page): Promise<void> => submitForm(rowForm(page).getByRole('button', { name: /^Review/ }))

/** Sends the request on the signing sheet, approves it on the phone, waits for FINAL and closes the sheet. */
export const signToFinal = (page: Page, phone: PhonePage, practice: Practice): Promise<void> => sign(page, phone, practice, expectFinal)

/** Like `signToFinal`, for an order that stays open: a limit or stop order, or a close order with a limit. */
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
 * Like `signToFinal`, for a wallet that sends a transaction instead of signing a message. `phone`: null if the phone approves all requests
 * automatically.
 */
export async function sendToFinal(page: Page, phone: PhonePage | null, practice: Practice, look?: () => Promise<void>): Promise<void> {
  await sendToWallet(page)
  await phone?.approve(asksToSend)
  await expect(async () => {
    await practice.chain({ mine: 4 })
    await expectFinal(page, 1_500)
  }).toPass({ timeout: 60_000 })
  await look?.()
  await signingSheet(page).getByRole('button', { name: 'Done' }).click()
  await expect(signingSheet(page)).toBeHidden()
}

/**
 * Opens a Bitcoin position and places a limit order far below the market price. That order would add to the position, so it remains when the position
 * is closed.
 */
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
