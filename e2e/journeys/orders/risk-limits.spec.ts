import { goTo } from '../../pages/frame.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { openRiskLimits, raiseByName, riskLimits } from '../../pages/risk-limits.ts'
import { signingSheet } from '../../pages/signing.ts'
import { reviewOrder, ticket } from '../../pages/ticket.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'

test('a risk limit blocks an order before it is sent; to raise the limit, the user must type the exchange’s name [ORD-04]', async ({ open, practice }) => {
  const { page } = await openSignedIn(open)

  await test.step('the user sets risk limits with the keyboard alone, and an invalid value shows an error in its field', async () => {
    const limits = await openRiskLimits(page)
    await expect(limits).toContainText('Today so far 0.00 USDC')
    const order = limits.getByRole('textbox', { name: 'Max order size' })
    await order.fill('much')
    await expect(limits.getByRole('alert')).toContainText('Type an amount in USDC')
    await expect(limits.getByRole('button', { name: 'Save' })).toBeDisabled()
    await order.fill('200')
    await page.keyboard.press('Tab')
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await expect(limits).toContainText('2 of 4 set')
  })

  await test.step('an order above the risk limit is refused with the limit as the reason, and nothing is sent', async () => {
    await goTo(page, 'Trade')
    const before = (await practice.effects()).prepared
    await reviewOrder(page, { value: '250', leverage: '5' })
    await expect(ticket(page).getByRole('alert').filter({ hasText: 'The order exceeds your limit' })).toContainText('your limit is 200 USDC per order')
    expect((await practice.effects()).prepared).toBe(before)
  })

  await test.step('after the user raises the risk limit by typing the exchange’s name, the same order is sent', async () => {
    await openRiskLimits(page)
    await riskLimits(page).getByRole('textbox', { name: 'Max order size' }).fill('300')
    await expect(riskLimits(page)).toContainText('Raises: Max order size')
    await riskLimits(page).getByRole('button', { name: 'Save' }).click()
    await raiseByName(page)
    await goTo(page, 'Trade')
    await reviewOrder(page, { value: '250', leverage: '5' })
    await expect(signingSheet(page)).toBeVisible()
  })
})
