import type { Page } from '@playwright/test'
import { goTo, type View } from '../../pages/frame.ts'
import { asksToSign } from '../../pages/phone.ts'
import { join, pair } from '../../pages/ready.ts'
import { sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewButton, reviewOrder, ticket } from '../../pages/ticket.ts'
import { blotter, bookRow, orderBook } from '../../pages/trade.ts'
import type { Desk } from '../../support/desk.ts'
import { expect, test } from '../../support/fixtures.ts'

/** How many pixels the page is wider than its space, so that the user must scroll sideways. */
const tooWide = (page: Page): Promise<number> => page.locator('[data-part=page]').evaluate((slot) => slot.scrollWidth - slot.clientWidth)

test('at 200 % zoom no page of a 1440 × 900 window scrolls sideways, and the user can review and send an order', async ({ open }) => {
  const desk = await open()
  const page = desk.main
  const phone = await join(desk, 'reader')
  // The visible size of a 1440 × 900 window at 200 % zoom.
  await page.setViewportSize({ width: 720, height: 450 })
  for (const view of ['Overview', 'Account', 'Markets', 'Keys', 'Webhooks', 'Activity', 'Settings'] satisfies View[])
    await test.step(view, async () => {
      await goTo(page, view)
      await expect(page.getByRole('heading', { level: 1, name: view })).toBeVisible()
      expect(await tooWide(page)).toBe(0)
      // The bar at the top keeps the lights of exchange and relay, and none of its parts leaves the window.
      for (const light of await page.getByRole('list', { name: 'Connections' }).getByRole('listitem').all()) await expect(light).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('banner').getByRole('button').last()).toBeInViewport({ ratio: 1 })
    })
  await test.step('the Trade page works from the ticket to the request on the phone', async () => {
    await goTo(page, 'Trade')
    for (const part of [ticket(page), orderBook(page), blotter(page)]) {
      await part.scrollIntoViewIfNeeded()
      expect((await part.boundingBox())?.height).toBeGreaterThan(120)
    }
    expect(await tooWide(page)).toBe(0)
    await reviewOrder(page, { value: '250' })
    await expect(signingSheet(page).getByRole('button', { name: 'Send to wallet' })).toBeInViewport()
    // The sheet opens at its top, with its title and its countdown.
    await expect(signingSheet(page).getByRole('heading', { level: 2 }).first()).toBeInViewport({ ratio: 1 })
    await expect(signingSheet(page).getByRole('timer').first()).toBeInViewport({ ratio: 1 })
    await sendToWallet(page)
    await phone.asks(asksToSign)
    const checks = signingSheet(page).getByRole('heading', { name: 'Check these 4 values on the phone' })
    await expect(checks).toBeInViewport()
    await phone.reject(asksToSign)
    await signingSheet(page).getByRole('button', { name: 'Close' }).click()
    await expect(reviewButton(page)).toBeInViewport()
  })
})

/** The colours of the best prices in the order book: what buyers bid, then what sellers ask. */
async function bookColours(page: Page): Promise<readonly [string, string]> {
  const colourOf = (side: 'bid' | 'ask') =>
    bookRow(page, side, 0)
      .getByRole('button')
      .evaluate((price) => getComputedStyle(price).color)
  return [await colourOf('bid'), await colourOf('ask')]
}

/** The hue of an RGB colour, in degrees: red 0, green 120, blue 240. */
function hueOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  const degrees = (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI
  return (degrees + 360) % 360
}

/** The zoom of all windows, in percent, each value once. */
const zooms = async ({ app }: Desk): Promise<readonly number[]> => {
  const factors = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getZoomFactor()))
  return [...new Set(factors.map((factor) => Math.round(factor * 100)))]
}

test('applies the text size to each window at once, and keeps it and the colours of long and short after a restart', async ({ open }) => {
  const first = await open()
  await pair(first)
  await goTo(first.main, 'Settings')
  const direction = (page: Page) => page.locator('html')
  await expect(direction(first.main)).toHaveAttribute('data-direction', 'green_red')
  expect(await zooms(first)).toEqual([100])
  await first.main.getByRole('radio', { name: 'Blue and orange' }).click()
  await expect(direction(first.main)).toHaveAttribute('data-direction', 'blue_orange')
  await goTo(first.main, 'Trade')
  const [bid, ask] = await bookColours(first.main)
  expect(hueOf(bid)).toBeGreaterThan(190)
  expect(hueOf(ask)).toBeLessThan(60)
  await goTo(first.main, 'Settings')
  await first.main.getByRole('radio', { name: '130 %' }).click()
  await expect.poll(() => zooms(first)).toEqual([130])
  await first.close()

  const second = await open()
  await expect(direction(second.main)).toHaveAttribute('data-direction', 'blue_orange')
  await expect.poll(() => zooms(second)).toEqual([130])
})
