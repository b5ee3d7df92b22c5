import { expect } from '@playwright/test'
import { goTo } from '../pages/frame.ts'
import { asHar, asHeaders, checks, deliveredHeaders, openInspector, pastedField } from '../pages/inspector.ts'
import { pair, signIn } from '../pages/ready.ts'
import { checkRow, openReceiverTest, receiverTest, testSheet } from '../pages/receiver-test.ts'
import { confirmHost, createWebhook, lostWebhook, newWebhook, openNewWebhook, signingSecret, webhookRow } from '../pages/webhooks.ts'
import { keptSecrets } from '../support/keyring.ts'
import { startReceiver } from '../support/receiver.ts'
import type { Studio } from './shots-studio.ts'

const listRoute = 'GET /api/dex/developer/webhooks'
const createRoute = 'POST /api/dex/developer/webhooks'

async function takeInspectorShots({ page, shoot }: Pick<Studio, 'page' | 'shoot'>, secret: string): Promise<void> {
  const timestampS = Math.floor(Date.now() / 1_000)
  const body = `{"id":"evt_9f21","type":"order.filled","created_at":${timestampS - 4},"data":{"order_id":48213,"symbol":"BTC","size":"0.25","price":"97250.5"}}`
  const correction = `{"id":"evt_9f25","type":"transaction.pending","created_at":${timestampS - 2},"revoked_event_id":"evt_9f23","data":{"hash":"0x5c…e1"}}`
  const headers = deliveredHeaders({ secret, body, timestampS })
  const paste = async (text: string, words: string) => {
    await pastedField(page).fill(text)
    await expect(checks(page)).toContainText(words)
  }
  await openInspector(page)
  await shoot('webhooks-inspector-empty')
  await paste(asHeaders(headers, `${body}\n`), 'A receiver accepts this delivery.')
  await shoot('webhooks-inspector-right', { narrow: true })
  await paste(asHeaders(headers, body.replace('0.25', '2.5')), 'The signature is wrong')
  await shoot('webhooks-inspector-wrong', { narrow: true })
  await paste(asHeaders(deliveredHeaders({ secret, body, timestampS: timestampS - 10_800 }), body), 'this delivery is 3 h old')
  await shoot('webhooks-inspector-old')
  const corrected = deliveredHeaders({ secret, body: correction, timestampS, event: 'transaction.pending', id: 'evt_9f25' })
  await paste(
    asHar([
      { headers: corrected, body: correction },
      { headers, body },
    ]),
    'This delivery is a correction.',
  )
  await shoot('webhooks-inspector-correction')
  await page.getByRole('button', { name: /^Check with:/ }).click()
  await page.getByRole('menuitemradio', { name: /^No secret/ }).click()
  await expect(checks(page)).toContainText('The sender is not known yet.')
  await shoot('webhooks-inspector-unknown')
  await pastedField(page).fill(body)
  await page.getByRole('alert').waitFor()
  await shoot('webhooks-inspector-unreadable')
  await goTo(page, 'Webhooks')
}

async function takeReceiverTestShots({ page, shoot }: Pick<Studio, 'page' | 'shoot'>, secret: string): Promise<void> {
  await using receiver = await startReceiver()
  const parsesFirst = {
    verifies: (given: string | undefined, signatureOf: (over: { body: string }) => string, raw: Buffer) =>
      given === signatureOf({ body: JSON.stringify(JSON.parse(raw.toString())) }),
  }
  receiver.become(secret, parsesFirst)
  const panel = receiverTest(page)
  const sheet = testSheet(page)
  await openReceiverTest(page)
  await shoot('webhooks-receiver-test-empty')
  await panel.getByRole('button', { name: 'Set up test' }).click()
  await sheet.getByRole('textbox', { name: /^Your receiver/ }).fill('https://93.184.216.34/hooks')
  await sheet.getByRole('textbox', { name: /^Type/ }).waitFor()
  await shoot('webhooks-receiver-test-setup-public', { narrow: true })
  await sheet.getByRole('textbox', { name: /^Your receiver/ }).fill(receiver.url)
  await sheet.getByRole('textbox', { name: /^Type/ }).waitFor({ state: 'hidden' })
  await sheet.getByRole('button', { name: 'Copy', exact: true }).click()
  await sheet.getByRole('timer').waitFor()
  await shoot('webhooks-receiver-test-setup', { narrow: true })
  await sheet.getByRole('radio', { name: 'A webhook’s secret' }).click()
  await sheet.getByRole('button', { name: 'Choose a webhook' }).click()
  await page.getByRole('menuitemradio').first().click()
  await shoot('webhooks-receiver-test-setup-webhook')
  await sheet.getByRole('button', { name: 'Run test' }).click()
  await expect(panel.locator('[data-now]')).toContainText('Accepts the retry')
  await shoot('webhooks-receiver-test-running')
  await expect(panel).toContainText('18 of 22 pass', { timeout: 20_000 })
  await shoot('webhooks-receiver-test')
  await checkRow(page, 'Refuses a changed body').click()
  await panel.getByRole('region').scrollIntoViewIfNeeded()
  await shoot('webhooks-receiver-test-check')
  await page.setViewportSize({ width: 1024, height: 680 })
  await panel.scrollIntoViewIfNeeded()
  await panel.getByRole('region').scrollIntoViewIfNeeded()
  await shoot('webhooks-receiver-test-small')
  await page.setViewportSize({ width: 1440, height: 900 })
  receiver.become(secret)
  await panel.getByRole('button', { name: 'Change setup' }).click()
  await sheet.getByRole('textbox', { name: /^Address of the list of handled events/ }).fill(receiver.effectsUrl)
  await sheet.getByRole('button', { name: 'Run test' }).click()
  await expect(panel).toContainText('all pass', { timeout: 20_000 })
  await shoot('webhooks-receiver-test-right')
  await panel.getByRole('button', { name: 'Run again' }).click()
  await expect(panel.locator('[data-now]')).toContainText('Accepts the retry')
  await panel.getByRole('button', { name: 'Stop' }).click()
  await expect(panel).toContainText('stopped')
  await shoot('webhooks-receiver-test-stopped')
  await goTo(page, 'Webhooks')
}

