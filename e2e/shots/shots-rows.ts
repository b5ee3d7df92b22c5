import { expect, type Page } from '@playwright/test'
import type { PhonePage } from '../pages/phone.ts'
import { openPositionForm, openRowMenu, type PositionAction, review, rowForm, showTab, signToFinal, signToPlaced } from '../pages/rows.ts'
import { signingSheet } from '../pages/signing.ts'
import { chooseOrderType, reviewOrder, ticket } from '../pages/ticket.ts'
import { blotterRow, marketHead } from '../pages/trade.ts'
import type { Practice } from '../support/practice.ts'

interface RowShots {
  readonly page: Page
  readonly phone: PhonePage
  readonly practice: Practice
  readonly shoot: (name: string, options?: { readonly narrow?: boolean }) => Promise<void>
}

const forms: readonly (readonly [string, PositionAction])[] = [
  ['close', 'Close'],
  ['invert', 'Invert position'],
  ['exits', 'Take profit and stop loss'],
  ['margin', 'Add or remove margin'],
  ['leverage', 'Change leverage'],
]

/** Takes screenshots of all actions in table rows of the Trade page. Requires an open BTC-PERP position. */
export async function takeRowShots({ page, phone, practice, shoot }: RowShots): Promise<void> {
  const form = rowForm(page)
  const leave = async () => {
    await page.keyboard.press('Escape')
    await expect(form).toBeHidden()
  }
  await marketHead(page)
    .getByRole('button', { name: /Choose another$/ })
    .click()
  await page.getByRole('listbox', { name: 'Markets' }).getByRole('option').filter({ hasText: 'ETH-PERP' }).click()
  // The screenshots of the ticket may have left another order type selected.
  await chooseOrderType(page, 'Market')
  await ticket(page).getByRole('combobox', { name: 'Order value unit' }).selectOption('usdc')
  await ticket(page).getByRole('radio', { name: 'Isolated' }).click()
  await reviewOrder(page, { side: 'Short', value: '1800', leverage: '5' })
  await signToFinal(page, phone, practice)
  await expect(blotterRow(page, 'Positions', 'ETH-PERP')).toBeVisible()

  await openRowMenu(page, 'ETH-PERP')
  await shoot('rows-menu')
  await page.keyboard.press('Escape')
  await shoot('rows-positions', { narrow: true })
  for (const [name, action] of forms) {
    await openPositionForm(page, 'ETH-PERP', action)
    if (name === 'margin') await form.getByRole('textbox', { name: 'Amount' }).fill('120')
    if (name === 'leverage') await form.getByRole('textbox', { name: 'Leverage' }).fill('8')
    if (name === 'close') await form.getByRole('radio', { name: '50 %' }).click()
    if (name === 'exits') {
      await form.getByRole('radiogroup', { name: 'Take profit unit' }).getByRole('radio', { name: '%' }).click()
      await form.getByRole('textbox', { name: 'Take profit' }).fill('8')
    }
    await shoot(`rows-${name}`, { narrow: true })
    await leave()
  }
  await openPositionForm(page, 'ETH-PERP', 'Close')
  await form.getByRole('radio', { name: 'Limit' }).click()
  await form.getByRole('textbox', { name: 'How much' }).fill('130')
  await review(page)
  await shoot('rows-close-wrong', { narrow: true })
  await leave()
  await practice.faults({ prepared: 'preflight_failed' })
  await openPositionForm(page, 'ETH-PERP', 'Close')
  await review(page)
  await form.getByRole('alert').waitFor()
  await shoot('rows-close-not-executable', { narrow: true })
  await practice.clearFaults()
  await practice.faults({ answer: [{ route: 'POST /api/dex/v1/orders/prepare', status: 422, code: 'PRICE_DEVIATION_EXCEEDED', times: 1 }] })
  await review(page)
  await form.getByRole('button', { name: /^Review at|^Wait for/ }).waitFor()
  await shoot('rows-close-repriced')
  await leave()

  await openPositionForm(page, 'ETH-PERP', 'Close')
  await form.getByRole('radio', { name: 'Limit' }).click()
  await form.getByRole('button', { name: 'Mark' }).click()
  const price = form.getByRole('textbox', { name: 'Limit price' })
  await price.fill(String(Math.round(Number(await price.inputValue()) * 0.8)))
  await shoot('rows-close-limit')
  await review(page)
  await expect(signingSheet(page).getByRole('heading', { name: /^Close the short on ETH-PERP/ })).toBeVisible()
  await shoot('rows-close-signing', { narrow: true })
  await signToPlaced(page, phone, practice)
  await showTab(page, 'Orders')
  await expect(blotterRow(page, 'Orders', 'ETH-PERP')).toBeVisible()
  await shoot('rows-orders', { narrow: true })
  await blotterRow(page, 'Orders', 'ETH-PERP')
    .getByRole('button', { name: /^Change/ })
    .click()
  await form.getByRole('textbox', { name: 'Limit price' }).waitFor()
  await shoot('rows-change', { narrow: true })
  await leave()
  await showTab(page, 'Positions')
}
