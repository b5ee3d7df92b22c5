import type { Locator, Page } from '@playwright/test'
import { drawnRows, openTab, tables } from '../../pages/account.ts'
import { goTo, type View } from '../../pages/frame.ts'
import { leg, openKey } from '../../pages/keys.ts'
import { asksToSign } from '../../pages/phone.ts'
import { openPhone, openSignedIn, paired, signedIn } from '../../pages/ready.ts'
import { signToFinal } from '../../pages/rows.ts'
import { sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewButton, reviewOrder, ticket } from '../../pages/ticket.ts'
import { blotter, bookRow, orderBook } from '../../pages/trade.ts'
import { narrow, zoomed } from '../../shots/shots-studio.ts'
import type { Desk } from '../../support/desk.ts'
import { expect, firstKey, testWithKey as test, testPaired } from '../../support/fixtures.ts'

/** How many pixels the page is wider than the window’s content area. Above 0, the user must scroll sideways. */
const tooWide = (page: Page): Promise<number> => page.locator('[data-part=page]').evaluate((slot) => slot.scrollWidth - slot.clientWidth)

/** The ticket and all boxes around it that scroll up and down, from the inside out. */
const scrollers = (page: Page): Promise<readonly string[]> =>
  ticket(page).evaluate((inner) => {
    const found: string[] = []
    for (let box: Element | null = inner; box !== null; box = box.parentElement)
      if (box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY)) found.push(box.tagName)
    return found
  })

test('at 200 % zoom no page of a 1440 × 900 window scrolls sideways, and the user can review and send an order', async ({ open }) => {
  const { page, phone } = await openSignedIn(open)
  // At 200 % zoom, a 1440 × 900 window has this size in CSS pixels.
  await page.setViewportSize({ width: 720, height: 450 })
  for (const view of ['Overview', 'Account', 'Markets', 'Keys', 'Webhooks', 'Activity', 'Settings'] satisfies View[])
    await test.step(view, async () => {
      await goTo(page, view)
      await expect(page.getByRole('heading', { level: 1, name: view })).toBeVisible()
      expect(await tooWide(page)).toBe(0)
      // The bar at the top still shows the connection lights, and all its parts are inside the window.
      for (const light of await page.getByRole('list', { name: 'Connections' }).getByRole('listitem').all()) await expect(light).toBeInViewport({ ratio: 1 })
      await expect(page.getByRole('banner').getByRole('button').last()).toBeInViewport({ ratio: 1 })
    })
  await test.step('on the Trade page, the user gets from the ticket to the request on the phone', async () => {
    await goTo(page, 'Trade')
    for (const part of [ticket(page), orderBook(page), blotter(page)]) {
      await part.scrollIntoViewIfNeeded()
      expect((await part.boundingBox())?.height).toBeGreaterThan(120)
    }
    expect(await tooWide(page)).toBe(0)
    expect(await scrollers(page), 'only one part scrolls up and down').toEqual(['MAIN'])
    await reviewOrder(page, { value: '250' })
    await expect(signingSheet(page).getByRole('button', { name: 'Send to wallet' })).toBeInViewport()
    // The sheet must open at its top, where its title and countdown are.
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

/** The colours of the best bid and the best ask in the order book. */
async function bookColours(page: Page): Promise<readonly [string, string]> {
  const colourOf = (side: 'bid' | 'ask') =>
    bookRow(page, side, 0)
      .getByRole('button')
      .evaluate((price) => getComputedStyle(price).color)
  return [await colourOf('bid'), await colourOf('ask')]
}

const boxes = (parts: Locator): Promise<readonly { readonly top: number; readonly bottom: number }[]> =>
  parts.evaluateAll((elements) =>
    elements.map((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return { top, bottom }
    }),
  )

/** The hue of an RGB colour, in degrees: red 0, green 120, blue 240. */
function hueOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number)
  const degrees = (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI
  return (degrees + 360) % 360
}
/** For each table, how many pixels of its widest content are hidden, whether or not the user can scroll there. */
const cutTables = (page: Page): Promise<readonly number[]> =>
  page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll('table')].flatMap((table) => {
      const boxes: number[] = []
      for (let box: Element | null = table; box !== null && box !== main; box = box.parentElement)
        if (getComputedStyle(box).overflowX !== 'visible') boxes.push(box.scrollWidth - box.clientWidth)
      return boxes
    }),
  )
const headOf = (page: Page, name: string) => page.getByRole('main').getByRole('columnheader', { name, exact: true })

test('in the smallest window and at 200 % zoom, the pages for positions, keys and a single key show the main facts without sideways scrolling', async ({
  open,
  practice,
}) => {
  const desk = await open()
  const page = desk.main
  await practice.sample(8)
  await signedIn(desk)
  const phone = await openPhone(desk)
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '500' })
  await signToFinal(page, phone, practice)
  await test.step('in the smallest window, a long error in the ticket leaves its Review button in view', async () => {
    await page.setViewportSize(narrow)
    await practice.faults({ prepared: 'preflight_failed' })
    await reviewOrder(page, { value: '305' })
    await expect(ticket(page).getByRole('alert')).toContainText('The exchange cannot execute this')
    await expect(reviewButton(page)).toBeInViewport({ ratio: 1 })
    await practice.clearFaults()
  })
  await test.step('the names of lines in the chart do not cover the candle’s figures at its top', async () => {
    const figures = page.locator('[data-part=legend]')
    const tags = page.locator('[data-level] [data-part=tag]')
    await expect(tags.first()).toBeVisible()
    const bottom = async () => Math.max(...(await boxes(figures)).map((box) => box.bottom))
    await expect.poll(async () => Math.min(...(await boxes(tags)).map(({ top }) => top)) - (await bottom())).toBeGreaterThanOrEqual(0)
  })
  const lights = page.getByRole('list', { name: 'Connections' })
  for (const size of [narrow, zoomed])
    await test.step(`the window is ${size.width} × ${size.height}`, async () => {
      await page.setViewportSize(size)
      await goTo(page, 'Account')
      const position = page.getByRole('table', { name: 'Positions' }).getByRole('row').filter({ hasText: 'BTC-PERP' })
      await expect(position).toBeVisible()
      for (const name of ['Size', 'Mark', 'Liquidation', 'Unrealised, USDC']) await expect(headOf(page, name)).toBeVisible()
      expect((await cutTables(page)).filter((cut) => cut > 0)).toEqual([])

      await goTo(page, 'Keys')
      await expect(page.getByRole('table', { name: 'Keys' }).getByRole('row').nth(5)).toBeVisible()
      for (const name of ['Allowlist', 'Last used', 'Expires']) await expect(headOf(page, name)).toBeInViewport({ ratio: 1 })
      await expect(headOf(page, 'Agent')).toBeHidden()
      expect((await cutTables(page)).filter((cut) => cut > 0)).toEqual([])

      const main = await openKey(page, firstKey)
      const map = main.getByRole('region', { name: 'What this key can reach' })
      for (const name of ['Key', 'Scopes', 'Agent', 'Executor', 'Payment'] as const) {
        const box = await leg(page, name).boundingBox()
        expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? Number.POSITIVE_INFINITY) <= size.width, name).toBe(true)
      }
      for (const word of ['may', 'acts as', 'through', 'paid by']) await expect(map.getByText(word, { exact: true })).toBeVisible()
      expect(
        await map.evaluate(
          (panel) =>
            [panel, ...panel.querySelectorAll('*')].filter((box) => box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX === 'auto').length,
        ),
      ).toBe(0)

      for (const [name, words] of [
        ['Service', 'Service up'],
        ['Relay', 'Relay connected'],
      ] as const) {
        const light = lights.getByRole('listitem').filter({ hasText: words })
        await expect(light, name).toBeInViewport({ ratio: 1 })
        expect((await light.boundingBox())?.width).toBeGreaterThanOrEqual(24)
      }
      expect(await page.getByRole('banner').evaluate((bar) => bar.scrollWidth - bar.clientWidth)).toBe(0)
    })
  await test.step('a health factor far from liquidation is shown as above 99', async () => {
    await goTo(page, 'Overview')
    await expect(page.getByRole('region', { name: 'Account' })).toContainText(/Health\s*> 99/)
    await goTo(page, 'Account')
    await expect(page.getByRole('region', { name: 'Health factor' })).toContainText('> 99')
  })
  await test.step('the section with API field names is the last one in Settings, under Expert', async () => {
    await goTo(page, 'Settings')
    await expect(page.getByRole('region', { name: 'Expert' }).getByRole('region', { name: 'Field map' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('heading', { level: 2 }).last()).toHaveText('Field map')
  })
})

