import type { Page } from '@playwright/test'
import { goTo, submitForm } from '../../pages/frame.ts'
import { asksToSign, type PhonePage } from '../../pages/phone.ts'
import { openPhone, openSignedIn, signedIn } from '../../pages/ready.ts'
import { comparisonLine, expectFinal, expectPlaced, phoneCheckList, sendToWallet, signingSheet } from '../../pages/signing.ts'
import {
  chooseOrderType,
  chooseTpSl,
  fillOrder,
  keepPreset,
  openPresets,
  presetSheet,
  reviewButton,
  riskPreview,
  riskSummary,
  ticket,
  ticketField,
  ticketFoot,
  turnExpert,
} from '../../pages/ticket.ts'
import { aboutMarket, blotter, blotterRow, figure, marketHead } from '../../pages/trade.ts'
import { acts, sees } from '../../support/coverage.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'

const prepare = 'POST /api/dex/v1/orders/prepare'
const preview = 'POST /api/dex/v1/risk/preview'

/** The orders waiting at the exchange, from a public route. */
async function waiting(practice: Practice): Promise<readonly Record<string, unknown>[]> {
  const { hostUrl, walletAddress } = practice.descriptor
  const answer = await fetch(`${hostUrl}/api/dex/orders?wallet=${walletAddress}`)
  const { orders } = (await answer.json()) as { orders: { items: Record<string, unknown>[] } } // safe cast: the practice exchange sends this shape
  return orders.items.filter(({ status }) => status === 'open')
}

async function openTrade(page: Page): Promise<void> {
  await goTo(page, 'Trade')
  await expect(figure(marketHead(page), 'Mark')).toHaveText(/\d/)
}

interface Outcome {
  /** Checks the signing sheet’s text once the order has ended. */
  readonly expectEnd?: (page: Page) => Promise<void>
  /** The values that the signing sheet asks the user to compare on the phone. */
  readonly checks?: readonly string[]
}

/** Signs the order on the sheet and mines blocks until its transaction is final. */
async function carryOut(page: Page, phone: PhonePage, practice: Practice, { expectEnd = expectFinal, checks = [] }: Outcome = {}): Promise<void> {
  const { relayed } = await practice.effects()
  await sendToWallet(page)
  await phone.asks(asksToSign)
  for (const check of checks) await expect(phoneCheckList(page)).toContainText(check)
  await phone.approve(asksToSign)
  await expect.poll(async () => (await practice.effects()).relayed.length).toBe(relayed.length + 1)
  await practice.chain({ mine: 8 })
  await expectEnd(page)
  await signingSheet(page).getByRole('button', { name: 'Done' }).click()
  await expect(signingSheet(page)).toBeHidden()
}

const blotterTab = (page: Page, name: string) => blotter(page).getByRole('tab', { name: new RegExp(`^${name}`) })

async function move(page: Page, field: string, key: 'ArrowUp' | 'ArrowDown', presses: number): Promise<void> {
  for (let press = 0; press < presses; press += 1) await ticketField(page, field).press(`Shift+${key}`)
}

