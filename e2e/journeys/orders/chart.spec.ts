import type { Locator, Page } from '@playwright/test'
import { compare, formatDecimal, isMultipleOf, roundToStep } from '../../../shared/decimal.ts'
import { goTo, submitForm } from '../../pages/frame.ts'
import { openPaired, openSignedIn } from '../../pages/ready.ts'
import { review, rowForm, sendToFinal, signToFinal, signToPlaced } from '../../pages/rows.ts'
import { chooseTpSl, fillOrder, reviewButton, ticketField } from '../../pages/ticket.ts'
import { bookRow, candles, chart, chartLine, figure, marketHead, orderBook } from '../../pages/trade.ts'
import { sees } from '../../support/coverage.ts'
import { expect, testPaired as test, testWithKey } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'

const history = 'GET /api/dex/candles/history'
const older = (page: Page) => page.getByRole('region', { name: 'Chart' })
const interval = (page: Page, name: string) => page.getByRole('radiogroup', { name: 'Interval' }).getByRole('radio', { name, exact: true })

/** The chart legend’s text for the candle under the pointer. The pointer is at three quarters of the chart’s width. */
async function pointed(page: Page): Promise<string> {
  const box = await chart(page).boundingBox()
  if (box === null) throw new Error('there is no chart')
  const [x, y] = [box.x + box.width * 0.75, box.y + box.height * 0.4]
  await page.mouse.move(x - 1, y)
  await page.mouse.move(x, y)
  return older(page).locator('[data-part=legend]').innerText()
}

const pages = async (practice: Practice) => (await practice.callsTo(history)).length

test('MKT-03: in every interval, the chart loads older candles page by page and marks where their data source changes', async ({ open, practice }) => {
  const { page } = await openPaired(open)
  await goTo(page, 'Trade')
  await expect(chart(page)).toBeVisible()

  await test.step('the chart reads older candles only when needed', async () => {
    await expect(orderBook(page)).toContainText(/\d/)
    expect(await pages(practice)).toBe(0)
  })
  await test.step('the chart shows candles and their volume for every interval', async () => {
    for (const name of ['1m', '3m', '5m', '1h', '4h', '1d', '1w', '15m']) {
      await interval(page, name).click()
      await expect(chart(page)).toHaveAccessibleName(new RegExp(`candles of ${name}, last`))
      await expect(older(page).locator('[data-part=legend]')).toContainText(/Vol [\d,.]+ BTC/)
    }
  })
  await test.step('the arrow keys pan back over several pages of candles, and the chart does not jump when older candles arrive', async () => {
    await candles(page).focus()
    for (let count = 1; count <= 3; count += 1) {
      const before = await pages(practice)
      await practice.faults({ delay: [{ route: history, ms: null }] })
      await page.keyboard.press('Home')
      await expect(older(page).getByText('Reading older candles')).toBeVisible()
      const early = await pointed(page)
      await practice.clearFaults()
      await expect(older(page).getByText('Reading older candles')).toBeHidden()
      expect(await pointed(page)).toBe(early)
      expect(await pages(practice)).toBe(before + 1)
    }
  })
  await test.step('if a page of older candles is refused, the chart shows an error, and one press requests it again', async () => {
    await practice.faults({ answer: [{ route: history, status: 400, code: 'BAD_REQUEST', times: 1 }] })
    await page.keyboard.press('Home')
    await expect(older(page).getByRole('alert')).toContainText('Older candles:')
    await older(page).getByRole('button', { name: 'Try again' }).click()
    await expect(older(page).getByRole('alert')).toBeHidden()
  })
  await test.step('daily candles continue with data of other sources back to the first candle, and the chart marks where each source starts', async () => {
    await interval(page, '1d').click()
    await expect(chart(page)).toHaveAccessibleName(/candles of 1d/)
    await candles(page).focus()
    await sees(practice, history, async () => {
      await expect(async () => {
        await page.keyboard.press('Home')
        await expect(older(page).getByText('The history begins here')).toBeVisible({ timeout: 300 })
      }).toPass({ intervals: [0] })
    })
    await page.keyboard.press('Home')
    const edges = older(page).locator('[data-edge]')
    await expect(edges).toHaveText(['Older candles: practice-archive', 'Older candles: practice-museum'])
    await expect(async () => {
      await page.keyboard.press('PageDown')
      await expect(older(page).getByText('Older candles: practice-museum')).toBeVisible({ timeout: 100 })
    }).toPass({ intervals: [0] })
  })
  await test.step('a button scrolls the chart back to the newest candle', async () => {
    await page.getByRole('button', { name: 'Show newest candles' }).click()
    await expect(older(page).getByText('Older candles: practice-museum')).toBeHidden()
  })
})

