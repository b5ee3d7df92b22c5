import type { Locator, Page } from '@playwright/test'
import { bulkActionPanel, confirmBulkAction, openKillSwitch } from '../../pages/bulk-action.ts'
import { collateralSheet, openCollateral, reviewCollateral, steps } from '../../pages/collateral.ts'
import { goTo } from '../../pages/frame.ts'
import { createCustomKey } from '../../pages/keys.ts'
import { expectKeyStored } from '../../pages/new-key.ts'
import { makeKey, pair, signIn } from '../../pages/ready.ts'
import { openPositionForm, review, rowForm, showTab } from '../../pages/rows.ts'
import { expectFinal, expectPlaced, sendToWallet, signingSheet } from '../../pages/signing.ts'
import { chooseOrderType, reviewOrder, ticketField } from '../../pages/ticket.ts'
import { blotterRow } from '../../pages/trade.ts'
import { expect, test } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'
import { ownTraits, type Traits } from '../../support/search/dialect-traits.ts'

test.describe.configure({ mode: 'parallel' })

/** Practice exchanges (by seed) whose API dialects all follow the documentation but differ as much as possible. Each has traits that no other has. */
const dialects: Readonly<Record<number, Partial<Traits>>> = {
  163: {
    ...{ usdc: 'number', prices: 'scaled_object', sizes: 'exponent', orderIds: 'big_integer', never: 'minus_one', flags: '[false,true]' },
    ...{ positions: 'columns', keys: 'columns', around: 'response', errors: 'detail_list' },
  },
  234: {
    ...{ usdc: 'exponent', prices: 'exponent', sizes: 'zeros', orderIds: 'hex', times: 's', never: 'null', flags: '[0,1]' },
    ...{ positions: 'items', keys: 'items', around: 'data', errors: 'wrapped' },
  },
  367: {
    ...{ names: 'kebab', usdc: 'text', prices: 'number', sizes: 'in USDC', orderIds: 'text', positionIds: 'digits', never: 'zero', flags: '["0","1"]' },
    ...{ sides: 'sign', keys: 'array', markets: 'map', around: 'response.data', errors: 'pointer_list' },
  },
  481: {
    ...{ names: 'camel', usdc: 'scaled_sibling', prices: 'scaled_name', sizes: 'scaled_name', orderIds: 'digits', positionIds: 'text', times: 'ns' },
    ...{ never: 'largest', positions: 'array', keys: 'rows', markets: 'items', around: 'response.positions', errors: 'nested' },
  },
  885: {
    ...{ names: 'pascal', usdc: 'scaled_name', prices: 'scaled_sibling', sizes: 'number', orderIds: 'integer', positionIds: 'hex', times: 'utc' },
    ...{ never: 'year_1', keys: 'map', markets: 'array', around: 'result', errors: 'string' },
  },
}
const seeds = Object.keys(dialects).map(Number)
/** Seeds of the API dialects in which the wallet makes a deposit by sending a transaction. In all others, the wallet signs a message. */
const sentByWallet = [367, 481]

/**
 * Presses a button until the app is ready to send the request to the wallet. If the exchange refuses a field name and the app suggests another name,
 * accepts the suggestion, as a user would.
 */
async function untilAsked(page: Page, press: () => Promise<void>): Promise<void> {
  const offered = page.getByRole('button', { name: 'Use name and try again' })
  const asked = signingSheet(page).getByRole('button', { name: /^(Send to wallet|Continue)$/ })
  await press()
  await expect(async () => {
    await expect(asked.or(offered)).toBeVisible()
    if (await offered.isVisible()) await offered.click()
    await expect(asked).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: 30_000, intervals: [0] })
}

async function mineUntil(practice: Practice, seen: (timeout: number) => Promise<void>): Promise<void> {
  await expect(async () => {
    await practice.chain({ mine: 8 })
    await seen(500)
  }).toPass({ timeout: 60_000, intervals: [0] })
}

/**
 * Follows an order from the signing sheet to FINAL with one press per step. The phone approves automatically. `expectEnd`: waits until the sheet
 * shows its final text.
 */
async function toFinal(page: Page, practice: Practice, expectEnd = expectFinal): Promise<void> {
  const before = (await steps(page).count()) - 1
  for (let step = 0; step < before; step += 1) {
    await sendToWallet(page)
    const next = signingSheet(page).getByRole('button', { name: 'Send to wallet' })
    await expect(next).toBeHidden()
    await mineUntil(practice, (timeout) => expect(next).toBeVisible({ timeout }))
  }
  await sendToWallet(page)
  await mineUntil(practice, (timeout) => expectEnd(page, timeout))
  await page.keyboard.press('Escape')
  await expect(signingSheet(page)).toBeHidden()
}

