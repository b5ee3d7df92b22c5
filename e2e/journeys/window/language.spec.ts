import type { Page } from '@playwright/test'
import { addressesOf, goTo, openAddress, reviewByLook, speak, spokenIn, submitForm } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { join, pair } from '../../pages/ready.ts'
import { fillOrder } from '../../pages/ticket.ts'
import { expect, test } from '../../support/fixtures.ts'

/** Words on the page or for screen readers that are in no text catalogue. Ignores data, which is marked `translate="no"`. */
const unmarked = (page: Page) =>
  page.evaluate(() => {
    // Looks only for words whose letters after the first are lower-case. This excludes units, symbols, ids and dates.
    const isWord = (text: string) =>
      !/^\d{1,2} [A-Z][a-z]{2}\b[\d:, UTC]*$/.test(text) &&
      !/[áéíóúñçšýÁÉÍÓÚÇÑŠÝ·]/.test(text) &&
      text.split(/[\s,]+/).some((word) => /^\p{L}?\p{Ll}{2,}[.:!?…]?$/u.test(word))
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

/**
 * Words that are cut off or extend beyond their button or cell, and buttons that extend beyond their panel. Ignores data, which is not translated,
 * and cells whose tooltip contains the whole text.
 */
const cutOff = (page: Page) =>
  page.evaluate(() => {
    const found = new Set<string>()
    const isData = (element: Element | null) => element === null || element.closest('code, kbd, pre, script, style, svg, [translate=no]') !== null
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const [text, parent] = [node.textContent?.trim() ?? '', node.parentElement]
      if (parent?.closest('td [title], td[title]')?.getAttribute('title')?.includes(text) === true) continue
      if (!/\p{L}/u.test(text) || parent === null || isData(parent) || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const word = range.getBoundingClientRect()
      if (word.width === 0 || parent.closest('[class*=screenReaderOnly]') !== null) continue
      // Content that the user can scroll to does not count as cut off.
      let [across, down] = [true, true]
      for (let box: Element | null = parent; box !== null && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box)
        if (/auto|scroll/.test(style.overflowX)) across = false
        if (/auto|scroll/.test(style.overflowY)) down = false
        const holds = box.matches('button, a, td, th, label, article, [role=tab], [role=radio], [role=menuitem]')
        if (style.display === 'inline' && !holds) continue
        const edge = box.getBoundingClientRect()
        const clips = (overflow: string) => holds || /hidden|clip/.test(overflow)
        const isOutside =
          (across &&
            clips(style.overflowX) &&
            (word.right > edge.right + 1 || word.left < edge.left - 1 || (box === parent && box.scrollWidth > box.clientWidth + 1))) ||
          // Vertically, a line counts as cut off only if part of it is visible. Lines that do not fit are meant to be hidden completely.
          (down && clips(style.overflowY) && word.top < edge.bottom && word.bottom > edge.top && (word.bottom > edge.bottom + 2 || word.top < edge.top - 2))
        if (isOutside) found.add(`${text.slice(0, 80)} (in ${box.tagName.toLowerCase()}.${box.className})`)
      }
    }
    // A button that extends beyond its panel would overlap the next panel.
    for (const button of document.querySelectorAll('main section :is(button, a)')) {
      const panel = button.closest('section')
      if (panel === null || !button.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      let scrolls = false
      for (let box = button.parentElement; box !== null && box !== panel.parentElement; box = box.parentElement)
        if (/auto|scroll/.test(getComputedStyle(box).overflowX)) scrolls = true
      if (!scrolls && button.getBoundingClientRect().right > panel.getBoundingClientRect().right + 1) found.add(`${button.textContent} leaves its panel`)
    }
    for (const box of document.querySelectorAll('main, dialog, dialog section:not(:has(table))'))
      if (box.scrollWidth > box.clientWidth) found.add(`${box.tagName.toLowerCase()}.${box.className} scrolls sideways`)
    return [...found]
  })

/** Opens each page and calls `look`. Returns the findings of `look` by page, for pages with findings. */
async function lookAtEach(page: Page, keyId: string, look: (page: Page) => Promise<readonly string[]>): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {}
  for (const address of addressesOf(keyId)) {
    await openAddress(page, address)
    const words = await look(page)
    if (words.length > 0) found[address] = words
  }
  return found
}

const smallest = { width: 1_024, height: 680 }
/** A usual window size. Some panels are side by side at this size, but below each other in the smallest window. */
const usual = { width: 1_440, height: 900 }

test('every word on each page of the app comes from a text catalogue, and no text is cut off in the smallest window', async ({ open, practice }) => {
  test.setTimeout(240_000)
  const english = await open()
  await join(english, 'W-1')
  const keyId = await keyIdOf(english.main, 'W-1')
  await practice.past({ trades: 10 })
  await english.close()
  const { main: page } = await open({ env: { SVC_DESK_LANGUAGE: 'pseudo' } })
  await expect(page.locator('main')).toBeVisible()
  expect(await lookAtEach(page, keyId, unmarked)).toEqual({})
  await page.setViewportSize(smallest)
  expect(await lookAtEach(page, keyId, cutOff)).toEqual({})
})

test('German and Japanese texts fit on each page and on the signing sheet, in the smallest window and in a usual one', async ({ open, practice }) => {
  test.setTimeout(300_000)
  const desk = await open()
  const page = desk.main
  await join(desk, 'walker')
  const keyId = await keyIdOf(page, 'walker')
  await practice.past({ trades: 10 })
  await goTo(page, 'Trade')
  await fillOrder(page, { value: '250' })
  for (const language of ['de', 'ja'] as const) {
    await speak(page, language)
    await page.setViewportSize(usual)
    expect(await lookAtEach(page, keyId, cutOff), `${language}, usual`).toEqual({})
    await page.setViewportSize(smallest)
    expect(await lookAtEach(page, keyId, cutOff), language).toEqual({})
    await openAddress(page, 'trade')
    await submitForm(reviewByLook(page))
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await cutOff(page), `${language}, signing`).toEqual([])
    await page.keyboard.press('Escape')
  }
})

