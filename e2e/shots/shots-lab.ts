import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { minute } from '../../shared/time.ts'
import { deliveredHeaders } from '../pages/inspector.ts'
import { capturedRow, labPanel, labSetup, listenInLab, openLab } from '../pages/lab.ts'
import { pair, signIn } from '../pages/ready.ts'
import { receiverTest } from '../pages/receiver-test.ts'
import { expectSignedIn } from '../pages/sign-in.ts'
import { newWebhook } from '../pages/webhooks.ts'
import { appValue } from '../support/bridge.ts'
import { openDesk } from '../support/desk.ts'
import { keptSecrets } from '../support/keyring.ts'
import { startReceiver } from '../support/receiver.ts'
import type { Studio } from './shots-studio.ts'

const patient = { timeout: 30_000 }

/** A bot’s webhook endpoint with faults. For one event, it first does not respond and then fails. For another event, it always fails. */
async function endpoint() {
  let tries = 0
  const server = createServer((request, response) => {
    const type = request.headers['x-svc-event']
    const answer = (status: number) => setTimeout(() => response.writeHead(status).end(), 36)
    request.resume().on('end', () => {
      if (type === 'order.filled') tries += 1
      if (type === 'order.filled' && tries === 1) return
      answer(type === 'funding.charged' || (type === 'order.filled' && tries === 2) ? 500 : 200)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // safe cast: a TCP server’s address has a port
  return { url: `http://127.0.0.1:${port}/hooks`, close: () => server.close() }
}

export async function takeLabShots({ desk, page, practice, profileDir, shoot, zoom }: Studio): Promise<void> {
  await signIn(page, await pair(desk))
  await openLab(page)
  await labPanel(page).getByRole('button', { name: 'New webhook to this computer' }).waitFor()
  await shoot('webhooks-lab-empty', { narrow: true })
  await labPanel(page).getByRole('button', { name: 'New webhook to this computer' }).click()
  await newWebhook(page).getByRole('button', { name: 'Create webhook' }).click()
  await labPanel(page).getByRole('button', { name: 'Listen' }).click()
  await shoot('webhooks-lab-setup', { narrow: true })
  await page.keyboard.press('Escape')
  const own = await endpoint()
  await listenInLab(page, own.url)
  await shoot('webhooks-lab-waiting')
  await fetch('http://127.0.0.1:4807/hooks/svc', { method: 'POST', body: '{}' })
  await labPanel(page).getByText('A delivery reached the wrong path.').waitFor()
  await shoot('webhooks-lab-astray', { narrow: true })

  const answered = async (type: string, words: string | RegExp) => expect(capturedRow(page, type)).toContainText(words, patient)
  await practice.deliver('order.accepted')
  await answered('order.accepted', '200')
  await practice.deliver('order.filled')
  await practice.deliver('funding.charged')
  await practice.faults({ deliveries: { duplicate: true } })
  await practice.deliver('position.changed')
  await practice.clearFaults()
  const confirmed = await practice.deliver('transaction.confirmed')
  await answered('order.filled', 'attempt 2')
  await practice.deliver('transaction.pending', { revokedEventId: confirmed.event_id })
  await answered('transaction.confirmed', 'Taken back')
  await answered('order.filled', 'attempt 3')
  const url = (await appValue(page, 'lab.state', {})).url ?? ''
  const timestampS = Math.floor(Date.now() / 1_000)
  const body = `{"id":"evt_9f26","type":"collateral.changed","created_at":${timestampS},"data":{}}`
  const forged = { secret: 'svc_whsec_somebody_else', body, timestampS, event: 'collateral.changed', id: 'evt_9f26' }
  await fetch(url, { method: 'POST', headers: Object.fromEntries(deliveredHeaders(forged)), body })
  await shoot('webhooks-lab-live')
  await answered('funding.charged', 'Given up')
  await testReceiver(page)
  await expect(page.locator('[data-part=toast]')).toHaveCount(0, patient)
  await shoot('webhooks-lab', { narrow: true })
  await capturedRow(page, 'transaction.pending').getByRole('button').click()
  await page
    .getByRole('dialog')
    .getByText(/^Takes back/)
    .waitFor()
  await shoot('webhooks-lab-event', { narrow: true })
  await page.keyboard.press('Escape')
  await capturedRow(page, 'collateral.changed').getByRole('button').click()
  await page.getByRole('dialog').getByText('The signature is wrong').waitFor()
  await shoot('webhooks-lab-forged')
  await page.keyboard.press('Escape')
  await zoom(true)
  await shoot('webhooks-lab-zoom')
  await zoom(false)
  await practice.advance(40 * minute)
  await expect.poll(async () => (await appValue(page, 'app.clock', {})).offsetMs ?? 0, patient).toBeGreaterThan(30 * minute)
  for (let count = 0; count < 12; count += 1) await practice.deliver(count % 2 === 0 ? 'funding.credited' : 'order.accepted')
  await labPanel(page).getByText('19 events').waitFor(patient)
  await labPanel(page)
    .locator('[data-part=scroll]')
    .evaluate((box) => box.scrollTo(0, 190))
  await labPanel(page).getByRole('button', { name: 'Latest' }).waitFor()
  await shoot('webhooks-lab-folded')
  await labPanel(page).getByRole('button', { name: 'Pause' }).click()
  await labPanel(page).getByText('Paused').waitFor()
  await shoot('webhooks-lab-paused')
  own.close()
  await desk.close()
  const next = await openDesk({ profileDir, variant: 'hooks', descriptorFile: practice.descriptorFile })
  await takeNextRunShots(next.main, shoot)
  await next.close()
}

async function testReceiver(page: Page): Promise<void> {
  await using receiver = await startReceiver()
  const { settings } = await appValue(page, 'lab.state', {})
  const webhookId = settings?.webhookId ?? ''
  receiver.become(keptSecrets(webhookId)[0] ?? '', { toleranceS: Number.POSITIVE_INFINITY })
  const given = { url: receiver.url, effectsUrl: receiver.effectsUrl, signWith: { kind: 'webhook', webhookId } } as const
  await appValue(page, 'receiverTest.start', { ...given, confirmHost: null })
  await expect(receiverTest(page)).toContainText('of 22 pass', patient)
}

/** Takes screenshots after a restart: what the app still shows, and the message about a webhook that was deleted meanwhile. */
async function takeNextRunShots(page: Page, shoot: Studio['shoot']): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectSignedIn(page)
  await openLab(page)
  await labPanel(page).getByText('Paused since the app was closed').waitFor()
  await shoot('webhooks-lab-earlier', { of: page, narrow: true })
  const { settings } = await appValue(page, 'lab.state', {})
  await appValue(page, 'webhooks.disable', { webhookId: settings?.webhookId ?? '' })
  await page.reload()
  await openLab(page)
  await labPanel(page).getByText('The lab’s webhook is gone').waitFor()
  await shoot('webhooks-lab-gone', { of: page, narrow: true })
  await labPanel(page).getByRole('button', { name: 'Listen' }).click()
  await labSetup(page).getByRole('alert').waitFor()
  await shoot('webhooks-lab-gone-setup', { of: page })
  await appValue(page, 'webhooks.create', { url: settings?.webhookUrl ?? '', events: ['*'] })
  await page.reload()
  await openLab(page)
  await labPanel(page).getByRole('button', { name: 'Choose a webhook' }).click()
  await labSetup(page).getByText('This webhook has the same address.').waitFor()
  await shoot('webhooks-lab-stand-in', { of: page })
}