const cancelOf = (page: Page): Locator => blotterRow(page, 'Orders', 'BTC-PERP').getByRole('button', { name: /^Cancel the / })

for (const seed of seeds)
  test(`with API dialect ${seed}, a user can check the service, trade, transfer collateral and use the kill switch in the app [ORD-05, FLOW-02]`, async ({
    open,
    practice,
  }) => {
    test.setTimeout(180_000)
    expect(ownTraits(seed, seeds)).toEqual(dialects[seed])
    await practice.faults({ dialect: seed })
    const desk = await open()
    const page = desk.main
    const phone = await pair(desk)
    await signIn(page, phone)
    await makeKey(page, phone, 'bot')
    await createCustomKey(page, { label: 'treasury', preset: 'Treasury' })
    await expectKeyStored(page, 'treasury')
    await practice.wallet({ autoApprove: true })

    const check = page.getByRole('region', { name: 'Service check' })
    await test.step('the user deposits and withdraws collateral while the service check runs', async () => {
      await goTo(page, 'Settings')
      await check.getByRole('button', { name: 'Check service' }).click()
      for (const what of ['Deposit', 'Withdraw'] as const) {
        await untilAsked(page, async () => {
          await openCollateral(page, what)
          await reviewCollateral(page, { amount: '25', ...(what === 'Deposit' && { way: sentByWallet.includes(seed) ? 'Transactions' : 'One signature' }) })
        })
        await toFinal(page, practice)
        await expect(collateralSheet(page)).toBeHidden()
      }
    })

    await test.step('the user accepts the field names and signing formats that the check suggests', async () => {
      await goTo(page, 'Settings')
      await expect(check.getByRole('button', { name: 'Check again' })).toBeVisible({ timeout: 60_000 })
      await check.getByRole('button', { name: /^Accept all top candidates/ }).click()
      await check.getByRole('button', { name: /^Accept \d+$/ }).click()
      await expect(check.getByRole('status').filter({ hasText: /^\d+ fields? accepted/ })).toBeVisible()
    })

    await test.step('a position opens, and a limit order waits in the order book', async () => {
      await goTo(page, 'Trade')
      await untilAsked(page, () => reviewOrder(page, { value: '500', leverage: '5' }))
      await toFinal(page, practice)
      await chooseOrderType(page, 'Limit')
      await ticketField(page, 'Limit price').fill('50000')
      await untilAsked(page, () => reviewOrder(page, { value: '500', leverage: '5' }))
      await toFinal(page, practice, expectPlaced)
      await expect(blotterRow(page, 'Positions', 'BTC-PERP')).toContainText('Long')
    })

    await test.step('buttons in the tables of positions and orders cancel the order and close the position', async () => {
      await showTab(page, 'Orders')
      await untilAsked(page, () => cancelOf(page).click())
      await toFinal(page, practice)
      await expect(cancelOf(page)).toBeHidden()
      await showTab(page, 'Positions')
      await untilAsked(page, async () => {
        await openPositionForm(page, 'BTC-PERP', 'Close')
        await review(page)
      })
      await toFinal(page, practice)
      await expect(rowForm(page)).toBeHidden()
      expect((await practice.effects()).positions).toEqual([])
    })

    await test.step('the kill switch requires one typed phrase, then closes all positions and revokes all keys without another phrase', async () => {
      await goTo(page, 'Trade')
      await chooseOrderType(page, 'Market')
      await untilAsked(page, () => reviewOrder(page, { value: '500', leverage: '5' }))
      await toFinal(page, practice)
      await openKillSwitch(page)
      await confirmBulkAction(page, 'Stop everything')
      await page.getByRole('button', { name: 'Sign first step' }).click()
      expect(await sendToWallet(page)).toBe(false)
      const done = bulkActionPanel(page).getByRole('status').filter({ hasText: 'Kill switch: done' })
      await mineUntil(practice, (timeout) => expect(done).toBeVisible({ timeout }))
      const { keys, positions } = await practice.effects()
      expect(positions).toEqual([])
      expect(keys.map(({ status }) => status)).toEqual(['revoked', 'revoked'])
    })
  })
