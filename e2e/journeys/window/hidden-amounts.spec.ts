import type { Page } from '@playwright/test'
import { formatDecimal } from '../../../shared/decimal.ts'
import { openTab } from '../../pages/account.ts'
import { addressesOf, goTo, openAddress, reviewByLook, submitForm } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { openPositionAndOrder, showTab } from '../../pages/rows.ts'
import { signingSheet } from '../../pages/signing.ts'
import { fillOrder, ticket } from '../../pages/ticket.ts'
import { appValue } from '../../support/bridge.ts'
import { expect, firstKey, testWithKey as test } from '../../support/fixtures.ts'

const anyRow = { symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '', offset: 0, limit: 50 } as const

/** All numbers on the page: in its text, tooltips and screen reader labels. Ignores forms and sheets, which always show amounts. */
const numbersOn = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const copy = document.body.cloneNode(true) as HTMLElement // safe cast: a copy of an element has the same type
    for (const part of copy.querySelectorAll('dialog, section[aria-label="Order ticket"]')) part.remove()
    const attributes = ['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt', 'placeholder']
    const texts = [...copy.querySelectorAll('*')].flatMap((element) => [
      ...[...element.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node.textContent ?? ''] : [])),
      ...attributes.map((name) => element.getAttribute(name) ?? ''),
    ])
    return [...new Set(texts.flatMap((text) => text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []))]
  })

/** The user’s own amounts, formatted as the app shows them. Leaves out amounts of fewer than four digits, because a rate or a count could look the same. */
async function ownAmounts(page: Page): Promise<readonly string[]> {
  const { positions } = await appValue(page, 'account.positions', { watch: null })
  const { orders } = await appValue(page, 'account.orders', { watch: null })
  const { balances } = await appValue(page, 'account.collateral', { watch: null })
  const trades = (await appValue(page, 'account.history', { watch: null, table: 'trades', ...anyRow })).rows
  const closed = (await appValue(page, 'account.history', { watch: null, table: 'history', ...anyRow })).rows
  const written = (value: string | null, decimals?: number) =>
    value === null ? [] : [formatDecimal(value.replace('-', ''), decimals === undefined ? {} : { decimals })]
  return [
    ...positions.flatMap(({ size, marginUsdc }) => [...written(size), ...written(marginUsdc, 2)]),
    ...orders.flatMap(({ size }) => written(size)),
    ...balances.flatMap(({ balance, walletBalance }) => [...written(balance, 2), ...written(walletBalance, 2)]),
    ...trades.flatMap(({ size, valueUsdc, feeUsdc }) => [...written(size), ...written(valueUsdc, 2), ...written(feeUsdc, 4)]),
    ...closed.flatMap(({ size, realisedPnlUsdc }) => [...written(size), ...written(realisedPnlUsdc, 2)]),
    '500.00',
  ].filter((text) => text.replace(/^[0.]+/, '').replace(/\D/g, '').length >= 4)
}

/** The user’s amounts that are visible, for each page that shows any. */
async function found(page: Page, addresses: readonly string[], amounts: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {}
  const look = async (name: string) => {
    const numbers = new Set(await numbersOn(page))
    const here = amounts.filter((amount) => numbers.has(amount))
    if (here.length > 0) found[name] = here
  }
  for (const address of addresses) {
    await openAddress(page, address)
    await look(address)
  }
  await goTo(page, 'Account')
  for (const tab of ['Orders', 'Trades', 'Closed positions', 'Collateral', 'Reports'] as const) {
    await openTab(page, tab)
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    await look(`account ${tab}`)
  }
  await goTo(page, 'Trade')
  for (const tab of ['Orders', 'Activity'] as const) {
    await showTab(page, tab)
    await look(`trade ${tab}`)
  }
  return found
}

test('while the user hides amounts, the app shows them only in order forms and on signing sheets', async ({ open, practice }) => {
  test.setTimeout(300_000)
  const { page, phone } = await openSignedIn(open)
  await practice.past({ trades: 10 })
  await openPositionAndOrder(page, phone, practice)
  const addresses = addressesOf(await keyIdOf(page, firstKey)).filter((address) => address !== 'markets')
  const amounts = await ownAmounts(page)
  const before = await found(page, addresses, amounts)
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['overview', 'trade', 'account', 'activity', 'account Trades', 'account Collateral', 'trade Orders', 'trade Activity']),
  )

  await page.keyboard.press('Control+Shift+H')
  await expect(page.getByRole('button', { name: 'Show amounts' })).toBeVisible()
  expect(await found(page, addresses, amounts)).toEqual({})
  await expect(ticket(page)).toContainText('••••')

  await test.step('the signing sheet shows the amounts that the user signs', async () => {
    await fillOrder(page, { value: '250' })
    await expect(reviewByLook(page)).toHaveText('Review long, 250.00 USDC')
    await submitForm(reviewByLook(page))
    await expect(signingSheet(page)).toContainText(/250\.00\s?USDC/)
    await expect(signingSheet(page)).not.toContainText('••••')
    await page.keyboard.press('Escape')
    await expect(signingSheet(page)).toHaveCount(0)
  })
  await page.getByRole('button', { name: 'Show amounts' }).click()
  await showTab(page, 'Activity')
  await expect(page.getByRole('button', { name: 'Hide amounts' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Positions and orders' })).toContainText('500.00 USDC')
})