test('the user enters a limit order with the keyboard alone, and it appears in Orders exactly as typed [ORD-01, ORD-03, GEN-06]', async ({
  open,
  practice,
}) => {
  const { page, phone } = await openSignedIn(open)
  await openTrade(page)
  const focused = page.locator(':focus')
  const keys = async (...pressed: string[]) => {
    for (const key of pressed) await page.keyboard.press(key)
  }
  await ticket(page).getByRole('tab', { name: 'Market' }).focus()
  await keys('ArrowRight')
  const steps: readonly (readonly [name: string | RegExp, act: () => Promise<void>])[] = [
    ['Limit', () => keys('Tab')],
    ['Expert mode', () => keys('Tab')],
    [/^Presets/, () => keys('Tab')],
    ['Long', () => keys('ArrowRight')],
    ['Short', () => keys('Tab')],
    ['Cross', () => keys('ArrowRight')],
    ['Isolated', () => keys('Tab')],
    ['Leverage', () => keys('5', 'Tab')],
    ['Leverage', () => keys('ArrowRight', 'Tab')],
    [/^Limit price/, () => keys('ArrowUp', ...Array<string>(200).fill('Shift+ArrowUp'), 'ArrowDown', 'Tab')],
    ['Mark', () => keys('Tab')],
    [/^Order value/, () => keys('2', '5', '0', 'Tab')],
    ['Order value unit', () => keys('Tab')],
    ['Max', () => keys('Tab')],
    ['Share of the maximum', () => keys('Tab')],
    ['GTC', () => keys('Tab')],
    ['Post only', () => keys('Space', 'Tab')],
    ['Take profit and stop loss', () => keys('Space', 'Tab')],
    ['Price', () => keys('ArrowRight')],
    ['%', () => keys('Tab')],
    [/^Take profit/, () => keys('3', 'Tab')],
    [/^Stop loss/, () => keys('2', 'Tab')],
    ['More', () => keys('Enter', 'Tab')],
    [/^Client order ID/, () => page.keyboard.type('by-keys-1')],
  ]
  for (const [name, act] of steps) {
    await expect(focused).toHaveAccessibleName(name)
    await act()
  }
  const price = await ticketField(page, 'Limit price').inputValue()
  await keys('Enter')
  await expect(signingSheet(page).getByRole('heading', { name: 'Open a short on BTC-PERP' })).toBeVisible()
  await expect(comparisonLine(page, 'leverage')).toContainText(/6×.*matches.*6×/)
  await expect(comparisonLine(page, 'orderValue')).toContainText(/250\.00.*matches.*250\.00/)
  await expect(comparisonLine(page, 'clientOrderId')).toContainText('by-keys-1')
  expect(await waiting(practice)).toEqual([])
  await carryOut(page, phone, practice, { expectEnd: expectPlaced })
  const [order, ...more] = await waiting(practice)
  expect(more).toEqual([])
  expect(order).toMatchObject({ side: 'short', order_type: 'limit', client_order_id: 'by-keys-1', price: price.replace(/\.0$/, '') })
  expect((await practice.effects()).positions).toEqual([])
  await blotterTab(page, 'Orders').click()
  await expect(blotterRow(page, 'Orders', 'BTC-PERP')).toContainText('Short')
  await expect(blotterRow(page, 'Orders', 'BTC-PERP')).toContainText('Limit')
})

test('the exchange receives a market order with TP/SL, and a stop order sized in base units, exactly as the user entered them [ORD-01, ORD-02, ORD-03]', async ({
  open,
  practice,
}) => {
  const { page, phone } = await openSignedIn(open)
  await openTrade(page)
  const form = ticket(page)
  await test.step('the ticket accepts take profit and stop loss of a market order as amounts of profit or loss', async () => {
    await fillOrder(page, { side: 'Long', value: '1000', leverage: '4' })
    await chooseTpSl(page, 'USDC')
    await ticketField(page, /^Take profit/).fill('50')
    await ticketField(page, /^Stop loss/).fill('20')
    await expect(form).toContainText('+5.00 %')
    await expect(form).toContainText('−2.00 %')
    await chooseTpSl(page, '%')
    await expect(ticketField(page, /^Take profit/)).toHaveValue('5')
    await expect(ticketField(page, /^Stop loss/)).toHaveValue('2')
    await submitForm(reviewButton(page))
    for (const line of ['takeProfit', 'stopLoss', 'referencePrice'] as const) await expect(comparisonLine(page, line)).toHaveAttribute('data-verdict', 'match')
    await carryOut(page, phone, practice, { checks: ['Side', 'Long', 'Take profit', 'Stop loss'] })
    await acts('open_position', async () => {
      const { positions } = await practice.effects()
      expect(positions).toEqual([
        expect.objectContaining({ side: 'long', leverage: 4, take_profit: expect.stringMatching(/^\d/), stop_loss: expect.stringMatching(/^\d/) }),
      ])
    })
  })
  await test.step('a stop order keeps its size when the user changes the unit, and one press fills in the mark price', async () => {
    await chooseOrderType(page, 'Stop')
    await form.getByRole('radio', { name: 'Isolated' }).click()
    await form.getByRole('checkbox', { name: 'TP/SL by' }).uncheck()
    await form.getByRole('button', { name: 'Mark' }).click()
    await move(page, 'Trigger price', 'ArrowUp', 300)
    await expect(form).toContainText(/0\.\d\d % above mark/)
    await ticketField(page, 'Order value').fill('1000')
    await form.getByRole('combobox', { name: 'Order value unit' }).selectOption('base')
    await expect(ticketField(page, 'Order value')).toHaveValue(/^0\.0\d+$/)
    await expect(reviewButton(page)).toHaveText(/(99\d\.\d\d|1,000\.00) USDC$/)
    const trigger = await ticketField(page, 'Trigger price').inputValue()
    await submitForm(reviewButton(page))
    await expect(comparisonLine(page, 'marginMode')).toContainText('Isolated')
    await carryOut(page, phone, practice, { expectEnd: expectPlaced })
    expect(await waiting(practice)).toEqual([expect.objectContaining({ order_type: 'stop', side: 'long', price: trigger.replace(/\.0$/, '') })])
    await blotterTab(page, 'Orders').click()
    await expect(blotterRow(page, 'Orders', 'BTC-PERP')).toContainText('Stop')
  })
})

