import type { Locator, Page } from '@playwright/test'
import { addAction, batchItems, openComposer } from '../../pages/batch.ts'
import { goTo, openAddress, speak } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { join, pair } from '../../pages/ready.ts'
import { signingSheet } from '../../pages/signing.ts'
import { chooseOrderType, fillOrder, reviewButton, reviewOrder, ticket, ticketField, turnExpert } from '../../pages/ticket.ts'
import { startPractising } from '../../pages/welcome.ts'
import { expect, test } from '../../support/fixtures.ts'
import { keptSecrets } from '../../support/keyring.ts'

const chapter = (page: Page): Locator => page.getByRole('article')
const askHelp = (page: Page): Promise<void> => page.getByRole('banner').getByRole('button', { name: 'Help' }).click()
const searchField = (page: Page): Locator => page.getByRole('searchbox', { name: 'Search help' })

async function open(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    window.location.hash = `#/${to}`
  }, address)
}

const headings = {
  overview: 'Overview',
  trade: 'Fill in the ticket',
  account: 'Your account',
  markets: 'Market table',
  keys: 'Keys',
  'keys/new': 'Create a key',
  webhooks: 'Subscriptions',
  activity: 'Activity',
  settings: 'Settings',
  help: 'Help',
} as const

test('the “?” button on each page opens the page’s Help chapter at the matching section', async ({ open: launch }) => {
  const { main: page } = await launch()
  await startPractising(page)
  for (const [address, heading] of Object.entries(headings))
    await test.step(address, async () => {
      await open(page, address)
      await expect(page.getByRole('heading', { level: 1, name: 'Help', exact: true })).toBeVisible({ visible: address === 'help' })
      await askHelp(page)
      await expect(chapter(page).getByRole('heading', { name: heading, exact: true })).toBeFocused()
      await expect(chapter(page).getByRole('heading', { name: heading, exact: true })).toBeInViewport()
    })
  await open(page, 'trade/stop')
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeHidden()
  await page.keyboard.press('F1')
  await expect(chapter(page).getByRole('heading', { name: 'Kill switch', exact: true })).toBeFocused()
  await page.getByRole('main').getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeHidden()
  expect(page.url()).toContain('#/trade/stop')
})

