import type { Locator, Page } from '@playwright/test'
import type { Faults } from '../../../electron/practice/base/faults.ts'
import { needsYou, takeUp } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { confirmByName, keyIdOf, keyRow } from '../../pages/keys.ts'
import { asksToSign } from '../../pages/phone.ts'
import { makeKey, openPaired, openSignedIn, signIn } from '../../pages/ready.ts'
import { expectSignedIn, sendChallenge, signInSheet } from '../../pages/sign-in.ts'
import { comparisonLine, signingSheet } from '../../pages/signing.ts'
import { fillOrder, reviewButton, reviewOrder, ticket } from '../../pages/ticket.ts'
import { aboutMarket, figure, marketHead } from '../../pages/trade.ts'
import { sees } from '../../support/coverage.ts'
import { expect, testWithKey as test, testPaired } from '../../support/fixtures.ts'
import { keptSecrets } from '../../support/keyring.ts'
import type { Practice } from '../../support/practice.ts'

const prepare = 'POST /api/dex/v1/orders/prepare'
const summaries = 'GET /api/dex/v1/summaries'

/** The message beside the ticket’s button: an alert for an error, a status for a problem that one press can fix. */
const outcome = (page: Page): Locator => ticket(page).locator('[data-part=note], [data-part=failure]')

async function expectOutcome(page: Page, practice: Practice, fault: Partial<Faults>, ...says: string[]): Promise<void> {
  await practice.faults(fault)
  const asked = (await practice.callsTo(prepare)).length
  await reviewOrder(page, { value: '250' })
  await expect.poll(async () => (await practice.callsTo(prepare)).length).toBe(asked + 1)
  for (const text of says) await expect(outcome(page)).toContainText(text)
}

const instead = (status: number, code: string): Partial<Faults> => ({ answer: [{ route: prepare, status, code, times: 1 }] })

/** The HTTP status that a bot gets when it reads the versioned API with this key. */
const statusWith = async (practice: Practice, apiKey: string): Promise<number> =>
  (await fetch(`${practice.descriptor.hostUrl}/api/dex/v1/account`, { headers: { 'X-Svc-API-Key': apiKey } })).status

test('the app shows the request id when the service fails a request or cannot execute it, in every error format of the service [ORD-10, ERR-01, GEN-05]', async ({
  open,
  practice,
}) => {
  const { page } = await openSignedIn(open)
  await goTo(page, 'Trade')
  const cannot = 'The exchange cannot execute this'
  await expectOutcome(
    page,
    practice,
    { prepared: 'preflight_failed' },
    cannot,
    'The exchange has no current price that this action needs',
    'preflight_failed oracle_unavailable',
  )
  await expectOutcome(page, practice, { prepared: 'contract_pending' }, 'Not available here yet', 'contract_pending market_contract_pending')
  await expectOutcome(page, practice, { prepared: 'ready_but_failed' }, cannot, 'says that it is ready and preflight_failed at the same time')
  await expectOutcome(page, practice, { prepared: 'not_ready_but_signable' }, cannot, 'has the status signature_ready but says that it is not ready')
  await expectOutcome(page, practice, { prepared: 'unknown_status' }, cannot, 'queued_for_review, which this app does not know')
  await practice.clearFaults()
  for (const errorShape of ['nested', 'flat', 'string', 'list', 'text'] as const)
    await test.step(`the app shows an error that the service sends in the format ${errorShape}`, async () => {
      await expectOutcome(page, practice, { errorShape, ...instead(400, 'MARKET_PAUSED') }, 'The service answered 400 with MARKET_PAUSED.', 'told to answer so')
      const [refused] = (await practice.callsTo(prepare)).slice(-1)
      await expect(outcome(page)).toContainText(refused?.requestId ?? 'none')
    })
  await practice.clearFaults()
  await expectOutcome(page, practice, instead(409, 'IDEMPOTENCY_KEY_CONFLICT'), 'This request was already used for something else')
  await expectOutcome(page, practice, instead(409, 'DUPLICATE_CLIENT_ORDER_ID'), 'This order already exists', 'nothing was placed a second time')
  expect((await practice.phone()).requests).toEqual([])
  expect((await practice.effects()).relayed).toEqual([])
  await outcome(page).getByRole('button', { name: 'Open in Activity' }).click()
  await expect(page.getByRole('main')).toContainText('The service has another order under this idempotency key. Nothing was prepared again.')
})

