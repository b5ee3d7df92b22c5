import type { Page } from '@playwright/test'
import type { Faults } from '../../../electron/practice/base/faults.ts'
import { activityRows, happened, intentDetail, openActivity, reports } from '../../pages/activity.ts'
import { collateralSheet, expectStep, openCollateral, openUnknownDeposit, reviewCollateral, steps } from '../../pages/collateral.ts'
import { goTo } from '../../pages/frame.ts'
import { createCustomKey } from '../../pages/keys.ts'
import { expectKeyStored } from '../../pages/new-key.ts'
import { asksToSend, asksToSign, type PhonePage, phonePage } from '../../pages/phone.ts'
import { pair, signIn } from '../../pages/ready.ts'
import { comparisonLine, expectFinal, hiddenLines, sendToWallet, signingSheet } from '../../pages/signing.ts'
import { acts, sees } from '../../support/coverage.ts'
import type { Desk } from '../../support/desk.ts'
import { expect, test } from '../../support/fixtures.ts'
import { holdingsOf } from '../../support/holdings.ts'
import type { Practice } from '../../support/practice.ts'
import { setCode } from '../../support/receipt.ts'
import { withoutContracts } from '../../support/unnamed-contracts.ts'

const relay = 'POST /api/dex/actions/relay'
const receipt = 'POST /api/dex/actions/receipt'
const prepare = 'POST /api/dex/v1/orders/prepare'

/** Sets up a key that may move collateral. The wallet has 5,000 USDC and 2,500 SVC, plus 10,000 USDC on the exchange. */
async function treasurer(desk: Desk): Promise<PhonePage> {
  const phone = await pair(desk)
  await signIn(desk.main, phone)
  await createCustomKey(desk.main, { label: 'treasury', preset: 'Treasury' })
  await expectKeyStored(desk.main, 'treasury')
  return phone
}

/** Mines blocks until the sheet shows the transaction as final, then closes the sheet. */
async function seeFinal(page: Page, practice: Practice): Promise<void> {
  await expect(signingSheet(page).getByRole('heading', { name: /^Sent\. |^Done\. / })).toBeVisible()
  await practice.chain({ mine: 8 })
  await expectFinal(page)
  await page.keyboard.press('Escape')
  await expect(signingSheet(page)).toBeHidden()
}

test('the user deposits exactly the entered amount of USDC with one signature, without ETH, and leaves no token allowance [FLOW-04, ORD-05]', async ({
  open,
  practice,
  profileDir,
}) => {
  const desk = await open({ descriptorFile: withoutContracts(practice, profileDir) })
  const page = desk.main
  const phone = await treasurer(desk)
  const sheet = await openCollateral(page, 'Deposit')
  await expect(sheet).toContainText('In your wallet 5,000.00 USDC')
  await reviewCollateral(page, { amount: '5000.01' })
  await expect(sheet.getByRole('alert')).toContainText('Your wallet holds 5,000.00 USDC.')
  await reviewCollateral(page, { amount: '500', way: 'One signature' })
  await expect(signingSheet(page)).toContainText('It needs no ETH: an executor of the exchange sends the deposit and pays the gas.')
  await expect(comparisonLine(page, 'amount')).toContainText('500.00')
  await expect(signingSheet(page)).toContainText('This allows taking 500.00 USDC from your wallet, and no more.')
  await test.step('on a signing sheet with several questions, no line of the comparison is cut off, and the buttons stay visible', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const questions = signingSheet(page).getByRole('region', { name: /^A .+ to confirm$/ })
    await expect(questions.nth(1)).toBeVisible()
    expect(await hiddenLines(page)).toBeLessThanOrEqual(1)
    const send = signingSheet(page).getByRole('button', { name: 'Send to wallet' })
    await expect(send).toBeInViewport({ ratio: 1 })
    await questions.last().scrollIntoViewIfNeeded()
    await expect(send).toBeInViewport({ ratio: 1 })
  })
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await seeFinal(page, practice)
  await acts('add_collateral', async () => {
    expect(await holdingsOf(practice, 'USDC')).toEqual({ wallet: 4_500_000_000n, allowance: 0n, exchange: '10499.98' })
    expect((await practice.callsTo(relay)).map(({ status }) => status)).toEqual([200])
  })
})

