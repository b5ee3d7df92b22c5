import type { Page } from '@playwright/test'
import { goTo } from '../../pages/frame.ts'
import { join, pair } from '../../pages/ready.ts'
import { ticket } from '../../pages/ticket.ts'
import { expect, test } from '../../support/fixtures.ts'

const addresses = ['overview', 'trade', 'account', 'markets', 'keys', 'keys/new', 'webhooks', 'activity', 'settings'] as const

/** Words on the page, visible or read aloud, that come from no catalogue; data is marked `translate="no"`. */
const unmarked = (page: Page) =>
  page.evaluate(() => {
    // Excludes units, symbols and ids: a word has only small letters after the first.
    const isWord = (text: string) => !/[áéíóúñçšýÁÉÍÓÚÇÑŠÝ·]/.test(text) && text.split(/[\s,]+/).some((word) => /^\p{L}?\p{Ll}{2,}[.:!?…]?$/u.test(word))
    const found = new Set<string>()
    const isData = (element: Element | null) => element === null || element.closest('code, kbd, pre, time, script, style, svg, [translate=no]') !== null
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      if (isWord(text) && !isData(node.parentElement)) found.add(text)
    }
    for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      if (isData(element)) continue
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const text = element.getAttribute(name)
        if (text !== null && text !== element.textContent?.trim() && isWord(text)) found.add(`${name}: ${text}`)
      }
    }
    return [...found]
  })

test('every word of each page comes from a catalogue', async ({ open, practice }) => {
  test.setTimeout(120_000)
  const english = await open()
  await join(english, 'walker')
  await practice.past({ trades: 10 })
  await english.close()
  const { main: page } = await open({ env: { SVC_DESK_LANGUAGE: 'pseudo' } })
  await expect(page.locator('main')).toBeVisible()
  const left: Record<string, readonly string[]> = {}
  for (const address of addresses) {
    await page.evaluate((to) => {
      window.location.hash = `#/${to}`
    }, address)
    await expect(page.locator('main')).toBeVisible()
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    left[address] = await unmarked(page)
  }
  expect(left).toEqual(Object.fromEntries(addresses.map((address) => [address, []])))
})

const language = (page: Page) => page.locator('html')
/** Found by the names that are the same in every language. */
const choice = (page: Page, name: 'English' | 'Deutsch' | '日本語') => page.getByRole('radio', { name, exact: true })

test('shows the chosen language in the same windows at once, keeps what was typed, and stays after a restart', async ({ open }) => {
  const first = await open()
  const page = first.main
  await pair(first)
  await goTo(page, 'Trade')
  await ticket(page).getByRole('textbox', { name: 'Order value' }).fill('1234.5')
  await goTo(page, 'Settings')
  await expect(choice(page, 'English')).not.toBeChecked()
  await choice(page, 'Deutsch').click()
  await expect(language(page)).toHaveAttribute('lang', 'de')
  await expect(choice(page, 'Deutsch')).toBeChecked()
  await expect(choice(page, 'Deutsch')).toBeInViewport()
  await expect(language(await first.phone())).toHaveAttribute('lang', 'de')
  await page.evaluate(() => {
    window.location.hash = '#/trade'
  })
  await expect(page.locator('main input[value="1234.5"]')).toBeVisible()
  await first.close()

  const second = await open()
  const german = second.main
  await expect(language(german)).toHaveAttribute('lang', 'de')
  await german.evaluate(() => {
    window.location.hash = '#/settings'
  })
  await choice(german, '日本語').click()
  await expect(language(german)).toHaveAttribute('lang', 'ja')
  await choice(german, 'English').click()
  await expect(language(german)).toHaveAttribute('lang', 'en')
  await expect(german.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
})

test('follows the system’s language until the user chooses one', async ({ open }) => {
  const { main: page } = await open({ env: { LANGUAGE: 'fr_FR:ja_JP:en' } })
  await expect(language(page)).toHaveAttribute('lang', 'ja')
})
