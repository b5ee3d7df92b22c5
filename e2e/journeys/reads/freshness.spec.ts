import { activityRows, openActivity, requestDetail } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { figure } from '../../pages/trade.ts'
import { sees } from '../../support/coverage.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'

test('the app reads the account from the service’s stream once available, with its own key, and asks before a second host gets this key [ACC-04] [GEN-02]', async ({
  open,
  practice,
}) => {
  test.slow()
  const { page } = await openSignedIn(open)
  await goTo(page, 'Settings')
  const service = page.getByRole('region', { name: 'Service', exact: true })

  await test.step('while the stream responds with 503, the app polls the account and only rarely retries the stream', async () => {
    await sees(practice, 'GET /api/dex/v1/stream', async () => {
      await expect(figure(service, 'Account stream')).toContainText('polling the account instead')
    })
    const asked = (await practice.callsTo('GET /api/dex/v1/stream')).length
    expect(asked).toBeLessThan(6)
  })

  await test.step('once the stream becomes available, the app uses it', async () => {
    await sees(practice, 'GET /api/dex/v1/snapshot', async () => {
      await practice.faults({ stream: {} })
      await expect(figure(service, 'Account stream')).toContainText('Live', { timeout: 60_000 })
    })
  })

  await test.step('one click creates a read-only key for the app’s own reads', async () => {
    await expect(figure(service, 'Reads with')).toContainText('Can do more than read')
    await service.getByRole('button', { name: 'Create read-only key' }).click()
    const sheet = page.getByRole('dialog', { name: 'Read-only key' })
    await expect(sheet).toContainText('The key cannot place, change or move anything')
    await sheet.getByRole('button', { name: 'Create key' }).click()
    await expect(sheet).toHaveCount(0)
    await expect(figure(service, 'Reads with')).toContainText('Svc Desk consoleRead-only')
    const made = (await practice.effects()).keys.find(({ label }) => label.startsWith('Svc Desk console'))
    expect([...(made?.scopes ?? [])].sort()).toEqual(['account:read', 'market:read'])
  })

  await test.step('the second host responds, the user confirms it by typing its name, and the app uses it', async () => {
    const { host } = new URL(practice.descriptor.secondHostUrl)
    await page.getByRole('button', { name: 'Actions for Practice' }).click()
    await page.getByRole('menuitem', { name: 'Add second host' }).click()
    const sheet = page.getByRole('dialog', { name: 'Second host of Practice' })
    await sheet.getByRole('button', { name: 'Check address' }).click()
    await expect(sheet.getByRole('status')).toContainText(host)
    await expect(sheet.getByRole('button', { name: 'Use this host' })).toBeDisabled()
    await sheet.getByRole('checkbox', { name: `Send my API keys to ${host} too` }).check({ force: true })
    await sheet.getByRole('button', { name: 'Use this host' }).click()
    await expect(sheet).toHaveCount(0)
    await expect(page.getByRole('listitem', { name: 'Practice' })).toContainText(`Second host for reads: ${host}`)
    await expect(figure(service, 'Second host, for reads')).toContainText(`${host}Not checked yet`)
    await service.scrollIntoViewIfNeeded()
  })

  await test.step('when the first host is down, the app reads account and markets from the second host and says so', async () => {
    await practice.faults({ hostDown: [{ host: 'first', how: 503 }] })
    await service.getByRole('button', { name: 'Refresh service status' }).click()
    await expect(figure(service, 'Second host, for reads')).toContainText(/Responding.*Responded last/, { timeout: 30_000 })
    await expect(figure(service, 'Host$')).toContainText('Not responding')
    await expect(page.getByRole('list', { name: 'Connections' })).toContainText('through its second host')
    await openActivity(page, 'Requests')
    const rows = activityRows(page, 'Requests')
    const byTheSecond = rows.filter({ hasText: 'Second host' })
    await expect(byTheSecond.first()).toContainText('/api/dex/v1/')
    const { host } = new URL(practice.descriptor.secondHostUrl)
    await byTheSecond.first().getByRole('button').first().click()
    await expect(figure(requestDetail(page), 'Host')).toHaveText(`${host} Second host`)
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'Filter requests' }).fill('/api/dex/developer/')
    await expect(byTheSecond).toHaveCount(0)
    await rows.filter({ hasText: '/api/dex/developer/' }).first().getByRole('button').first().click()
    await expect(figure(requestDetail(page), 'Host')).toHaveText(new URL(practice.descriptor.hostUrl).host)
    await goTo(page, 'Settings')
    await practice.faults({ hostDown: [] })
    await expect(figure(service, 'Host$')).toContainText('Responding', { timeout: 90_000 })
  })

  await test.step('when the service’s version changes, the app asks once for the user’s consent', async () => {
    await practice.faults({ versions: { api: 'v1', schema: 'svc-dex-api-v1.2' } })
    await expect(page.getByRole('alert').filter({ hasText: 'The service has changed.' })).toBeVisible({ timeout: 30_000 })
  })
})
