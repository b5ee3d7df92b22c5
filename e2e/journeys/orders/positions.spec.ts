import type { Page } from '@playwright/test'
import { formatDecimal, multiply, roundToStep } from '../../../shared/decimal.ts'
import { goTo } from '../../pages/frame.ts'
import type { PhonePage } from '../../pages/phone.ts'
import { openPhone, signedIn } from '../../pages/ready.ts'
import { openPositionAndOrder, openPositionForm, openRowMenu, review, rowForm, sendToFinal, showTab, signToFinal, signToPlaced } from '../../pages/rows.ts'
import { comparisonLine, cutLines, signingSheet } from '../../pages/signing.ts'
import { reviewOrder, ticket } from '../../pages/ticket.ts'
import { blotter, blotterRow, figure } from '../../pages/trade.ts'
import { acts } from '../../support/coverage.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'

async function open(page: Page, phone: PhonePage, practice: Practice, entry: { side?: 'Long' | 'Short'; value: string; isolated?: boolean }): Promise<string> {
  await ticket(page)
    .getByRole('radio', { name: entry.isolated === true ? 'Isolated' : 'Cross' })
    .click()
  await reviewOrder(page, { side: entry.side ?? 'Long', value: entry.value, leverage: '10' })
  await signToFinal(page, phone, practice)
  const { positions } = await practice.effects()
  return positions[0]?.size ?? '0'
}