export async function takeWebhookShots({ desk, page, practice, shoot }: Studio): Promise<void> {
  const shown = async (url: string) => {
    await createWebhook(page, url)
    await expect(signingSecret(page)).toContainText('In the system keychain')
  }
  const phone = await pair(desk)
  await goTo(page, 'Webhooks')
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor()
  await shoot('webhooks-signed-out')
  await signIn(page, phone)
  await goTo(page, 'Webhooks')
  await page.getByRole('main').getByText('No webhooks yet').waitFor()
  await shoot('webhooks-empty')
  const sheet = await openNewWebhook(page)
  await shoot('webhooks-new', { narrow: true })
  await sheet.getByRole('textbox', { name: 'Send to' }).fill('http://bots.example/hooks')
  await sheet.getByRole('button', { name: 'Create webhook' }).click()
  await sheet.getByRole('alert').waitFor()
  await shoot('webhooks-new-wrong')
  await sheet.getByRole('textbox', { name: 'Send to' }).fill('http://127.0.0.1:4000/hooks')
  await sheet.getByRole('checkbox', { name: /^All events/ }).check()
  await shoot('webhooks-new-all')
  await sheet.getByRole('button', { name: 'Create webhook' }).click()
  await expect(signingSecret(page)).toContainText('In the system keychain')
  await signingSecret(page).getByRole('button', { name: 'Copy', exact: true }).click()
  await signingSecret(page).getByRole('timer').waitFor()
  await shoot('webhooks-one', { narrow: true })
  const id = await page.getByRole('region', { name: 'Subscription' }).getByText(/^wh_/).innerText()
  await takeInspectorShots({ page, shoot }, keptSecrets(id)[0] ?? '')
  await takeReceiverTestShots({ page, shoot }, keptSecrets(id)[0] ?? '')
  await webhookRow(page, '4000/hooks').getByRole('link').click()
  await page.getByRole('button', { name: 'Disable' }).click()
  await shoot('webhooks-disable')
  await page.keyboard.press('Escape')
  for (const path of ['fills', 'ledger/in', 'retired']) await shown(`https://localhost:8443/${path}`)
  await page.getByRole('button', { name: 'Disable' }).click()
  await confirmHost(page, 'localhost:8443', 'Disable webhook')
  await goTo(page, 'Webhooks')
  await webhookRow(page, 'retired').waitFor()
  await shoot('webhooks', { narrow: true })

  await practice.faults({ dropAnswer: [{ route: createRoute, times: 1 }] })
  await createWebhook(page, 'https://localhost:8443/ops')
  await newWebhook(page).locator('[data-part=failure]').waitFor()
  await shoot('webhooks-new-lost')
  await newWebhook(page).getByRole('button', { name: 'See result' }).click()
  await lostWebhook(page).waitFor()
  await shoot('webhooks-lost', { narrow: true })
  await webhookRow(page, '8443/ops').getByRole('link').click()
  await shoot('webhooks-one-elsewhere')
  await goTo(page, 'Webhooks')
  await lostWebhook(page).getByRole('button', { name: 'Disable and create again' }).click()
  await lostWebhook(page).waitFor({ state: 'hidden' })
  for (const path of ['a', 'b', 'c', 'd']) await shown(`https://localhost:8443/${path}`)
  await createWebhook(page, 'https://localhost:8443/ninth')
  await newWebhook(page).locator('[data-part=failure]').waitFor()
  await shoot('webhooks-full', { narrow: true })
  await page.keyboard.press('Escape')

  await practice.faults({ answer: [{ route: listRoute, status: 500, code: 'INTERNAL', times: 99 }] })
  await page.reload()
  await goTo(page, 'Webhooks')
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).waitFor()
  await shoot('webhooks-error')
  await practice.clearFaults()
}
