import type { Locator, Page } from '@playwright/test'
import { intentDetail, needsYou } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { keyRow } from '../../pages/keys.ts'
import { openPhone, openSignedIn, signedIn } from '../../pages/ready.ts'
import { signToFinal } from '../../pages/rows.ts'
import { reviewOrder, ticketFoot } from '../../pages/ticket.ts'
import { blotter } from '../../pages/trade.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'

const boxesOf = (parts: Locator) =>
  parts.evaluateAll((elements) =>
    elements.map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return { left, top, right, bottom }
    }),
  )

type Box = Awaited<ReturnType<typeof boxesOf>>[number]

const overlap = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

test('a notification about an order covers neither the tables nor the order ticket’s buttons, in any window size', async ({ open, practice }) => {
  const { page, phone } = await openSignedIn(open)
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '250' })
  await signToFinal(page, phone, practice)
  const toasts = page.locator('[data-part=toast]')
  const [position] = (await practice.effects()).positions
  await expect(toasts.first()).toContainText(fillOf(position))
  for (const [width, height] of [
    [1024, 680],
    [1440, 900],
    [1920, 1080],
  ] as const)
    await test.step(`the window is ${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height })
      await toasts.first().hover()
      const shown = await boxesOf(toasts)
      expect(shown).not.toEqual([])
      const kept = [...(await boxesOf(blotter(page))), ...(await boxesOf(ticketFoot(page)))]
      expect(kept).toHaveLength(2)
      expect(shown.filter((toast) => kept.some((part) => overlap(toast, part)))).toEqual([])
    })
})

/** What a notice says about the fill of an order that opened this position on BTC-PERP. */
const fillOf = (position: { readonly size: string } | undefined): RegExp =>
  new RegExp(`Filled ${position?.size.replace('.', '\\.')} BTC at [\\d,]+\\.\\d+\\. Fee \\d+\\.\\d+ USDC\\.`)

const bell = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Notices/ })
const notices = (page: Page) => page.getByRole('dialog', { name: 'Notices' })
/** The number that the sidebar shows beside Overview: how many items need the user. */
const counted = async (page: Page): Promise<number> => {
  const name = await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Overview/ })
    .innerText()
  return Number(/\d+/.exec(name)?.[0] ?? 0)
}

test('the list of items that need the user, the snoozed items and the past notifications survive a restart [AUTH-03]', async ({ open, practice }) => {
  test.setTimeout(180_000)
  let desk = await open()
  let page = desk.main
  await signedIn(desk)
  const phone = await openPhone(desk)
  const [sample] = await practice.sample(12)
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '250' })
  await signToFinal(page, phone, practice)
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(keyRow(page, sample?.key_id ?? '')).toBeVisible()

  await goTo(page, 'Overview')
  const ending = () => needsYou(page).getByRole('listitem').filter({ hasText: 'expires soon' })
  await expect(ending().first()).toBeVisible()
  const [all, inSidebar] = [await ending().count(), await counted(page)]
  expect(inSidebar).toBeGreaterThanOrEqual(all)
  const title = await ending().first().getByRole('heading').innerText()

  await test.step('a snoozed item disappears from the list and from the sidebar’s count', async () => {
    await needsYou(page)
      .getByRole('button', { name: `Snooze: ${title}` })
      .click()
    await page.getByRole('menuitem', { name: 'For 1 day' }).click()
    await expect(ending()).toHaveCount(all - 1)
    expect(await counted(page)).toBe(inSidebar - 1)
  })

  await expect(bell(page)).toHaveAccessibleName(/^Notices \d+ unread$/)
  const unread = await bell(page).innerText()
  await desk.close()
  desk = await open()
  page = desk.main

  await test.step('after a restart, the item remains snoozed until the user ends the snooze', async () => {
    await expect(ending()).toHaveCount(all - 1)
    await needsYou(page).getByRole('button', { name: 'Snoozed: 1' }).click()
    const snoozed = needsYou(page).getByRole('listitem').filter({ hasText: title })
    await expect(snoozed).toContainText('Snoozed until')
    await snoozed.getByRole('button', { name: 'End snooze' }).click()
    await expect(needsYou(page).getByRole('button', { name: /^Snoozed/ })).toHaveCount(0)
    await expect(ending()).toHaveCount(all)
    expect(await counted(page)).toBe(inSidebar)
  })

  await test.step('a restart keeps the order’s notice; the list of notices can be filtered by kind, and a notice opens its order', async () => {
    expect(await bell(page).innerText()).toBe(unread)
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    const order = notices(page).getByRole('listitem').filter({ hasText: 'Long 250.00 USDC at market' })
    await expect(order.first()).toBeVisible()
    await expect(order.first()).toContainText(fillOf((await practice.effects()).positions[0]))
    await notices(page).getByRole('radio', { name: 'Risk' }).click()
    await expect(notices(page)).toContainText('No notices')
    await notices(page).getByRole('radio', { name: 'Orders' }).click()
    await order.first().getByRole('button', { name: 'Open' }).click()
    await expect(intentDetail(page)).toContainText('Long 250.00 USDC at market')
    await expect(notices(page)).toHaveCount(0)
  })

  await test.step('opening a notice marks it as read, and one press marks all others', async () => {
    await bell(page).click()
    await expect(
      notices(page).getByRole('listitem').filter({ hasText: 'Long 250.00 USDC at market' }).getByRole('button', { name: 'Mark as unread' }).first(),
    ).toBeVisible()
    const rest = notices(page).getByRole('button', { name: 'Mark all as read' })
    if (await rest.isEnabled()) await rest.click()
    await expect(notices(page).getByRole('button', { name: 'Mark as read' })).toHaveCount(0)
    await notices(page).getByRole('button', { name: 'Close' }).click()
    await expect(bell(page)).toHaveAccessibleName('Notices')
  })
})

test('the list of snoozed items stays open while the Overview page changes between first steps and account', async ({ open, practice }) => {
  const { page } = await openSignedIn(open)
  const [sample] = await practice.sample(12)
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(keyRow(page, sample?.key_id ?? '')).toBeVisible()
  await goTo(page, 'Overview')
  const ending = needsYou(page).getByRole('listitem').filter({ hasText: 'expires soon' })
  const title = await ending.first().getByRole('heading').innerText()
  await needsYou(page)
    .getByRole('button', { name: `Snooze: ${title}` })
    .click()
  await page.getByRole('menuitem', { name: 'For 1 day' }).click()
  const recent = page.getByRole('region', { name: 'Recent' })
  await expect(recent).toBeVisible()
  // While the service refuses the key, the page shows the first steps in place of the account.
  await practice.faults({ answer: [{ route: 'GET /api/dex/v1/account', status: 401, code: 'API_KEY_REQUIRED', times: 9_999 }] })
  await expect(recent).toBeHidden({ timeout: 30_000 })
  await needsYou(page).getByRole('button', { name: 'Snoozed: 1' }).click()
  const snoozed = needsYou(page).getByRole('listitem').filter({ hasText: 'Snoozed until' })
  await expect(snoozed).toContainText(title)
  await practice.clearFaults()
  await expect(recent).toBeVisible({ timeout: 30_000 })
  await expect(snoozed).toContainText(title)
})
