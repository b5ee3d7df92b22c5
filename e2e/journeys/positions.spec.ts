import type { Page } from '@playwright/test'
import { formatDecimal, multiply } from '../../shared/decimal.ts'
import { goTo } from '../pages/frame.ts'
import type { PhonePage } from '../pages/phone.ts'
import { join } from '../pages/ready.ts'
import { openPositionForm, openRowMenu, review, rowForm, showTab, signToFinal } from '../pages/rows.ts'
import { comparisonLine, signingSheet } from '../pages/signing.ts'
import { reviewOrder, ticket } from '../pages/ticket.ts'
import { blotter, blotterRow } from '../pages/trade.ts'
import { acts } from '../support/coverage.ts'
import { expect, test } from '../support/fixtures.ts'
import type { Practice } from '../support/practice.ts'

/** A position on the market that is shown, opened with the ticket. */
async function open(page: Page, phone: PhonePage, practice: Practice, entry: { side?: 'Long' | 'Short'; value: string; isolated?: boolean }): Promise<string> {
  await ticket(page)
    .getByRole('radio', { name: entry.isolated === true ? 'Isolated' : 'Cross' })
    .click()
  await reviewOrder(page, { side: entry.side ?? 'Long', value: entry.value, leverage: '10' })
  await signToFinal(page, phone, practice)
  const { positions } = await practice.effects()
  return positions[0]?.size ?? '0'
}

test('a position is closed in part, at a limit, and inverted, each signed and final [ORD-05, FLOW-02, ACC-01]', async ({ open: start, practice }) => {
  const desk = await start()
  const page = desk.main
  const phone = await join(desk, 'closer')
  await goTo(page, 'Trade')
  const size = await open(page, phone, practice, { value: '500' })
  const row = blotterRow(page, 'Positions', 'BTC-PERP')

  await test.step('half of it, at market, without a mouse', async () => {
    await row.getByRole('button', { name: 'Close the long on BTC-PERP' }).focus()
    await page.keyboard.press('Enter')
    const form = rowForm(page)
    await expect(form.getByRole('heading', { name: 'Close the long on BTC-PERP' })).toBeVisible()
    const part = form.getByRole('textbox', { name: 'How much' })
    await expect(part).toBeFocused()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('50')
    await expect(form.getByRole('radio', { name: '50 %' })).toBeChecked()
    await expect(form.getByRole('button', { name: /^Review closing 0\.\d+ BTC$/ })).toBeEnabled()
    await page.keyboard.press('Enter')
    await expect(comparisonLine(page, 'size')).toContainText('matches')
    expect((await practice.effects()).positions[0]?.size).toBe(size)
    await acts('close_position_market', async () => {
      await signToFinal(page, phone, practice)
      const { positions } = await practice.effects()
      expect(positions).toEqual([expect.objectContaining({ side: 'long' })])
      const left = multiply(positions[0]?.size ?? '0', '2')
      expect(Math.abs(Number(left) - Number(size))).toBeLessThan(0.0001)
      await expect(row).toContainText(formatDecimal(positions[0]?.size ?? '0'))
    })
  })

  await test.step('at a limit above the price: it waits as an order that only closes', async () => {
    const form = await openPositionForm(page, 'BTC-PERP', 'Close')
    await form.getByRole('radio', { name: 'Limit' }).click()
    await form.getByRole('button', { name: 'Mark' }).click()
    const price = form.getByRole('textbox', { name: 'Limit price' })
    const high = String(Math.round(Number(await price.inputValue()) * 1.2))
    await price.fill(high)
    await form.getByRole('checkbox', { name: 'Post only' }).check()
    await review(page)
    await acts('close_position_limit', async () => {
      await signToFinal(page, phone, practice)
      await showTab(page, 'Orders')
      await expect(blotterRow(page, 'Orders', 'BTC-PERP')).toContainText(formatDecimal(high))
      await showTab(page, 'Positions')
      await expect(row).toContainText('Long')
    })
  })

  await test.step('turned round', async () => {
    await openPositionForm(page, 'BTC-PERP', 'Invert')
    await review(page)
    await acts('invert_position', async () => {
      const [before] = (await practice.effects()).positions
      await signToFinal(page, phone, practice)
      expect((await practice.effects()).positions).toEqual([expect.objectContaining({ side: 'short', size: before?.size })])
      await expect(row).toContainText('Short')
    })
  })

  await test.step('all of it, by the button of its row', async () => {
    await row.getByRole('button', { name: 'Close the short on BTC-PERP' }).click()
    await expect(rowForm(page).getByRole('textbox', { name: 'How much' })).toHaveValue('100')
    await review(page)
    await signToFinal(page, phone, practice)
    expect((await practice.effects()).positions).toEqual([])
    await expect(blotter(page)).toContainText('No open positions')
  })
})

test('what is wrong in a form over a position is said at its field, and what cannot be done says why [ORD-01, ORD-02, ORD-10]', async ({
  open: start,
  practice,
}) => {
  const desk = await start()
  const page = desk.main
  const phone = await join(desk, 'careful')
  await goTo(page, 'Trade')
  await open(page, phone, practice, { value: '500' })
  const form = rowForm(page)
  const prepared = (await practice.effects()).prepared

  await test.step('bad fields lead nowhere and take the focus', async () => {
    await openPositionForm(page, 'BTC-PERP', 'Close')
    for (const [name, typed, sentence] of [
      ['How much', '120', 'A part is above 0% and at most 100%.'],
      ['How much', '', 'Type how many percent to close.'],
      ['Most slippage', '20', 'Slippage is 0.01% to 10%.'],
    ] as const) {
      const field = form.getByRole('textbox', { name })
      const before = await field.inputValue()
      await field.fill(typed)
      await review(page)
      await expect(field).toBeFocused()
      await expect(form.getByRole('alert')).toContainText(sentence)
      await field.fill(before)
    }
    await page.keyboard.press('Escape')
    await expect(form).toBeHidden()
  })
  await test.step('margin and leverage are not a cross position’s own', async () => {
    const menu = await openRowMenu(page, 'BTC-PERP')
    for (const name of ['Add or take out margin', 'Change leverage']) {
      await expect(menu.getByRole('menuitem', { name })).toBeDisabled()
      await expect(menu.getByRole('menuitem', { name })).toContainText('Isolated only')
    }
    await page.keyboard.press('Escape')
  })
  expect((await practice.effects()).prepared).toBe(prepared)

  await test.step('not executable is said in the form with its reason, and nothing is signed', async () => {
    await practice.faults({ prepared: 'preflight_failed' })
    await openPositionForm(page, 'BTC-PERP', 'Invert')
    await review(page)
    await expect(form.getByRole('alert')).toContainText('The exchange cannot carry this out')
    await expect(form.getByRole('alert')).toContainText('oracle_unavailable')
    await practice.clearFaults()
  })
  await test.step('a price that moved is taken anew by one press', async () => {
    await practice.faults({ answer: [{ route: 'POST /api/dex/v1/orders/prepare', status: 422, code: 'PRICE_DEVIATION_EXCEEDED', times: 1 }] })
    await review(page)
    const again = form.getByRole('button', { name: /^Review at/ })
    await expect(again).toBeEnabled()
    await again.click()
    await expect(signingSheet(page).getByRole('heading', { name: 'Invert the long on BTC-PERP at market' })).toBeVisible()
    await page.keyboard.press('Escape')
  })
  await test.step('the form stands as it was; leaving it leaves everything', async () => {
    await expect(form.getByRole('heading', { name: 'Invert the long on BTC-PERP' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(form).toBeHidden()
    expect((await practice.phone()).requests).toEqual([])
  })
})