test('the user deposits USDC by an exact approval and a transaction, then deposits the token SVC and withdraws USDC [FLOW-03, FLOW-05, ORD-05]', async ({
  open,
  practice,
}) => {
  const desk = await open()
  const page = desk.main
  const phone = await treasurer(desk)
  await openCollateral(page, 'Deposit')
  await reviewCollateral(page, { amount: '500', way: 'Transactions' })
  await expect(signingSheet(page)).toContainText('2 transactions, which your wallet sends itself, one after another.')
  await expect(steps(page)).toHaveText([/Approve exactly 500\.00 USDC/, /Deposit 500\.00 USDC/])
  await expectStep(page, 1)
  await expect(comparisonLine(page, 'amount')).toContainText('500.00')
  await practice.faults({ answer: [{ route: receipt, status: 400, code: 'BAD_REQUEST', times: 1 }] })
  await sendToWallet(page)
  await phone.approve(asksToSend)
  await expectStep(page, 2)
  expect(await holdingsOf(practice, 'USDC')).toEqual({ wallet: 5_000_000_000n, allowance: 500_000_000n, exchange: '10000.00' })
  expect((await practice.phone()).requests).toEqual([])
  await sendToWallet(page)
  await phone.approve(asksToSend)
  await seeFinal(page, practice)
  await acts('add_collateral', async () => expect(await holdingsOf(practice, 'USDC')).toEqual({ wallet: 4_500_000_000n, allowance: 0n, exchange: '10500.00' }))

  await openCollateral(page, 'Deposit')
  await reviewCollateral(page, { token: 'SVC', amount: '100' })
  await expectStep(page, 1)
  await sendToWallet(page)
  await phone.approve(asksToSend)
  await expectStep(page, 2)
  await sendToWallet(page)
  await phone.approve(asksToSend)
  await seeFinal(page, practice)
  expect(await holdingsOf(practice, 'SVC')).toMatchObject({ wallet: 2_400n * 10n ** 18n, allowance: 0n, exchange: '100' })

  const sheet = await openCollateral(page, 'Withdraw')
  await reviewCollateral(page, { amount: '10500.01' })
  await expect(sheet.getByRole('alert')).toContainText('You can withdraw 10,500.00 USDC.')
  await reviewCollateral(page, { amount: '200' })
  await expect(signingSheet(page)).toContainText('One transaction, which your wallet sends itself.')
  await sendToWallet(page)
  await phone.approve(asksToSend)
  await seeFinal(page, practice)
  await acts('withdraw_collateral', async () =>
    expect(await holdingsOf(practice, 'USDC')).toEqual({ wallet: 4_700_000_000n, allowance: 0n, exchange: '10300.00' }),
  )
  expect(await practice.callsTo(relay)).toEqual([])
  await openActivity(page, 'Orders')
  await page.getByRole('table', { name: 'Orders' }).getByRole('row').filter({ hasText: 'Deposit 500.00 USDC' }).click()
  await expect(reports(page)).toHaveText([/Refused.*sends no transaction\.\* events/, /Reported.*sends transaction\.\* events/])
  await intentDetail(page).getByRole('button', { name: 'Report again' }).click()
  await expect(reports(page)).toHaveText([/Reported/, /Reported/])
  await expect(intentDetail(page).getByRole('button', { name: 'Report again' })).toBeHidden()
  await sees(practice, 'POST /api/dex/actions/receipt', async () => {
    await openActivity(page, 'Requests')
    await page.getByRole('textbox', { name: 'Filter requests' }).fill('actions/receipt')
    await expect(activityRows(page, 'Requests').first()).toContainText('/api/dex/actions/receipt')
  })
})

test('a contract wallet deposits by transactions; if one is lost, the user marks it as not sent after checking the chain [FLOW-03, FLOW-04, FLOW-07]', async ({
  open,
  practice,
}) => {
  const desk = await open()
  const page = desk.main
  const phone = await treasurer(desk)
  const { rpcUrl, walletAddress } = practice.descriptor
  await setCode(rpcUrl, walletAddress, '0x6001')
  const sheet = await openCollateral(page, 'Deposit')
  await expect(sheet).toContainText('Your wallet is a contract, and not every token accepts its permit.')
  await expect(sheet.getByRole('radio', { name: 'Transactions' })).toBeChecked()
  await reviewCollateral(page, { amount: '500', way: 'One signature' })
  await expect(signingSheet(page)).toContainText(/Your wallet is a contract\..*works only if the token checks contract signatures/)
  await signingSheet(page).getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('Escape')
  await openCollateral(page, 'Deposit')
  await expect(sheet.getByRole('radio', { name: 'Transactions' })).toBeChecked()
  await reviewCollateral(page, { amount: '500' })
  await sendToWallet(page)
  await phone.asks(asksToSend)

  await openUnknownDeposit(page, practice)
  await expect(intentDetail(page)).toContainText('Check the wallet first')
  await intentDetail(page).getByRole('button', { name: 'Mark as not sent' }).click()
  const question = page.getByRole('alertdialog', { name: 'Mark as not sent?' })
  await question.getByRole('textbox').fill('not sent')
  await question.getByRole('button', { name: 'Mark as not sent' }).click()
  await expect(happened(page)).toContainText(/You said that the transaction was not sent\. Up to block \d+, the chain showed no such transaction\./)
  expect(await holdingsOf(practice, 'USDC')).toEqual({ wallet: 5_000_000_000n, allowance: 0n, exchange: '10000.00' })
})