test('the order ticket shows an impossible value’s error at its field, and sends nothing [ORD-01, ORD-03, ORD-04]', async ({ open, practice }) => {
  const { page } = await openSignedIn(open)
  await openTrade(page)
  const bad = [
    ['Market', 'Leverage', '0', 'Leverage must be at least 1.'],
    ['Market', 'Leverage', '51', 'BTC-PERP allows up to 50×.'],
    ['Market', 'Leverage', '2.5', 'Leverage must be a whole number.'],
    ['Market', 'Order value', 'much', 'Type an amount in USDC.'],
    ['Market', 'Order value', '0,250', 'Write 0.25 with a point. A comma only groups thousands.'],
    ['Market', 'Order value', '-5', 'Enter a number above zero.'],
    ['Market', 'Order value', '10.0000001', 'USDC has at most 6 decimals.'],
    ['Market', 'Order value', '1', /^BTC-PERP accepts orders from \d+\.00 USDC\.$/],
    ['Market', 'Order value', '999999999', /^BTC-PERP accepts orders up to [\d,]+\.00 USDC\.$/],
    ['Market', 'Max slippage', '11', 'Slippage must be between 0.01% and 10%.'],
    ['Market', 'Max slippage', '0.001', 'Slippage must be a percentage in steps of 0.01.'],
    ['Market', 'Client order ID', 'x'.repeat(97), 'An order ID has at most 96 characters.'],
    ['Limit', 'Limit price', 'x', 'Type a price.'],
    ['Limit', 'Limit price', '90000,5', 'Write 90000.5 with a point. A comma only groups thousands.'],
    ['Limit', 'Limit price', '0', 'Enter a number above zero.'],
    ['Limit', 'Limit price', '90000.123', /^BTC-PERP prices move in steps of 0\.1\. The nearest is 90,000\.1\.$/],
    ['Limit', 'Take profit', '1', /^The price must be above the limit price, 90,000\.0\.$/],
    ['Limit', 'Stop loss', '95000', /^The price must be below the limit price, 90,000\.0\.$/],
    ['Stop', 'Trigger price', '-1', 'Enter a number above zero.'],
    ['Stop', 'Trigger price', '90000.123', /^BTC-PERP prices move in steps of 0\.1\. The nearest is 90,000\.1\.$/],
  ] as const
  const good = {
    Leverage: '10',
    'Order value': '250',
    'Max slippage': '0.5',
    'Client order ID': '',
    'Limit price': '90000',
    'Trigger price': '90000',
  } as const
  await chooseTpSl(page, 'Price')
  await ticket(page).getByRole('button', { name: 'More' }).click()
  await ticketField(page, 'Order value').fill('250')
  await chooseOrderType(page, 'Stop')
  await ticketField(page, 'Trigger price').fill('90000')
  await chooseOrderType(page, 'Limit')
  await ticketField(page, 'Limit price').fill('90000')
  for (const [type, name, value, sentence] of bad)
    await test.step(`the field refuses ${type}, ${name}: ${value.slice(0, 12)}`, async () => {
      await chooseOrderType(page, type)
      const field = ticketField(page, name)
      await field.fill(value)
      await field.press('Enter')
      await expect(field).toBeFocused()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toHaveAccessibleDescription(sentence)
      await field.fill(name in good ? good[name as keyof typeof good] : '')
      await expect(field).not.toHaveAttribute('aria-invalid')
    })
  await test.step('a field with a thousands comma shows how the app reads the number [F1]', async () => {
    await ticketField(page, 'Order value').fill('1,500')
    await expect(ticketField(page, 'Order value')).toHaveAccessibleDescription(/^= 1,500\.00/)
    await expect(ticketField(page, 'Order value')).not.toHaveAttribute('aria-invalid')
    await ticketField(page, 'Order value').fill('250')
    await expect(ticketField(page, 'Order value')).not.toHaveAccessibleDescription(/=/)
  })
  await test.step('combining post-only with IOC shows a warning', async () => {
    await chooseOrderType(page, 'Limit')
    await ticket(page).getByRole('checkbox', { name: 'Post only' }).check()
    await ticket(page).getByRole('radio', { name: 'IOC' }).click()
    await expect(ticket(page).getByRole('checkbox', { name: 'Post only' })).toHaveAccessibleDescription(/The exchange may refuse it/)
    await ticket(page).getByRole('radio', { name: 'GTC' }).click()
  })
  await test.step('the field refuses a size above 100 % of the free margin', async () => {
    await ticket(page).getByRole('combobox', { name: 'Order value unit' }).selectOption('free_margin')
    await ticketField(page, 'Order value').fill('101')
    await ticketField(page, 'Order value').press('Enter')
    await expect(ticketField(page, 'Order value')).toHaveAccessibleDescription('Enter more than 0% and at most 100% of your free margin.')
  })
  expect(await practice.callsTo(prepare)).toEqual([])
})

