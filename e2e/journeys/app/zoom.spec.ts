import type { Page } from '@playwright/test'
import { goTo, type View } from '../../pages/frame.ts'
import { asksToSign } from '../../pages/phone.ts'
import { join, pair } from '../../pages/ready.ts'
import { sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewButton, reviewOrder, ticket } from '../../pages/ticket.ts'
import { blotter, orderBook } from '../../pages/trade.ts'
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
    await sendToWallet(page)
    await phone.asks(asksToSign)
    const checks = signingSheet(page).getByRole('heading', { name: 'Check these 4 values on the phone' })
    await expect(checks).toBeInViewport()
    await phone.reject(asksToSign)
    await signingSheet(page).getByRole('button', { name: 'Close' }).click()
    await expect(reviewButton(page)).toBeInViewport()
  })
})

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
  await first.main.getByRole('radio', { name: '130 %' }).click()
  await expect.poll(() => zooms(first)).toEqual([130])
  await first.close()

  const second = await open()
  await expect(direction(second.main)).toHaveAttribute('data-direction', 'blue_orange')
  await expect.poll(() => zooms(second)).toEqual([130])
})
