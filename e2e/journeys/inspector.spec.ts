import type { Page } from '@playwright/test'
import { asCurlCommand, asHar, asHeaders, checks, deliveredHeaders, openInspector, pastedField } from '../pages/inspector.ts'
import { pair, signIn } from '../pages/ready.ts'
import { createWebhook, signingSecret } from '../pages/webhooks.ts'
import type { Desk } from '../support/desk.ts'
import { expect, test } from '../support/fixtures.ts'
import { recordIpc } from '../support/ipc-traffic.ts'
import { keptSecrets } from '../support/keyring.ts'

const url = 'http://127.0.0.1:4000/hooks'
const body = '{"id":"evt_9f21","type":"order.filled","created_at":1800000000,\r\n "data":{"order_id":12345678901234567890,"note":"it’s größer ✓"}}\n'
const nowS = () => Math.floor(Date.now() / 1_000)

/** A webhook made by the screen; gives the secret that its deliveries are signed with. */
async function webhookSecret(desk: Desk): Promise<string> {
  await signIn(desk.main, await pair(desk))
  await createWebhook(desk.main, url)
  await expect(signingSecret(desk.main)).toContainText('In the system keychain')
  await expect(desk.main.getByRole('region', { name: 'The verifier for Node' })).toContainText('timingSafeEqual')
  const id = await desk.main.getByRole('region', { name: 'Subscription' }).getByText(/^wh_/).innerText()
  return keptSecrets(id)[0] ?? ''
}

/** As from the clipboard, which keeps line breaks as they are, where the field makes them one kind. */
async function paste(page: Page, text: string): Promise<void> {
  await pastedField(page).evaluate((field, copied) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', copied)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, text)
  await pastedField(page).fill(text)
}

const failing = (page: Page) =>
  checks(page)
    .getByRole('listitem')
    .filter({ hasText: /^Wrong:/ })

test('a delivery is pasted as headers, as curl and as a HAR, and each time told right, changed or old [HOOK-05, HOOK-06]', async ({ open }) => {
  const desk = await open()
  const page = desk.main
  const secret = await webhookSecret(desk)
  expect(secret).toMatch(/^svc_whsec_/)
  const traffic = await recordIpc(desk.app)
  await openInspector(page)
  await expect(page.getByRole('main')).toContainText('Is a delivery genuine?')

  const changed = body.replace('evt_9f21', 'evt_9f22')
  for (const write of [asHeaders, asCurlCommand, (headers: ReturnType<typeof deliveredHeaders>, sent: string) => asHar([{ headers, body: sent }])]) {
    const headers = deliveredHeaders({ secret, body, timestampS: nowS() })
    await paste(page, write(headers, body))
    await expect(checks(page)).toContainText('A receiver takes this delivery.')
    await expect(checks(page)).toContainText('8 of 8 right')
    await expect(checks(page)).toContainText(`With the secret of ${url}.`)
    await expect(page.getByRole('region', { name: 'Event' })).toContainText('An order was completely filled')
    await expect(page.getByRole('region', { name: 'Body of the delivery' })).toContainText('12345678901234567890')

    await paste(page, write(headers, changed))
    await expect(checks(page)).toContainText('The signature is wrong: a receiver refuses this delivery.')
    await expect(failing(page)).toHaveCount(2)
    await expect(failing(page).first()).toContainText('The signature is that of timestamp, period and raw body')
    await expect(page.getByRole('region', { name: 'Event' })).toContainText('not vouched for')

    await paste(page, write(deliveredHeaders({ secret, body, timestampS: nowS() - 3 * 3_600 }), body))
    await expect(checks(page)).toContainText('The signature is right; this delivery is 3 h old.')
    await expect(checks(page)).toContainText('Any age')
    await expect(failing(page)).toHaveCount(1)
    await expect(failing(page)).toContainText('It is at most 300 s old')
  }
  const crossed = await traffic()
  expect(crossed).toContain('webhooks.inspect')
  expect(crossed).not.toContain(secret)
})

test('several deliveries of a HAR are chosen from, a correction names what it takes back, and what cannot be read is said [HOOK-05, HOOK-07]', async ({
  open,
}) => {
  const desk = await open()
  const page = desk.main
  const secret = await webhookSecret(desk)
  await openInspector(page)
  const correction = '{"id":"evt_9f25","type":"transaction.pending","created_at":1800000001,"revoked_event_id":"evt_9f23","data":{}}'
  const of = { secret, timestampS: nowS() }
  await pastedField(page).fill(
    asHar([
      { headers: deliveredHeaders({ ...of, body }), body },
      { headers: deliveredHeaders({ ...of, body: correction, event: 'transaction.pending', id: 'evt_9f25' }), body: correction },
    ]),
  )
  await expect(checks(page)).toContainText('A receiver takes this delivery.')
  await page.getByRole('button', { name: 'Delivery 1 of 2' }).click()
  await page.getByRole('menuitemradio', { name: /transaction.pending/ }).click()
  await expect(page.getByRole('region', { name: 'Event' })).toContainText('It takes back evt_9f23: undo what that event did.')
  await expect(page.getByRole('region', { name: 'Event' })).toContainText('only as a correction')
  await expect(checks(page)).toContainText('It is a correction.')

  await test.step('without a secret everything but the signature is checked', async () => {
    await page.getByRole('button', { name: /^Check with:/ }).click()
    await page.getByRole('menuitemradio', { name: /^No secret/ }).click()
    await expect(checks(page)).toContainText('Nobody can say yet who sent this.')
    await expect(checks(page)).toContainText('7 of 8 right')
    await page.getByRole('button', { name: /^Check with:/ }).click()
    await page.getByRole('menuitemradio', { name: new RegExp(`^${url}`) }).click()
    await expect(checks(page)).toContainText('8 of 8 right')
  })
  await test.step('by the keyboard', async () => {
    await pastedField(page).fill('{"id":"evt_1"}')
    await expect(page.getByRole('alert')).toContainText('This is a body alone.')
    await pastedField(page).press('ControlOrMeta+a')
    await page.keyboard.type('curl x -d @body.json')
    await expect(page.getByRole('alert')).toContainText('-d names a file (@body.json)')
    await page.getByRole('button', { name: 'Clear' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toContainText('Is a delivery genuine?')
    await page.getByRole('tab', { name: 'Inspector' }).focus()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('table', { name: 'Webhooks' })).toBeVisible()
  })
})
