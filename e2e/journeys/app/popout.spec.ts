import { readFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import type { Page } from '@playwright/test'
import { appContract, popoutContract } from '../../../shared/ipc/contract.ts'
import { second } from '../../../shared/time.ts'
import { goTo, openAddress, speak, spokenIn } from '../../pages/frame.ts'
import { lockForm, setPassphrase, unlock } from '../../pages/lock.ts'
import { openPhone, paired, signedIn } from '../../pages/ready.ts'
import { openPositionAndOrder, rowForm, showTab } from '../../pages/rows.ts'
import { signingSheet } from '../../pages/signing.ts'
import { blotter, blotterRow, chart, marketHead, orderBook } from '../../pages/trade.ts'
import { type Desk, isPopout } from '../../support/desk.ts'
import { expect, testPaired as test, testWithKey } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'
import { outOf } from '../../support/project.ts'
import { ask, attempt } from '../../support/search/page-attempts.ts'

const passphrase = 'four plain words here'

const buttons = {
  chart: 'Show the chart in a window of its own',
  book: 'Show the order book in a window of its own',
  positions: 'Show the positions in a window of their own',
} as const

/** The end of each open pop-out window’s address. */
const popouts = (desk: Desk): string[] =>
  desk.app
    .windows()
    .filter((page) => isPopout(page) && !page.isClosed())
    .map((page) => new URL(page.url()).hash)
    .sort()

/** The pop-out windows that the main process knows, which can lag behind the pages. */
const openInApp = (desk: Desk): Promise<string[]> =>
  desk.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .map(({ webContents }) => webContents.getURL())
      .filter((url) => url.includes('popout.html'))
      .map((url) => new URL(url).hash)
      .sort(),
  )

async function windowAt(desk: Desk, hash: string): Promise<Page> {
  const find = () => desk.app.windows().find((page) => isPopout(page) && !page.isClosed() && page.url().endsWith(hash))
  await expect.poll(() => find() !== undefined, { message: `the window ${hash} opens` }).toBe(true)
  const page = find()
  if (page === undefined) throw new Error('the window closed at once')
  return page
}

async function popOut(desk: Desk, view: keyof typeof buttons, hash: string): Promise<Page> {
  await desk.main.getByRole('button', { name: buttons[view] }).click()
  return windowAt(desk, hash)
}

