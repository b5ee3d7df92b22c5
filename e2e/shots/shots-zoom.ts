import { expect, type Locator } from '@playwright/test'
import { openTab, tables } from '../pages/account.ts'
import { openActivity } from '../pages/activity.ts'
import { openKillSwitch } from '../pages/bulk-action.ts'
import { goTo } from '../pages/frame.ts'
import { openKey } from '../pages/keys.ts'
import { openMarket, openMarkets } from '../pages/markets.ts'
import { asksToSign } from '../pages/phone.ts'
import { join } from '../pages/ready.ts'
import { openPositionForm, rowForm, signToFinal } from '../pages/rows.ts'
import { sendToWallet, signingSheet } from '../pages/signing.ts'
import { reviewButton, reviewOrder, ticket } from '../pages/ticket.ts'
import { blotter, orderBook } from '../pages/trade.ts'
import type { Studio } from './shots-studio.ts'

const toTop = (part: Locator): Promise<void> => part.evaluate((element) => element.scrollIntoView({ block: 'start' }))

export async function takeZoomShots({ desk, page, practice, shoot, zoom }: Studio): Promise<void> {
  const phone = await join(desk, 'grid-eth-2')
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '2500', leverage: '10' })
  await signToFinal(page, phone, practice)
  await practice.past({ trades: 400 })
  await expect(page.locator('[data-part=toast]')).toHaveCount(0, { timeout: 30_000 })
  await zoom(true)
  await goTo(page, 'Overview')
  await page.getByRole('region', { name: 'Recent' }).waitFor()
  await shoot('zoom-overview')
  await toTop(page.getByRole('region', { name: 'Recent' }))
  await shoot('zoom-overview-end')
  await goTo(page, 'Trade')
  await shoot('zoom-trade')
  await toTop(ticket(page))
  await shoot('zoom-trade-ticket')
  await toTop(reviewButton(page))
  await shoot('zoom-trade-ticket-end')
  await toTop(orderBook(page))
  await shoot('zoom-trade-book')
  await toTop(blotter(page))
  await shoot('zoom-trade-positions')
  await openPositionForm(page, 'BTC-PERP', 'Close')
  await shoot('zoom-trade-form')
  await page.keyboard.press('Escape')
  await expect(rowForm(page)).toBeHidden()
  await reviewOrder(page, { value: '300' })
  await signingSheet(page).getByRole('button', { name: 'Send to wallet' }).waitFor()
  await shoot('zoom-sheet')
  await sendToWallet(page)
  await phone.asks(asksToSign)
  await shoot('zoom-sheet-waiting')
  await phone.reject(asksToSign)
  await signingSheet(page).getByRole('heading', { name: 'You rejected the request on the phone' }).waitFor()
  await shoot('zoom-sheet-rejected')
  await page.keyboard.press('Escape')
  await goTo(page, 'Account')
  await openTab(page, 'Positions')
  await shoot('zoom-account')
  await openTab(page, 'Trades')
  await toTop(tables(page))
  await shoot('zoom-account-trades')
  await openMarkets(page)
  await page.getByRole('table', { name: 'Markets' }).getByRole('row').nth(3).waitFor()
  await shoot('zoom-markets')
  await openMarket(page, 'BTC-PERP')
  await page.getByRole('slider', { name: /^Open interest of/ }).waitFor()
  await shoot('zoom-market')
  await goTo(page, 'Keys')
  await shoot('zoom-keys')
  await openKey(page, 'grid-eth-2')
  await shoot('zoom-key')
  await openActivity(page, 'Orders')
  await shoot('zoom-activity')
  await openActivity(page, 'Audit')
  await shoot('zoom-audit')
  await goTo(page, 'Webhooks')
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  await shoot('zoom-webhooks')
  await goTo(page, 'Settings')
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  await shoot('zoom-settings')
  await openKillSwitch(page)
  await shoot('zoom-stop')
}