test('the app shows the exchange’s preview of an order before preparing the order; an order without a preview can still be sent [ORD-15, GEN-06]', async ({
  open,
  practice,
}) => {
  const { page } = await openSignedIn(open)
  await openTrade(page)
  const risk = riskPreview(page)
  const brief = riskSummary(page)
  await expect(figure(brief, 'Fee')).toHaveText('—')
  await expect(figure(brief, 'Margin used'), 'an empty ticket has no effect').toHaveText('0.0 %')
  expect(await practice.callsTo(preview)).toEqual([])
  await fillOrder(page, { value: '60000', leverage: '10' })
  await sees(practice, preview, async () => {
    await expect(figure(brief, 'Fee')).toHaveText(/^(29\.9\d|30\.0\d|30\.00) \+ 0\.02$/)
    await expect(figure(brief, 'Liquidation')).toHaveText(/^[\d,]+\.\d$/)
    await expect(figure(brief, 'Margin used')).toHaveText(/^0\.0 becomes (59|60)\.\d %$/)
    await expect(figure(risk, 'Health')).toHaveText(/^\d+\.\d\d$/)
  })
  // Above the slider, “Free” means the margin before the order. So the preview must name the free margin before and after the order.
  await expect(ticket(page)).toContainText('Free 10,000.00')
  await expect(figure(risk, 'Free margin')).toHaveText(/^10,000\.00 becomes (3,9|4,0)\d\d\.\d\d$/)
  const liquidation = await figure(brief, 'Liquidation').innerText()
  await ticket(page).getByRole('radio', { name: 'Isolated' }).click()
  await expect(figure(brief, 'Liquidation')).not.toHaveText(liquidation)

  await test.step('if the order is not executable, the preview shows the reason', async () => {
    await ticketField(page, 'Leverage').fill('5')
    await expect(brief).toContainText('This action would not execute now. The exchange says: open margin insufficient.')
    await ticketField(page, 'Leverage').fill('10')
    await expect(brief).not.toContainText('would not execute now')
  })
  await test.step('if the exchange sends no preview, the ticket says so and shows what it knows, and the user can still review the order', async () => {
    await practice.faults({ answer: [{ route: preview, status: 503, code: 'UPSTREAM_DOWN', times: 100 }] })
    await ticketField(page, 'Order value').fill('500')
    await expect(brief).toContainText('No preview from the exchange.')
    await expect(figure(risk, 'Margin$')).toHaveText('50.00 USDC')
    await expect(figure(brief, 'Liquidation')).toHaveText('—')
    await expect(reviewButton(page)).toBeEnabled()
    await expect(brief.getByRole('button', { name: 'Try again' })).toBeVisible()
    await practice.clearFaults()
    // The app may repeat the preview itself when a new price arrives. The button then disappears, so a failed press is ignored.
    await brief
      .getByRole('button', { name: 'Try again' })
      .click({ timeout: 2_000 })
      .catch(() => undefined)
    await expect(figure(brief, 'Fee')).toHaveText(/^0\.25 \+ 0\.02$/)
  })
  expect((await practice.effects()).prepared).toBe(0)
  await reviewButton(page).click()
  await expect(signingSheet(page).getByRole('heading', { name: 'Open a long on BTC-PERP' })).toBeVisible()
  expect((await practice.effects()).prepared).toBe(1)
})

