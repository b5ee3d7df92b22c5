import { expect } from '@playwright/test'
import { bulkActionPanel, confirmBulkAction, openKillSwitch } from '../pages/bulk-action.ts'
import { goTo } from '../pages/frame.ts'
import { asksToSend, asksToSign } from '../pages/phone.ts'
import { join } from '../pages/ready.ts'
import { openRiskLimits } from '../pages/risk-limits.ts'
import { openPositionAndOrder } from '../pages/rows.ts'
import { sendToWallet, signingSheet } from '../pages/signing.ts'
import type { Studio } from './shots-studio.ts'

/** Pictures of the risk limits and of the kill switch: rejected, interrupted, and done. */
export async function takeStopShots(studio: Studio): Promise<void> {
  const { page, practice, shoot } = studio
  const phone = await join(studio.desk, 'grid-eth-2')
  await openPositionAndOrder(studio.page, phone, studio.practice)
  const limits = await openRiskLimits(page)
  await limits.getByRole('textbox', { name: 'Max order size' }).fill('2500')
  await limits.getByRole('textbox', { name: 'Max leverage' }).fill('2.5')
  await limits.getByRole('radio', { name: 'Only chosen' }).click()
  await limits.evaluate((panel) => panel.scrollIntoView({ block: 'start' }))
  await shoot('rails-wrong', { narrow: true })
  await limits.getByRole('textbox', { name: 'Max leverage' }).fill('10')
  await limits.getByRole('checkbox', { name: 'BTC-PERP' }).check()
  await limits.getByRole('button', { name: 'Save' }).click()
  await expect(limits).toContainText('3 of 4 set')
  await limits.getByRole('textbox', { name: 'Max order size' }).fill('')
  await limits.getByRole('textbox', { name: 'Max leverage' }).fill('')
  await limits.getByRole('radio', { name: 'All' }).click()
  await shoot('rails-raised')
  await limits.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alertdialog').getByRole('textbox').fill('Practice')
  await shoot('rails-confirm')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Raise limits' }).click()
  await expect(limits).toContainText('None')

  await openKillSwitch(page)
  await shoot('stop-choose', { narrow: true })
  await page.getByRole('button', { name: 'Stop everything…' }).click()
  await shoot('stop-confirm')
  await page.keyboard.press('Escape')
  await confirmBulkAction(page, 'Stop everything')
  await shoot('stop-open', { narrow: true })
  await page.getByRole('button', { name: 'Sign first step' }).click()
  await expect(signingSheet(page)).toBeVisible()
  await shoot('stop-sheet')
  await sendToWallet(page)
  await phone.reject(asksToSend)
  await page.keyboard.press('Escape')
  await expect(signingSheet(page)).toBeHidden()
  await expect(bulkActionPanel(page)).toContainText('Failed')
  await shoot('stop-failed', { narrow: true })
  await goTo(page, 'Overview')
  await shoot('stop-banner', { narrow: true })
  await openKillSwitch(page)
  await bulkActionPanel(page).getByRole('button', { name: 'End here' }).click()
  await shoot('stop-ended')
  await bulkActionPanel(page).getByRole('button', { name: 'Choose another action' }).click()
  await page.getByRole('radio', { name: 'Close all positions' }).click()
  await confirmBulkAction(page, 'Close all positions')
  await page.getByRole('button', { name: 'Sign first step' }).click()
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await expect(signingSheet(page)).toBeHidden()
  await shoot('stop-sent')
  await practice.chain({ mine: 8 })
  await expect(bulkActionPanel(page).getByRole('status').filter({ hasText: 'Close all positions: done' })).toBeVisible({ timeout: 30_000 })
  await shoot('stop-done', { narrow: true })
  await bulkActionPanel(page).getByRole('button', { name: 'Choose another action' }).click()
  await practice.wallet({ autoApprove: true })
  await confirmBulkAction(page, 'Stop everything')
  await page.getByRole('button', { name: 'Sign first step' }).click()
  await sendToWallet(page)
  await expect(signingSheet(page)).toBeHidden()
  await practice.chain({ mine: 8 })
  await expect(bulkActionPanel(page).getByRole('status').filter({ hasText: 'Kill switch: done' })).toBeVisible({ timeout: 30_000 })
  await shoot('stop-everything-done', { narrow: true })
}
