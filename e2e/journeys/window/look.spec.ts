import type { Locator, Page } from '@playwright/test'
import { openActivity, openRequest } from '../../pages/activity.ts'
import { goTo, type View } from '../../pages/frame.ts'
import { join } from '../../pages/ready.ts'
import { expect, test } from '../../support/fixtures.ts'

const coloursOf = (page: Page): Promise<readonly string[]> =>
  page.locator('main *').evaluateAll((elements) =>
    elements.map((element) => {
      const { color, backgroundColor, borderTopColor, boxShadow, fill } = getComputedStyle(element)
      return [element.tagName, element.className, color, backgroundColor, borderTopColor, boxShadow, fill].join(' ')
    }),
  )

test('the app’s light and dark themes have the same colours whether the user or the system chose the theme', async ({ open }) => {
  const desk = await open()
  const page = desk.main
  await join(desk, 'looked-at')
  const themes = page.getByRole('radiogroup', { name: 'Theme' })
  const read = async (theme: 'System' | 'Light' | 'Dark', system: 'light' | 'dark') => {
    await goTo(page, 'Settings')
    await themes.getByRole('radio', { name: theme }).click()
    await expect(themes.getByRole('radio', { name: theme })).toBeChecked()
    await page.emulateMedia({ colorScheme: system, reducedMotion: 'reduce' })
    await openActivity(page, 'Keys and secrets')
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    return coloursOf(page)
  }
  expect(await read('System', 'light')).toEqual(await read('Light', 'dark'))
  expect(await read('System', 'dark')).toEqual(await read('Dark', 'light'))
})

/** For each page, the part whose look the test compares. It contains no changing data, so it must always look the same. */
const parts: Readonly<Partial<Record<View, (page: Page) => Promise<Locator>>>> = {
  Activity: async (page) => {
    await openActivity(page, 'Requests')
    await page.getByRole('textbox', { name: 'Filter requests' }).fill('developer/challenge')
    return await openRequest(page, 'developer/challenge')
  },
  Keys: async (page) => {
    await page
      .getByRole('main')
      .getByRole('button', { name: /New key/ })
      .or(page.getByRole('main').getByRole('link', { name: /New key/ }))
      .first()
      .click()
    return page.getByRole('main').getByRole('group', { name: 'Purpose' })
  },
  Settings: async (page) => page.getByRole('region', { name: 'Field map' }),
  Webhooks: async (page) => page.getByRole('tablist').first(),
}

/**
 * Every CSS property of every element in the part, without what changes with time: relative times are replaced by a fixed word. Screenshots would
 * not do: Chromium may draw an icon a fraction of a pixel to the side.
 */
async function lookOf(part: Locator): Promise<readonly string[]> {
  return part.evaluate((root) => {
    for (const time of root.querySelectorAll('time')) time.textContent = 'then'
    return [root, ...root.querySelectorAll('*')].flatMap((element, index) =>
      [null, '::before', '::after'].flatMap((pseudo) => {
        const style = getComputedStyle(element, pseudo)
        if (pseudo !== null && style.content === 'none') return []
        return Array.from(style, (property) => `${index} <${element.tagName.toLowerCase()}${pseudo ?? ''}> ${property}: ${style.getPropertyValue(property)}`)
      }),
    )
  })
}

/**
 * Visits the pages in the given order in a new window and reads the look of each page’s part. A page may still be loading data, so it reads until
 * the part looks as `expected`, or until two readings in a row are equal if nothing is expected.
 */
async function looksOf(page: Page, order: readonly View[], expected?: ReadonlyMap<View, readonly string[]>): Promise<Map<View, readonly string[]>> {
  await page.reload()
  const looks = new Map<View, readonly string[]>()
  for (const view of order) {
    await goTo(page, view)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const part = await parts[view]?.(page)
    if (part === undefined) continue
    await part.scrollIntoViewIfNeeded()
    await page.mouse.move(0, 0)
    let look = new Set(expected?.get(view))
    const differences = async (): Promise<readonly string[]> => {
      const next = await lookOf(part)
      const different = [...new Set(next).symmetricDifference(look)]
      if (expected === undefined) look = new Set(next)
      return different
    }
    await expect.poll(differences, { message: `${view} looks the same` }).toEqual([])
    looks.set(view, [...look])
  }
  return looks
}

test('each page of the app looks the same, whichever pages the user opened before it', async ({ open }) => {
  test.slow()
  const desk = await open()
  const page = desk.main
  await join(desk, 'looker')
  // Turns off preloading while idle, so that a page is loaded only when visited.
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0, cancelIdleCallback: () => undefined }))
  const order: readonly View[] = ['Activity', 'Settings', 'Keys', 'Webhooks', 'Markets', 'Trade', 'Account', 'Overview']
  const forwards = await looksOf(page, order)
  expect([...forwards.keys()].sort()).toEqual(Object.keys(parts).sort())
  await looksOf(page, order.toReversed(), forwards)
})
