import { expect } from '@playwright/test'
import { expectStep, openCollateral, reviewCollateral } from '../pages/collateral.ts'
import { goTo } from '../pages/frame.ts'
import { checkAgain, expectedEvents, gapSummary, openGaps, ownReports } from '../pages/gaps.ts'
import { createCustomKey } from '../pages/keys.ts'
import { expectKeyStored } from '../pages/new-key.ts'
import { join } from '../pages/ready.ts'
import { expectFinal, sendToWallet, signingSheet } from '../pages/signing.ts'
import { reviewOrder } from '../pages/ticket.ts'
import { openNewWebhook, signingSecret } from '../pages/webhooks.ts'
import { appValue } from '../support/bridge.ts'
import { takeBlockBack } from '../support/take-block-back.ts'
import type { Studio } from './shots-studio.ts'

const receiptRoute = 'POST /api/dex/actions/receipt'

const toastsGone = (page: Studio['page']) => expect(page.locator('[data-part=toast]')).toHaveCount(0, { timeout: 30_000 })

/** Removes a trade by a chain reorganisation. The exchange then sends correction events, but the fault drops the correction for the transaction. */
async function takeBack(amount: string, { practice, page, trade }: Pick<Studio, 'practice' | 'page'> & { readonly trade: (amount: string) => Promise<void> }) {
  await trade(amount)
  await openGaps(page)
  await expect(expectedEvents(page).filter({ hasText: 'transaction.confirmed' }).first()).toContainText('Captured', { timeout: 30_000 })
  await practice.faults({ deliveries: { drop: ['transaction.pending'] } })
  await takeBlockBack(practice, (await practice.effects()).relayed.at(-1)?.tx_hash ?? '')
  await expect(expectedEvents(page).filter({ hasText: 'chain.reorg' }).first()).toBeVisible({ timeout: 30_000 })
  await practice.advance(70_000)
  await checkAgain(page)
  await expect(expectedEvents(page).filter({ hasText: 'transaction.pending' }).first()).toContainText('Missing', { timeout: 30_000 })
  await practice.clearFaults()
  await practice.chain({ pause: false })
}

export async function takeGapShots({ desk, page, practice, shoot }: Studio): Promise<void> {
  await join(desk, 'bot')
  await createCustomKey(page, { label: 'treasury', preset: 'Treasury' })
  await expectKeyStored(page, 'treasury')
  await practice.wallet({ autoApprove: true })
  await openGaps(page)
  await page.getByText('The receiver lab has not listened yet').waitFor()
  await toastsGone(page)
  await shoot('webhooks-gaps-empty', { narrow: true })
  const port = 4_807
  const sheet = await openNewWebhook(page)
  await sheet.getByRole('textbox', { name: 'Send to' }).fill(`http://127.0.0.1:${port}/deliveries`)
  await sheet.getByRole('checkbox', { name: /^All events/ }).check()
  await sheet.getByRole('button', { name: 'Create webhook' }).click()
  await expect(signingSecret(page)).toContainText('In the system keychain')
  const { webhooks } = await appValue(page, 'webhooks.list', {})
  const answer = { kind: 'fixed', status: 200, delayS: 0 } as const
  await appValue(page, 'lab.open', { webhookId: webhooks[0]?.id ?? '', port, path: '/deliveries', forwardTo: null, answer })
  const trade = async (value: string) => {
    await goTo(page, 'Trade')
    await reviewOrder(page, { value })
    await sendToWallet(page)
    await practice.chain({ mine: 8 })
    await expectFinal(page)
    await signingSheet(page).getByRole('button', { name: 'Done' }).click()
  }
  await trade('420')
  await openGaps(page)
  await expect(gapSummary(page)).toContainText('captured')
  await practice.faults({
    deliveries: { drop: ['position.changed', 'order.filled'] },
    answer: [{ route: receiptRoute, status: 400, code: 'BAD_REQUEST', times: 1 }],
  })
  await trade('430')
  await openCollateral(page, 'Deposit')
  await reviewCollateral(page, { amount: '500', way: 'Transactions' })
  await sendToWallet(page)
  await expectStep(page, 2)
  await sendToWallet(page)
  await practice.chain({ mine: 8 })
  await expectFinal(page)
  await page.keyboard.press('Escape')
  await practice.clearFaults()
  await openGaps(page)
  await expect(expectedEvents(page).filter({ hasText: 'Still due' }).first()).toBeVisible()
  await toastsGone(page)
  await shoot('webhooks-gaps-due')
  await practice.advance(70_000)
  await checkAgain(page)
  await expect(gapSummary(page)).toContainText('missing')
  await expect(ownReports(page)).toContainText('Report again')
  await toastsGone(page)
  await shoot('webhooks-gaps', { narrow: true })
  await takeBack('440', { practice, page, trade })
  await toastsGone(page)
  await shoot('webhooks-gaps-corrections', { narrow: true })
  await ownReports(page).getByRole('link').last().click()
  await page.getByRole('button', { name: 'Report again' }).waitFor()
  const toReports = () => page.getByRole('region', { name: 'Transaction reports' }).scrollIntoViewIfNeeded()
  await toReports()
  await toastsGone(page)
  await shoot('activity-reports', { narrow: toReports })
}
