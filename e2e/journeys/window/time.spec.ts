import type { Locator } from '@playwright/test'
import { openTab } from '../../pages/account.ts'
import { intentDetail, needsYou, takeUp } from '../../pages/activity.ts'
import { goTo, openAddress } from '../../pages/frame.ts'
import { expectKeyStored, openGrant, prepareKey } from '../../pages/new-key.ts'
import { asksToConnect, asksToSign, phonePage } from '../../pages/phone.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { expectSignedIn, openSignIn, sendChallenge } from '../../pages/sign-in.ts'
import { comparisonLine, expectFinal, sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewOrder, ticket } from '../../pages/ticket.ts'
import { expectConnected, scanWithPhone, startPractising } from '../../pages/welcome.ts'
import type { Desk } from '../../support/desk.ts'
import { expect, firstKey, test, testWithKey } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'

const minuteMs = 60_000
const relay = 'POST /api/dex/actions/relay'

const timerOf = (place: Locator): Locator => place.getByRole('timer')
const left = (minutes: number): RegExp => new RegExp(`^(${minutes} minutes left|${minutes - 1} minutes( \\d+ seconds?)? left)$`)

for (const { words, aheadMs } of [
  { words: 'behind', aheadMs: 10 * minuteMs },
  { words: 'ahead of', aheadMs: -10 * minuteMs },
]) {
  test.describe(`if the computer’s clock is 10 min ${words} the exchange’s clock, remaining times and prepared orders in the app are still right`, () => {
    test.use({ practiceAheadMs: aheadMs })

    test('with a wrong computer clock, the app takes remaining times from the exchange’s clock, so sign-in works, and warns the user [ORD-12]', async ({
      open,
      practice,
    }) => {
      const desk = await open()
      const page = desk.main
      await startPractising(page)
      await scanWithPhone(page)
      const phone = phonePage(await desk.phone())
      await phone.asks(asksToConnect)
      await expect(timerOf(phone.page.getByRole('main'))).toHaveAccessibleName(left(5))
      await phone.approve(asksToConnect)
      await expectConnected(page)
      await expect(needsYou(page)).toContainText(`This computer’s clock is 10 min ${words} the exchange`)

      await test.step('the app shows five minutes for the sign-in message and four hours for the session', async () => {
        const sheet = await openSignIn(page)
        await expect(timerOf(sheet)).toHaveAccessibleName(left(5))
        await expect(sheet).toContainText('6 of 6 checks pass.')
        await sendChallenge(page)
        await phone.approve(asksToSign)
        await expectSignedIn(page)
        await expect(page.getByRole('button', { name: 'Sign-in 3 h 59 min left' })).toBeVisible()
      })
      await test.step('the app shows half an hour for the grant', async () => {
        await prepareKey(page, 'in-time')
        await expect(timerOf(page.getByRole('complementary', { name: 'The grant in plain words' }))).toHaveAccessibleName(left(30))
        await openGrant(page)
        await expect(timerOf(signingSheet(page))).toHaveAccessibleName(left(30))
        await sendToWallet(page)
        await phone.approve(asksToSign)
        await expectKeyStored(page, 'in-time')
      })
      await test.step('prices count as fresh, and an order is valid for five minutes and gets relayed', async () => {
        await goTo(page, 'Trade')
        await expect(ticket(page)).toContainText('Nothing is sent until your wallet signs.')
        await reviewOrder(page, { value: '250' })
        await expect(timerOf(signingSheet(page))).toHaveAccessibleName(left(5))
        await sendToWallet(page)
        await phone.approve(asksToSign)
        await expect(signingSheet(page).getByRole('heading', { name: 'Sent. Waiting for eight blocks' })).toBeVisible()
        expect((await practice.callsTo(relay)).map(({ status }) => status)).toEqual([200])
        await expectFinal(page)
        await signingSheet(page).getByRole('button', { name: 'Done' }).click()
      })
      await test.step('one press opens the Help section about the clock', async () => {
        await takeUp(page, 'This computer’s clock', 'Show')
        await expect(page.getByRole('main')).toContainText(`10 min ${words} the exchange`)
        await expect(page.getByRole('main')).toContainText('Turn on automatic time in your system settings.')
      })
    })
  })
}

testWithKey(
  'if the price moved before signing, one press prepares a new order at the new price, which is executed once and becomes final [ORD-02, ORD-06]',
  async ({ open, practice }) => {
    const { page, phone } = await openSignedIn(open)
    await goTo(page, 'Trade')
    await reviewOrder(page, { value: '250' })
    const sheet = signingSheet(page)
    const ofOrder = (line: 'clientOrderId' | 'referencePrice') => comparisonLine(page, line).locator('[data-part=side]').first()
    const before = { id: await ofOrder('clientOrderId').innerText(), price: await ofOrder('referencePrice').innerText() }
    await expect(sheet.getByRole('button', { name: 'Use new price' })).toBeHidden()

    await practice.faults({ priceShiftBps: 120 })
    await expect(sheet).toContainText(/The price moved \+1\.\d+ % since you reviewed it\./)
    await sheet.getByRole('button', { name: 'Use new price' }).click()
    await expect(ofOrder('clientOrderId')).not.toHaveText(before.id)
    await expect(ofOrder('referencePrice')).not.toHaveText(before.price)
    await expect(sheet.getByRole('button', { name: 'Use new price' })).toBeHidden()
    const { prepared, relayed } = await practice.effects()
    expect({ prepared, relayed }).toEqual({ prepared: 2, relayed: [] })
    expect((await practice.phone()).requests).toEqual([])

    await sendToWallet(page)
    await phone.approve(asksToSign)
    await expectFinal(page)
    await sheet.getByRole('button', { name: 'Open in Activity' }).click()
    const intents = page.getByRole('table', { name: 'Orders' }).getByRole('row')
    await expect(intents.filter({ hasText: 'Filled' })).toHaveCount(1)
    await expect(intents.filter({ hasText: 'Cancelled' })).toHaveCount(1)
    await intents.filter({ hasText: 'Cancelled' }).getByRole('button').first().click()
    await expect(intentDetail(page)).toContainText('Replaced by a new order at a new price.')
    const effects = await practice.effects()
    expect({ prepared: effects.prepared, relayed: effects.relayed.length, positions: effects.positions.length }).toEqual({
      prepared: 2,
      relayed: 1,
      positions: 1,
    })
  },
)

