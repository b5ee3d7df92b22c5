import { formatDecimal } from '../../../shared/decimal.ts'
import { goTo } from '../../pages/frame.ts'
import { keyIdOf, keyRow } from '../../pages/keys.ts'
import { expectKeyStored, openGrant, prepareKey } from '../../pages/new-key.ts'
import { asksToSign } from '../../pages/phone.ts'
import { join, openSignedIn, pair } from '../../pages/ready.ts'
import { expectSignedIn, openSignIn, sendChallenge } from '../../pages/sign-in.ts'
import { comparisonLine, contractQuestions, expectFinal, fillResult, phonePicture, sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewButton, reviewOrder, ticket } from '../../pages/ticket.ts'
import { blotter, blotterRow, chart, figure, marketHead } from '../../pages/trade.ts'
import { acts, sees } from '../../support/coverage.ts'
import { openDesk } from '../../support/desk.ts'
import { expect, test, testWithKey } from '../../support/fixtures.ts'
import { keptSecrets } from '../../support/keyring.ts'
import type { Practice } from '../../support/practice.ts'
import { receiptOf } from '../../support/receipt.ts'

/** Requests the account with a key, as a bot would. */
const accountWith = (hostUrl: string, apiKey: string) => fetch(`${hostUrl}/api/dex/v1/account`, { headers: { 'X-Svc-API-Key': apiKey } })

/** The exchange’s own list of trades for one transaction. */
async function tradesOf(practice: Practice, hash: string) {
  const wallet = (await practice.effects()).positions[0]?.wallet
  const answer = await fetch(`${practice.descriptor.hostUrl}/api/dex/trades?wallet=${wallet}`)
  interface Listed {
    readonly trades: { readonly items: readonly { readonly tx_hash: string; readonly price: string; readonly size: string; readonly fee_usdc: string }[] }
  }
  const { trades } = (await answer.json()) as Listed // safe cast: the practice exchange sends this shape
  return trades.items.filter(({ tx_hash }) => tx_hash === hash)
}

/** Matches a number as the app shows it: with optional zeros at its end and an optional unit. */
const shownNumber = (value: string): RegExp => new RegExp(`^${formatDecimal(value).replaceAll('.', '\\.')}(?:\\.?0+)?(?: |$)`)

test('in the product build, without test hooks, a user gets from the first screen to a final order [KEY-05, FLOW-06, GEN-08]', async ({ profileDir }) => {
  const desk = await openDesk({ profileDir, variant: 'product' })
  try {
    const page = desk.main
    const phone = await join(desk, 'first-bot')
    const keyId = await keyIdOf(page, 'first-bot')
    const secrets = keptSecrets(keyId)
    expect(secrets).toEqual([expect.stringMatching(/^SVC/)])
    const band = page.getByRole('region', { name: 'Practice' }).locator('[data-part=host]')
    expect((await accountWith(`http://${await band.innerText()}`, secrets[0] ?? '')).status).toBe(200)

    await goTo(page, 'Trade')
    await reviewOrder(page, { side: 'Short', value: '400' })
    await expect(comparisonLine(page, 'chain')).toContainText(/Base \(8453\).*matches.*Base \(8453\)/)
    await sendToWallet(page)
    await phone.asks(asksToSign)
    await expect(phone.page.getByRole('main')).toContainText('400.00')
    await phone.approve(asksToSign)
    await expectFinal(page)
    await signingSheet(page).getByRole('button', { name: 'Done' }).click()
    await expect(blotterRow(page, 'Positions', 'BTC-PERP')).toContainText('Short')
  } finally {
    await desk.close()
  }
})