const firstSheets = (page: Page) =>
  page.evaluate(() => [...document.styleSheets].flatMap(({ href }) => /(?:index|shared-styles)-[^/]+\.css$/.exec(href ?? '')?.[0] ?? []))

test('changing the language updates all open windows at once and keeps typed input; the language survives a restart', async ({ open }) => {
  const first = await open()
  const page = first.main
  await expect(page.locator('main')).toBeVisible()
  const sheets = await firstSheets(page)
  expect(sheets).toHaveLength(2)
  await pair(first)
  await goTo(page, 'Trade')
  await fillOrder(page, { value: '1234.5' })
  await speak(page, 'de')
  expect(await firstSheets(page)).toEqual(sheets)
  await expect(spokenIn(await first.phone())).toHaveAttribute('lang', 'de')
  await openAddress(page, 'trade')
  await expect(page.locator('main input[value="1234.5"]')).toBeVisible()
  await first.close()

  const { main: german } = await open()
  await expect(spokenIn(german)).toHaveAttribute('lang', 'de')
  await speak(german, 'ja')
  await speak(german, 'en')
  await expect(german.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
})

test('the app uses the system’s language until the user chooses one', async ({ launch }) => {
  const { main: page } = await launch({ env: { LANGUAGE: 'fr_FR:ja_JP:en' } })
  await expect(spokenIn(page)).toHaveAttribute('lang', 'ja')
})

test('the welcome page and the page that connects a wallet fit into the smallest window in each language of the app', async ({ open }) => {
  for (const language of ['pseudo', 'de', 'ja']) {
    const desk = await open({ env: { SVC_DESK_LANGUAGE: language } })
    await desk.main.setViewportSize(smallest)
    const buttons = desk.main.locator('main button:enabled')
    await expect(buttons.first()).toBeVisible()
    expect(await cutOff(desk.main), `${language}, welcome`).toEqual([])
    if (language === 'pseudo') expect(await unmarked(desk.main)).toEqual([])
    // The last button on the first page starts practice mode.
    await buttons.last().click()
    await expect(desk.main.locator('main canvas, main svg[role=img]').first()).toBeVisible({ timeout: 30_000 })
    expect(await cutOff(desk.main), `${language}, connect`).toEqual([])
    if (language === 'pseudo') expect(await unmarked(desk.main)).toEqual([])
    await desk.close()
  }
})