/** Simulates sleep: advances the exchange’s clock by `ms`, then emits the system’s wake-up event. */
async function sleepFor(desk: Desk, practice: Practice, ms: number): Promise<void> {
  await practice.advance(ms)
  await desk.app.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'))
}

testWithKey('the app says that an order or a grant has expired, and one press prepares it again [ORD-12, KEY-05]', async ({ open, practice }) => {
  const { desk, page, phone } = await openSignedIn(open)
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '250' })
  const sheet = signingSheet(page)
  const id = comparisonLine(page, 'clientOrderId').locator('[data-part=side]').first()
  const before = await id.innerText()
  await sleepFor(desk, practice, 5 * minuteMs)
  await expect(sheet).toContainText(/The time for this order is over.*Nothing was sent/)
  await expect(sheet.getByRole('button', { name: 'Send to wallet' })).toBeHidden()
  await sheet.getByRole('button', { name: 'Prepare again' }).click()
  await expect(id).not.toHaveText(before)
  await expect(timerOf(sheet)).toHaveAccessibleName(left(5))

  await test.step('an order expires while the app waits for the phone', async () => {
    await sendToWallet(page)
    await phone.asks(asksToSign)
    await sleepFor(desk, practice, 5 * minuteMs)
    await expect(sheet.getByRole('heading', { name: 'The time for this order is over' })).toBeVisible()
    await sheet.getByRole('button', { name: 'Prepare again' }).click()
    await sendToWallet(page)
    await phone.approve(asksToSign)
    await expectFinal(page)
    await sheet.getByRole('button', { name: 'Done' }).click()
    const { prepared, relayed } = await practice.effects()
    expect({ prepared, relayed: relayed.length }).toEqual({ prepared: 3, relayed: 1 })
  })

  await test.step('a grant expires before the wallet signs it', async () => {
    await prepareKey(page, 'second')
    const panel = page.getByRole('complementary', { name: 'The grant in plain words' })
    await sleepFor(desk, practice, 30 * minuteMs)
    await expect(panel).toContainText('The grant expired. Nothing was created.')
    await panel.getByRole('button', { name: 'Prepare again' }).click()
    await expect(timerOf(panel)).toHaveAccessibleName(left(30))
    await openGrant(page)
    await sleepFor(desk, practice, 30 * minuteMs)
    await expect(sheet).toContainText(/The time for this grant is over.*Nothing was sent/)
    await sheet.getByRole('button', { name: 'Prepare again' }).click()
    await expect(timerOf(panel)).toHaveAccessibleName(left(30))
    await openGrant(page)
    await sendToWallet(page)
    await phone.approve(asksToSign)
    await expectKeyStored(page, 'second')
    expect((await practice.effects()).keys.map(({ label }) => label.replace(/ #.*/, ''))).toEqual([firstKey, 'second'])
  })
})

testWithKey('in Tokyo’s time zone, the app shows local times and reads typed times as local; tooltips show UTC', async ({ open }) => {
  const { page } = await openSignedIn(() => open({ env: { TZ: 'Asia/Tokyo' } }))
  await openAddress(page, 'activity?tab=secrets')
  const time = page.getByRole('main').locator('time').first()
  const at = Date.parse((await time.getAttribute('datetime')) ?? '')
  const local = new Date(at + 9 * 60 * minuteMs).toISOString().slice(11, 19)
  const utc = new Date(at).toISOString().slice(11, 19)
  await expect(time).toHaveAttribute('title', new RegExp(`${local}.* · .*${utc} UTC`))

  await goTo(page, 'Account')
  await openTab(page, 'Trades')
  const from = page.getByRole('textbox', { name: 'From day' })
  await test.step('a date field shows how the app reads the typed date', async () => {
    await from.fill('3/4/2026')
    await expect(from).toHaveAccessibleDescription(/fits two dates/)
    await expect(from).toHaveAttribute('aria-invalid', 'true')
    await from.fill('4 mar 2026')
    await expect(from).toHaveAccessibleDescription(/^Wednesday,? 4 March 2026$/)
    await from.press('Tab')
    await expect(from).toHaveValue('4 Mar 2026')
    await expect(from).toHaveAttribute('title', /4 Mar 2026, 00:00:00.* · 3 Mar 2026, 15:00:00 UTC/)
  })
  await test.step('the calendar can be used with the keyboard', async () => {
    await from.press('Alt+ArrowDown')
    const calendar = page.getByRole('dialog', { name: 'From day: calendar' })
    await expect(calendar.getByRole('button', { name: /^Wednesday,? 4 March 2026$/ })).toBeFocused()
    for (const key of ['PageUp', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await expect(calendar).toBeHidden()
    await expect(from).toHaveValue('12 Feb 2026')
    await page.keyboard.press('Enter')
    await expect(calendar).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(calendar).toBeHidden()
    await expect(page.getByRole('button', { name: 'From day: calendar' })).toBeFocused()
  })
})