test('a user without a key sees the markets from public routes, then creates a bot-ready key with a sign-in and one more signature [GEN-10, KEY-10, AUTH-06]', async ({
  open,
  practice,
}) => {
  const { main: page, ...desk } = await open()
  const phone = await pair({ main: page, ...desk })
  await test.step('the app shows the markets without a key', async () => {
    const now = page.getByRole('table', { name: 'Markets now' })
    await sees(practice, 'GET /api/dex/markets', () => expect(now.getByRole('link', { name: 'ETH-PERP' })).toBeVisible())
    await sees(practice, 'GET /api/dex/summaries', () => expect(now.getByRole('row').filter({ hasText: 'BTC-PERP' })).toContainText(/[\d,]+\.\d/))
    await goTo(page, 'Trade')
    await expect(marketHead(page)).toContainText('Public data')
    await sees(practice, 'GET /api/dex/candles', () => expect(chart(page)).toBeVisible())
  })
  await test.step('the user signs in', async () => {
    const sheet = await openSignIn(page)
    await sees(practice, 'POST /api/dex/developer/challenge', async () => {
      await expect(sheet).toContainText('6 of 6 checks pass.')
      await expect(sheet).toContainText(new URL(practice.descriptor.hostUrl).host)
    })
    await sendChallenge(page)
    await phone.approve(asksToSign)
    await sees(practice, 'POST /api/dex/developer/session', () => expectSignedIn(page))
  })
  await test.step('the user creates a key with one signature', async () => {
    await prepareKey(page, 'grid-bot')
    await sees(practice, 'POST /api/dex/developer/keys/prepare', () =>
      expect(page.getByRole('complementary', { name: 'The grant in plain words' })).toContainText('Not allowed'),
    )
    expect((await practice.effects()).keys).toEqual([])
    await openGrant(page)
    // The practice exchange deployed the router itself, so the app asks no question about the contract.
    await expect(comparisonLine(page, 'contract')).toContainText(/Router you trust.*matches/)
    await expect(contractQuestions(page)).toHaveCount(0)
    await sendToWallet(page)
    await phone.approve(asksToSign)
    await sees(practice, 'POST /api/dex/developer/keys', () => expectKeyStored(page, 'grid-bot'))
    const keyId = await keyIdOf(page, 'grid-bot')
    await sees(practice, 'GET /api/dex/developer/keys', () => expect(keyRow(page, 'grid-bot')).toContainText('Granted'))
    expect((await practice.effects()).keys.map(({ key_id }) => key_id)).toEqual([keyId])
    expect((await accountWith(practice.descriptor.hostUrl, keptSecrets(keyId)[0] ?? '')).status).toBe(200)
  })
  await test.step('while the app reads the account with the new key, the Trade page does not say that a key is missing', async () => {
    await practice.faults({ delay: [{ route: 'GET /api/dex/v1/account', ms: 3_000 }] })
    await goTo(page, 'Trade')
    await expect(reviewButton(page)).toBeVisible()
    expect(await ticket(page).getByText('Trading needs an API key').count()).toBe(0)
    await practice.clearFaults()
    await expect(ticket(page)).toContainText('Free 10,000.00')
    await expect(reviewButton(page)).toBeEnabled()
  })
})

