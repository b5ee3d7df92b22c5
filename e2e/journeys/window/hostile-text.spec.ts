import type { Page } from '@playwright/test'
import { goTo, type View } from '../../pages/frame.ts'
import { openWithPast } from '../../pages/ready.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'

const views: readonly View[] = ['Overview', 'Trade', 'Account', 'Markets', 'Keys', 'Webhooks', 'Activity', 'Settings']

const beyond = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, document.querySelector('[data-part=page]')].map((box) => (box === null ? null : box.scrollWidth - box.clientWidth)),
  )

/** Counts traces of hostile text that the page interpreted instead of displaying: scripts that ran, script links, inserted elements. */
const grown = (page: Page) =>
  page.evaluate(() => ({
    ran: 'planted' in window,
    links: [...document.querySelectorAll('[href],[src],[action]')]
      .flatMap((element) => ['href', 'src', 'action'].map((name) => element.getAttribute(name) ?? ''))
      .filter((address) => /^\s*(javascript:|data:text)/i.test(address)),
    elements: document.querySelectorAll('main img, main [onload], main [onerror], main script, main iframe').length,
  }))

const hostileTexts = [
  'U+202E',
  'U+001B',
  'W'.repeat(40),
  '<img src=x',
  '<script>window.planted',
  'javascript:window.planted',
  'data:text/html',
  'שלום',
  'ВТС-РЕRР',
  '=HYPERLINK',
] as const

test('every page displays hostile text from the service as plain text, without a dialog, a script, a request or an overlong line [T13]', async ({
  open,
  practice,
}) => {
  test.setTimeout(180_000)
  const { page } = await openWithPast(open, practice, 40)
  await practice.faults({
    shapes: [{ route: '*', kind: 'labels' }],
    breakers: [{ name: 'one', reason: 'first' }],
  })
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.reload()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const own = new URL(page.url()).origin

  let shown = ''
  const look = async (place: string) => {
    await expect(page.locator('main')).toBeVisible()
    await expect.poll(() => beyond(page), { message: `${place} is no wider than the window` }).toEqual([0, 0])
    expect(await grown(page), place).toEqual({ ran: false, links: [], elements: 0 })
    shown += await page.locator('main').innerText()
  }
  const walk = async () => {
    for (const view of views) {
      await goTo(page, view)
      await look(view)
      const tabs = page.locator('main').getByRole('tab')
      for (let at = 0; at < (await tabs.count()); at += 1) {
        const tab = tabs.nth(at)
        if (await tab.isDisabled()) continue
        await tab.click()
        await look(`${view}, ${await tab.innerText()}`)
      }
    }
  }
  // Each hostile text must be visible on some page, with its hidden characters shown by name. Retries, because a response may arrive after the test
  // has left its page.
  await expect(async () => {
    await walk()
    for (const text of hostileTexts) expect(shown, text).toContain(text)
  }).toPass({ timeout: 120_000 })
  expect(dialogs).toEqual([])
  expect(requests.filter((url) => new URL(url).origin !== own && !url.startsWith('data:image'))).toEqual([])
})