test('in the smallest window and at 200 % zoom, no table of the Account page scrolls sideways; what does not fit is in a row’s details', async ({
  open,
  practice,
}) => {
  const { page } = await openSignedIn(open)
  await practice.past({ trades: 30 })
  const heads = {
    Orders: 'State',
    Trades: 'Realised',
    Transactions: 'Action',
    'Closed positions': 'Realised',
    Collateral: 'Contract',
    Reports: 'Closed',
  } as const
  for (const size of [narrow, zoomed])
    await test.step(`the window is ${size.width} × ${size.height}`, async () => {
      await page.setViewportSize(size)
      await goTo(page, 'Account')
      for (const tab of ['Orders', 'Trades', 'Transactions', 'Closed positions', 'Collateral', 'Reports'] as const) {
        await openTab(page, tab)
        await expect(headOf(page, heads[tab])).toBeVisible()
        await expect(tables(page).locator('tbody tr').nth(1)).toBeVisible()
        expect(
          (await cutTables(page)).filter((cut) => cut > 0),
          tab,
        ).toEqual([])
        const tabs = tables(page).getByRole('tablist')
        expect(await tabs.evaluate((list) => [list, list.parentElement].map((box) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0)))).toEqual([0, 0])
      }
    })
  await openTab(page, 'Trades')
  await expect(headOf(page, 'Fee')).toHaveCount(0)
  await drawnRows(page).first().getByRole('button').click()
  await expect(page.getByRole('dialog')).toContainText(/Fee.*USDC/)
})

/** The distinct zoom levels of all windows, in percent. */
const zooms = async ({ app }: Desk): Promise<readonly number[]> => {
  const factors = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getZoomFactor()))
  return [...new Set(factors.map((factor) => Math.round(factor * 100)))]
}

testPaired('a new text size applies to all open windows at once; text size and the colours for long and short survive a restart', async ({ open }) => {
  const first = await open()
  await paired(first)
  await openPhone(first)
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
