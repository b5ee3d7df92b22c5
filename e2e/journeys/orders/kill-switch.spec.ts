import { bulkActionPanel, bulkActionStep, confirmBulkAction, openKillSwitch, whatWillHappen } from '../../pages/bulk-action.ts'
import { goTo } from '../../pages/frame.ts'
import { asksToSend, asksToSign } from '../../pages/phone.ts'
import { openPhone, openSignedIn, signedIn } from '../../pages/ready.ts'
import { openPositionAndOrder, signToFinal } from '../../pages/rows.ts'
import { sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'

const revoked = async (practice: Practice) => (await practice.effects()).keys.filter(({ status }) => status === 'revoked').length

test('the kill switch cancels orders, closes positions and revokes keys step by step, and continues after a rejected step or a killed app', async ({
  open,
  practice,
}) => {
  let desk = await open()
  let page = desk.main
  await signedIn(desk)
  const phone = await openPhone(desk)
  await openPositionAndOrder(page, phone, practice)

  await test.step('before the kill switch starts, the screen lists what will happen and requires a typed phrase', async () => {
    await openKillSwitch(page)
    await expect(whatWillHappen(page)).toContainText('Cancel 1 open order')
    await expect(whatWillHappen(page)).toContainText('Close 1 position')
    await expect(whatWillHappen(page)).toContainText('Revoke 1 active key')
    await page.getByRole('button', { name: 'Stop everything…' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Stop everything' })).toBeDisabled()
    await page.keyboard.type('stop everything')
    await page.keyboard.press('Enter')
    await expect(bulkActionPanel(page).getByRole('status').filter({ hasText: 'Kill switch: 0 of 2 done' })).toBeVisible()
  })

  await test.step('if the phone rejects a cancellation, that step waits for a retry, and the kill switch closes the position next', async () => {
    await page.getByRole('button', { name: 'Sign first step' }).click()
    await sendToWallet(page)
    await phone.reject(asksToSend)
    await expect(signingSheet(page).getByRole('heading', { name: 'You rejected the request on the phone' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(signingSheet(page)).toBeHidden()
    await expect(bulkActionStep(page, /^Cancel/)).toContainText('Failed')
    await page.getByRole('button', { name: 'Sign next step' }).click()
    await expect(signingSheet(page)).toHaveAccessibleName(/^Close the /)
  })

  await test.step('after the app is killed during the kill switch, every page shows that it is unfinished, and one press continues it', async () => {
    await desk.kill()
    desk = await open()
    page = desk.main
    await expect(page.getByRole('alert').filter({ hasText: '2 of 2 steps left.' })).toBeVisible()
    await page.getByRole('button', { name: 'Continue' }).first().click()
    await expect(bulkActionStep(page, /^Close/)).toContainText('Waiting for signature')
    expect(await revoked(practice)).toBe(0)
  })

  await test.step('the user retries the rejected step, signs the remaining steps one by one, and then the keys are revoked', async () => {
    await bulkActionPanel(page)
      .getByRole('button', { name: /^Try again: Cancel/ })
      .click()
    await expect(bulkActionStep(page, /^Cancel/)).toContainText('Waiting')
    await page.getByRole('button', { name: 'Sign first step' }).click()
    await expect(signingSheet(page)).toHaveAccessibleName(/^Close the /)
    await practice.wallet({ autoApprove: true })
    // The kill switch already required a typed phrase, so closing the first position needs no other phrase.
    expect(await sendToWallet(page)).toBe(false)
    await expect(signingSheet(page)).toHaveAccessibleName(/^Cancel the /)
    expect(await sendToWallet(page)).toBe(false)
    await expect(signingSheet(page)).toBeHidden()
    await expect.poll(async () => (await practice.effects()).positions).toEqual([])
    await practice.chain({ mine: 8 })
    await expect(bulkActionPanel(page).getByRole('status').filter({ hasText: 'Kill switch: done' })).toBeVisible({ timeout: 30_000 })
    await expect(bulkActionStep(page, /^Cancel/)).toContainText('Done')
    await expect(bulkActionStep(page, /^Close/)).toContainText('Done')
    await expect(bulkActionPanel(page)).toContainText('1 of 1 key revoked')
    expect(await revoked(practice)).toBe(1)
  })
})

test('one button above the positions table closes all positions; if the wallet rejects one of the orders, the user can skip that position', async ({
  open,
  practice,
}) => {
  const { page, phone } = await openSignedIn(open)
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '500', leverage: '5' })
  await signToFinal(page, phone, practice)
  await page.getByRole('button', { name: 'Close all…' }).click()
  await expect(page.getByRole('radio', { name: 'Close all positions' })).toBeChecked()
  await confirmBulkAction(page, 'Close all positions')
  await page.getByRole('button', { name: 'Sign first step' }).click()
  await sendToWallet(page)
  await phone.reject(asksToSign)
  await expect(signingSheet(page).getByRole('heading', { name: 'You rejected the request on the phone' })).toBeVisible()
  await page.keyboard.press('Escape')
  await bulkActionPanel(page)
    .getByRole('button', { name: /^Skip: Close/ })
    .click()
  await expect(bulkActionPanel(page).getByRole('status').filter({ hasText: 'Close all positions: ended, 1 skipped' })).toBeVisible()
  expect((await practice.effects()).positions).toHaveLength(1)
})

test('the kill switch revokes the user’s keys even if the service reports no status for the keys', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  await signedIn(desk)
  await openPositionAndOrder(page, await openPhone(desk), practice)
  await practice.faults({ keyRecord: 'bare' })
  await page.reload()
  await openKillSwitch(page)
  await expect(whatWillHappen(page)).toContainText('Revoke 1 active key')
  await practice.wallet({ autoApprove: true })
  await confirmBulkAction(page, 'Stop everything')
  await page.getByRole('button', { name: 'Sign first step' }).click()
  await sendToWallet(page)
  await expect(signingSheet(page)).toHaveAccessibleName(/^Close the /)
  await sendToWallet(page)
  await expect(signingSheet(page)).toBeHidden()
  await practice.chain({ mine: 8 })
  await expect(bulkActionPanel(page)).toContainText('1 of 1 key revoked', { timeout: 30_000 })
  expect(await revoked(practice)).toBe(1)
})