test('the app says that a price moved or is stale, and one press uses the new price; a missing value never appears as zero [ORD-02, ERR-02]', async ({
  open,
  practice,
}) => {
  const { page } = await openSignedIn(open)
  const state = figure(page.getByRole('region', { name: 'Account' }), 'State')
  await goTo(page, 'Trade')
  await expect(figure(marketHead(page), 'Mark')).toHaveText(/\d/)

  await test.step('the app reports that the price moved by 3 % since it was shown', async () => {
    await fillOrder(page, { value: '250' })
    await expect(reviewButton(page)).toBeEnabled()
    await practice.faults({ delay: [{ route: summaries, ms: null }], priceShiftBps: 300 })
    await reviewButton(page).click()
    await expect(outcome(page)).toContainText('The price moved too far.')
    const before = await figure(marketHead(page), 'Mark').innerText()
    await expect(outcome(page)).toContainText(`You reviewed ${before}.`)
    await practice.faults({ delay: [] })
    await expect(figure(marketHead(page), 'Mark')).not.toHaveText(before)
    await outcome(page)
      .getByRole('button', { name: /^Review at / })
      .click()
    await expect(comparisonLine(page, 'referencePrice')).toHaveAttribute('data-verdict', 'match')
    await expect(comparisonLine(page, 'referencePrice')).not.toContainText(before)
    await page.keyboard.press('Escape')
    await expect(signingSheet(page)).toBeHidden()
  })

  await expectOutcome(page, practice, instead(503, 'MARKET_DATA_STALE'), 'The exchange’s own price was too old.')
  await outcome(page)
    .getByRole('button', { name: /^Review at / })
    .click()
  await expect(signingSheet(page).getByRole('heading', { name: 'Open a long on BTC-PERP' })).toBeVisible()
  await page.keyboard.press('Escape')

  const optional = ['Index', '24 h change', '24 h volume', 'Open interest', 'Funding, 1 h']
  const allowlist = keyRow(page, 'key_').getByRole('cell').nth(5)
  for (const term of optional) await expect(figure(marketHead(page), term)).toHaveText(/\d/)
  await goTo(page, 'Keys')
  await expect(allowlist).toHaveText('1 entry')
  await goTo(page, 'Overview')
  await expect(state).toHaveText(/\w/)
  await practice.faults({ extraFields: true, omitOptional: true })
  await expect(state).toHaveText('—')
  await goTo(page, 'Trade')
  for (const term of optional) await expect(figure(marketHead(page), term)).toHaveText('—')
  await expect(figure(marketHead(page), 'Mark')).toHaveText(/\d/)
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(allowlist).toHaveText('—')

  await practice.faults({ extraFields: false, omitOptional: false, stalePrices: true })
  await goTo(page, 'Trade')
  await expect(ticket(page)).toContainText('The price is old. Waiting for a fresh one.', { timeout: 20_000 })
  await expect(ticket(page).getByRole('button', { name: /^Review/ })).toBeDisabled()
})

testPaired(
  'without a key, the app offers to create one; rotating a key changes its secret in the keychain, and revoking it removes the secret [AUTH-02, KEY-07, KEY-09]',
  async ({ open, practice }) => {
    const { page, phone } = await openPaired(open)
    await test.step('without a key, the app offers to create one', async () => {
      await goTo(page, 'Trade')
      await expect(ticket(page)).toContainText('Trading needs an API key.')
      await expect(ticket(page).getByRole('button', { name: /^Review/ })).toBeDisabled()
      await ticket(page).getByRole('button', { name: 'Create key' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'New key' })).toBeVisible()
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
      await sendChallenge(page)
      await phone.approve(asksToSign)
      await expectSignedIn(page)
    })
    await makeKey(page, phone, 'turning')
    const keyId = await keyIdOf(page, 'turning')
    const [first] = keptSecrets(keyId)
    await sees(practice, 'POST /api/dex/developer/keys/{key_id}/rotate', async () => {
      await confirmByName(page, 'turning', 'Rotate')
      await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('turning has a new secret')
    })
    const [second, ...more] = keptSecrets(keyId)
    expect(more).toEqual([])
    expect(second).toMatch(/^SVC/)
    expect([await statusWith(practice, first ?? ''), await statusWith(practice, second ?? '')]).toEqual([401, 200])

    await test.step('the app shows that the session has ended, and the user can sign in again', async () => {
      await practice.advance(4 * 3_600_000 + 60_000)
      await goTo(page, 'Overview')
      await expect(needsYou(page)).toContainText('Your sign-in has expired', { timeout: 20_000 })
      await needsYou(page).getByRole('listitem').filter({ hasText: 'Your sign-in has expired' }).getByRole('button', { name: 'Sign in' }).click()
      await expect(signInSheet(page)).toBeVisible()
      await sendChallenge(page)
      await phone.approve(asksToSign)
      await expectSignedIn(page)
      await goTo(page, 'Keys')
      await expect(keyRow(page, 'turning')).toContainText('Keychain')
    })

    await sees(practice, 'DELETE /api/dex/developer/keys/{key_id}', async () => {
      await confirmByName(page, 'turning', 'Revoke')
      await goTo(page, 'Keys')
      await expect(keyRow(page, 'turning')).toContainText('Revoked')
    })
    expect(keptSecrets(keyId)).toEqual([])
    expect(await statusWith(practice, second ?? '')).toBe(401)
  },
)