test('Help opens over the pages for a new user and over the signing sheet, and typed input is still there after closing Help', async ({ open: launch }) => {
  const desk = await launch()
  const page = desk.main
  const sheet = page.getByRole('dialog', { name: 'Help' })
  await page.getByRole('button', { name: 'Help' }).click()
  await expect(sheet.getByRole('heading', { name: 'First steps' })).toBeVisible()
  await sheet.getByRole('link', { name: 'Practice mode' }).click()
  await expect(sheet.getByRole('heading', { name: 'Practice mode' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Back' }).click()
  await expect(sheet.getByRole('heading', { name: 'First steps' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await join(desk, 'signer')
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '250' })
  await signingSheet(page).getByRole('button', { name: 'Help' }).click()
  await expect(sheet.getByRole('heading', { name: 'Check before you sign' })).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(signingSheet(page).getByRole('heading', { name: 'Open a long on BTC-PERP' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(signingSheet(page)).toBeHidden()
})

test('the Help search finds and marks a phrase deep in a chapter, and a chapter’s links open other chapters', async ({ open: launch }) => {
  const { main: page } = await launch()
  await startPractising(page)
  await open(page, 'help')
  await expect(chapter(page)).toBeVisible()
  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  await searchField(page).fill('ptrace_scope')
  const results = page.getByRole('region', { name: 'Search results' })
  await expect(results.getByRole('status')).toHaveText('1 section found')
  await searchField(page).press('ArrowDown')
  await expect(results.getByRole('link')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(chapter(page).locator('mark')).toHaveText('ptrace_scope')
  await expect(chapter(page).locator('mark')).toBeInViewport()
  await expect(chapter(page).getByRole('heading', { name: 'What the lock does not do' })).toBeFocused()
  expect(new URL(page.url()).hash).toBe('#/help/lock/what-the-lock-does-not-do?find=ptrace_scope')
  await page.getByRole('button', { name: 'Clear marks' }).click()
  await expect(chapter(page).locator('mark')).toHaveCount(0)

  await page.getByRole('navigation', { name: 'Chapters' }).getByRole('link', { name: 'Frequent questions' }).click()
  await chapter(page).getByRole('link', { name: 'doctor' }).click()
  await expect(chapter(page).getByRole('heading', { name: 'Test a key' })).toBeFocused()
  await expect(page.getByRole('navigation', { name: 'Chapters' }).getByRole('link', { name: 'Test a key' })).toHaveAttribute('aria-current', 'page')
  await expect(searchField(page)).not.toBeFocused()
  await searchField(page).fill('doctor')
  await expect(results.getByRole('status')).toBeInViewport({ ratio: 1 })
  await expect(searchField(page)).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('navigation', { name: 'Chapters' }).locator('[aria-current]')).toHaveCount(0)
  await searchField(page).fill('no such words anywhere')
  await expect(page.getByRole('main')).toContainText('No section contains “no such words anywhere”')

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('gap check')
  await page.getByRole('option', { name: 'Webhooks: Gap check' }).click()
  await expect(chapter(page).getByRole('heading', { name: 'Gap check' })).toBeFocused()
})

test('in German and Japanese, “?” opens the matching Help section, the Help search works, and an untranslated chapter says that it is in English', async ({
  open: launch,
}) => {
  const desk = await launch()
  const page = desk.main
  // The app allows a change of language only while no request waits for the wallet, so the wallet must be paired first.
  await pair(desk)
  for (const { language, help, section, field, word, found, chapters, lock, note, endpoints } of [
    {
      language: 'de',
      ...{ help: 'Hilfe', section: 'Kill-Switch', field: 'Hilfe durchsuchen', word: 'Zwischenablage', found: 'Einen Schlüssel verwenden' },
      ...{ chapters: 'Kapitel', lock: 'Die Sperre', note: 'Dieses Kapitel ist auf Englisch.', endpoints: 'Endpunkte' },
    },
    {
      language: 'ja',
      ...{ help: 'ヘルプ', section: 'キルスイッチ', field: 'ヘルプを検索', word: 'クリップボード', found: 'キーを使う' },
      ...{ chapters: '章', lock: 'ロック', note: 'この章は英語です。', endpoints: 'エンドポイント一覧' },
    },
  ] as const)
    await test.step(language, async () => {
      await speak(page, language)
      await openAddress(page, 'trade/stop')
      await page.getByRole('banner').getByRole('button', { name: help, exact: true }).click()
      await expect(chapter(page).getByRole('heading', { name: section, exact: true })).toBeFocused()
      await expect(chapter(page)).toHaveAttribute('lang', language)
      expect(new URL(page.url()).hash).toBe('#/help/orders/kill-switch')

      await page.getByRole('searchbox', { name: field }).fill(word)
      await page.getByRole('main').getByRole('link').filter({ hasText: found }).click()
      await expect(chapter(page).getByRole('heading', { name: found, exact: true })).toBeFocused()
      await expect(chapter(page).locator('mark').first()).toHaveText(word)

      const listed = page.getByRole('navigation', { name: chapters, exact: true })
      await listed.getByRole('link', { name: lock, exact: true }).click()
      await expect(page.getByText(note, { exact: true })).toBeHidden()
      await listed.getByRole('link', { name: endpoints, exact: true }).click()
      await expect(chapter(page).getByRole('heading', { level: 2, name: endpoints, exact: true })).toHaveAttribute('lang', language)
      await expect(page.getByText(note, { exact: true })).toBeVisible()
      await expect(chapter(page)).toHaveAttribute('lang', 'en')
    })
})

test('in Help, a wide table scrolls within its own box, and code can be copied', async ({ open: launch }) => {
  const { main: page } = await launch()
  await startPractising(page)
  await page.setViewportSize({ width: 1024, height: 680 })
  await open(page, 'help/endpoints')
  const table = chapter(page).getByRole('region', { name: 'Table' }).first()
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  expect(await page.locator('[data-part=page]').evaluate((slot) => slot.scrollWidth <= slot.clientWidth)).toBe(true)
  await open(page, 'help/terminal')
  await chapter(page).getByRole('button', { name: 'Copy code' }).first().click()
  await expect(chapter(page).getByRole('status').first()).toHaveText('code copied')
})

test('the About page lists the licences of all packages in the app', async ({ open: launch }) => {
  const { main: page } = await launch()
  await startPractising(page)
  await open(page, 'settings')
  await page.getByRole('region', { name: 'About' }).getByRole('button', { name: 'Licences' }).click()
  const licences = page.getByRole('list', { name: 'Licences' })
  await expect(page.getByRole('heading', { name: 'Licences' })).toBeFocused()
  await expect(licences.getByRole('listitem').first()).toBeVisible()
  expect(await licences.getByRole('listitem').count()).toBeGreaterThan(60)
  for (const [name, text] of [
    ['viem', 'MIT License'],
    ['react', 'Meta Platforms'],
    ['Inter and JetBrains Mono', 'SIL Open Font License'],
    ['Svc Desk', 'MIT'],
  ] as const) {
    await page.getByRole('textbox', { name: 'Find a package or licence' }).fill(name === 'Svc Desk' ? 'svc-desk' : name)
    const entry = licences.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
    await entry.locator('summary').first().click()
    await expect(entry.locator('pre').first()).toContainText(text)
  }
})

test('the app’s summary for a problem report contains the last error code, but no secret, address or host [AUTH-09]', async ({ open: launch, practice }) => {
  const desk = await launch()
  const page = desk.main
  await join(desk, 'reporter')
  const keyId = await keyIdOf(page, 'reporter')
  const canary = 'SVCcanary0123456789abcdef'
  await practice.faults({
    answer: [
      { route: 'POST /api/dex/v1/orders/prepare', status: 400, code: canary, times: 1 },
      { route: 'POST /api/dex/v1/risk/preview', status: 400, code: 'MARKET_PAUSED', times: 1 },
    ],
  })
  await goTo(page, 'Trade')
  await fillOrder(page, { value: '250' })
  await expect(ticket(page)).toContainText('No preview from the exchange.')
  await reviewButton(page).click()
  await expect(ticket(page).getByRole('alert').first()).toBeVisible()
  await open(page, 'help/about/report')
  const summary = page.getByRole('region', { name: 'Problem summary' })
  await expect(summary).toContainText('MARKET_PAUSED')
  await expect(summary).toContainText(/orders\/prepare 400 /)
  await expect(summary).toContainText('profile: practice')
  const text = await summary.locator('pre').innerText()
  const secrets = [...keptSecrets(keyId), canary, canary.slice(3), practice.descriptor.walletAddress, practice.descriptor.hostUrl.replace(/^https?:\/\//, '')]
  expect(secrets.length).toBeGreaterThan(4)
  for (const secret of secrets) expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
  await summary.getByRole('button', { name: 'Copy summary' }).click()
  await expect(summary.getByRole('status')).toHaveText('Problem summary copied')
  await expect(page.getByRole('main')).toContainText('This build names no address for reports.')
})

test('the list of keyboard shortcuts shows those of the Trade page, and each of them works', async ({ open: launch }) => {
  const desk = await launch()
  const page = desk.main
  await join(desk, 'typist')
  await goTo(page, 'Trade')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.getByRole('banner').click({ position: { x: 1, y: 1 } })
  await page.keyboard.press('?')
  for (const [part, words, keys] of [
    ['Trade page', 'Review the order', 'Ctrl ↵'],
    ['Order ticket', 'Raise the price by one tick', '↑'],
    ['Order ticket', 'Lower the price by one tick', '↓'],
    ['Order ticket', 'Raise the price by ten ticks', 'Shift ↑'],
    ['Order ticket', 'Lower the price by ten ticks', 'Shift ↓'],
    ['Order ticket', 'Move an action up in a batch', 'Alt ↑'],
    ['Order ticket', 'Move an action down in a batch', 'Alt ↓'],
  ] as const) {
    const listed = sheet.getByRole('region', { name: part })
    await expect(listed.locator('div').filter({ has: page.getByText(words, { exact: true }) })).toContainText(keys)
  }
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()

  await chooseOrderType(page, 'Limit')
  await fillOrder(page, { value: '250' })
  const price = ticketField(page, 'Limit price')
  await price.fill('50000')
  const press = async (key: string, wanted: RegExp) => {
    await price.press(key)
    await expect(price).toHaveValue(wanted)
  }
  await press('ArrowUp', /^50,?000\.1$/)
  await press('ArrowDown', /^50,?000(\.0)?$/)
  await press('Shift+ArrowUp', /^50,?001(\.0)?$/)
  await press('Shift+ArrowDown', /^50,?000(\.0)?$/)

  await expect(reviewButton(page)).toBeEnabled()
  await turnExpert(page, true)
  await ticket(page)
    .getByRole('textbox', { name: /Payload/i })
    .press('Control+Enter')
  await expect(signingSheet(page).getByRole('heading', { name: 'Open a long on BTC-PERP' })).toBeVisible()
  await page.keyboard.press('Escape')
  await turnExpert(page, false)

  await openComposer(page)
  await addAction(page, { action: 'Limit order', market: 'BTC-PERP', fill: { 'Order value': '200', Price: '50000' } })
  await addAction(page, { action: 'Limit order', market: 'ETH-PERP', fill: { 'Order value': '300', Price: '2000' } })
  const remove = (index: number) =>
    batchItems(page)
      .nth(index)
      .getByRole('button', { name: /^Remove/ })
  await remove(1).press('Alt+ArrowUp')
  await expect(batchItems(page).nth(0)).toContainText('ETH-PERP')
  await remove(0).press('Alt+ArrowDown')
  await expect(batchItems(page).nth(0)).toContainText('BTC-PERP')
})
