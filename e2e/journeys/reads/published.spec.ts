import { join as path } from 'node:path'
import { goTo } from '../../pages/frame.ts'
import { openPhone, signedIn } from '../../pages/ready.ts'
import { signingSheet } from '../../pages/signing.ts'
import { chooseOrderType, fillOrder, reviewButton, reviewOrder, ticket } from '../../pages/ticket.ts'
import { figure } from '../../pages/trade.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'
import { root } from '../../support/project.ts'

const pictures = process.env.SVC_DESK_PICTURES === '1'

test('the order ticket disables an option that the service does not publish, and says why; changed values need the user’s consent before trading [GEN-09] [MKT-02]', async ({
  open,
  practice,
}) => {
  test.slow()
  await practice.faults({ published: { orderTypes: ['market', 'limit'], marginModes: ['cross'], timesInForce: ['gtc', 'ioc'], delegated: false } })
  const desk = await open()
  const page = desk.main
  await page.setViewportSize({ width: 1440, height: 900 })
  const shoot = async (name: string) => {
    if (!pictures) return
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: path(root, `out/shots/published-${name}-${colorScheme}.png`), animations: 'disabled' })
    }
  }
  await signedIn(desk)
  await openPhone(desk)
  await goTo(page, 'Trade')
  const form = ticket(page)
  const banner = page.getByRole('alert').filter({ hasText: 'The service has changed.' })
  const looksAgain = async () => {
    await goTo(page, 'Settings')
    const service = page.getByRole('region', { name: 'Service', exact: true })
    await service.getByRole('button', { name: 'Refresh service status' }).click()
    await goTo(page, 'Trade')
  }

  await test.step('the user cannot choose an unpublished order type, margin mode or time in force', async () => {
    const stop = form.getByRole('tab', { name: 'Stop' })
    await expect(stop).toBeDisabled()
    await expect(stop).toHaveAttribute('title', 'The exchange accepts no stop orders now.')
    const isolated = form.getByRole('radio', { name: 'Isolated' })
    await expect(isolated).toBeDisabled()
    await expect(isolated).toHaveAttribute('title', 'The exchange accepts no isolated margin now.')
    await expect(form.getByRole('radio', { name: 'Cross' })).toBeEnabled()
    await chooseOrderType(page, 'Limit')
    const fok = form.getByRole('radio', { name: 'FOK' })
    await expect(fok).toBeDisabled()
    await expect(fok).toHaveAttribute('title', 'The exchange accepts no fill-or-kill orders now.')
    await expect(form.getByRole('radio', { name: 'IOC' })).toBeEnabled()
    await shoot('less')
    // Removed options need no consent, because the remaining options stay the same.
    await expect(banner).toHaveCount(0)
    await chooseOrderType(page, 'Market')
  })

  await test.step('an order is blocked, with the reason, when its chosen option is no longer published', async () => {
    await practice.faults({ published: { orderTypes: ['limit', 'stop'] } })
    await looksAgain()
    await expect(form.getByRole('tab', { name: 'Stop' })).toBeEnabled({ timeout: 30_000 })
    await expect(form.getByRole('radio', { name: 'Isolated' })).toBeEnabled()
    await fillOrder(page, { value: '250' })
    await expect(form).toContainText('The exchange accepts no market orders now.')
    await expect(reviewButton(page)).toBeDisabled()
    await shoot('taken-away')
  })

  await test.step('every page reports a changed schema or removed key scopes, which need consent before the next order', async () => {
    // The routes under `/v1` send the API version and the schema version only as response headers.
    const schema = 'svc-dex-api-v1.2'
    await goTo(page, 'Settings')
    const reported = figure(page.getByRole('region', { name: 'Service', exact: true }), 'Reported version')
    const published = figure(page.getByRole('region', { name: 'Published by the service' }), 'Schema')
    await expect(reported).toContainText('svc-dex-api-v1.1')
    await expect(published).toHaveText('svc-dex-api-v1.1')
    await practice.faults({ versions: { api: 'v1', schema }, published: { schema, scopes: ['market:read', 'account:read', 'trade:prepare'] } })
    await expect(reported).toContainText(schema, { timeout: 30_000 })
    await expect(published).toHaveText(schema)
    await looksAgain()
    await expect(banner).toContainText('Schema: svc-dex-api-v1.2 instead of svc-dex-api-v1.1.', { timeout: 30_000 })
    await expect(banner).toContainText('Key scopes: account:read, market:read, trade:prepare instead of market:read, account:read')
    await shoot('drift')
    const before = (await practice.effects()).prepared
    await reviewOrder(page, { value: '250' })
    await expect(form.getByRole('alert').filter({ hasText: 'New orders wait for your decision' })).toBeVisible()
    expect((await practice.effects()).prepared).toBe(before)
    await banner.getByRole('button', { name: 'Trade anyway' }).click()
    await expect(banner).toHaveCount(0)
    await reviewOrder(page, { value: '250' })
    await expect(signingSheet(page)).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('a changed router contract needs the user’s consent again', async () => {
    const router = `0x${'ab'.repeat(20)}`
    await practice.faults({ published: { scopes: ['market:read', 'account:read', 'trade:prepare'], router } })
    await looksAgain()
    await expect(banner).toContainText(/Router: 0xab\S+ instead of 0x/i, { timeout: 30_000 })
    await expect(banner).toContainText('New orders wait until you agree')
    const before = (await practice.effects()).prepared
    await reviewOrder(page, { value: '250' })
    await expect(form.getByRole('alert').filter({ hasText: 'New orders wait for your decision' })).toBeVisible()
    expect((await practice.effects()).prepared).toBe(before)
  })

  await test.step('the warning disappears when the published values return to the original ones', async () => {
    await practice.faults({ versions: null, published: null })
    await looksAgain()
    await expect(banner).toHaveCount(0)
  })
})
