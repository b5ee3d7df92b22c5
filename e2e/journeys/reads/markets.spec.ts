import { join as path } from 'node:path'
import type { Page } from '@playwright/test'
import { goTo } from '../../pages/frame.ts'
import { favour, marketLine, marketsTable, openMarket, openMarkets, panel, shownSymbols } from '../../pages/markets.ts'
import { makeKey, openPaired, openPhone, paired, signIn } from '../../pages/ready.ts'
import { aboutMarket, chart, figure, marketHead } from '../../pages/trade.ts'
import { sees } from '../../support/coverage.ts'
import { expect, testPaired as test } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'
import { root } from '../../support/project.ts'

const number = /\d/
/** Timeout: longer than 15 seconds, the app’s polling interval for circuit breakers. */
const soon = { timeout: 25_000 }

const bookRoute = 'GET /api/dex/orderbook'
const pictures = process.env.SVC_DESK_PICTURES === '1'

const favourites = (page: Page) => page.getByRole('list', { name: 'Favourites' })
const breakerNotice = (page: Page) => page.getByRole('status').filter({ hasText: 'circuit breaker' })

/** Expects every market view to show data. `root`: the routes to use, `/api/dex/v1` or `/api/dex`. `id`: the parameter that names a market. */
async function seesMarkets(page: Page, practice: Practice, root: string, id: string): Promise<void> {
  const isPublic = root === '/api/dex'
  await openMarkets(page)
  await sees(practice, `GET ${root}/markets`, async () => {
    await expect(marketLine(page, 'BTC-PERP')).toBeVisible()
    await expect(page.getByRole('radio', { name: /^All/ })).toHaveText('All24')
  })
  await sees(practice, `GET ${root}/summaries`, async () => {
    for (const cell of [2, 3, 5, 6, 7, 8]) await expect(marketLine(page, 'BTC-PERP').getByRole('cell').nth(cell)).toHaveText(number)
    await expect(page.getByRole('main').getByText('Public data')).toHaveCount(isPublic ? 1 : 0)
  })
  await expect(marketLine(page, 'BTC-PERP').getByRole('img', { name: /^BTC-PERP, last 24 h: from [\d,.]+ to/ })).toBeVisible()
  await openMarket(page, 'BTC-PERP')
  const interval = isPublic ? '4h' : '1d'
  await panel(page, 'Chart').getByRole('radio', { name: interval }).click()
  await sees(practice, `GET ${root}/candles`, () => expect(chart(page)).toHaveAccessibleName(new RegExp(`^BTC-PERP, candles of ${interval}, last \\d`)))
  await sees(practice, `GET ${root}/orderbook`, () => expect(panel(page, 'Order book')).toContainText(/Spread\s*[\d,.]+/))
  await expect(figure(panel(page, 'Limits'), 'Tick size')).toHaveText('0.1')
  await sees(practice, `GET ${root}/markets/{${id}}/funding`, async () => {
    await expect(figure(panel(page, 'Funding'), 'Rate, 1 h')).toHaveText(/^[+−]?0\.\d{4}/)
    await expect(figure(panel(page, 'Funding'), 'Next funding')).toHaveText(/^\d+:\d\d/)
    await expect(page.getByRole('slider', { name: 'Funding rate of BTC-PERP over time' })).toHaveAttribute('aria-valuetext', /UTC: [+−]?0\.\d{4} %$/)
    await expect(panel(page, 'Funding').getByText('Public data')).toHaveCount(isPublic ? 1 : 0)
  })
  await sees(practice, `GET ${root}/markets/{${id}}/open-interest`, async () => {
    await expect(figure(panel(page, 'Open interest'), 'Long and short')).toHaveText(/[\d.]+ M[\d.]+ M/)
    await expect(page.getByRole('slider', { name: 'Open interest of BTC-PERP over time' })).toHaveAttribute(
      'aria-valuetext',
      /Long [\d.]+ M USDC, Short [\d.]+ M USDC$/,
    )
  })
  await openMarkets(page, 'Exchange')
  await sees(practice, `GET ${root}/vault`, async () => {
    for (const term of ['Assets', 'Share price', 'Shares', 'Yearly return']) await expect(figure(panel(page, 'Liquidity vault'), term)).toHaveText(number)
    await expect(panel(page, 'Liquidity vault').getByRole('meter', { name: /^In use/ })).toBeVisible()
  })
  await sees(practice, `GET ${root}/status`, async () => {
    for (const part of ['API', 'Network', 'Market engine']) await expect(figure(panel(page, 'Service now'), part)).toHaveText('ok')
    await expect(figure(panel(page, 'Service now'), 'Reported version')).toHaveText(isPublic ? /API key/ : 'v1, svc-dex-api-v1.1')
  })
}