testPaired('the app’s pages show the service’s health, the options that it publishes, and its messages about a market [GEN-09]', async ({ open, practice }) => {
  const { page, phone } = await openPaired(open)
  const service = page.getByRole('region', { name: 'Service', exact: true })
  const readAgain = () => service.getByRole('button', { name: 'Refresh service status' }).click()
  await test.step('without a key, the pages show the service’s health and published options', async () => {
    await page.getByRole('list', { name: 'Connections' }).getByRole('link', { name: 'Service up' }).click()
    await sees(practice, 'GET /api/dex/status', async () => {
      await expect(figure(service, 'API$')).toHaveText('ok')
      await expect(figure(service, 'Reported version')).toHaveText('Shown only with an API key')
    })
    await expect(service).toContainText('you need an API key with the scope market:read')
    await goTo(page, 'Trade')
    const about = await aboutMarket(page, 'BTC-PERP')
    await sees(practice, 'GET /api/dex/summary', () => expect(figure(about, 'Source')).toHaveText('Public route'))
    await expect(figure(about, 'Snapshot sequence')).toHaveText('Needs a key')
    await page.keyboard.press('Escape')
  })
  await signIn(page, phone)
  await makeKey(page, phone, 'looker')
  await goTo(page, 'Settings')
  await sees(practice, 'GET /api/dex/v1/status', async () => {
    for (const part of ['API$', 'Network', 'Market engine']) await expect(figure(service, part)).toHaveText('ok')
    await expect(figure(service, 'Newest block')).toHaveText(/^[\d,]+$/)
    await expect(figure(service, 'Reported version')).toHaveText('v1, svc-dex-api-v1.1As documented')
  })
  await sees(practice, 'GET /api/dex/v1/meta', async () => {
    await expect(figure(service, 'Schema')).toHaveText('svc-dex-api-v1.1')
    await expect(figure(service, 'Scopes')).toHaveText('marketaccountprepareexecuteorderscollateral')
    await expect(figure(service, 'Capabilities')).toContainText('signed intent yes')
    await expect(figure(service, 'Capabilities')).toContainText('stream no')
    await expect(figure(service, 'Router')).toHaveText(`${practice.descriptor.router}The router you trust`)
  })
  await goTo(page, 'Trade')
  const about = await aboutMarket(page, 'BTC-PERP')
  await sees(practice, 'GET /api/dex/v1/summary', async () => {
    await expect(figure(about, 'Source')).toHaveText('Versioned route, with your key')
    for (const term of ['Mark$', 'Index', '24 h volume', 'Open interest, short']) await expect(figure(about, term)).toHaveText(/\d/)
  })
  await sees(practice, 'GET /api/dex/v1/snapshot', async () => {
    const sequence = await figure(about, 'Snapshot sequence').innerText()
    expect(sequence).toMatch(/^\d+$/)
    await expect(figure(about, 'Snapshot time')).toHaveText(/ago|just now/)
    await expect(figure(about, 'Snapshot sequence')).not.toHaveText(sequence)
  })
  await page.keyboard.press('Escape')

  await practice.faults({ versions: { api: 'v1', schema: 'svc-dex-api-v1.2' } })
  await goTo(page, 'Settings')
  await readAgain()
  await expect(figure(service, 'Reported version')).toHaveText('v1, svc-dex-api-v1.2Not the expected version')
  const banner = page.getByRole('alert').filter({ hasText: 'The service has changed.' })
  await expect(banner).toContainText('Schema: svc-dex-api-v1.2 instead of svc-dex-api-v1.1.')
  await goTo(page, 'Overview')
  await takeUp(page, 'The service has changed', 'Show')
  await expect(service).toBeInViewport()

  // The app asks the user once for consent before the next order. Then the order continues.
  await goTo(page, 'Trade')
  const before = (await practice.effects()).prepared
  await reviewOrder(page, { value: '250' })
  await expect(ticket(page).getByRole('alert').filter({ hasText: 'New orders wait for your decision' })).toBeVisible()
  expect((await practice.effects()).prepared).toBe(before)
  await banner.getByRole('button', { name: 'Trade anyway' }).click()
  await expect(banner).toHaveCount(0)
  await reviewOrder(page, { value: '250' })
  await expect(signingSheet(page)).toBeVisible()
})
