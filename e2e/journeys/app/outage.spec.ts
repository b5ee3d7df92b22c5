import type { Page } from '@playwright/test'
import { needsYou } from '../../pages/activity.ts'
import { addressesOf, goTo, openAddress } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { expect, firstKey, testWithKey as test } from '../../support/fixtures.ts'

/** The banners whose space is not exactly as wide as the page’s below them, with both right edges in CSS pixels. */
const uneven = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const edge = (element: Element) => element.getBoundingClientRect().left + element.clientWidth
    const slot = document.querySelector('[data-part=page]')
    return [...document.querySelectorAll('main > :not([data-part=page])')].flatMap((banner) =>
      slot !== null && edge(banner) === edge(slot) ? [] : [`${edge(banner)} and ${slot === null ? 'no page' : edge(slot)}`],
    )
  })

test('while the exchange refuses connections, every page reports the outage; once the exchange is back, all pages work again', async ({ open, practice }) => {
  test.setTimeout(120_000)
  const { page } = await openSignedIn(open)
  const keyId = await keyIdOf(page, firstKey)
  await goTo(page, 'Overview')
  const banner = page.getByText('The exchange does not respond.')
  await expect(banner).toHaveCount(0)

  await test.step('a banner about the outage appears within seconds and stays on every page', async () => {
    await practice.faults({ hostDown: [{ host: 'first', how: 'refused' }] })
    await expect(banner).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('list', { name: 'Connections' })).toContainText('Service down')
    await expect(needsYou(page), 'the list shows it together with the banner').toContainText('The exchange does not respond', { timeout: 1_000 })
    for (const address of addressesOf(keyId)) {
      await openAddress(page, address, { settled: false })
      await expect(banner, address).toBeVisible()
      await expect(page.locator('main'), address).not.toContainText(/It answered|The service answered/)
      expect(await uneven(page), address).toEqual([])
    }
  })

  await test.step('Overview lists the outage first, and its button opens the list of hosts', async () => {
    await goTo(page, 'Overview')
    const first = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem').first()
    await expect(first).toContainText('The exchange does not respond')
    await first.getByRole('button', { name: 'Show' }).click()
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  })

  await test.step('once the exchange responds again, the banner and the entry on Overview disappear', async () => {
    await practice.faults({ hostDown: [] })
    await expect(banner).toHaveCount(0, { timeout: 60_000 })
    await goTo(page, 'Overview')
    await expect(page.getByText('The exchange does not respond')).toHaveCount(0)
  })
})

test('while only the account route fails, the service light says that some requests fail, and no page claims an outage', async ({ open, practice }) => {
  const { page } = await openSignedIn(open)
  await goTo(page, 'Account')
  const light = page.getByRole('list', { name: 'Connections' }).getByRole('listitem').first()
  await expect(light).toContainText('Service up')
  await practice.faults({ answer: [{ route: 'GET /api/dex/v1/account', status: 503, code: 'UNAVAILABLE', times: 1_000 }] })
  await expect(light).toContainText('Service some requests fail', { timeout: 60_000 })
  await expect(page.getByText(/The exchange (does not respond|responds with errors)/)).toHaveCount(0)
})
