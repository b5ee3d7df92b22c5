import { intentDetail, openActivity } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { expectFinal, sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'
import type { Practice } from '../../support/practice.ts'
import { askChain } from '../../support/receipt.ts'
import { takeBlockBack } from '../../support/take-block-back.ts'

const rpc = (practice: Practice, method: string, params: readonly unknown[]) => askChain(practice.descriptor.rpcUrl, method, params)

test('if a chain reorganisation removes a final order, the app shows this and follows the order to FINAL again [FLOW-06]', async ({ open, practice }) => {
  const { page } = await openSignedIn(open)
  await practice.wallet({ autoApprove: true })
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '420' })
  await sendToWallet(page)
  await expect.poll(async () => (await practice.effects()).relayed.length).toBe(1)
  await practice.chain({ mine: 8 })
  await expectFinal(page)
  await signingSheet(page).getByRole('button', { name: 'Done' }).click()
  expect((await practice.effects()).positions).toHaveLength(1)
  await openActivity(page, 'Orders')
  await page.getByRole('table', { name: 'Orders' }).getByRole('row').filter({ hasText: 'Long 420.00 USDC' }).click()
  const status = intentDetail(page).getByRole('status').filter({ hasText: 'of 8 confirmations' })
  await expect(status).toContainText('Final')

  const hash = (await practice.effects()).relayed[0]?.tx_hash
  const raw = await rpc(practice, 'eth_getRawTransactionByHash', [hash])
  await takeBlockBack(practice, hash ?? '')
  await expect(intentDetail(page)).toContainText('A chain reorganisation removed the block of the transaction. The app is tracking the transaction again.')
  await expect(status).not.toContainText('Final')
  await expect.poll(async () => (await practice.effects()).positions).toEqual([])

  // Sends the transaction to the chain again, so that the next block includes it.
  await rpc(practice, 'eth_sendRawTransaction', [raw])
  await practice.chain({ mine: 8, pause: false })
  await expect(status).toContainText('Final')
  expect((await practice.effects()).positions).toHaveLength(1)
})
