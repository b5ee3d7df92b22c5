import type { Locator, Page } from '@playwright/test'
import { intentDetail } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { keyIdOf, keyRow, openKey } from '../../pages/keys.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { signingSheet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { aboutMarket, figure, marketHead } from '../../pages/trade.ts'
import { expect, firstKey, testWithKey as test } from '../../support/fixtures.ts'

/** Fields that the practice exchange adds to every object in this test, with the text that the app must show for each. */
const planted = [
  ['svc_unlisted', 'practice'],
  ['svc_unlisted_detail.level', '1'],
  ['svc_unlisted_note', 'byU+202Ehand'],
] as const

/**
 * Opens the collapsed section of additional fields and expects every field of `planted` there, once for the record and once for each of its `parts`.
 */
async function expectPlanted(within: Locator, { from = 'the service', parts = [] }: { from?: string; parts?: readonly string[] } = {}): Promise<void> {
  const fold = within.getByRole('button', { name: new RegExp(`^\\d+ more fields from ${from}$`) })
  await expect(fold).toHaveAttribute('aria-expanded', 'false')
  await fold.click()
  const fields = within.locator(`[id="${await fold.getAttribute('aria-controls')}"]`)
  await expect(fields).toBeVisible()
  for (const part of ['', ...parts])
    for (const [name, value] of planted) {
      const row = fields.locator('dl > div').filter({ has: within.page().locator('dt').getByText(`${part}${name}`, { exact: true }) })
      await expect(row.locator('dd')).toHaveText(value)
    }
  await expect(fields.getByTitle('Invisible character').first()).toHaveText('U+202E')
}

const account = (page: Page): Locator => page.getByRole('region', { name: 'Account' })

test('the app shows a record’s unknown fields beside the record, and never shows a missing field as zero [ERR-02]', async ({ open, practice }) => {
  const { page } = await openSignedIn(open)
  const keyId = await keyIdOf(page, firstKey)
  await goTo(page, 'Overview')
  await expect(account(page)).toContainText('10,000.00 USDC')
  await expect(account(page).getByRole('button', { name: /more field/ })).toBeHidden()
  await practice.faults({ extraFields: true, omitOptional: true })

  await test.step('the account shows its unknown fields, and a dash for the account state that the service omits', async () => {
    await expectPlanted(account(page))
    await expect(figure(account(page), 'State')).toHaveText('—')
  })
  await test.step('a market’s rules and summary show unknown fields, and a dash for each missing field', async () => {
    await goTo(page, 'Trade')
    await expect(figure(marketHead(page), 'Index')).toHaveText('—')
    const about = await aboutMarket(page, 'BTC-PERP')
    await expect(figure(about, 'Mark$')).toHaveText(/\d/)
    for (const term of ['Index', '24 h change', 'Open interest, long', 'Funding, 1 h', 'Price time']) await expect(figure(about, term)).toHaveText('—')
    await expectPlanted(about, { from: 'the summary' })
    await page.keyboard.press('Escape')
    await expect(about).toBeHidden()
  })
  await test.step('the signing sheet of a prepared order, and the details of its intent, show the unknown fields', async () => {
    await reviewOrder(page, { value: '250' })
    await expectPlanted(signingSheet(page), { parts: ['execution.'] })
    await page.keyboard.press('Escape')
    await expect(signingSheet(page)).toBeHidden()
    await goTo(page, 'Activity')
    await expectPlanted(intentDetail(page))
  })
  await test.step('a key shows its unknown fields, and a dash for a missing field', async () => {
    await goTo(page, 'Keys')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(keyRow(page, keyId).getByRole('cell').nth(5)).toHaveText('—')
    const key = await openKey(page, firstKey)
    await expectPlanted(key, { parts: ['agent.'] })
  })
  await test.step('the service section shows unknown fields of /meta and /status, and a dash for a missing one', async () => {
    await goTo(page, 'Settings')
    const service = page.getByRole('region', { name: 'Service', exact: true })
    await expectPlanted(service, { from: '/meta', parts: ['contracts.'] })
    await service.getByRole('button', { name: 'Refresh service status' }).click()
    await expectPlanted(service, { from: '/status' })
    await expect(figure(service, 'Newest block')).toHaveText('—')
  })
})
