import type { Locator, Page } from '@playwright/test'
import { happened, intentDetail, openActivity, openRequest } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { asksToSign, type PhonePage } from '../../pages/phone.ts'
import { join } from '../../pages/ready.ts'
import { sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import type { Desk } from '../../support/desk.ts'
import { expect, test } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'

const atOnce = { timeout: 2_500 }
const relay = 'POST /api/dex/actions/relay'

const heading = (page: Page, name: string): Locator => signingSheet(page).getByRole('heading', { name })

async function orderOnSheet(desk: Desk): Promise<PhonePage> {
  const phone = await join(desk, 'answers')
  await goTo(desk.main, 'Trade')
  await reviewOrder(desk.main, { value: '250' })
  await expect(signingSheet(desk.main)).toBeVisible()
  return phone
}

/** Advances the exchange’s clock and waits until the exchange has answered a request of the app, so that the app notices the new time. */
async function pass(practice: Practice, ms: number): Promise<void> {
  const before = (await practice.calls()).length
  await practice.advance(ms)
  await expect.poll(async () => (await practice.calls()).slice(before).some(({ status }) => status === 200)).toBe(true)
}

test('the app does not relay an order that the phone rejected or another account signed; it relays a valid signature once [FLOW-01]', async ({
  open,
  practice,
}) => {
  const desk = await open()
  const page = desk.main
  const phone = await orderOnSheet(desk)
  await sendToWallet(page)
  await phone.reject(asksToSign)
  await expect(heading(page, 'You rejected the request on the phone')).toBeVisible()
  await expect(signingSheet(page)).toContainText('The wallet answered that you did not approve this order.')
  await expect(signingSheet(page)).toContainText('Nothing was signed and nothing was sent.')
  await signingSheet(page).getByRole('button', { name: 'Prepare again' }).click()

  await practice.wallet({ signAs: 'other' })
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await expect(heading(page, 'Signed, but not sent to the service')).toBeVisible()
  await expect(signingSheet(page).getByRole('alert')).toContainText('The signature is not from this wallet')
  expect(await practice.callsTo(relay)).toEqual([])

  await practice.wallet({ signAs: null })
  await signingSheet(page).getByRole('button', { name: 'Send again' }).click()
  await phone.approve(asksToSign)
  await expect(heading(page, 'Sent. Waiting for eight blocks')).toBeVisible()
  expect((await practice.callsTo(relay)).map(({ status }) => status)).toEqual([200])
  expect((await practice.effects()).relayed).toHaveLength(1)
  await signingSheet(page).getByRole('button', { name: 'Open in Activity' }).click()
  await expect(page.getByRole('table', { name: 'Orders' }).getByRole('row').filter({ hasText: 'Cancelled' })).toHaveCount(1)
})

test('if the WalletConnect relay fails before or during the phone request, the user can still sign the order later [FLOW-01]', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  const phone = await orderOnSheet(desk)
  await practice.relay({ up: false })
  await sendToWallet(page)
  await expect(heading(page, 'The wallet is unreachable')).toBeVisible(atOnce)
  await expect(signingSheet(page)).toContainText('The app keeps the order until its deadline.')
  expect((await practice.phone()).requests).toEqual([])
  await practice.relay({ up: true })
  await signingSheet(page).getByRole('button', { name: 'Send again' }).click()
  await phone.asks(asksToSign)

  await practice.relay({ up: false })
  await expect(signingSheet(page)).toContainText('The relay does not respond. Trying again', atOnce)
  await phone.approve(asksToSign)
  await practice.relay({ up: true })
  await expect(heading(page, 'Sent. Waiting for eight blocks')).toBeVisible({ timeout: 30_000 })
  expect((await practice.effects()).relayed).toHaveLength(1)
  expect((await practice.effects()).prepared).toBe(1)
})