test('the app shows data from every market route of the service; with a key it reads the versioned routes, otherwise the public ones [MKT-01, MKT-05, GEN-10]', async ({
  open,
  practice,
}) => {
  const { page, phone } = await openPaired(open)
  await test.step('without a key, the app reads the public routes', async () => {
    await seesMarkets(page, practice, '/api/dex', 'id')
    await sees(practice, 'GET /api/dex/circuit-breakers', () => expect(panel(page, 'Circuit breakers').getByText('Not tripped')).toHaveCount(5))
    await sees(practice, 'GET /api/dex/config', async () => {
      await expect(panel(page, 'How it works').getByRole('region', { name: 'Fees' })).toContainText('trading_fee_bps5')
      await expect(panel(page, 'How it works').getByRole('region', { name: 'Contracts' })).toContainText(practice.descriptor.router)
      const tokens = panel(page, 'How it works').getByRole('table', { name: 'Collateral, tokens' })
      await expect(tokens.getByRole('row').first()).toHaveText('SymbolAddressDecimalsPermit')
      await expect(tokens.getByRole('row').filter({ hasText: 'SVC' })).toContainText(/0x[0-9a-fA-F]{40}18false/)
    })
    await openMarkets(page, 'Liquidations')
    await sees(practice, 'GET /api/dex/liquidations', async () => {
      const first = page.getByRole('table', { name: 'Liquidations' }).getByRole('row').nth(1)
      await expect(first).toContainText(/ago|just now/)
      await expect(first).toContainText(/Long|Short/)
    })
    await openMarkets(page, 'Exchange')
    await sees(practice, 'GET /api/public/baq-market', async () => {
      for (const term of ['Price', '24 h change', '24 h volume', 'Market cap']) await expect(figure(panel(page, /^Market of SVC/), term)).toHaveText(number)
    })
    await sees(practice, 'GET /api/public/baq-metrics', async () => {
      for (const term of ['Holders', 'Total supply', 'Staked', 'Burned$']) await expect(figure(panel(page, 'Supply and holders'), term)).toHaveText(number)
    })
    await openMarkets(page)
    await favour(page, 'ETH-PERP')
    await sees(practice, 'GET /api/dex/marks', () => expect(favourites(page).getByRole('link', { name: /ETH-PERP/ })).toContainText(/[\d,]+\.\d\d/))
    expect((await practice.calls()).filter(({ path }) => path.startsWith('/api/dex/v1/'))).toEqual([])
  })
  await signIn(page, phone)
  await makeKey(page, phone, 'watcher')
  await test.step('with a key, the app reads the versioned routes', async () => {
    await seesMarkets(page, practice, '/api/dex/v1', 'pair_id')
    await openMarket(page, 'BTC-PERP')
    await page.getByRole('main').getByRole('button', { name: 'Trade', exact: true }).click()
    await expect(marketHead(page)).toContainText('BTC-PERP')
    const about = await aboutMarket(page, 'BTC-PERP')
    await sees(practice, 'GET /api/dex/v1/summary', () => expect(figure(about, 'Source')).toHaveText('Versioned route, with your key'))
    await sees(practice, 'GET /api/dex/v1/snapshot', () => expect(figure(about, 'Snapshot sequence')).toHaveText(/^\d+$/))
    await page.keyboard.press('Escape')
    await goTo(page, 'Settings')
    await sees(practice, 'GET /api/dex/v1/meta', () =>
      expect(figure(page.getByRole('region', { name: 'Service', exact: true }), 'Schema')).toHaveText('svc-dex-api-v1.1'),
    )
  })
})

test('MKT-01: the order book says whether it is loading, has no orders or cannot be read', async ({ open, practice }) => {
  const { page } = await openPaired(open)
  const book = panel(page, 'Order book')
  const shoot = async (name: string) => {
    if (!pictures) return
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: path(root, `out/shots/book-${name}-${colorScheme}.png`), animations: 'disabled' })
    }
  }

  await test.step('the order book shows that it is loading', async () => {
    await practice.faults({ delay: [{ route: bookRoute, ms: null }] })
    await openMarket(page, 'BTC-PERP')
    await expect(book.getByRole('status', { name: 'Reading the order book' })).toBeVisible()
    await shoot('loading')
    await practice.faults({ delay: [] })
    await expect(book).toContainText(/Spread\s*[\d,.]+/)
    await expect(book.getByRole('status', { name: 'Reading the order book' })).toHaveCount(0)
  })
  await test.step('the order book says that it contains no orders', async () => {
    await practice.faults({ emptyBook: true })
    await expect(book.getByRole('heading', { name: 'The book is empty' })).toBeVisible()
    await expect(book).toContainText('There are no bids or asks in this market now.')
    await shoot('empty')
    await practice.faults({ emptyBook: false })
    await expect(book).toContainText(/Spread\s*[\d,.]+/)
  })
  await test.step('the order book shows an error if reading it fails the first time', async () => {
    await practice.faults({ answer: [{ route: bookRoute, status: 400, code: 'BOOK_AWAY', times: 1_000 }] })
    await openMarket(page, 'ETH-PERP')
    await expect(book).toContainText('BOOK_AWAY')
    const again = book.getByRole('button', { name: 'Try again' })
    await expect(again).toBeVisible()
    await shoot('failure')
    const asked = (await practice.callsTo(bookRoute)).length
    await again.click()
    await expect.poll(async () => (await practice.callsTo(bookRoute)).length).toBeGreaterThan(asked)
    await practice.faults({ answer: [] })
    await expect(book).toContainText(/Spread\s*[\d,.]+/)
  })
})