test('in the smallest window, the order ticket shows the risk of a limit order with TP/SL next to the Review button [ORD-15]', async ({ open }) => {
  const { page } = await openSignedIn(open)
  await page.setViewportSize({ width: 1024, height: 680 })
  await openTrade(page)
  await chooseOrderType(page, 'Limit')
  await ticket(page).getByRole('button', { name: 'Mark' }).click()
  const price = ticketField(page, 'Limit price')
  await expect(price).not.toHaveValue('')
  await price.fill(String(Math.round(Number(await price.inputValue()) * 0.95)))
  await fillOrder(page, { value: '60000', leverage: '10' })
  await chooseTpSl(page, '%')
  await ticketField(page, /^Take profit/).fill('2.5')
  await ticketField(page, /^Stop loss/).fill('1.5')
  const brief = riskSummary(page)
  for (const [name, value] of [
    ['Liquidation', /^[\d,]+\.\d$/],
    ['Margin used', /^0\.0 becomes \d+\.\d %$/],
    ['Fee', /^\d+\.\d\d \+ \d+\.\d\d$/],
  ] as const) {
    await expect(figure(brief, name)).toHaveText(value)
    await expect(figure(brief, name)).toBeInViewport({ ratio: 1 })
  }
  await expect(reviewButton(page)).toBeInViewport({ ratio: 1 })
  await expect(ticket(page).getByRole('button', { name: /^Sign with:/ })).toBeInViewport({ ratio: 1 })
  expect((await ticketFoot(page).boundingBox())?.height).toBeLessThanOrEqual(132)
})

test('Escape, or opening another sheet or page, stops an order that is being prepared, and no signing sheet opens later [GEN-06]', async ({
  open,
  practice,
}) => {
  const { page } = await openSignedIn(open)
  await openTrade(page)
  await fillOrder(page, { value: '250' })
  const preparing = ticket(page).getByRole('button', { name: 'Preparing' })
  /** Presses Review. The exchange prepares the order, but its response is delayed until `expectStopped`. */
  const review = async (count: number) => {
    await expect(reviewButton(page)).toBeEnabled()
    await practice.faults({ delay: [{ route: prepare, ms: null }] })
    await reviewButton(page).click()
    await expect(preparing).toBeVisible()
    await expect.poll(async () => (await practice.effects()).prepared).toBe(count)
  }
  const expectStopped = async (count: number) => {
    await practice.faults({ delay: [], stalePrices: false })
    await blotterTab(page, 'Activity').click()
    await expect(blotterRow(page, 'Activity', 'Cancelled')).toHaveCount(count)
    await expect(signingSheet(page)).toBeHidden()
  }
  await test.step('Escape stops the order, even if its price has become old meanwhile', async () => {
    await review(1)
    await practice.faults({ stalePrices: true })
    await practice.advance(20_000)
    await expect(marketHead(page)).toContainText(/\d\d s ago/)
    await expect(preparing).toBeVisible()
    await expect(ticket(page)).not.toContainText('The price is old.')
    await page.keyboard.press('Escape')
    await expect(ticket(page)).toContainText('The price is old.')
    await expectStopped(1)
  })
  await test.step('opening another sheet stops the order', async () => {
    await review(2)
    const about = await aboutMarket(page, 'BTC-PERP')
    await page.keyboard.press('Escape')
    await expect(about).toBeHidden()
    await expect(reviewButton(page)).toBeEnabled()
    await expectStopped(2)
  })
  await test.step('leaving the page stops the order', async () => {
    await review(3)
    await goTo(page, 'Keys')
    await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible()
    await goTo(page, 'Trade')
    await expectStopped(3)
  })
})

