import { expect, type Page } from '@playwright/test'
import { happened, intentDetail, openActivity } from '../pages/activity.ts'
import { goTo } from '../pages/frame.ts'
import { askForGrant, expectKeyStored, openGrant, prepareKey, refusedGrant } from '../pages/new-key.ts'
import { asksToSign, type PhonePage } from '../pages/phone.ts'
import { join, pair, signIn } from '../pages/ready.ts'
import { sendToWallet, signingSheet } from '../pages/signing.ts'
import { reviewOrder } from '../pages/ticket.ts'
import { askChain, setCode } from '../support/receipt.ts'
import type { Studio } from './shots-studio.ts'

const minuteMs = 60_000
const relay = 'POST /api/dex/actions/relay'
/** Contract bytecode that makes every call revert. */
const reverting = '0x60006000fd'

const sheetSays = (page: Page, heading: string | RegExp) => signingSheet(page).getByRole('heading', { name: heading }).waitFor()

const leave = (page: Page) =>
  expect(async () => {
    await page.keyboard.press('Escape')
    await expect(signingSheet(page)).toBeHidden({ timeout: 500 })
  }).toPass()

async function sleepFor({ desk, practice }: Studio, ms: number): Promise<void> {
  await practice.advance(ms)
  await desk.app.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'))
}

async function review(page: Page, value: string): Promise<void> {
  await goTo(page, 'Trade')
  await reviewOrder(page, { value })
  await signingSheet(page).getByRole('button', { name: 'Send to wallet' }).waitFor()
}

async function openIntent(page: Page, title: string, state: string | RegExp): Promise<void> {
  await openActivity(page, 'Orders')
  await page.getByRole('table', { name: 'Orders' }).getByRole('row').filter({ hasText: title }).filter({ hasText: state }).first().click()
  await happened(page).waitFor()
}

async function grants(studio: Studio, phone: PhonePage): Promise<void> {
  const { page, practice, shoot } = studio
  await practice.faults({ grant: 'agent' })
  await askForGrant(page, 'careful')
  await refusedGrant(page).click()
  await sheetSays(page, 'Not sent to your wallet')
  await shoot('sheet-grant-refused', { narrow: true })
  await leave(page)
  await practice.clearFaults()
  await page.getByRole('button', { name: 'Leave without creating' }).click()
  await prepareKey(page, 'careful')
  await openGrant(page)
  await shoot('sheet-grant-first', { narrow: true })
  await sendToWallet(page)
  await phone.asks(asksToSign)
  await shoot('sheet-grant-waiting')
  await phone.reject(asksToSign)
  await sheetSays(page, 'You rejected the request on the phone')
  await shoot('sheet-grant-rejected')
  await leave(page)
  await openGrant(page)
  await sleepFor(studio, 30 * minuteMs)
  await signingSheet(page).getByText('The time for this grant is over').waitFor()
  await shoot('sheet-grant-over')
  await signingSheet(page).getByRole('button', { name: 'Prepare again' }).click()
  await openGrant(page)
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await expectKeyStored(page, 'careful')
}

async function unsigned(studio: Studio, phone: PhonePage): Promise<void> {
  const { page, practice, shoot } = studio
  await review(page, '250')
  await practice.faults({ priceShiftBps: 120 })
  await signingSheet(page).getByRole('button', { name: 'Use new price' }).waitFor()
  await shoot('sheet-price-moved', { narrow: true })
  await signingSheet(page).getByRole('button', { name: 'Use new price' }).click()
  await signingSheet(page).getByRole('button', { name: 'Send to wallet' }).waitFor()
  await practice.wallet({ chain: 1 })
  await page.getByText('The wallet is on Ethereum.').waitFor()
  await sendToWallet(page)
  await signingSheet(page).getByText('The wallet is on another chain').waitFor()
  await shoot('sheet-other-chain', { narrow: true })
  await practice.wallet({ chain: 8453 })
  await page.getByText('The wallet is on Ethereum.').waitFor({ state: 'hidden' })
  await practice.relay({ up: false })
  await sendToWallet(page)
  await sheetSays(page, 'The wallet is unreachable')
  await shoot('sheet-unreachable')
  await practice.relay({ up: true })
  await signingSheet(page).getByRole('button', { name: 'Send again' }).click()
  await phone.asks(asksToSign)
  await practice.relay({ hold: true })
  await practice.advance(200_000)
  await phone.approve(asksToSign)
  await sleepFor(studio, 101_000)
  await sheetSays(page, 'The time for this order is over')
  await shoot('sheet-over', { narrow: true })
  await practice.relay({ hold: false })
  await sheetSays(page, 'Your signature came too late')
  await shoot('sheet-late', { narrow: true })
  await signingSheet(page).getByRole('button', { name: 'Close' }).click()

  await review(page, '260')
  await sleepFor(studio, 5 * minuteMs)
  await signingSheet(page).getByText('The time for this order is over').waitFor()
  await shoot('sheet-over-unsent')
  await leave(page)
  await openIntent(page, 'Long 250.00 USDC', 'Expired')
  await shoot('journal-expired', { narrow: true })
  await openIntent(page, 'Long 250.00 USDC', 'Cancelled')
  await shoot('journal-cancelled')

  await practice.faults({ typedData: 'new_layout' })
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '270' })
  await sheetSays(page, 'Not sent to your wallet')
  await shoot('sheet-new-layout', { narrow: true })
  await leave(page)
  await practice.faults({ typedData: 'router' })
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '275' })
  await sheetSays(page, 'Not sent to your wallet')
  await shoot('sheet-other-router', { narrow: true })
  await leave(page)
  await practice.faults({ typedData: null })
}

