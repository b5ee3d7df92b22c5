import { expect, type Page } from '@playwright/test'
import { activityRows, openActivity, openRequest, requestDetail } from '../pages/activity.ts'
import { goTo } from '../pages/frame.ts'
import type { Practice } from '../support/practice.ts'

interface ActivityShots {
  readonly page: Page
  readonly practice: Practice
  readonly shoot: (name: string, options?: { narrow?: boolean }) => Promise<void>
}

const accountRoute = 'GET /api/dex/v1/account'

/** Takes screenshots of Activity’s lists and details. Requires that the app has sent an order. */
export async function takeActivityShots({ page, practice, shoot }: ActivityShots): Promise<void> {
  await openActivity(page, 'Orders')
  await shoot('activity', { narrow: true })

  await practice.faults({
    dropRequest: [{ route: accountRoute, times: 1 }],
    answer: [{ route: accountRoute, status: 503, code: 'UPSTREAM_DOWN', times: 1 }],
  })
  await goTo(page, 'Overview')
  const answers = async () => (await practice.callsTo(accountRoute)).map(({ status }) => status).join(' ')
  await expect.poll(answers, { timeout: 20_000 }).toContain('0 503 200')
  await openActivity(page, 'Requests')
  await page.getByRole('radio', { name: 'Failures' }).click()
  const failed = await openRequest(page, '/api/dex/v1/account')
  await failed.getByRole('list', { name: 'Attempts of this request' }).waitFor()
  await shoot('activity-request-failed')
  await page.keyboard.press('Escape')
  await page.getByRole('radio', { name: 'All', exact: true }).click()
  await activityRows(page, 'Requests').first().waitFor()
  await shoot('activity-requests', { narrow: true })
  await page.getByRole('textbox', { name: 'Filter requests' }).fill('orders/prepare')
  const prepared = await openRequest(page, 'orders/prepare')
  await shoot('activity-request', { narrow: true })
  await prepared.getByRole('tab', { name: 'Request' }).click()
  await shoot('activity-request-sent')
  await prepared.getByRole('tab', { name: 'Copy as' }).click()
  await shoot('activity-request-copy', { narrow: true })
  await prepared.getByRole('radio', { name: 'Python' }).click()
  await shoot('activity-request-python')
  await page.keyboard.press('Escape')
  await requestDetail(page).waitFor({ state: 'hidden' })
  await page.getByRole('textbox', { name: 'Filter requests' }).fill('nothing like it')
  await shoot('activity-requests-none')

  await openActivity(page, 'Keys and secrets')
  await shoot('activity-secrets')
  await openActivity(page, 'Audit')
  await activityRows(page, 'Audit').filter({ hasText: 'The service' }).first().waitFor()
  await shoot('activity-audit', { narrow: true })
}