testWithKey(
  'the app prepares, compares, signs and relays an order and follows it to FINAL, and all views show it [GEN-06, ORD-02, FLOW-01]',
  async ({ open, practice }) => {
    const { page, phone } = await openSignedIn(open)
    await test.step('the views read their data with the key', async () => {
      await goTo(page, 'Overview')
      await sees(practice, 'GET /api/dex/v1/account', () => expect(page.getByRole('region', { name: 'Account' })).toContainText('10,000.00 USDC'))
      await goTo(page, 'Trade')
      await sees(practice, 'GET /api/dex/v1/markets', async () => {
        await marketHead(page)
          .getByRole('button', { name: /^Market BTC-PERP .*Choose another$/ })
          .click()
        await expect(page.getByRole('listbox', { name: 'Markets' }).getByRole('option')).toContainText(['BTC-PERP', 'ETH-PERP', 'SOL-PERP'])
      })
      await page.getByRole('listbox', { name: 'Markets' }).getByRole('option').filter({ hasText: 'ETH-PERP' }).click()
      await sees(practice, 'GET /api/dex/v1/summaries', async () => {
        await expect(figure(marketHead(page), 'Mark')).toHaveText(/^[\d,]+\.\d+$/)
        await expect(marketHead(page)).not.toContainText('Public data')
      })
      await sees(practice, 'GET /api/dex/v1/candles', () => expect(chart(page)).toHaveAccessibleName(/^ETH-PERP/))
      await sees(practice, 'GET /api/dex/v1/positions', () => expect(blotter(page)).toContainText('No open positions'))
    })
    await reviewOrder(page, { side: 'Long', value: '500', leverage: '20' })
    const sheet = signingSheet(page)
    await test.step('the order is prepared, but not yet executed', async () => {
      await sees(practice, 'POST /api/dex/v1/orders/prepare', async () => {
        await expect(sheet.getByRole('heading', { name: 'Open a long on ETH-PERP' })).toBeVisible()
        await expect(comparisonLine(page, 'orderValue')).toContainText(/500\.00.*matches.*500\.00/)
        await expect(comparisonLine(page, 'leverage')).toContainText(/20×.*matches.*20×/)
        await expect(figure(sheet, 'Trading fee')).toContainText('USDC')
      })
      const { prepared, positions, relayed } = await practice.effects()
      expect({ prepared, positions, relayed }).toEqual({ prepared: 1, positions: [], relayed: [] })
      expect((await practice.phone()).requests).toEqual([])
    })
    expect(await sendToWallet(page)).toBe(false)
    await expect(phonePicture(page)).toBeVisible()
    await phone.approve(asksToSign)
    let ordersRead = 0
    await test.step('the order is relayed and followed', async () => {
      await expect.poll(async () => (await practice.effects()).relayed.length).toBe(1)
      const hash = (await practice.effects()).relayed[0]?.tx_hash ?? 'none'
      await sees(practice, 'POST /api/dex/actions/relay', () => expect(sheet.getByTitle(hash)).toBeVisible())
      await practice.chain({ mine: 8 })
      await expectFinal(page)
      ordersRead = (await practice.callsTo('GET /api/dex/v1/orders')).length
      await sees(practice, 'GET /api/dex/v1/native/executions/{tx_hash}', () =>
        expect(sheet.getByRole('status').filter({ hasText: '8 of 8' })).toContainText('Final'),
      )
      await test.step('once the order is final, the signing sheet shows its fill and the position, and no longer the picture of the phone', async () => {
        await expect(phonePicture(page)).toHaveCount(0)
        await expect(sheet.getByRole('img', { name: '8 of 8 confirmations' })).toHaveCount(1)
        const trades = await tradesOf(practice, hash)
        expect(trades).toHaveLength(1)
        const { price = '', size = '', fee_usdc: fee = '' } = trades[0] ?? {}
        await expect(figure(fillResult(page), 'Fill price')).toHaveText(shownNumber(price))
        await expect(figure(fillResult(page), 'Filled')).toHaveText(shownNumber(size))
        await expect(figure(fillResult(page), 'Filled')).toContainText('ETH')
        await expect(figure(fillResult(page), 'Fee')).toHaveText(shownNumber(fee))
        await expect(figure(fillResult(page), 'Entry price')).toHaveText(shownNumber(price))
        await expect(figure(fillResult(page), 'Size')).toContainText(/Long.*20×/)
      })
      await sheet.getByRole('button', { name: 'Done' }).click()
      await acts('open_position', async () => {
        const { positions } = await practice.effects()
        expect(positions).toEqual([expect.objectContaining({ symbol: 'ETH-PERP', side: 'long', leverage: 20 })])
        expect(await receiptOf(practice.descriptor.rpcUrl, hash)).toMatchObject({ status: '0x1', to: practice.descriptor.router.toLowerCase() })
        await expect(blotterRow(page, 'Positions', 'ETH-PERP')).toContainText(new RegExp(`${positions[0]?.size.replace('.', '\\.')}0* ETH`))
      })
    })
    // Waits for a new read of the open orders, because the list was already empty before the order.
    await expect.poll(async () => (await practice.callsTo('GET /api/dex/v1/orders')).length).toBeGreaterThan(ordersRead)
    await sees(practice, 'GET /api/dex/v1/orders', async () => {
      await blotter(page).getByRole('tab', { name: 'Orders 0' }).click()
      await expect(blotter(page)).toContainText('No open orders')
    })
  },
)

testWithKey('if no key can read the account, the signing sheet and the notice of a final order say that its fill is unknown', async ({ open, practice }) => {
  const { page, phone } = await openSignedIn(open)
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '500' })
  await practice.faults({ answer: [{ route: 'GET /api/dex/v1/trades', status: 401, code: 'API_KEY_REQUIRED', times: 9_999 }] })
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await expect.poll(async () => (await practice.effects()).relayed.length).toBe(1)
  await practice.chain({ mine: 8 })
  await expectFinal(page)
  await expect(fillResult(page)).toContainText('The fill is unknown')
  await expect(figure(fillResult(page), 'Fill price')).toHaveCount(0)
  await expect(page.locator('[data-part=toast]').first()).toContainText('Fill price, size and fee are unknown')
})