async function signed({ page, practice, shoot }: Studio, phone: PhonePage): Promise<void> {
  const { rpcUrl, router } = practice.descriptor
  const relayed = async () => (await practice.effects()).relayed
  await review(page, '420')
  await practice.wallet({ signAs: 'other' })
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await sheetSays(page, 'Signed, but not sent to the service')
  await shoot('sheet-other-account', { narrow: true })
  await practice.wallet({ signAs: null })
  await practice.chain({ pause: true })
  await signingSheet(page).getByRole('button', { name: 'Send again' }).click()
  await phone.approve(asksToSign)
  await sheetSays(page, 'Sent. Waiting for eight blocks')
  await shoot('sheet-sent', { narrow: true })
  await leave(page)
  await practice.chain({ mine: 3 })
  await openIntent(page, 'Long 420.00 USDC', /Confirming|Sent/)
  await expect(intentDetail(page)).toContainText('3 of 8')
  await shoot('journal-confirming')
  await practice.chain({ mine: 6 })
  await intentDetail(page).getByRole('status').filter({ hasText: '8 of 8 confirmations' }).waitFor({ timeout: 30_000 })
  await shoot('journal-final', { narrow: true })
  const hash = (await relayed())[0]?.tx_hash
  const raw = await askChain(rpcUrl, 'eth_getRawTransactionByHash', [hash])
  await practice.chain({ reorg: 9 })
  // The app checks orders that are already final only every few seconds, so the text takes longer to appear.
  await expect(intentDetail(page)).toContainText('A chain reorganisation removed the block', { timeout: 30_000 })
  await shoot('journal-taken-back', { narrow: true })
  await askChain(rpcUrl, 'eth_sendRawTransaction', [raw])
  await practice.chain({ mine: 8 })
  await intentDetail(page).getByRole('status').filter({ hasText: '8 of 8 confirmations' }).waitFor({ timeout: 30_000 })

  // The order is relayed while the router contract works. Before the next block, the contract is replaced by one that reverts.
  await review(page, '430')
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await sheetSays(page, 'Sent. Waiting for eight blocks')
  await expect.poll(async () => (await relayed()).length).toBe(2)
  const code = await askChain(rpcUrl, 'eth_getCode', [router, 'latest'])
  await setCode(rpcUrl, router, reverting)
  await practice.chain({ mine: 1 })
  await setCode(rpcUrl, router, String(code))
  await practice.chain({ mine: 8, pause: false })
  await sheetSays(page, 'Reverted on Base')
  await shoot('sheet-reverted', { narrow: true })
  await leave(page)
  await openIntent(page, 'Long 430.00 USDC', 'Reverted')
  await shoot('journal-reverted', { narrow: true })

  const unanswered = ['GET /api/dex/v1/orders/by-client-id', 'GET /api/dex/v1/transactions']
  await review(page, '440')
  await practice.faults({
    dropAnswer: [{ route: relay, times: 1 }],
    answer: unanswered.map((route) => ({ route, status: 503, code: 'UNAVAILABLE', times: 1_000 })),
  })
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await expect.poll(async () => (await relayed()).length).toBe(3)
  await sheetSays(page, /unknown|not known|lost|status check/i)
  await shoot('sheet-unknown', { narrow: true })
  await leave(page)
  await openIntent(page, 'Long 440.00 USDC', 'Unknown')
  await shoot('journal-unknown', { narrow: true })
  await goTo(page, 'Overview')
  await shoot('journal-unknown-overview')
  await practice.clearFaults()
  // An order with an unknown outcome blocks new orders, so this order must become final first.
  await openIntent(page, 'Long 440.00 USDC', 'Filled')
}

export async function takeUnsignedShots(studio: Studio): Promise<void> {
  const phone = await pair(studio.desk)
  await signIn(studio.page, phone)
  await grants(studio, phone)
  await unsigned(studio, phone)
}

export async function takeSignedShots(studio: Studio): Promise<void> {
  const { desk, page, practice, shoot } = studio
  const phone = await join(desk, 'careful')
  await signed(studio, phone)
  await review(page, '450')
  await sendToWallet(page)
  await phone.asks(asksToSign)
  await practice.wallet({ disconnect: true })
  await sheetSays(page, 'No wallet is connected')
  await shoot('sheet-no-wallet', { narrow: true })
  await leave(page)
}
