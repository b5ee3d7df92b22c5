import type { Page } from '@playwright/test'
import { formatDecimal } from '../../../shared/decimal.ts'
import { happened, intentDetail } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { notices } from '../../pages/keys.ts'
import { asksToSend } from '../../pages/phone.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { openPositionForm, review, rowForm, sendToFinal, showTab, signToFinal, signToPlaced } from '../../pages/rows.ts'
import { comparisonLine, emptyBelow, sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { blotter, blotterRow } from '../../pages/trade.ts'
import { acts, sees } from '../../support/coverage.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'

const row = (page: Page) => blotterRow(page, 'Orders', 'BTC-PERP')

test('the user changes and cancels an open order from its row, and the row shows each request’s progress to FINAL [ORD-05, FLOW-03, ACC-01]', async ({
  open,
  practice,
}) => {
  const { page, phone } = await openSignedIn(open)
  const form = rowForm(page)
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '500' })
  await signToFinal(page, phone, practice)
  let price = 0
  await test.step('a limit order to close the position far above the market price waits in the order book', async () => {
    await openPositionForm(page, 'BTC-PERP', 'Close')
    await form.getByRole('radio', { name: 'Limit' }).click()
    await form.getByRole('button', { name: 'Mark' }).click()
    const limit = form.getByRole('textbox', { name: 'Limit price' })
    price = Math.round(Number(await limit.inputValue()) * 1.2)
    await limit.fill(String(price))
    await review(page)
    await signToPlaced(page, phone, practice)
    const notice = notices(page)
      .locator('[data-part=toast]')
      .filter({ hasText: /Close the long on BTC-PERP at limit/ })
    await expect(notice).toContainText('Placed.')
    await showTab(page, 'Orders')
    await sees(practice, 'GET /api/dex/v1/orders', () => expect(row(page)).toContainText(formatDecimal(String(price))))
    await expect(row(page)).toContainText('reduce only')
  })

  await test.step('the user changes the order’s price; the signing sheet shows the old and the new price and no other change', async () => {
    await row(page)
      .getByRole('button', { name: /^Change/ })
      .click()
    const limit = form.getByRole('textbox', { name: 'Limit price' })
    await review(page)
    await expect(form.getByRole('alert')).toContainText('Nothing changes.')
    await limit.fill('0')
    await review(page)
    await expect(form.getByRole('alert')).toContainText('Enter a number above zero.')
    await expect(limit).toBeFocused()
    await limit.fill(String(price + 1_000))
    await expect(form.getByRole('term').filter({ hasText: 'Limit price' }).locator('..')).toContainText(
      `${formatDecimal(String(price))}.0 becomes ${formatDecimal(String(price + 1_000))}.0`,
    )
    await page.keyboard.press('Enter')
    await expect(comparisonLine(page, 'limitPrice')).toContainText('matches')
    await sendToWallet(page)
    await phone.approve(asksToSend)
    await expect(signingSheet(page).getByRole('heading', { name: /^Sent\. / })).toBeVisible()
    await page.keyboard.press('Escape')
    await row(page).getByRole('link', { name: 'Changing…' }).click()
    await expect(intentDetail(page)).toContainText('Change the short order on BTC-PERP')
    await goTo(page, 'Trade')
    await practice.chain({ mine: 8 })
    await acts('replace_order', async () => {
      await showTab(page, 'Activity')
      const change = blotterRow(page, 'Activity', 'Change the short order on BTC-PERP')
      await expect(change).toContainText('Placed')
      await expect(change).not.toContainText('Final')
      await showTab(page, 'Orders')
      await expect(row(page)).toContainText(formatDecimal(String(price + 1_000)))
      await expect(row(page).getByRole('link')).toBeHidden()
    })
  })

  await test.step('Overview and Activity also show the order as “Placed”', async () => {
    await goTo(page, 'Overview')
    const recent = page.getByRole('region', { name: 'Recent' }).getByRole('listitem').filter({ hasText: 'Change the short order on BTC-PERP' })
    await expect(recent).toContainText('Placed, BTC-PERP')
    await recent.getByRole('link').click()
    await expect(happened(page).getByRole('listitem').last()).toContainText('Placed')
    await goTo(page, 'Trade')
    await showTab(page, 'Orders')
  })

  await test.step('if the service cannot execute a change, the app shows the reason, and the order stays in the order book', async () => {
    await practice.faults({ prepared: 'preflight_failed' })
    await row(page)
      .getByRole('button', { name: /^Cancel/ })
      .click()
    await expect(form.getByRole('heading', { name: 'The order was not cancelled' })).toBeVisible()
    await expect(form.getByRole('alert')).toContainText('oracle_unavailable')
    await page.keyboard.press('Escape')
    await expect(form).toBeHidden()
    await practice.clearFaults()
  })

  await test.step('Escape stops a cancellation while the app prepares it, and no signing sheet opens later', async () => {
    const { prepared } = await practice.effects()
    await practice.faults({ delay: [{ route: 'POST /api/dex/v1/orders/prepare', ms: null }] })
    await row(page)
      .getByRole('button', { name: /^Cancel/ })
      .click()
    await expect.poll(async () => (await practice.effects()).prepared).toBe(prepared + 1)
    await page.keyboard.press('Escape')
    await practice.faults({ delay: [] })
    await showTab(page, 'Activity')
    await expect(blotterRow(page, 'Activity', 'Prepared')).toHaveCount(1)
    await expect(signingSheet(page)).toBeHidden()
    await showTab(page, 'Orders')
  })

  await test.step('one press on cancel opens the signing sheet, and the order is cancelled', async () => {
    await row(page)
      .getByRole('button', { name: /^Cancel/ })
      .press('Enter')
    await acts('cancel_order', async () => {
      // A cancellation has no fill, so the sheet ends below its text instead of keeping an empty half.
      await sendToFinal(page, phone, practice, async () => expect(await emptyBelow(page)).toBeLessThan(80))
      await expect(blotter(page)).toContainText('No open orders')
      expect((await practice.effects()).positions).toHaveLength(1)
    })
  })
})