test('the app sends no order to a wallet on another chain than Base, and discards that wallet’s late response [GEN-08]', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  const phone = await orderOnSheet(desk)
  await practice.wallet({ chain: 1 })
  await expect(page.getByText('The wallet is on Ethereum.')).toBeVisible()
  await sendToWallet(page)
  await expect(signingSheet(page).getByText('The wallet is on another chain')).toBeVisible()
  await expect(signingSheet(page)).toContainText('this exchange is on Base (chain 8453)')
  expect((await practice.phone()).requests).toEqual([])
  await practice.wallet({ chain: 8453 })
  await expect(page.getByText('The wallet is on Ethereum.')).toBeHidden()
  await sendToWallet(page)
  await phone.asks(asksToSign)

  // The phone responds in time, but the relay delivers the response after the order’s deadline.
  await practice.relay({ hold: true })
  await practice.advance(200_000)
  await phone.approve(asksToSign)
  await pass(practice, 101_000)
  await expect(heading(page, 'The time for this order is over')).toBeVisible()
  await practice.relay({ hold: false })
  await expect.poll(async () => (await practice.phone()).requests).toEqual([])
  await expect(heading(page, 'Your signature came too late')).toBeVisible()
  await expect(signingSheet(page)).toContainText('Approved on the phone')
  await expect(signingSheet(page)).not.toContainText('No approval received')
  await expect(signingSheet(page)).toContainText('Too late, so nothing was sent')
  await expect(signingSheet(page)).not.toContainText('Signature checked, then relayed')
  await expect(signingSheet(page).getByRole('alert')).toContainText(
    /The app discarded the signature\. Nothing was sent.*prepare the request again\. Preparing again makes a new order/,
  )
  expect(await practice.callsTo(relay)).toEqual([])
  await signingSheet(page).getByRole('button', { name: 'Close' }).click()
  await goTo(page, 'Activity')
  await page.getByRole('table', { name: 'Orders' }).getByRole('button').first().click()
  await expect(intentDetail(page)).toContainText('The signature arrived after the deadline. The app discarded it and sent nothing.')
  await expect(happened(page)).toContainText(/Expired.*Afterwards/)
})

test('an order that the phone never answers ends at its deadline, and the user can prepare it again as a new order', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  const phone = await orderOnSheet(desk)
  await sendToWallet(page)
  await phone.asks(asksToSign)
  await pass(practice, 301_000)
  await expect(heading(page, 'The time for this order is over')).toBeVisible()
  await expect(signingSheet(page)).toContainText('The app does not use a signature that comes now.')
  await signingSheet(page).getByRole('button', { name: 'Prepare again' }).click()
  await expect(signingSheet(page).getByRole('button', { name: 'Send to wallet' })).toBeVisible()
  const { prepared, relayed } = await practice.effects()
  expect({ prepared, relayed }).toEqual({ prepared: 2, relayed: [] })
  await page.keyboard.press('Escape')
  await openActivity(page, 'Requests')
  await (await openRequest(page, /POST .*orders\/prepare/)).getByRole('link', { name: 'Show order' }).click()
  await expect(intentDetail(page).getByRole('heading', { name: /^Long 250\.00 USDC/ })).toBeVisible()
  await expect(intentDetail(page).getByRole('table', { name: 'Requests of this order' })).toContainText('orders/prepare')
})

test('if the wallet disconnects while an order waits for its signature, the app reports the disconnection at once and sends nothing', async ({
  open,
  practice,
}) => {
  const desk = await open()
  const phone = await orderOnSheet(desk)
  await sendToWallet(desk.main)
  await phone.asks(asksToSign)
  await practice.wallet({ disconnect: true })
  await expect(heading(desk.main, 'No wallet is connected')).toBeVisible(atOnce)
  await expect(signingSheet(desk.main)).toContainText('The phone ended its connection to this app.')
  expect(await practice.callsTo(relay)).toEqual([])
})

test('if the relay’s response is lost, the signing sheet warns that the order may still take effect [FLOW-06]', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  const phone = await orderOnSheet(desk)
  const lookUps = ['GET /api/dex/v1/orders/by-client-id', 'GET /api/dex/v1/transactions']
  await practice.faults({
    dropAnswer: [{ route: relay, times: 1 }],
    answer: lookUps.map((route) => ({ route, status: 503, code: 'UNAVAILABLE', times: 1_000 })),
  })
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await expect(heading(page, 'The response was lost')).toBeVisible()
  await expect(signingSheet(page)).toContainText('It may still take effect, so do not repeat it.')
  await practice.clearFaults()
  await expect(heading(page, 'The response was lost')).toBeHidden({ timeout: 30_000 })
  expect((await practice.effects()).relayed).toHaveLength(1)
})
