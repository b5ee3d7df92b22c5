import { expect } from '@playwright/test'
import { formatDecimal, roundToStep } from '../../shared/decimal.ts'
import { goTo, submitForm } from '../pages/frame.ts'
import { join } from '../pages/ready.ts'
import { rowForm, signToFinal, signToPlaced } from '../pages/rows.ts'
import { chooseTpSl, fillOrder, reviewButton, ticketField } from '../pages/ticket.ts'
import { bookRow, candles, chart, chartLine, figure, marketHead, orderBook } from '../pages/trade.ts'
import type { Studio } from './shots-studio.ts'

const history = 'GET /api/dex/candles/history'

export async function takeChartShots({ desk, page, practice, shoot }: Studio): Promise<void> {
  const phone = await join(desk, 'grid-eth-2')
  const region = page.getByRole('region', { name: 'Chart' })
  await goTo(page, 'Trade')
  const mark = Number((await figure(marketHead(page), 'Mark').innerText()).replace(/[^\d.]/g, ''))
  await chooseTpSl(page, 'Price')
  await fillOrder(page, { value: '2500', leverage: '10' })
  await ticketField(page, /^(Take profit|TP)/).fill(roundToStep(String(mark * 1.006), '1'))
  await ticketField(page, /^(Stop loss|SL)/).fill(roundToStep(String(mark * 0.994), '1'))
  await submitForm(reviewButton(page))
  await signToFinal(page, phone, practice)
  await bookRow(page, 'bid', 5).getByRole('button').click()
  await fillOrder(page, { value: '1200' })
  await submitForm(reviewButton(page))
  await signToPlaced(page, phone, practice)
  await expect(orderBook(page).locator('tr[data-own]').first()).toBeVisible()
  // Waits until the notices have disappeared, because they cover the market’s header.
  await expect(page.locator('[data-part=toast]')).toHaveCount(0, { timeout: 30_000 })
  const line = chartLine(page, 'take profit')
  await expect(line).toBeVisible()
  await shoot('chart-lines', { narrow: true })
  const box = await line.locator('[data-part=tag]').boundingBox()
  if (box === null) throw new Error('the take profit is not in sight')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let step = 1; step <= 5; step += 1) await page.mouse.move(x, y + 4 * step)
  await expect(line).toHaveClass(/dragged/)
  await shoot('chart-drag')
  await page.mouse.up()
  await rowForm(page).waitFor()
  await shoot('chart-drag-form', { narrow: true })
  await page.keyboard.press('Escape')

  const plot = await chart(page).boundingBox()
  if (plot !== null) await page.mouse.move(plot.x + plot.width * 0.6, plot.y + plot.height * 0.4)
  await shoot('chart-crosshair')
  await page.mouse.move(0, 0)
  await orderBook(page)
    .getByRole('button', { name: /^Group prices by/ })
    .click()
  await shoot('chart-book-menu')
  await page.getByRole('menuitemradio', { name: formatDecimal('50', { minDecimals: 1 }), exact: true }).click()
  await expect(orderBook(page).getByRole('button', { name: /^Group prices by/ })).toHaveAccessibleName('Group prices by: 50.0')
  await shoot('chart-book-grouped', { narrow: true })
  await region.getByRole('radiogroup', { name: 'Interval' }).getByRole('radio', { name: '1d', exact: true }).click()
  await expect(chart(page)).toHaveAccessibleName(/candles of 1d/)
  await candles(page).focus()
  await expect(async () => {
    await page.keyboard.press('Home')
    await expect(region.getByText('The history begins here')).toBeVisible({ timeout: 300 })
  }).toPass({ timeout: 30_000 })
  await shoot('chart-beginning', { narrow: true })
  await page.getByRole('button', { name: 'Show newest candles' }).click()
  await region.getByRole('radiogroup', { name: 'Interval' }).getByRole('radio', { name: '5m', exact: true }).click()
  await expect(chart(page)).toHaveAccessibleName(/candles of 5m/)
  await practice.faults({ answer: [{ route: history, status: 400, code: 'BAD_REQUEST', times: 1 }] })
  await candles(page).focus()
  await page.keyboard.press('Home')
  await region.getByRole('alert').waitFor()
  await shoot('chart-older-refused', { narrow: true })
  await region.getByRole('button', { name: 'Try again' }).click()
  await practice.faults({ stalePrices: true })
  await expect(orderBook(page).getByRole('status')).toHaveText(/^\d+ s old$/, { timeout: 20_000 })
  await shoot('chart-book-old', { narrow: true })
  await practice.clearFaults()
}
