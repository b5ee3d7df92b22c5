import type { Locator, Page } from '@playwright/test'
import { drawnRows, openTab, tableFoot, tables } from '../../pages/account.ts'
import { goTo } from '../../pages/frame.ts'
import { join, pair } from '../../pages/ready.ts'
import { openPositionForm, review, signToFinal } from '../../pages/rows.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { chart, figure, orderBook } from '../../pages/trade.ts'
import { expect, test } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'
import {
  type By,
  collateralOf,
  curve,
  dayMs,
  dayOf,
  type ListedMarket,
  netOf,
  report,
  type TableName,
  type TableRow,
  tableRows,
} from '../../support/year/account-sums.ts'
import { read, shown } from '../../support/year/exact.ts'
import { amountsOf, depth, legendOf, longer, type SentCandle, type SentLevel } from '../../support/year/market-sums.ts'
import { years } from '../../support/year/years.ts'

/** The seeds that this run tests: the seed in `SVC_DESK_YEAR`, otherwise the first. `npm run prove -- year` tests all seeds. */
const chosen = years.filter(({ seed }, index) => (process.env.SVC_DESK_YEAR === undefined ? index === 0 : String(seed) === process.env.SVC_DESK_YEAR))

async function ask(practice: Practice, path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${practice.descriptor.hostUrl}/api/dex/${path}`)
  return (await answer.json()) as Record<string, unknown> // safe cast: every response is a JSON object
}

const listed = async (practice: Practice): Promise<ReadonlyMap<number, ListedMarket>> => {
  const { markets } = (await ask(practice, 'markets')) as { readonly markets: readonly ListedMarket[] } // safe cast: the practice exchange sends this shape
  return new Map(markets.map((market) => [market.id, market]))
}

/** Each row’s index and cell texts, without the letters of coin icons. Reads all rows in one step, because the table reuses row elements. */
const linesOf = (rows: Locator): Promise<readonly { readonly index: number; readonly cells: readonly string[] }[]> =>
  rows.evaluateAll((found) =>
    found.map((row) => ({
      index: Number(row.getAttribute('aria-rowindex')),
      cells: [...row.querySelectorAll('td')].map((cell) => {
        const copy = cell.cloneNode(true) as Element
        for (const picture of copy.querySelectorAll('svg')) picture.remove()
        return copy.textContent ?? ''
      }),
    })),
  )

async function allRows(page: Page, count: number): Promise<readonly (readonly string[])[]> {
  const box = tables(page).locator('[data-part=scroll]')
  // After scrolling, the table draws its new rows in the next frame.
  const scroll = (to: 'top' | 'next') =>
    box.evaluate(async (element, target) => {
      if (target === 'top') element.scrollTo(0, 0)
      else element.scrollBy(0, element.clientHeight - 64)
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    }, to)
  const isAtEnd = () => box.evaluate((element) => element.scrollTop + element.clientHeight >= element.scrollHeight)
  await scroll('top')
  const found = new Map<number, readonly string[]>()
  const seen = async () => {
    const lines = await linesOf(drawnRows(page))
    // A table row whose data is still loading has one cell.
    const loaded = lines.filter(({ cells }) => cells.length > 1)
    for (const { index, cells } of loaded) found.set(index, cells)
    return loaded.length === lines.length
  }
  await expect(async () => {
    while ((await seen()) && found.size < count && !(await isAtEnd())) await scroll('next')
    // Rows that the test has not read yet may be further up in the table.
    if (found.size < count && (await isAtEnd())) await scroll('top')
    expect(found.size).toBe(count)
  }).toPass({ intervals: [50], timeout: 60_000 })
  return [...found].toSorted(([a], [b]) => a - b).map(([, texts]) => texts)
}

const filterButton = (page: Page, name: string): Locator => tables(page).getByRole('button', { name })
const choose = async (page: Page, from: string, to: string): Promise<void> => {
  await filterButton(page, from).click()
  await page.getByRole('menuitemradio', { name: to, exact: true }).click()
}
const countText = (count: number): string => count.toLocaleString('en-US')

for (const { seed, zone } of chosen)
  test.describe(`for a year of random data (seed ${seed}), viewed in the time zone ${zone}, the app shows correct figures`, () => {
    test.use({ practiceSeed: seed })

    test('for a year of random data, the app’s equity, results and tables equal the test’s own sums of the exchange’s rows [ACC-01, ACC-02]', async ({
      open,
      practice,
    }) => {
      test.setTimeout(240_000)
      const desk = await open({ env: { TZ: zone } })
      const page = desk.main
      await page.setViewportSize({ width: 1440, height: 900 })
      const phone = await join(desk, 'year')
      await practice.past({ trades: 600 })
      await goTo(page, 'Trade')
      await reviewOrder(page, { value: '500' })
      await signToFinal(page, phone, practice)
      await openPositionForm(page, 'BTC-PERP', 'Close')
      await review(page)
      await signToFinal(page, phone, practice)

      const [rows, markets, { keys }] = await Promise.all([practice.rows(), listed(practice), practice.effects()])
      const nowMs = Date.now()
      const marketOf = (id: number): ListedMarket => {
        const market = markets.get(id)
        if (market === undefined) throw new Error(`the exchange lists no market ${id}`)
        return market
      }
      const named = {
        market: (id: number) => marketOf(id).symbol,
        key: (id: string) => keys.find(({ key_id }) => key_id === id)?.label.replace(/ #.*/, '') ?? id,
      }
      await goTo(page, 'Account')
      const equity = page.getByRole('region', { name: 'Equity' })

      await test.step('the account’s equity and collateral', async () => {
        const sum = shown(collateralOf(rows), { decimals: 2 })
        await expect(equity.locator('h2 + p')).toHaveText(`${sum} USDC`)
        await expect(figure(equity, 'Collateral')).toHaveText(sum)
        await expect(figure(equity, 'Unrealised')).toHaveText('0.00')
      })

      await openTab(page, 'Reports')
      const lines = tables(page).getByRole('table', { name: 'Report' }).locator('tbody tr')
      const period = (name: string) => tables(page).getByRole('radio', { name, exact: true })
      for (const [span, days, word] of [
        ['7d', 7, '7d'],
        ['30d', 30, '30d'],
        ['1y', 365, '1y'],
        ['All', null, 'all'],
      ] as const)
        await test.step(`the account’s results over ${span}`, async () => {
          const fromMs = days === null ? 0 : (Math.floor(nowMs / dayMs) - days + 1) * dayMs
          await period(span).click()
          const byDay = report(rows, 'day', fromMs, named)
          const texts = (name: string, sums: (typeof byDay)['all']) => [
            ...[name, shown(sums.realised, { decimals: 2, plus: true }), shown(sums.fees, { decimals: 4 }), shown(sums.funding, { decimals: 2, plus: true })],
            ...[shown(netOf(sums), { decimals: 2, plus: true }), '', countText(sums.trades), countText(sums.closed)],
          ]
          for (const [by, label] of [
            ['key', 'Key'],
            ['market', 'Market'],
            ['day', 'Day'],
          ] as const satisfies readonly (readonly [By, string])[]) {
            await tables(page).getByRole('radio', { name: label, exact: true }).click()
            const found = report(rows, by, fromMs, named)
            const expected = found.lines.map(([name, sums]) => texts(name ?? 'No key', sums)).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
            await expect(async () => {
              const [all, ...each] = (await linesOf(lines)).map(({ cells }) => cells)
              expect(all).toEqual(texts('Total', found.all))
              expect(each.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))).toEqual(expected)
            }).toPass({ intervals: [100], timeout: 30_000 })
          }
          await expect(figure(equity, `Realised, ${word}`)).toHaveText(shown(byDay.all.realised, { decimals: 2, plus: true }))
          await expect(figure(equity, `Funding, ${word}`)).toHaveText(shown(byDay.all.funding, { decimals: 2, plus: true }))

          const first = byDay.lines.map(([name]) => name ?? '').toSorted()[0] ?? dayOf(nowMs)
          const points = curve(byDay.lines, days === null ? Date.parse(first) : fromMs, nowMs)
          const last = points.at(-1)
          const figureBox = equity.getByRole('figure')
          await expect(figureBox).toHaveAccessibleName(`Net result: ${shown(last?.sum ?? 0n).replaceAll(',', '')} USDC by ${last?.day}`)
          const sums = [0n, ...points.map(({ sum }) => sum)].toSorted((x, y) => (x < y ? -1 : 1))
          const [low = 0n, high = 0n] = [sums[0], sums.at(-1)]
          const heights = points.map(({ sum }) => Number(((high - sum) * 1_000_000n) / (high - low)) / 1_000)
          const line = (await figureBox.locator('svg').first().locator('path').last().getAttribute('d')) ?? ''
          const drawn = line
            .slice(1)
            .split('L')
            .map((point) => point.split(' ').map(Number))
          expect(drawn.map(([x]) => x)).toEqual(points.map((_, index) => index + 0.5))
          for (const [index, height] of heights.entries()) expect(Math.abs((drawn[index]?.[1] ?? -1) - height), points[index]?.day).toBeLessThan(0.002)

          if (span !== '30d') return
          const plot = await figureBox.locator('svg').first().boundingBox()
          if (plot === null) throw new Error('the chart is not in sight')
          for (const [index, { day, net, sum }] of points.entries()) {
            await page.mouse.move(plot.x + (plot.width * (index + 0.5)) / points.length, plot.y + plot.height / 2)
            const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(Date.parse(day))
            const signed = (value: bigint) => shown(value, { decimals: 2, plus: true })
            await expect(figureBox.getByText(`${date}, UTC`).locator('..')).toHaveText(`${date}, UTC${signed(sum)}That day ${signed(net)}`)
          }
        })

      const format = new Intl.DateTimeFormat('en-GB', {
        ...{ day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
        timeZone: zone,
      })
      const time = (ms: number) => format.format(ms).replace(',', '')
      const expected = tableRows(rows, { marketOf, time, nowMs })
      const shows = async (all: readonly TableRow[], filteredOf: number | null) => {
        const count = `${countText(all.length)} row${all.length === 1 ? '' : 's'}`
        await expect(tableFoot(page)).toContainText(
          new RegExp(filteredOf === null ? `^${count}(?!,)` : `${count} match(es)?, of ${countText(filteredOf)} read`),
        )
        expect(await allRows(page, all.length)).toEqual(all.map(({ cells }) => cells))
      }
      for (const tab of ['Orders', 'Trades', 'Transactions', 'Closed positions'] as const satisfies readonly TableName[])
        await test.step(`the account’s table ${tab}`, async () => {
          await openTab(page, tab)
          const box = tables(page).locator('[data-part=scroll]')
          await expect(async () => {
            await box.evaluate((element) => element.scrollTo(0, element.scrollHeight))
            await expect(tableFoot(page)).toContainText(/\d rows(?!, older)/, { timeout: 500 })
          }).toPass({ timeout: 60_000 })
          await shows(expected[tab], null)
        })

      await test.step('the tables’ filters by market, side, state and local day', async () => {
        const closed = expected['Closed positions']
        await choose(page, 'All markets', 'ETH-PERP')
        await choose(page, 'Both sides', 'Short')
        await shows(
          closed.filter(({ symbol, side }) => symbol === 'ETH-PERP' && side === 'short'),
          closed.length,
        )
        await openTab(page, 'Orders')
        await choose(page, 'All states', 'cancelled')
        await shows(
          expected.Orders.filter(({ state }) => state === 'cancelled'),
          expected.Orders.length,
        )
        await openTab(page, 'Trades')
        const localDay = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: zone })
        const turned = expected.Trades.find(({ atMs }) => localDay.format(atMs) !== dayOf(atMs))
        if (turned === undefined) throw new Error('in each zone some trade happens on another day than in UTC')
        const day = localDay.format(turned.atMs)
        for (const name of ['From day', 'To day']) {
          const field = tables(page).getByRole('textbox', { name, exact: true })
          await field.fill(day)
          await field.press('Tab')
        }
        await shows(
          expected.Trades.filter(({ atMs }) => localDay.format(atMs) === day),
          expected.Trades.length,
        )
      })
    })

    test('the chart’s candles of every interval and the order book at every grouping equal the test’s own sums of the exchange’s data [MKT-01, MKT-03]', async ({
      open,
      practice,
    }) => {
      test.setTimeout(240_000)
      const desk = await open({ env: { TZ: zone } })
      const page = desk.main
      await page.setViewportSize({ width: 1440, height: 900 })
      await pair(desk)
      // Freezes the prices, so that the app and the test read the same values.
      await practice.faults({ stalePrices: true })
      const candlesOf = async (pairId: number, interval: string, count: number): Promise<readonly SentCandle[]> => {
        const pages: SentCandle[][] = []
        for (let before = Date.now() + dayMs, more = true; more && pages.flat().length < count; ) {
          const answer = await ask(practice, `candles/history?pair_id=${pairId}&interval=${interval}&limit=1000&before=${before}`)
          const { candles, has_more } = answer as { readonly candles: SentCandle[]; readonly has_more: boolean } // safe cast: the practice exchange sends this shape
          pages.unshift(candles)
          more = has_more
          before = candles[0]?.t ?? 0
        }
        return pages.flat()
      }
      const minute = 60_000
      /**
       * For each interval: its name, its length in ms, the shorter interval from which it is summed, and how many candles of the shorter interval cover
       * 100 candles.
       */
      const intervals = [
        ['3m', 3 * minute, '1m', 400],
        ['5m', 5 * minute, '1m', 600],
        ['15m', 15 * minute, '5m', 400],
        ['1h', 60 * minute, '5m', 1_400],
        ['4h', 240 * minute, '1h', 500],
        ['1d', dayMs, '1h', 2_600],
        ['1w', 7 * dayMs, '1d', 800],
      ] as const
      const sums = new Map<string, readonly SentCandle[]>()
      await test.step('the exchange’s candles of all intervals agree with each other', async () => {
        for (const pairId of [33, 21, 1])
          for (const [interval, lengthMs, from, count] of intervals) {
            const made = longer(await candlesOf(pairId, from, count), lengthMs)
            const sent = await candlesOf(pairId, interval, 1)
            const until = sent.slice(-made.length)
            expect(made.slice(-until.length).map(amountsOf), `${pairId} ${interval}`).toEqual(until.map(amountsOf))
            sums.set(interval, made)
          }
        sums.set('1m', await candlesOf(1, '1m', 200))
      })

      await goTo(page, 'Trade')
      const region = page.getByRole('region', { name: 'Chart' })
      const market = (await listed(practice)).get(1)
      for (const [interval, made] of sums)
        await test.step(`the chart at interval ${interval}`, async () => {
          await page.getByRole('radiogroup', { name: 'Interval' }).getByRole('radio', { name: interval, exact: true }).click()
          await expect(chart(page)).toHaveAccessibleName(new RegExp(`candles of ${interval}, last`))
          const legends = made.map((candle) => legendOf(candle, market?.price_decimals ?? 0, 'BTC'))
          const legend = region.locator('[data-part=legend]')
          const box = await chart(page).boundingBox()
          if (box === null) throw new Error('the chart is not in sight')
          const found: string[] = []
          // Moves from right to left, because the newest candle is at the right.
          for (let x = box.x + box.width - 90; x > box.x + box.width * 0.6; x -= 2) {
            await page.mouse.move(x, box.y + box.height * 0.4)
            const text = (await legend.innerText()).replace(/\s+/g, ' ').replace(`BTC-PERP ${interval} `, '').trim()
            if (found.at(-1) !== text) found.push(text)
          }
          expect(found.length).toBeGreaterThan(20)
          expect(found.toReversed()).toEqual(legends.slice(legends.length - found.length))
        })

      await test.step('the order book at every grouping', async () => {
        const { orderbook } = (await ask(practice, 'orderbook?pair_id=1')) as {
          readonly orderbook: { readonly bids: readonly SentLevel[]; readonly asks: readonly SentLevel[] }
        } // safe cast: the practice exchange sends this shape
        const group = orderBook(page).getByRole('button', { name: /^Group prices by/ })
        for (const step of ['0.1', '1.0', '10.0', '50.0']) {
          await group.click()
          await page.getByRole('menuitemradio', { name: step, exact: true }).click()
          await expect(group).toHaveAccessibleName(`Group prices by: ${step}`)
          for (const [side, levels] of [
            ['bid', orderbook.bids],
            ['ask', orderbook.asks],
          ] as const) {
            const expected = depth(levels, step, side)
            await expect(async () => {
              const drawn = await orderBook(page)
                .locator(`tr[data-side=${side}]`)
                .evaluateAll((found) =>
                  found
                    .filter((row) => getComputedStyle(row).visibility === 'visible')
                    .sort((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
                    .map((row) => ['price', 'size', 'total'].map((name) => row.querySelector(`[data-at=${name}]`)?.textContent ?? '')),
                )
              expect(drawn.length).toBeGreaterThan(Math.min(5, expected.length) - 1)
              expect(drawn.map((texts) => texts.map(read))).toEqual(expected.slice(0, drawn.length))
            }).toPass({ intervals: [100], timeout: 10_000 })
          }
        }
        const [bid, asked] = [depth(orderbook.bids, '0.1', 'bid')[0]?.[0] ?? 0n, depth(orderbook.asks, '0.1', 'ask')[0]?.[0] ?? 0n]
        await expect(orderBook(page)).toContainText(`Spread ${shown(asked - bid, { decimals: 1 })}`)
      })
    })
  })