test('if the wallet rejects a deposit after its token approval, the approval remains, and the next attempt needs only the deposit [FLOW-03]', async ({
  open,
  practice,
}) => {
  const desk = await open()
  const page = desk.main
  const phone = await treasurer(desk)
  await openCollateral(page, 'Deposit')
  await reviewCollateral(page, { amount: '300', way: 'Transactions' })
  await sendToWallet(page)
  await phone.approve(asksToSend)
  await expectStep(page, 2)
  await sendToWallet(page)
  await phone.reject(asksToSend)
  const sheet = signingSheet(page)
  await expect(sheet.getByRole('heading', { name: 'You rejected the request on the phone' })).toBeVisible()
  await expect(sheet).toContainText('The earlier steps stay on the chain: Approve exactly 300.00 USDC.')
  await sheet.getByRole('button', { name: 'Prepare again' }).click()
  await expect(sheet).toContainText('One transaction, which your wallet sends itself.')
  await expect(steps(page)).toHaveCount(0)
  await sendToWallet(page)
  await phone.approve(asksToSend)
  await seeFinal(page, practice)
  expect(await holdingsOf(practice, 'USDC')).toEqual({ wallet: 4_700_000_000n, allowance: 0n, exchange: '10300.00' })
})

test('the app blocks an altered transaction, names the difference, and never sends it to the phone [FLOW-03]', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  await treasurer(desk)
  const altered: readonly (readonly [NonNullable<Faults['transaction']>, string | RegExp])[] = [
    ['spender', /The transaction lets 0x0{36}dEaD take your tokens\. The router is 0x/],
    ['unlimited', 'The transaction is for USDC without a limit. You asked for 400.00 USDC.'],
    ['token', /^.*0x00000{32}dEaD/],
    ['wallet', /0x00000{32}dEaD/],
    ['value', /sends .* ETH along, which you did not ask for\./],
    ['selector', /calls/],
  ]
  for (const [transaction, sentence] of altered)
    await test.step(transaction, async () => {
      await practice.faults({ transaction })
      await openCollateral(page, 'Deposit')
      await reviewCollateral(page, { amount: '400', way: 'Transactions' })
      const sheet = signingSheet(page)
      await expect(sheet.getByRole('heading', { name: 'Not sent to your wallet' })).toBeVisible()
      await expect(sheet).toContainText(sentence)
      await expect(sheet.getByRole('button', { name: 'Send to wallet' })).toBeHidden()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await expect(signingSheet(page)).toBeHidden()
      expect((await practice.phone()).requests).toEqual([])
    })
  expect(await holdingsOf(practice, 'USDC')).toMatchObject({ wallet: 5_000_000_000n, allowance: 0n })
})

test('if the app is killed between token approval and deposit, the user continues from Activity, and nothing is sent twice [FLOW-03, FLOW-06]', async ({
  open,
  practice,
}) => {
  let desk = await open()
  const phone = await treasurer(desk)
  await openCollateral(desk.main, 'Deposit')
  await reviewCollateral(desk.main, { amount: '250', way: 'Transactions' })
  await sendToWallet(desk.main)
  await phone.approve(asksToSend)
  await expectStep(desk.main, 2)
  await desk.kill()

  desk = await open()
  const page = desk.main
  await openActivity(page, 'Orders')
  await page.getByRole('table', { name: 'Orders' }).getByRole('row').filter({ hasText: 'Deposit 250.00 USDC' }).click()
  await intentDetail(page).getByRole('button', { name: 'Continue' }).click()
  await expectStep(page, 2)
  await sendToWallet(page)
  await signingSheet(page).getByRole('button', { name: 'Show the phone' }).click()
  await phonePage(await desk.phone()).approve(asksToSend)
  await seeFinal(page, practice)
  await expect(intentDetail(page)).toContainText('Final')
  expect(await holdingsOf(practice, 'USDC')).toEqual({ wallet: 4_750_000_000n, allowance: 0n, exchange: '10250.00' })
  expect((await practice.callsTo(prepare)).filter(({ action }) => action === 'add_collateral')).toHaveLength(1)
})

test('if the exchange cannot execute a withdrawal, the app shows the reason and sends nothing to the phone [ORD-10]', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  await treasurer(desk)
  await practice.faults({ prepared: 'preflight_failed' })
  const sheet = await openCollateral(page, 'Withdraw')
  await reviewCollateral(page, { amount: '100' })
  await expect(sheet.getByRole('alert')).toContainText('The exchange cannot execute this')
  await expect(sheet.getByRole('alert')).toContainText('oracle_unavailable')
  await page.keyboard.press('Escape')
  await expect(collateralSheet(page)).toBeHidden()
  await goTo(page, 'Overview')
  expect((await practice.phone()).requests).toEqual([])
})
