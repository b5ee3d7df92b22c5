import { expect } from '@playwright/test'
import { goTo } from '../pages/frame.ts'
import { join } from '../pages/ready.ts'
import { figure, marketHead } from '../pages/trade.ts'
import type { Studio } from './shots-studio.ts'

export async function takeFreshShots({ desk, page, practice, shoot }: Studio): Promise<void> {
  await join(desk, 'trader')
  await goTo(page, 'Settings')
  const service = page.getByRole('region', { name: 'Service', exact: true })
  await expect(figure(service, 'Account stream')).toContainText('polling the account instead', { timeout: 30_000 })
  await shoot('fresh-polled', { narrow: true })
  await practice.faults({ stream: {} })
  await expect(figure(service, 'Account stream')).toContainText('Live', { timeout: 60_000 })
  await shoot('fresh-live')
  await service.getByRole('button', { name: 'Create read-only key' }).click()
  const ownKey = page.getByRole('dialog', { name: 'Read-only key' })
  await ownKey.waitFor()
  await shoot('fresh-own-key', { narrow: true })
  await ownKey.getByRole('button', { name: 'Create key' }).click()
  await expect(ownKey).toHaveCount(0)

  const { host } = new URL(practice.descriptor.secondHostUrl)
  await page.getByRole('button', { name: 'Actions for Practice' }).click()
  await page.getByRole('menuitem', { name: 'Add second host' }).click()
  const second = page.getByRole('dialog', { name: 'Second host of Practice' })
  await shoot('fresh-second-host')
  await second.getByRole('button', { name: 'Check address' }).click()
  await expect(second.getByRole('status')).toContainText(host)
  await shoot('fresh-second-host-checked', { narrow: true })
  await second.getByRole('checkbox', { name: `Send my API keys to ${host} too` }).check({ force: true })
  await second.getByRole('button', { name: 'Use this host' }).click()
  await expect(figure(service, 'Second host, for reads')).toContainText(host)
  await service.scrollIntoViewIfNeeded()
  await shoot('fresh-hosts', { narrow: true })
  await practice.faults({ hostDown: [{ host: 'first', how: 503 }] })
  await service.getByRole('button', { name: 'Refresh service status' }).click()
  await expect(figure(service, 'Second host, for reads')).toContainText(/Responding.*Responded last/, { timeout: 60_000 })
  await expect(figure(service, 'Host$')).toContainText('Not responding')
  await shoot('fresh-failover', { narrow: true })
  await practice.faults({ hostDown: [] })
  await expect(figure(service, 'Host$')).toContainText('Responding', { timeout: 90_000 })
  await practice.faults({ versions: { api: 'v1', schema: 'svc-dex-api-v1.2' } })
  await page.getByRole('alert').filter({ hasText: 'The service has changed.' }).waitFor({ timeout: 60_000 })
  await shoot('fresh-drift', { narrow: true })
  await goTo(page, 'Trade')
  await expect(figure(marketHead(page), 'Mark')).toHaveText(/\d/)
  await shoot('fresh-drift-trade', { narrow: true })

  await practice.faults({
    hostDown: [
      { host: 'first', how: 'refused' },
      { host: 'second', how: 'refused' },
    ],
  })
  await goTo(page, 'Overview')
  await page.getByText('The exchange does not respond.').waitFor({ timeout: 60_000 })
  await page.getByRole('region', { name: 'Needs you' }).getByText('The exchange does not respond').waitFor({ timeout: 30_000 })
  await shoot('fresh-outage', { narrow: true })
  await page.getByRole('button', { name: 'Snooze: The service has changed' }).click()
  await page.getByRole('menuitem', { name: 'Until something changes' }).click()
  await page.getByRole('button', { name: 'Snoozed: 1' }).click()
  await page.getByText('Snoozed until something changes').waitFor()
  await shoot('fresh-snoozed', { narrow: true })
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Notices/ })
    .click()
  await page.getByRole('dialog', { name: 'Notices' }).getByRole('listitem').first().waitFor()
  await shoot('fresh-notices', { narrow: true })
  await page.keyboard.press('Escape')
  await goTo(page, 'Account')
  await shoot('fresh-outage-account', { narrow: true })
  await practice.clearFaults()
}