test('the user saves an order preset by name and uses it after a restart; the order ticket keeps its settings', async ({ open }) => {
  const first = await open()
  await signedIn(first)
  await openPhone(first)
  await openTrade(first.main)
  await chooseOrderType(first.main, 'Limit')
  await fillOrder(first.main, { side: 'Short', value: '1234.5', leverage: '7' })
  await ticketField(first.main, 'Limit price').fill('100000')
  await chooseTpSl(first.main, '%')
  await ticketField(first.main, /^Stop loss/).fill('2.5')
  await keepPreset(first.main, 'Fade')
  await turnExpert(first.main, true)
  await first.close()

  const { main: page } = await open()
  await openTrade(page)
  await expect(ticketField(page, 'Payload')).toHaveValue(/"order_type": "market"/)
  await turnExpert(page, false)
  await expect(ticketField(page, 'Order value')).toHaveValue('')
  await ticket(page)
    .getByRole('button', { name: /^Presets/ })
    .click()
  await page.getByRole('menuitem', { name: /^Fade/ }).click()
  await expect(ticket(page).getByRole('tab', { name: 'Limit' })).toHaveAttribute('aria-selected', 'true')
  await expect(ticket(page).getByRole('radio', { name: 'Short' })).toBeChecked()
  await expect(ticketField(page, 'Order value')).toHaveValue('1234.5')
  await expect(ticketField(page, 'Leverage')).toHaveValue('7')
  await expect(ticketField(page, /^Stop loss/)).toHaveValue('2.5')
  await expect(ticketField(page, 'Limit price')).toHaveValue('')

  const sheet = await openPresets(page)
  await sheet.getByRole('button', { name: 'Delete Fade' }).click()
  await expect(sheet.getByRole('button', { name: 'Keep preset' })).toBeFocused()
  await sheet.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(sheet).toContainText('No presets yet.')
  await page.keyboard.press('Escape')
  await expect(presetSheet(page)).toBeHidden()
})

test('in expert mode, an order written as JSON must obey the form’s rules, shows errors by field name, and is sent as written [ORD-01, ORD-04]', async ({
  open,
  practice,
}) => {
  const { page } = await openSignedIn(open)
  await openTrade(page)
  await chooseOrderType(page, 'Limit')
  await fillOrder(page, { value: '300', leverage: '3' })
  await ticketField(page, 'Limit price').fill('90000')
  await turnExpert(page, true)
  const payload = ticketField(page, 'Payload')
  const written = JSON.parse(await payload.inputValue())
  expect(written).toEqual({
    pair_id: 1,
    side: 'long',
    order_type: 'limit',
    margin_mode: 'cross',
    leverage: 3,
    order_value_usdc: '300',
    limit_price: '90000',
    time_in_force: 'gtc',
    post_only: false,
  })
  const bad = [
    [{ ...written, reduce_only: true }, 'reduce_only: open_position has no such field.'],
    [{ ...written, trigger_price: '1' }, 'trigger_price: A limit order has no such field. Leave it out.'],
    [{ ...written, order_value_usdc: 300 }, 'order_value_usdc: Must be a decimal number in quotes'],
    [{ ...written, leverage: 400 }, 'leverage: BTC-PERP allows up to 50×.'],
    [{ ...written, pair_id: 2 }, 'pair_id: The ticket shows BTC-PERP, which is market 1.'],
    ['{', 'This is not JSON yet.'],
  ] as const
  for (const [value, sentence] of bad) {
    await payload.fill(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
    await expect(ticket(page).getByRole('alert')).toContainText(sentence)
    await payload.press('Control+Enter')
    await expect(payload).toBeFocused()
  }
  expect(await practice.callsTo(prepare)).toEqual([])
  await payload.fill(JSON.stringify({ ...written, side: 'short', limit_price: '110000', client_order_id: 'by-hand-1' }))
  await expect(figure(riskSummary(page), 'Fee')).toHaveText(/\d/)
  await payload.press('Control+Enter')
  await expect(signingSheet(page).getByRole('heading', { name: 'Open a short on BTC-PERP' })).toBeVisible()
  await expect(comparisonLine(page, 'clientOrderId')).toContainText('by-hand-1')
  await expect(comparisonLine(page, 'limitPrice')).toContainText('110,000.0')
  await page.keyboard.press('Escape')
  await expect(signingSheet(page)).toBeHidden()
  // Turning expert mode off loads the edited payload into the form’s fields.
  await turnExpert(page, false)
  await expect(ticketField(page, 'Limit price')).toHaveValue('110000')
  await expect(ticket(page).getByRole('radio', { name: 'Short' })).toBeChecked()
})