test('MKT-01: the order book groups prices by multiples of the tick, and says when its data is out of date', async ({ open, practice }) => {
  const { page } = await openPaired(open)
  await goTo(page, 'Trade')
  const text = async (side: 'bid' | 'ask', place: number, column: number) =>
    (await bookRow(page, side, place).locator('td').nth(column).innerText()).replace(/[^\d.]/g, '')

  await sees(practice, 'GET /api/dex/orderbook', () => expect(bookRow(page, 'bid', 0)).toContainText(/\d/))
  await test.step('in the order book, the best prices are next to the spread, and the totals add up', async () => {
    // Reads all rows in one step, because the order book keeps changing.
    const rows = await orderBook(page).evaluate((book) =>
      ['ask', 'bid'].map((side) =>
        [...book.querySelectorAll(`tr[data-side=${side}]`)]
          .filter((row) => getComputedStyle(row).visibility === 'visible')
          .sort((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
          .map((row) => ['price', 'size', 'total'].map((name) => Number(row.querySelector(`[data-at=${name}]`)?.textContent?.replaceAll(',', '')))),
      ),
    )
    const [asks = [], bids = []] = rows
    expect(asks.length).toBe(bids.length)
    expect(asks.length).toBeGreaterThan(5)
    expect(asks[0]?.[0]).toBeGreaterThan(bids[0]?.[0] ?? Number.POSITIVE_INFINITY)
    for (const [side, sign] of [
      [asks, 1],
      [bids, -1],
    ] as const) {
      for (const [index, [price = 0, size = 0, total = 0]] of side.entries()) {
        const before = side[index - 1]
        expect(sign * (price - (before?.[0] ?? 0)) > 0 || index === 0).toBe(true)
        expect(Math.abs(total - (before?.[2] ?? 0) - size)).toBeLessThan(0.001)
      }
    }
    await expect(orderBook(page)).toContainText(/Spread [\d,.]+ 0\.\d+ %/)
  })
  await test.step('the user can change the order book’s grouping with the keyboard alone', async () => {
    const group = orderBook(page).getByRole('button', { name: /^Group prices by/ })
    for (const [name, step] of [
      ['10.0', '10'],
      ['50.0', '50'],
      ['0.1', '0.1'],
    ] as const) {
      await group.focus()
      await page.keyboard.press('Enter')
      await page
        .getByRole('menuitemcheckbox', { name, exact: true })
        .or(page.getByRole('menuitemradio', { name, exact: true }))
        .press('Enter')
      await expect(group).toHaveAccessibleName(`Group prices by: ${name}`)
      for (const place of [0, 1, 2, 3]) {
        expect(isMultipleOf(await text('bid', place, 0), step)).toBe(true)
        expect(isMultipleOf(await text('ask', place, 0), step)).toBe(true)
      }
    }
  })
  await test.step('a click or key press on a price in the order book copies it into the ticket', async () => {
    const price = bookRow(page, 'bid', 3).getByRole('button')
    await price.click()
    await expect(ticketField(page, 'Limit price')).not.toHaveValue('')
    const first = await ticketField(page, 'Limit price').inputValue()
    await bookRow(page, 'bid', 0).getByRole('button').focus()
    for (const [key, side, place] of [
      ['ArrowUp', 'ask', 0],
      ['ArrowDown', 'bid', 0],
      ['ArrowDown', 'bid', 1],
      ['ArrowDown', 'bid', 2],
    ] as const) {
      await page.keyboard.press(key)
      await expect(bookRow(page, side, place).getByRole('button')).toBeFocused()
    }
    await page.keyboard.press('Enter')
    await expect.poll(async () => compare(await ticketField(page, 'Limit price').inputValue(), first)).toBe(1)
  })
  await test.step('an order book that gets no updates shows how old it is', async () => {
    await practice.faults({ stalePrices: true })
    await expect(orderBook(page).getByRole('status')).toHaveText(/^\d+ s old$/, { timeout: 20_000 })
    await practice.clearFaults()
    await expect(orderBook(page).getByRole('status')).toBeHidden()
  })
})

/** Drags an order’s line on the chart by `byPx` pixels and returns its price. The caller releases the mouse button. */
async function drag(page: Page, line: Locator, byPx: number): Promise<string> {
  const box = await line.locator('[data-part=tag]').boundingBox()
  if (box === null) throw new Error('the line is not in sight')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let step = 1; step <= 5; step += 1) await page.mouse.move(x, y + (byPx * step) / 5)
  await expect(line).toHaveClass(/dragged/)
  return (await line.locator('[data-part=price]').innerText()).replaceAll(',', '')
}

testWithKey(
  'MKT-03: dragging an order’s line on the chart opens the form that changes the order, with the new price; Escape cancels [ORD-05]',
  async ({ open, practice }) => {
    const { page, phone } = await openSignedIn(open)
    await goTo(page, 'Trade')
    const mark = (await figure(marketHead(page), 'Mark').innerText()).replace(/[^\d.]/g, '')
    // The take profit is near the mark price, so that its line is visible on the chart.
    const takeProfit = roundToStep(String(Number(mark) * 1.004), '1')
    await chooseTpSl(page, 'Price')
    await fillOrder(page, { value: '500', leverage: '10' })
    await ticketField(page, /^(Take profit|TP)/).fill(takeProfit)
    await submitForm(reviewButton(page))
    await signToFinal(page, phone, practice)
    const line = chartLine(page, 'take profit')
    const form = rowForm(page)

    await test.step('Escape cancels the drag, and no form opens', async () => {
      await expect(line).toContainText(formatDecimal(takeProfit))
      const dragged = await drag(page, line, 40)
      expect(compare(dragged, takeProfit)).toBe(-1)
      await page.keyboard.press('Escape')
      await expect(line).not.toHaveClass(/dragged/)
      await expect(line).toContainText(formatDecimal(takeProfit))
      await page.mouse.up()
      await expect(form).toBeHidden()
    })
    await test.step('dropping an order’s line at another price prepares a changed order, which the wallet signs', async () => {
      const price = await drag(page, line, 20)
      expect(isMultipleOf(price, '0.1')).toBe(true)
      await page.mouse.up()
      await expect(form.getByRole('heading', { name: 'TP/SL of the long on BTC-PERP' })).toBeVisible()
      const field = form.getByRole('textbox', { name: 'Take profit' })
      await expect(field).toHaveValue(formatDecimal(price, { grouped: false }))
      expect((await practice.effects()).positions[0]?.take_profit).toBe(takeProfit)
      await review(page)
      await sendToFinal(page, phone, practice)
      expect(compare((await practice.effects()).positions[0]?.take_profit ?? '0', price)).toBe(0)
      await expect(line).toContainText(formatDecimal(price))
    })
    await test.step('dropping a line on the wrong side of the market shows an error at once', async () => {
      await drag(page, line, 400)
      await page.mouse.up()
      await expect(form.getByRole('alert')).toContainText('The price must be above the current price')
      await page.keyboard.press('Escape')
      await expect(form).toBeHidden()
    })
    await test.step('an open order is marked at its price in the order book, and its line on the chart opens its form', async () => {
      await bookRow(page, 'bid', 5).getByRole('button').click()
      await fillOrder(page, { value: '300' })
      const price = await ticketField(page, 'Limit price').inputValue()
      await submitForm(reviewButton(page))
      await signToPlaced(page, phone, practice)
      await sees(practice, 'GET /api/dex/v1/orderbook', () =>
        expect(orderBook(page).locator('tr[data-own]')).toContainText(`${formatDecimal(price, { minDecimals: 1 })}`),
      )
      const dragged = await drag(page, chartLine(page, 'order'), 30)
      await page.mouse.up()
      await expect(form.getByRole('heading', { name: 'Change the long order on BTC-PERP' })).toBeVisible()
      await expect(form.getByRole('textbox', { name: 'Limit price' })).toHaveValue(formatDecimal(dragged, { grouped: false }))
      await page.keyboard.press('Escape')
      await expect(form).toBeHidden()
    })
  },
)
