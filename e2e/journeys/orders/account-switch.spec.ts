import type { Locator, Page } from '@playwright/test'
import { goTo, type View } from '../../pages/frame.ts'
import { keyRow } from '../../pages/keys.ts'
import { asksToConnect, asksToSign, phonePage } from '../../pages/phone.ts'
import { join } from '../../pages/ready.ts'
import { expectSignedIn, openSignIn, sendChallenge, signInButton } from '../../pages/sign-in.ts'
import { signingSheet } from '../../pages/signing.ts'
import { reviewOrder, ticket } from '../../pages/ticket.ts'
import { scanWithPhone } from '../../pages/welcome.ts'
import { expect, test } from '../../support/fixtures.ts'
import { ask } from '../../support/search/page-attempts.ts'

const atOnce = { timeout: 2_500 }

const short = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`
const chip = (page: Page): Locator => page.getByRole('banner').getByRole('button', { name: /^Wallet 0x/ })
const banner = (page: Page): Locator => page.getByRole('main').getByRole('status').filter({ hasText: 'which practice does not use' })
const intentRows = (page: Page): Locator => page.getByRole('table', { name: 'Orders' }).getByRole('row')

test('when the phone switches to another account, the app says so, and shows and signs nothing until the first account returns [AUTH-03]', async ({
  open,
  practice,
}) => {
  const desk = await open()
  const page = desk.main
  await join(desk, 'of-the-first')
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '250' })
  await expect(signingSheet(page)).toBeVisible()
  const own = short(practice.descriptor.walletAddress)
  const prepared = (await practice.effects()).prepared

  await practice.wallet({ account: 'other' })
  const other = short((await practice.phone()).address)
  await expect(chip(page)).toHaveAccessibleName(`Wallet ${other} Not used here`, atOnce)
  await expect(banner(page)).toContainText(`The phone shows ${(await practice.phone()).address}`)
  await expect(banner(page)).toContainText(`Practice works only with its own wallet ${own}`)
  await expect(banner(page)).toContainText(`Switch back to ${practice.descriptor.walletAddress} on the phone, or unpair the phone.`)
  await expect(signInButton(page)).toBeHidden()

  await expect(signingSheet(page)).toBeHidden()
  await expect(ticket(page)).toContainText('Nothing can be signed with this account.')
  await expect(ticket(page).getByRole('button', { name: /^Review/ })).toBeDisabled()
  for (const view of ['Overview', 'Keys', 'Activity'] satisfies View[]) {
    await goTo(page, view)
    await expect(page.getByRole('main')).toContainText(`Nothing to show for ${other}`)
    await expect(page.getByRole('main')).not.toContainText('of-the-first')
    await expect(intentRows(page)).toHaveCount(0)
  }
  for (const call of ['session.challenge', 'keys.list', 'account.summary', 'account.positions', 'activity.secrets'])
    expect(await ask(page, call, call.startsWith('activity') ? { limit: 10 } : call.startsWith('account') ? { watch: null } : {}), call).toBe('wrong_wallet')
  expect((await practice.phone()).requests).toEqual([])
  expect((await practice.effects()).prepared).toBe(prepared)

  await practice.wallet({ account: 'main' })
  await expect(banner(page)).toBeHidden(atOnce)
  await expect(chip(page)).toHaveAccessibleName(`Wallet ${own} Base`)
  await expectSignedIn(page)
  await expect(intentRows(page).filter({ hasText: 'Long' })).toHaveCount(1)
  await goTo(page, 'Keys')
  await expect(keyRow(page, 'of-the-first')).toBeVisible()
})

test('after the phone switched to another account, the user can unpair it; pairing that account again shows the same warning', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  await join(desk, 'of-the-first')
  await practice.wallet({ account: 'other' })
  await banner(page).getByRole('button', { name: 'Unpair' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Connect wallet' })).toBeVisible(atOnce)
  await expect.poll(async () => (await practice.phone()).sessions).toEqual([])
  await goTo(page, 'Activity')
  const last = page.getByRole('main').getByRole('status').filter({ hasText: 'No wallet is connected.' })
  await expect(last).toContainText(`the orders and keys of ${short(practice.descriptor.walletAddress)}, the last wallet on this computer`)

  await last.getByRole('button', { name: 'Connect' }).click()
  await scanWithPhone(page)
  await phonePage(await desk.phone()).approve(asksToConnect)
  await expect(banner(page)).toBeVisible()
  await expect(last).toBeHidden()
  await practice.wallet({ account: 'main' })
  await expect(banner(page)).toBeHidden(atOnce)
  await expectSignedIn(page)
})

test('when the service rejects the sign-in session, every screen shows that the session ended, and a new sign-in restores the keys [AUTH-08]', async ({
  open,
  practice,
}) => {
  const desk = await open()
  const page = desk.main
  const phone = await join(desk, 'listed')
  await goTo(page, 'Keys')
  await expect(keyRow(page, 'listed')).toBeVisible()
  await practice.faults({ answer: [{ route: 'GET /api/dex/developer/keys', status: 401, code: 'SESSION_UNKNOWN', times: 1 }] })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to see your keys' })).toBeVisible(atOnce)
  await expect(keyRow(page, 'listed')).toBeHidden()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign-in ended' })).toBeVisible(atOnce)
  await expect(page.getByText('Your sign-in has ended')).toBeVisible(atOnce)
  await openSignIn(page)
  await sendChallenge(page)
  await phone.approve(asksToSign)
  await expectSignedIn(page)
  await expect(keyRow(page, 'listed')).toBeVisible()
})
