import type { Page } from '@playwright/test'
import { join } from '../../pages/ready.ts'
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