test('the user can search and sort markets and mark favourites; the app reads the mark prices of 13 favourites in two requests [MKT-04]', async ({
  open,
  practice,
}) => {
  let desk = await open()
  let page = desk.main
  await paired(desk)
  await openPhone(desk)
  await openMarkets(page)
  await expect(marketLine(page, 'BTC-PERP').getByRole('cell').nth(2)).toHaveText(number)

  await test.step('a column sorts the markets in both directions', async () => {
    const byName = page.getByRole('columnheader', { name: 'Market', exact: true })
    await byName.getByRole('button').click()
    await expect(byName).toHaveAttribute('aria-sort', 'ascending')
    const up = await shownSymbols(page)
    expect(up.slice(0, 3)).toEqual(['1000SATS-PERP', 'AERO-PERP', 'ARB-PERP'])
    await byName.getByRole('button').click()
    await expect(byName).toHaveAttribute('aria-sort', 'descending')
    expect(await shownSymbols(page)).toEqual(up.toReversed())
  })
  await test.step('arrow keys move from one market to the next', async () => {
    const [first, second] = await shownSymbols(page)
    await page.getByRole('link', { name: first ?? '', exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('link', { name: second ?? '', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: second ?? '' })).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Markets' }).click()
  })
  await test.step('typing a market’s name finds the market', async () => {
    const search = page.getByRole('searchbox', { name: 'Search markets' })
    await search.fill('doge')
    await expect(marketsTable(page).getByRole('link')).toHaveText(['DOGE-PERP'])
    await search.fill('nothing like it')
    await expect(page.getByRole('main')).toContainText('No matching market')
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expect(marketLine(page, 'BTC-PERP')).toBeVisible()
  })

  const chosen = (await shownSymbols(page)).slice(0, 13)
  for (const symbol of chosen) await favour(page, symbol)
  await expect(favourites(page).getByRole('link')).toHaveCount(13)
  for (const symbol of chosen) await expect(favourites(page).getByRole('link', { name: symbol })).toContainText(number)
  const asked = (await practice.callsTo('GET /api/dex/marks')).length
  await expect.poll(async () => (await practice.callsTo('GET /api/dex/marks')).length).toBeGreaterThanOrEqual(asked + 4)
  const marks = await practice.callsTo('GET /api/dex/marks')
  expect(new Set(marks.map(({ status }) => status))).toEqual(new Set([200]))

  await test.step('favourites survive a restart', async () => {
    await desk.close()
    desk = await open()
    page = desk.main
    await openMarkets(page)
    await expect(favourites(page).getByRole('link')).toHaveCount(13)
    await page.getByRole('radio', { name: /^Favourites/ }).click()
    await expect(marketsTable(page).getByRole('row')).toHaveCount(14)
    const [first] = chosen
    await page.getByRole('button', { name: `Favourite ${first}` }).click()
    await expect(favourites(page).getByRole('link')).toHaveCount(12)
  })
})

test('every page shows that the exchange’s circuit breaker tripped, with reason and start time, until the service resets it [MKT-05]', async ({
  open,
  practice,
}) => {
  const { page } = await openPaired(open)
  await expect.poll(async () => (await practice.callsTo('GET /api/dex/circuit-breakers')).length, soon).toBeGreaterThan(0)
  await expect(breakerNotice(page)).toHaveCount(0)
  await practice.faults({ breakers: [{ name: 'withdrawals', reason: 'The oracle is being replaced', sinceMs: Date.now() - 2 * 3_600_000 }] })
  await expect(breakerNotice(page)).toContainText(
    'The exchange has tripped a circuit breaker: Withdrawals. The oracle is being replaced (stopped 2 h ago).',
    soon,
  )
  for (const view of ['Trade', 'Keys', 'Settings'] as const) {
    await goTo(page, view)
    await expect(breakerNotice(page)).toContainText('Withdrawals')
  }
  await breakerNotice(page).getByRole('button', { name: 'Show' }).click()
  await expect(panel(page, 'Circuit breakers')).toContainText('1 of 5 tripped')
  await expect(figure(panel(page, 'Circuit breakers'), 'Withdrawals')).toContainText('The oracle is being replaced')

  await practice.faults({
    breakers: [
      { name: 'withdrawals', reason: null },
      { name: 'new_orders', reason: 'A\u202Eb' },
    ],
  })
  await expect(breakerNotice(page)).toContainText('The exchange has tripped 2 circuit breakers.', soon)
  await expect(breakerNotice(page)).toContainText('New orders: AU+202Eb (stopped')
  await practice.clearFaults()
  await expect(breakerNotice(page)).toHaveCount(0, soon)
})

test('on the Markets page, a missing value is a dash, stale data is marked, and a market that disappeared is reported [ERR-02]', async ({ open, practice }) => {
  const { page } = await openPaired(open)
  await practice.faults({ omitOptional: true, extraFields: true })
  await openMarkets(page)
  const line = marketLine(page, 'BTC-PERP')
  await expect(line.getByRole('cell').nth(2)).toHaveText(number)
  for (const cell of [3, 5, 6, 7, 8]) await expect(line.getByRole('cell').nth(cell)).toHaveText('—')
  await openMarket(page, 'BTC-PERP')
  await expect(figure(panel(page, 'Figures'), 'Index')).toHaveText('—')
  await panel(page, 'Funding')
    .getByRole('button', { name: /more fields? from the funding/ })
    .click()
  await expect(panel(page, 'Funding')).toContainText('svc_unlisted')
  await practice.clearFaults()

  await openMarkets(page, 'Exchange')
  await expect(figure(panel(page, 'Liquidity vault'), 'Assets')).toHaveText(number)
  await practice.faults({ answer: [{ route: 'GET /api/dex/vault', status: 500, code: 'INTERNAL', times: 9_999 }] })
  await expect(panel(page, 'Liquidity vault')).toContainText(/Stale, read .* ago/, soon)
  await expect(figure(panel(page, 'Liquidity vault'), 'Assets')).toHaveText(number)
  await practice.clearFaults()

  await page.evaluate(() => {
    location.hash = '#/markets/777'
  })
  await expect(page.getByRole('main')).toContainText('The exchange lists no market with this ID now.')
  await page.getByRole('button', { name: 'Show all markets' }).click()
  await expect(marketLine(page, 'BTC-PERP')).toBeVisible()
})

test('market names of any length and script fit the Markets page, and the app reads numbers that are sent as text [ERR-02]', async ({ open, practice }) => {
  const { page } = await openPaired(open)
  const beyond = () =>
    page.evaluate(() =>
      [document.documentElement, document.querySelector('[data-part=page]')].map((box) => (box === null ? null : box.scrollWidth - box.clientWidth)),
    )
  const fits = async () => expect(await beyond()).toEqual([0, 0])
  await practice.faults({
    shapes: [{ route: '*', kind: 'labels' }],
    breakers: [
      { name: 'one', reason: 'first' },
      { name: 'two', reason: 'second' },
      { name: 'three', reason: 'third' },
    ],
  })
  await page.reload()
  await goTo(page, 'Markets')
  await expect(marketsTable(page).getByRole('row').nth(24)).toBeVisible()
  const heights = await marketsTable(page)
    .locator('tbody tr[aria-rowindex]')
    .evaluateAll((rows) => [...new Set(rows.map((row) => Math.round(row.getBoundingClientRect().height)))])
  expect(heights).toEqual([40])
  expect(
    await page.evaluate(() => document.querySelector('[data-part=scroll]')?.scrollWidth === document.querySelector('[data-part=scroll]')?.clientWidth),
  ).toBe(true)
  await fits()
  await expect(page.locator('main img')).toHaveCount(0)
  await marketsTable(page).getByRole('link').first().press('Enter')
  await expect(panel(page, 'Limits')).toBeVisible()
  await fits()
  for (const tab of ['Liquidations', 'Exchange'] as const) {
    await openMarkets(page, tab)
    await expect(
      page
        .getByRole('main')
        .getByText(/^Read .* ago/)
        .nth(1),
    ).toBeVisible()
    await fits()
  }
  await practice.clearFaults()

  await practice.faults({ shapes: [{ route: '*', kind: 'swapped' }] })
  await page.reload()
  await openMarkets(page)
  for (const cell of [2, 3, 5, 6, 7, 8]) await expect(marketLine(page, 'BTC-PERP').getByRole('cell').nth(cell)).toHaveText(number)
})
