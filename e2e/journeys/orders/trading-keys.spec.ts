import type { Page } from '@playwright/test'
import { asksToSign, type PhonePage } from '../../pages/phone.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { openPositionAndOrder, rowForm, sendToFinal, showTab } from '../../pages/rows.ts'
import { expectFinal, signingSheet } from '../../pages/signing.ts'
import { reviewButton, ticket, ticketField } from '../../pages/ticket.ts'
import { blotter, blotterRow } from '../../pages/trade.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'

const side = (page: Page, name: 'Long' | 'Short') => ticket(page).getByRole('radio', { name })

async function signByKeys(page: Page, phone: PhonePage, practice: Practice): Promise<void> {
  const sheet = signingSheet(page)
  const send = sheet.getByRole('button', { name: 'Send to wallet' })
  const proceed = sheet.getByRole('button', { name: 'Continue' })
  await expect(send.or(proceed)).toBeVisible()
  for (const box of await sheet.getByRole('checkbox', { checked: false }).all()) await box.press('Space')
  if (await proceed.isVisible()) await proceed.press('Enter')
  for (const box of await sheet.getByRole('checkbox', { checked: false }).all()) await box.press('Space')
  await send.press('Enter')
  await phone.approve(asksToSign)
  await expect(async () => {
    await practice.chain({ mine: 4 })
    await expectFinal(page, 1_500)
  }).toPass({ timeout: 60_000 })
  await sheet.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(sheet).toBeHidden()
}

test('the user opens and closes a position with the keyboard alone; nothing is sent before the wallet signs', async ({ open, practice }) => {
  const { page, phone } = await openSignedIn(open)
  const keys = page.keyboard
  await keys.press('g')
  await keys.press('t')
  await expect(reviewButton(page)).toBeVisible()

  await keys.press('Shift+S')
  await expect(side(page, 'Short')).toBeChecked()
  await expect(side(page, 'Short')).toHaveAttribute('title', 'Shortcut: Shift S')
  await keys.press('Shift+L')
  await expect(side(page, 'Long')).toBeChecked()
  await keys.press('Shift+V')
  await expect(ticketField(page, 'Order value')).toBeFocused()
  await keys.type('500')
  await test.step('trading shortcuts do nothing while the user types in a field', async () => {
    await keys.press('Shift+S')
    await expect(side(page, 'Long')).toBeChecked()
    await expect(ticketField(page, 'Order value')).toHaveValue('500S')
    await keys.press('Backspace')
  })
  await expect(reviewButton(page)).toBeEnabled()
  await keys.press('Tab')
  await keys.press('Tab')
  await keys.press('Control+Enter')
  await expect(signingSheet(page)).toContainText('500')
  await test.step('trading shortcuts do nothing while a sheet is open', async () => {
    await keys.press('Shift+S')
    await keys.press('Shift+A')
    await expect(signingSheet(page)).toBeVisible()
  })
  await signByKeys(page, phone, practice)
  await expect(side(page, 'Long')).toBeChecked()
  await expect(blotterRow(page, 'Positions', 'BTC-PERP')).toContainText('Long')

  const { prepared, relayed } = await practice.effects()
  for (const [key, part] of [
    ['Shift+Q', '25'],
    ['Shift+H', '50'],
  ] as const) {
    await keys.press(key)
    await expect(signingSheet(page)).toContainText(/Close [\d.]+ of the long on BTC-PERP at market/)
    await keys.press('Escape')
    await expect(rowForm(page).getByRole('textbox', { name: 'How much' })).toHaveValue(part)
    await keys.press('Escape')
    await expect(rowForm(page)).toHaveCount(0)
  }
  const after = await practice.effects()
  expect({ prepared: after.prepared, relayed: after.relayed.length }).toEqual({ prepared: prepared + 2, relayed: relayed.length })

  await keys.press('Shift+C')
  await expect(signingSheet(page)).toContainText('Close the long on BTC-PERP at market')
  await signByKeys(page, phone, practice)
  await expect(blotter(page)).toContainText('No open positions')
  await keys.press('Shift+C')
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('No position in BTC-PERP to close')
})

test('with keyboard shortcuts, the user cancels the last order or all orders, and a screen reader announces the order’s new state', async ({
  open,
  practice,
}) => {
  const { page, phone } = await openSignedIn(open)
  await openPositionAndOrder(page, phone, practice)
  await showTab(page, 'Orders')
  await expect(blotterRow(page, 'Orders', 'BTC-PERP')).toBeVisible()
  const { prepared } = await practice.effects()
  await page.keyboard.press('Shift+X')
  await expect(signingSheet(page)).toContainText(/Cancel the long order on BTC-PERP/)
  await expect.poll(async () => (await practice.effects()).prepared).toBe(prepared + 1)
  await sendToFinal(page, phone, practice)
  await expect(page.locator('[data-part=changed-states]')).toContainText(/Cancel the long order on BTC-PERP: \w+/)
  await expect(blotter(page)).toContainText('No open orders')
  await page.keyboard.press('Shift+A')
  await expect(page.getByRole('main')).toContainText('Cancel')
  await expect.poll(() => page.evaluate(() => window.location.hash)).toBe('#/trade/stop?what=cancel_all')
})
