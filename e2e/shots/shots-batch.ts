import { expect } from '@playwright/test'
import { addAction, carryOut, chooseSignWith, composer, confirmation, fillExecutor, openComposer } from '../pages/batch.ts'
import { goTo } from '../pages/frame.ts'
import { join } from '../pages/ready.ts'
import { reviewOrder, ticket } from '../pages/ticket.ts'
import { blotterRow } from '../pages/trade.ts'
import type { Studio } from './shots-studio.ts'

const eth = /^ETH-PERP long/

export async function takeBatchShots({ desk, page, practice, shoot }: Studio): Promise<void> {
  await join(desk, 'bot')
  await goTo(page, 'Trade')
  await ticket(page)
    .getByRole('button', { name: /^Sign with:/ })
    .click()
  await shoot('batch-way', { narrow: true })
  await page.keyboard.press('Escape')
  await openComposer(page)
  await shoot('batch-empty', { narrow: true })
  await addAction(page, { action: 'Limit order', market: 'BTC-PERP', fill: { 'Order value': '200', Price: '50000' } })
  await composer(page).getByRole('button', { name: 'Review and execute' }).click()
  await confirmation(page).getByRole('button', { name: 'Execute' }).click()
  await confirmation(page).getByRole('alert').waitFor()
  await shoot('batch-no-executor', { narrow: true })
  await confirmation(page).getByRole('button', { name: 'Bind executor' }).click()
  await shoot('batch-bind')
  await fillExecutor(page, 'bot', 'exec-fra-1')

  await goTo(page, 'Trade')
  await chooseSignWith(page, 'Executor of bot')
  await reviewOrder(page, { value: '400' })
  await confirmation(page).waitFor()
  await shoot('batch-order', { narrow: true })
  await practice.chain({ pause: true })
  await confirmation(page).getByRole('button', { name: 'Execute' }).click()
  await page.getByRole('dialog').getByRole('list', { name: 'Results' }).waitFor()
  await shoot('batch-order-following')
  await practice.chain({ mine: 8, pause: false })
  const results = page.getByRole('dialog')
  await expect(results).toContainText('Filled', { timeout: 30_000 })
  await shoot('batch-order-final', { narrow: true })
  await results.getByRole('button', { name: 'Done' }).click()

  await openComposer(page)
  await addAction(page, { action: 'Stop order', market: 'BTC-PERP', fill: { 'Order value': '200', Price: '160000' } })
  await addAction(page, { action: 'Market order', market: 'ETH-PERP', choose: ['Long', 'Isolated'], fill: { 'Order value': '500', Leverage: '5' } })
  await shoot('batch-composed', { narrow: true })
  await composer(page).getByRole('button', { name: 'Dry run' }).click()
  await expect(composer(page)).toContainText('The exchange validated all 3 actions.')
  await shoot('batch-tried', { narrow: true })
  await composer(page).getByRole('button', { name: 'Review and execute' }).click()
  await confirmation(page).waitFor()
  await shoot('batch-confirm', { narrow: true })
  await (await carryOut(page, 3)).getByRole('button', { name: 'Done' }).click()
  await expect(blotterRow(page, 'Positions', 'ETH-PERP')).toContainText('Long')

  // The second action of the batch closes the position. So the later action on this position fails, and only part of the batch succeeds.
  await openComposer(page)
  await addAction(page, { action: 'Add or remove margin', position: eth, choose: ['Add'], fill: { Amount: '20' } })
  await addAction(page, { action: 'Close position', position: eth })
  await addAction(page, { action: 'Set take profit', position: eth, fill: { Price: '99999' } })
  await composer(page).getByRole('button', { name: 'Review and execute' }).click()
  await confirmation(page).getByRole('button', { name: 'Execute' }).click()
  const partly = page.getByRole('dialog').getByRole('list', { name: 'Results' })
  await expect(partly.getByRole('listitem').filter({ hasText: 'Done' })).toHaveCount(2, { timeout: 30_000 })
  await expect(page.getByRole('dialog')).toContainText('Partly done', { timeout: 30_000 })
  await shoot('batch-partly', { narrow: true })
  await page.getByRole('dialog').getByRole('button', { name: 'Open in Activity' }).click()
  await page.getByRole('main').getByRole('list', { name: 'Results' }).waitFor()
  await shoot('batch-activity', { narrow: true })
}
