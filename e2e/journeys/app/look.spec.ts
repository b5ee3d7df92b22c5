import type { Locator, Page } from '@playwright/test'
import { openActivity, openRequest } from '../../pages/activity.ts'
import { goTo, type View } from '../../pages/frame.ts'
import { join } from '../../pages/ready.ts'
import { expect, test } from '../../support/fixtures.ts'

/** For each page, the part of which the test compares pictures. The part must look the same at any time, so it contains no changing data. */
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

/** Takes a picture of each part, visiting the pages in this order in a window that has loaded no page before. */
async function picturesOf(page: Page, order: readonly View[]): Promise<Map<View, string>> {
  await page.reload()
  const pictures = new Map<View, string>()
  for (const view of order) {
    await goTo(page, view)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const part = await parts[view]?.(page)
    if (part === undefined) continue
    await part.scrollIntoViewIfNeeded()
    await page.mouse.move(0, 0)
    // Replaces relative times by a fixed word, because they keep changing.
    await part.evaluate((element) => {
      for (const time of element.querySelectorAll('time')) time.textContent = 'then'
    })
    pictures.set(view, (await part.screenshot({ animations: 'disabled' })).toString('base64'))
  }
  return pictures
}

test('each page looks the same, whichever pages were visited before it', async ({ open }) => {
  test.slow()
  const desk = await open()
  const page = desk.main
  await join(desk, 'looker')
  // Turns off loading in idle time, so that a page loads only when visited.
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0, cancelIdleCallback: () => undefined }))
  const order: readonly View[] = ['Activity', 'Settings', 'Keys', 'Webhooks', 'Markets', 'Trade', 'Account', 'Overview']
  const forwards = await picturesOf(page, order)
  const backwards = await picturesOf(page, order.toReversed())
  expect([...forwards.keys()].sort()).toEqual(Object.keys(parts).sort())
  for (const [view, picture] of forwards) expect(backwards.get(view) === picture, `${view} looks the same`).toBe(true)
})