test('the user closes part of a position, closes one at a limit price and inverts one; each order is signed and becomes final [ORD-05, FLOW-02, ACC-01]', async ({
  open: start,
  practice,
}) => {
  const desk = await start()
  const page = desk.main
  await signedIn(desk)
  const phone = await openPhone(desk)
  await goTo(page, 'Trade')
  const size = await open(page, phone, practice, { value: '492' })
  const row = blotterRow(page, 'Positions', 'BTC-PERP')

  await test.step('the user closes half of the position at the market price, with the keyboard alone', async () => {
    await row.getByRole('button', { name: 'Close the long on BTC-PERP' }).focus()
    await page.keyboard.press('Enter')
    const form = rowForm(page)
    await expect(form.getByRole('heading', { name: 'Close the long on BTC-PERP' })).toBeVisible()
    const part = form.getByRole('textbox', { name: 'How much' })
    await expect(part).toBeFocused()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('50')
    await expect(form.getByRole('radio', { name: '50 %' })).toBeChecked()
    const close = form.getByRole('button', { name: /^Review close, 0\.\d+ BTC$/ })
    await expect(close).toBeEnabled()
    const hasFewDecimals = /\D0\.\d{1,4} BTC$/.test(await close.innerText())
    await page.keyboard.press('Enter')
    // A size with fewer than the market’s five decimals could also mean a smaller size at another scale. The sheet shows both, and does not ask.
    const line = comparisonLine(page, 'size')
    await expect(line).toHaveAttribute('data-verdict', hasFewDecimals ? 'absent' : 'match')
    if (hasFewDecimals) await expect(line).toContainText('Could also be read as')
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

  await test.step('a close order with a limit above the market price waits in the order book as reduce-only', async () => {
    const form = await openPositionForm(page, 'BTC-PERP', 'Close')
    await form.getByRole('radio', { name: 'Limit' }).click()
    await form.getByRole('button', { name: 'Mark' }).click()
    const price = form.getByRole('textbox', { name: 'Limit price' })
    const high = String(Math.round(Number(await price.inputValue()) * 1.2))
    await price.fill(high)
    await form.getByRole('checkbox', { name: 'Post only' }).check()
    await review(page)
    await acts('close_position_limit', async () => {
      await signToPlaced(page, phone, practice)
      await showTab(page, 'Orders')
      await expect(blotterRow(page, 'Orders', 'BTC-PERP')).toContainText(formatDecimal(high))
      await showTab(page, 'Positions')
      await expect(row).toContainText('Long')
    })
  })

  await test.step('the user inverts the position', async () => {
    await openPositionForm(page, 'BTC-PERP', 'Invert position')
    await expect(figure(rowForm(page), 'Liquidation')).toContainText('becomes')
    await review(page)
    await acts('invert_position', async () => {
      const [before] = (await practice.effects()).positions
      await signToFinal(page, phone, practice)
      expect((await practice.effects()).positions).toEqual([expect.objectContaining({ side: 'short', size: before?.size })])
      await expect(row).toContainText('Short')
    })
  })

  await test.step('a button in the position’s row closes the whole position', async () => {
    await row.getByRole('button', { name: 'Close the short on BTC-PERP' }).click()
    await expect(rowForm(page).getByRole('textbox', { name: 'How much' })).toHaveValue('100')
    await review(page)
    await signToFinal(page, phone, practice)
    expect((await practice.effects()).positions).toEqual([])
    await expect(blotter(page)).toContainText('No open positions')
  })
})

test('if the list of markets is unavailable, the user can still cancel an order and close a position from the tables [ORD-05, ERR-02]', async ({
  open: start,
  practice,
}) => {
  let desk = await start()
  await signedIn(desk)
  await openPositionAndOrder(desk.main, await openPhone(desk), practice)
  await desk.kill()
  const gone = { status: 500, code: 'INTERNAL', times: 1_000 }
  await practice.faults({
    answer: [
      { route: 'GET /api/dex/v1/markets', ...gone },
      { route: 'GET /api/dex/markets', ...gone },
      { route: 'GET /api/dex/config', ...gone },
    ],
  })
  desk = await start()
  const page = desk.main
  await practice.wallet({ autoApprove: true })
  await goTo(page, 'Trade')

  await test.step('the user cancels the order', async () => {
    await showTab(page, 'Orders')
    const order = blotterRow(page, 'Orders', 'BTC-PERP')
    await expect(order.getByRole('button', { name: /^Change/ })).toBeDisabled()
    await order.getByRole('button', { name: /^Cancel/ }).click()
    await sendToFinal(page, null, practice)
    await expect(order).toBeHidden()
  })

  await test.step('the user closes the position at the mark price that the service reports with the position', async () => {
    await showTab(page, 'Positions')
    const menu = await openRowMenu(page, 'BTC-PERP')
    await expect(menu).toContainText('The service does not list this position’s market')
    await expect(menu.getByRole('menuitem', { name: 'Invert position' })).toBeDisabled()
    await menu.getByRole('menuitem', { name: 'Close' }).click()
    await expect(rowForm(page).getByRole('heading', { name: 'Close the long on BTC-PERP' })).toBeVisible()
    await review(page)
    await sendToFinal(page, null, practice)
    expect((await practice.effects()).positions).toEqual([])
  })
})

test('the form that changes a position shows an error at the invalid field, and says why an action is impossible [ORD-01, ORD-02, ORD-10]', async ({
  open: start,
  practice,
}) => {
  const desk = await start()
  const page = desk.main
  await signedIn(desk)
  const phone = await openPhone(desk)
  await goTo(page, 'Trade')
  await open(page, phone, practice, { value: '500' })
  const form = rowForm(page)
  const prepared = (await practice.effects()).prepared

  await test.step('invalid fields block the form, and the first invalid field gets the focus', async () => {
    await openPositionForm(page, 'BTC-PERP', 'Close')
    for (const [name, typed, sentence] of [
      ['How much', '120', 'Enter more than 0% and at most 100%.'],
      ['How much', '', 'Type the percentage to close.'],
      ['Max slippage', '20', 'Slippage must be between 0.01% and 10%.'],
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
  await test.step('the form offers no change of margin or leverage for a cross-margin position', async () => {
    const menu = await openRowMenu(page, 'BTC-PERP')
    for (const name of ['Add or remove margin', 'Change leverage']) {
      await expect(menu.getByRole('menuitem', { name })).toBeDisabled()
      await expect(menu.getByRole('menuitem', { name })).toContainText('Isolated only')
    }
    await page.keyboard.press('Escape')
  })
  expect((await practice.effects()).prepared).toBe(prepared)

  await test.step('if the service cannot execute the order, the form shows the reason, and nothing is signed', async () => {
    await practice.faults({ prepared: 'preflight_failed' })
    await openPositionForm(page, 'BTC-PERP', 'Invert position')
    await review(page)
    await expect(form.getByRole('alert')).toContainText('The exchange cannot execute this')
    await expect(form.getByRole('alert')).toContainText('oracle_unavailable')
    await practice.clearFaults()
  })
  await test.step('after the price moved, one press uses the new price', async () => {
    await practice.faults({ answer: [{ route: 'POST /api/dex/v1/orders/prepare', status: 422, code: 'PRICE_DEVIATION_EXCEEDED', times: 1 }] })
    await review(page)
    const again = form.getByRole('button', { name: /^Review at/ })
    await expect(again).toBeEnabled()
    await again.click()
    await expect(signingSheet(page).getByRole('heading', { name: 'Invert the long on BTC-PERP at market' })).toBeVisible()
    await page.keyboard.press('Escape')
  })
  await test.step('the form keeps its input after the sheet closes, and leaving the form sends nothing', async () => {
    await expect(form.getByRole('heading', { name: 'Invert the long on BTC-PERP' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(form).toBeHidden()
    expect((await practice.phone()).requests).toEqual([])
  })
})

const btc = async (practice: Practice) => {
  const found = (await practice.effects()).positions.find(({ pair_id }) => pair_id === 1)
  return found as (typeof found & Readonly<Record<string, unknown>>) | undefined
}
/** Multiplies a price by `of` and rounds to whole USDC, as a user would type it. */
const share = (price: string, of: string) => roundToStep(multiply(price, of), '1')

test('the user sets, moves and removes TP/SL, and the position closes when the price reaches the take profit [ORD-03, ORD-05, FLOW-03]', async ({
  open: start,
  practice,
}) => {
  const desk = await start()
  const page = desk.main
  await signedIn(desk)
  const phone = await openPhone(desk)
  await goTo(page, 'Trade')
  await open(page, phone, practice, { value: '500' })
  const entry = String((await btc(practice))?.entry_price)
  const row = blotterRow(page, 'Positions', 'BTC-PERP')
  const form = rowForm(page)
  const high = share(entry, '1.1')

  await test.step('a take profit or stop loss on the wrong side shows an error at its field, also by keyboard', async () => {
    await openPositionForm(page, 'BTC-PERP', 'Take profit and stop loss')
    await expect(form.getByRole('textbox', { name: 'Take profit' })).toBeFocused()
    await page.keyboard.type(share(entry, '0.9'))
    await page.keyboard.press('Enter')
    await expect(form.getByRole('alert')).toContainText('The price must be above the current price')
    await expect(form.getByRole('textbox', { name: 'Take profit' })).toBeFocused()
    expect((await practice.effects()).prepared).toBe(1)
  })
  await test.step('the user sets the take profit as a price and the stop loss as a distance', async () => {
    await form.getByRole('textbox', { name: 'Take profit' }).fill(high)
    await form.getByRole('radiogroup', { name: 'Stop loss unit' }).getByRole('radio', { name: '%' }).click()
    await form.getByRole('textbox', { name: 'Stop loss' }).fill('5')
    await review(page)
    for (const width of [1_440, 1_024]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await cutLines(page), `at ${width}`).toEqual([])
    }
    await acts('update_tpsl', async () => {
      await sendToFinal(page, phone, practice)
      const position = await btc(practice)
      expect(position).toMatchObject({ take_profit: high })
      expect(Math.abs(Number(position?.stop_loss) - Number(entry) * 0.95)).toBeLessThan(1)
      await expect(row).toContainText(formatDecimal(high))
    })
  })
  await test.step('after the price has risen, one press moves the stop loss to the entry price', async () => {
    await practice.faults({ priceShiftBps: 200 })
    await openPositionForm(page, 'BTC-PERP', 'Take profit and stop loss')
    await expect.poll(async () => Number((await figure(form, 'Mark').innerText()).replaceAll(',', ''))).toBeGreaterThan(Number(entry))
    await form.getByRole('button', { name: 'Break-even' }).click()
    const price = await form.getByRole('textbox', { name: 'Stop loss' }).inputValue()
    expect(Number(price) - Number(entry)).toBeGreaterThanOrEqual(0)
    expect(Number(price) - Number(entry)).toBeLessThan(1)
    await expect(form).toContainText(/at [\d,.]+.*0\.00 USDC/)
    await review(page)
    await expect(comparisonLine(page, 'stopLoss')).toContainText(formatDecimal(price))
    await page.keyboard.press('Escape')
    await expect(form.getByRole('textbox', { name: 'Stop loss' })).toHaveValue(price)
    await page.keyboard.press('Escape')
    await expect(form).toBeHidden()
    await practice.faults({ priceShiftBps: 0 })
  })
  await test.step('the user removes the stop loss, and the take profit stays unchanged', async () => {
    await openPositionForm(page, 'BTC-PERP', 'Take profit and stop loss')
    await form.getByRole('button', { name: 'Clear stop loss' }).click()
    await expect(form).toContainText('Will be removed.')
    await review(page)
    await sendToFinal(page, phone, practice)
    expect(await btc(practice)).toMatchObject({ take_profit: high, stop_loss: null })
  })
  await test.step('the exchange closes the position when the market price reaches the take profit', async () => {
    await practice.faults({ priceShiftBps: 1_500 })
    await practice.chain({ mine: 1 })
    await expect.poll(() => btc(practice)).toBe(undefined)
    await expect(blotter(page)).toContainText('No open positions')
  })
})

test('the user adds margin to an isolated position, removes some and changes the leverage [ORD-05, FLOW-03]', async ({ open: start, practice }) => {
  const desk = await start()
  const page = desk.main
  await signedIn(desk)
  const phone = await openPhone(desk)
  await goTo(page, 'Trade')
  await open(page, phone, practice, { value: '500', isolated: true })
  const form = rowForm(page)
  const margin = async () => String((await btc(practice))?.margin_usdc)
  const changed = async (by: string, before: string) => expect(Math.abs(Number(await margin()) - Number(before) - Number(by))).toBeLessThan(0.02)

  await test.step('the user adds margin to the position', async () => {
    const before = await margin()
    await openPositionForm(page, 'BTC-PERP', 'Add or remove margin')
    const amount = form.getByRole('textbox', { name: 'Amount' })
    await expect(amount).toBeFocused()
    await page.keyboard.type('99999')
    await page.keyboard.press('Enter')
    await expect(form.getByRole('alert')).toContainText('Your free margin is')
    await amount.fill('25')
    await expect(figure(form, 'Margin')).toContainText('becomes')
    await expect(figure(form, 'Liquidation$')).toContainText('becomes')
    await expect(figure(form, 'Fee and network')).toHaveText(/^0\.00 \+ 0\.00 USDC$/)
    await practice.faults({ answer: [{ route: 'POST /api/dex/v1/risk/preview', status: 503, code: 'UPSTREAM_DOWN', times: 60 }] })
    await amount.fill('26')
    await expect(figure(form, 'Liquidation, about')).toContainText('becomes')
    await expect(figure(form, 'Fee and network')).toHaveText('Shown on review')
    await practice.clearFaults()
    await amount.fill('25')
    await review(page)
    await acts('add_isolated_margin', async () => {
      await sendToFinal(page, phone, practice)
      await changed('25', before)
    })
  })
  await test.step('the user removes part of the position’s margin', async () => {
    const before = await margin()
    await openPositionForm(page, 'BTC-PERP', 'Add or remove margin')
    await form.getByRole('radio', { name: 'Remove' }).click()
    await form.getByRole('textbox', { name: 'Amount' }).fill('10')
    await review(page)
    await acts('reduce_isolated_margin', async () => {
      await sendToFinal(page, phone, practice)
      await changed('-10', before)
    })
  })
  await test.step('the user halves the position’s leverage', async () => {
    await openPositionForm(page, 'BTC-PERP', 'Change leverage')
    const leverage = form.getByRole('textbox', { name: 'Leverage' })
    await leverage.fill('900')
    await review(page)
    await expect(form.getByRole('alert')).toContainText('BTC-PERP allows up to')
    await leverage.fill('5')
    await review(page)
    await acts('change_isolated_leverage', async () => {
      await sendToFinal(page, phone, practice)
      expect(await btc(practice)).toMatchObject({ leverage: 5 })
      await expect(blotterRow(page, 'Positions', 'BTC-PERP')).toContainText('5×')
    })
  })
})
