import type { Page } from '@playwright/test'
import { day } from '../../../shared/time.ts'
import { needsYou } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { confirmByName } from '../../pages/keys.ts'
import { expectKeyStored, openGrant, prepareKey } from '../../pages/new-key.ts'
import { asksToConnect, asksToSign, phonePage } from '../../pages/phone.ts'
import { makeKey, openSignedIn, signIn } from '../../pages/ready.ts'
import { signToFinal } from '../../pages/rows.ts'
import { sendToWallet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { expectConnected, scanWithPhone, startPractising } from '../../pages/welcome.ts'
import { expect, firstKey, testSignedIn as test, test as testNew, testWithKey } from '../../support/fixtures.ts'

const revokeRoute = 'DELETE /api/dex/developer/keys/{key_id}'
const recent = (page: Page) => page.getByRole('region', { name: 'Recent' }).getByRole('listitem')

test('the Overview and Keys pages list every key that expires within two weeks, even if its secret is not on this computer [KEY-08]', async ({
  open,
  practice,
}) => {
  await practice.sample(64)
  const until = Date.now() + 14 * day
  const ending = (await practice.effects()).keys
    .filter(({ status, expires_at: at }) => status === 'active' && Date.parse(at) < until)
    .sort((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at))
  expect(ending.length).toBeGreaterThan(3)
  const { page } = await openSignedIn(open)
  await goTo(page, 'Keys')
  const suggestions = page.getByRole('region', { name: 'Suggestions' }).getByRole('listitem')
  // The first suggestions on the Keys page must be the keys that expire soon, the earliest first.
  for (const [index, { label }] of ending.entries()) await expect(suggestions.nth(index)).toContainText(label)
  await goTo(page, 'Overview')
  const rows = needsYou(page).getByRole('listitem').filter({ hasText: 'expires soon' })
  await expect(rows).toHaveCount(ending.length)
  for (const { label } of ending) await expect(rows.filter({ hasText: label })).not.toHaveCount(0)
  await expect(needsYou(page)).not.toContainText('All clear')
})

testNew(
  'the list of first steps on the Overview page marks a step as done only once the user did it, and then highlights the next step',
  async ({ open, practice }) => {
    const desk = await open()
    const page = desk.main
    const steps = page.getByRole('region', { name: 'First steps' })
    const expectNext = async (done: number, next: string, button: string) => {
      await goTo(page, 'Overview')
      await expect(steps).toContainText(`${done} of 4`)
      await expect(steps.locator('[aria-current=step]')).toContainText(next)
      await expect(steps.getByRole('button')).toHaveText([button])
    }
    await startPractising(page)
    await page.getByRole('button', { name: 'Look around first' }).click()
    await expectNext(0, 'Connect your wallet', 'Connect wallet')
    await steps.getByRole('button', { name: 'Connect wallet' }).click()
    await scanWithPhone(page)
    const phone = phonePage(await desk.phone())
    await phone.approve(asksToConnect)
    await expectConnected(page)
    await expectNext(1, 'Sign in', 'Sign in')
    await signIn(page, phone)
    await expectNext(2, 'Create a key', 'New key')
    await prepareKey(page, 'first')
    await openGrant(page)
    await sendToWallet(page)
    await phone.approve(asksToSign)
    await expectKeyStored(page, 'first')
    await expectNext(3, 'Place an order', 'Go to Trade')
    await steps.getByRole('button', { name: 'Go to Trade' }).click()
    await reviewOrder(page, { value: '250' })
    await signToFinal(page, phone, practice)
    await goTo(page, 'Overview')
    await expect(page.getByRole('region', { name: 'Account' })).toBeVisible()
    await expect(steps).toBeHidden()
  },
)

testWithKey(
  'the Overview page lists an action as planned until it has taken effect, and shows only “All clear” when nothing needs the user',
  async ({ open, practice }) => {
    const { page, phone } = await openSignedIn(open)
    // A second key is needed: after revoking the only key, Overview would show the first steps instead.
    await makeKey(page, phone, 'kept')
    await goTo(page, 'Overview')
    await expect(needsYou(page)).toContainText('All clear')
    const box = await needsYou(page).boundingBox()
    expect(box?.height).toBeLessThan(140)
    await goTo(page, 'Keys')
    await practice.faults({ delay: [{ route: revokeRoute, ms: null }] })
    const revoking = confirmByName(page, firstKey, 'Revoke')
    await expect.poll(async () => (await practice.effects()).keys.map(({ status }) => status)).toContain('revoked')
    await page.evaluate(() => {
      window.location.hash = '#/overview'
    })
    await expect(recent(page).first()).toHaveText(/^Revoke key first-key.*Sent/)
    await expect(recent(page).filter({ hasText: 'revoked' })).toHaveCount(0)
    await practice.faults({ delay: [] })
    await revoking
  },
)
