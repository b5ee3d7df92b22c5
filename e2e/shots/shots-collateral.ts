import { expect } from '@playwright/test'
import { intentDetail, openActivity } from '../pages/activity.ts'
import { collateralSheet, expectStep, openCollateral, reviewCollateral } from '../pages/collateral.ts'
import { createCustomKey } from '../pages/keys.ts'
import { expectKeyStored } from '../pages/new-key.ts'
import { asksToSend, asksToSign } from '../pages/phone.ts'
import { pair, signIn } from '../pages/ready.ts'
import { expectFinal, sendToWallet, signingSheet } from '../pages/signing.ts'
import type { Studio } from './shots-studio.ts'

export async function takeCollateralShots({ desk, page, practice, shoot }: Studio): Promise<void> {
  const phone = await pair(desk)
  await signIn(page, phone)
  await createCustomKey(page, { label: 'treasury', preset: 'Treasury' })
  await expectKeyStored(page, 'treasury')
  // A second Escape may be needed: the first one may only return from the request to the form.
  const leave = async () =>
    expect(async () => {
      await page.keyboard.press('Escape')
      await expect(signingSheet(page)).toBeHidden({ timeout: 500 })
    }).toPass()
  const sheet = await openCollateral(page, 'Deposit')
  await sheet.getByRole('textbox', { name: 'Amount' }).fill('500')
  await sheet.getByRole('radio', { name: 'One signature' }).click()
  await shoot('collateral-deposit', { narrow: true })
  await reviewCollateral(page, { amount: '500' })
  await signingSheet(page).getByRole('button', { name: 'Send to wallet' }).waitFor()
  await shoot('collateral-permit', { narrow: true })
  await sendToWallet(page)
  await phone.asks(asksToSign)
  await shoot('collateral-permit-waiting')
  await shoot('phone-permit', { of: phone.page })
  await phone.approve(asksToSign)
  await expectFinal(page)
  await leave()

  await openCollateral(page, 'Deposit')
  await reviewCollateral(page, { amount: '400', way: 'Transactions' })
  await expectStep(page, 1)
  await shoot('collateral-approval', { narrow: true })
  await sendToWallet(page)
  await phone.asks(asksToSend)
  await shoot('collateral-approval-waiting', { narrow: true })
  await shoot('phone-approval', { of: phone.page })
  await practice.chain({ pause: true })
  await phone.approve(asksToSend)
  await signingSheet(page).getByRole('heading', { name: 'Sent. Waiting for its block' }).waitFor()
  await shoot('collateral-approval-sent')
  await practice.chain({ pause: false })
  await expectStep(page, 2)
  await shoot('collateral-second', { narrow: true })
  await leave()
  await openActivity(page, 'Orders')
  await page.getByRole('table', { name: 'Orders' }).getByRole('row').filter({ hasText: 'Deposit 400.00 USDC' }).click()
  await intentDetail(page).getByRole('button', { name: 'Continue' }).waitFor()
  await shoot('activity-continue', { narrow: true })
  await intentDetail(page).getByRole('button', { name: 'Continue' }).click()
  await expectStep(page, 2)
  await sendToWallet(page)
  await phone.reject(asksToSend)
  await signingSheet(page).getByRole('heading', { name: 'You rejected the request on the phone' }).waitFor()
  await shoot('collateral-rejected', { narrow: true })
  await leave()

  await practice.faults({ transaction: 'unlimited' })
  await openCollateral(page, 'Deposit')
  await reviewCollateral(page, { token: 'SVC', amount: '100' })
  await signingSheet(page).getByRole('heading', { name: 'Not sent to your wallet' }).waitFor()
  await shoot('collateral-refused', { narrow: true })
  await practice.clearFaults()
  await leave()

  await practice.faults({ prepared: 'preflight_failed' })
  await openCollateral(page, 'Withdraw')
  await reviewCollateral(page, { amount: '200' })
  await collateralSheet(page).getByRole('alert').waitFor()
  await shoot('collateral-withdraw', { narrow: true })
  await practice.clearFaults()
  await page.keyboard.press('Escape')
}