/** The page that has the focus, as the end of its address. */
const focused = (desk: Desk): Promise<string> =>
  desk.app.evaluate(({ BrowserWindow }) => (BrowserWindow.getFocusedWindow()?.webContents.getURL() ?? '').replace(/^.*\/\/bundle\/([a-z]+)\.html[^#]*/, '$1'))

test('the chart, the order book and the positions open in pop-out windows, which follow settings and lock, and reopen after a restart', async ({ open }) => {
  test.slow()
  let desk = await open()
  await paired(desk)
  await openPhone(desk)
  await goTo(desk.main, 'Trade')
  const chartWindow = await popOut(desk, 'chart', '#/chart/1')
  const bookWindow = await popOut(desk, 'book', '#/book/1')

  await test.step('each pop-out window shows only its part, and opens only once', async () => {
    await expect(chart(chartWindow)).toBeVisible()
    await expect(orderBook(chartWindow)).toHaveCount(0)
    await expect(orderBook(bookWindow).locator('tr[data-side=bid][data-index="0"]')).toContainText(/\d/)
    await expect(chartWindow).toHaveTitle('BTC-PERP chart · Svc Desk')
    await expect(chartWindow.getByRole('region', { name: 'Practice', exact: true })).toBeVisible()
    await popOut(desk, 'chart', '#/chart/1')
    await expect.poll(() => focused(desk)).toBe('popout#/chart/1')
    expect(popouts(desk)).toEqual(['#/book/1', '#/chart/1'])
  })

  await test.step('the user can choose another market inside a pop-out window', async () => {
    await marketHead(chartWindow)
      .getByRole('button', { name: /BTC-PERP/ })
      .click()
    await chartWindow.getByRole('option', { name: /ETH-PERP/ }).click()
    await expect(chartWindow).toHaveTitle('ETH-PERP chart · Svc Desk')
    await expect(marketHead(desk.main)).toContainText('BTC-PERP')
    await expect.poll(() => openInApp(desk)).toEqual(['#/book/1', '#/chart/2'])
    await expect.poll(() => popouts(desk)).toEqual(['#/book/1', '#/chart/2'])
  })

  await test.step('pop-out windows follow the app’s theme, text size and language', async () => {
    await goTo(desk.main, 'Settings')
    await desk.main.getByRole('radio', { name: 'Light', exact: true }).click()
    await expect(spokenIn(chartWindow)).toHaveAttribute('data-theme', 'light')
    await desk.main.getByRole('radio', { name: '115 %' }).click()
    await expect
      .poll(() => desk.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map(({ webContents }) => webContents.getZoomFactor())))
      .toEqual([1.15, 1.15, 1.15, 1.15])
    await speak(desk.main, 'de')
    await expect(spokenIn(bookWindow)).toHaveAttribute('lang', 'de')
    await expect(orderBook(bookWindow)).toHaveCount(0)
    await speak(desk.main, 'en')
    await expect(orderBook(bookWindow)).toBeVisible()
    await expect.poll(() => popouts(desk)).toEqual(['#/book/1', '#/chart/2'])
  })

  await test.step('locking closes the pop-out windows, and the passphrase reopens them', async () => {
    await setPassphrase(desk.main, passphrase)
    await desk.main.keyboard.press('Control+Shift+L')
    await expect(lockForm(desk.main)).toBeVisible()
    await expect.poll(() => popouts(desk)).toEqual([])
    await unlock(desk.main, passphrase)
    await expect.poll(() => popouts(desk)).toEqual(['#/book/1', '#/chart/2'])
  })

  await test.step('a window that the user closed stays closed; the others return after a restart and the passphrase', async () => {
    await (await windowAt(desk, '#/book/1')).close()
    await expect.poll(() => openInApp(desk)).toEqual(['#/chart/2'])
    await desk.close()
    desk = await open()
    await expect(lockForm(desk.main)).toBeVisible()
    expect(popouts(desk)).toEqual([])
    await unlock(desk.main, passphrase)
    await expect(chart(await windowAt(desk, '#/chart/2'))).toBeVisible()
    expect(popouts(desk)).toEqual(['#/chart/2'])
  })

  await test.step('closing the main window closes all pop-out windows and ends the app', async () => {
    await desk.main.close()
    await desk.ended()
  })
})

testWithKey(
  'a pop-out window with positions opens every form in the main window, contains no wallet code, and cannot reach keys or signatures',
  async ({ open, practice }) => {
    test.slow()
    const desk = await open()
    await signedIn(desk)
    const phone = await openPhone(desk)
    await openPositionAndOrder(desk.main, phone, practice)
    const page = await popOut(desk, 'positions', '#/positions')

    await test.step('the main process refuses all calls from a pop-out window except its reads', async () => {
      const refused = await Promise.all(
        Object.keys(appContract)
          .filter((name) => !Object.hasOwn(popoutContract, name))
          .map((name) => ask(page, name)),
      )
      expect(refused.length).toBeGreaterThan(80)
      expect([...new Set(refused)]).toEqual(['not_found'])
      for (const name of ['keys.list', 'keys.copySecret', 'secrets.reveal', 'intents.list', 'intents.prepare', 'wallet.storage'])
        expect(await ask(page, name), name).toBe('not_found')
      expect(await ask(page, 'account.positions', { watch: null })).toBe('ok')
      expect(await ask(desk.main, 'popouts.handOver', { kind: 'connect' })).toBe('not_found')
      expect(await attempt(page, 'fetch', practice.descriptor.hostUrl)).toBe('connect-src')
      expect(await page.evaluate(() => window.open('about:blank'))).toBeNull()
      expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
    })

    await test.step('the pop-out window loads no WalletConnect code', async () => {
      const loaded = await page.evaluate(() => performance.getEntriesByType('resource').flatMap(({ name }) => /assets\/[^?#]+\.js/.exec(name)?.[0] ?? []))
      expect(loaded.length).toBeGreaterThan(0)
      const wallet = loaded.filter((file) =>
        /wc_session|relay\.walletconnect|eth_signTypedData/.test(readFileSync(joinPath(outOf('hooks'), 'renderer', file), 'utf8')),
      )
      expect(wallet).toEqual([])
    })

    await test.step('Close in a pop-out window opens its form in the main window, on any page', async () => {
      await openAddress(desk.main, 'keys')
      await blotterRow(page, 'Positions', 'BTC-PERP').getByRole('button', { name: 'Close the long on BTC-PERP' }).click()
      await expect(rowForm(desk.main).getByRole('heading', { name: 'Close the long on BTC-PERP' })).toBeVisible()
      expect(await focused(desk)).toMatch(/^index#\/trade/)
      await expect(rowForm(page)).toHaveCount(0)
      await desk.main.keyboard.press('Escape')
      await expect(rowForm(desk.main)).toHaveCount(0)
    })

    await test.step('Cancel in a pop-out window opens the signing sheet in the main window, and signs nothing before the review', async () => {
      const { relayed } = await practice.effects()
      await showTab(page, 'Orders')
      await blotterRow(page, 'Orders', 'BTC-PERP')
        .getByRole('button', { name: /^Cancel the/ })
        .click()
      await expect(signingSheet(desk.main)).toBeVisible()
      await expect(signingSheet(page)).toHaveCount(0)
      expect((await practice.effects()).relayed).toEqual(relayed)
      await desk.main.keyboard.press('Escape')
      await expect(signingSheet(desk.main)).toBeHidden()
      await expect(blotter(page).getByRole('tab', { name: /^Activity/ })).toHaveCount(0)
    })
  },
)

/** Measures the milliseconds between consecutive reads of an API route. */
async function timesBetween(practice: Practice, route: string, count: number): Promise<readonly number[]> {
  const before = (await practice.callsTo(route)).length
  await expect.poll(async () => (await practice.callsTo(route)).length, { timeout: 60 * second }).toBeGreaterThanOrEqual(before + count)
  const times = (await practice.callsTo(route)).slice(before).map(({ atMs }) => atMs)
  return times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs))
}

test('several pop-out windows that show the same market send the exchange no more requests than one window', async ({ open, practice }) => {
  test.slow()
  const desk = await open()
  await paired(desk)
  await openPhone(desk)
  await goTo(desk.main, 'Trade')
  await expect(chart(desk.main)).toBeVisible()
  const read = async () => {
    const [book, prices] = await Promise.all([timesBetween(practice, 'GET /api/dex/orderbook', 8), timesBetween(practice, 'GET /api/dex/summaries', 8)])
    return { book: Math.min(...book), prices: Math.min(...prices) }
  }
  const expectAtRate = ({ book, prices }: Awaited<ReturnType<typeof read>>) => {
    expect(book).toBeGreaterThan(950)
    expect(prices).toBeGreaterThan(1_450)
  }
  await test.step('counts the requests with one window', async () => expectAtRate(await read()))

  const bookWindow = await popOut(desk, 'book', '#/book/1')
  const chartWindow = await popOut(desk, 'chart', '#/chart/1')
  const positionsWindow = await popOut(desk, 'positions', '#/positions')
  await expect(chart(chartWindow)).toBeVisible()
  await expect(blotter(positionsWindow)).toBeVisible()
  await test.step('counts the requests with four windows', async () => expectAtRate(await read()))

  await test.step('all four windows show new data', async () => {
    const best = (page: Page) => orderBook(page).locator('tr[data-side=bid][data-index="0"]').innerText()
    const shown = await best(bookWindow)
    await expect.poll(() => best(bookWindow), { timeout: 20 * second }).not.toBe(shown)
    await expect.poll(async () => (await best(bookWindow)) === (await best(desk.main))).toBe(true)
  })
})
