import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { goTo } from '../../pages/frame.ts'
import { asCurlCommand, asHar, asHeaders, checks, deliveredHeaders, openInspector, pastedField } from '../../pages/inspector.ts'
import { capturedRow, chooseInLab, labPanel, labSetup, listenInLab, openLab } from '../../pages/lab.ts'
import { pair, signIn } from '../../pages/ready.ts'
import { checkRow, openReceiverTest, receiverTest, testSheet } from '../../pages/receiver-test.ts'
import { expectSignedIn } from '../../pages/sign-in.ts'
import { confirmHost, createWebhook, signingSecret, webhookRow } from '../../pages/webhooks.ts'
import type { Desk } from '../../support/desk.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, test } from '../../support/fixtures.ts'
import { freePort } from '../../support/free-port.ts'
import { recordIpc } from '../../support/ipc-traffic.ts'
import { keptSecrets } from '../../support/keyring.ts'
import { type OwnReceiver, startReceiver } from '../../support/receiver.ts'
import { createSearch } from '../../support/search/secret-search.ts'

const url = 'http://127.0.0.1:4000/hooks'
const body = '{"id":"evt_9f21","type":"order.filled","created_at":1800000000,\r\n "data":{"order_id":12345678901234567890,"note":"it’s größer ✓"}}\n'
const token = 'tok_5f1c9a7be2d04c86'
const withToken = ({ url: address }: OwnReceiver) => `${address}?token=${token}`
const nowS = () => Math.floor(Date.now() / 1_000)

/** Creates a webhook in the app and returns its signing secret. */
async function webhookSecret(desk: Desk): Promise<string> {
  await signIn(desk.main, await pair(desk))
  await createWebhook(desk.main, url)
  await expect(signingSecret(desk.main)).toContainText('In the system keychain')
  await expect(desk.main.getByRole('region', { name: 'Verifier for Node' })).toContainText('timingSafeEqual')
  const id = await desk.main.getByRole('region', { name: 'Subscription' }).getByText(/^wh_/).innerText()
  return keptSecrets(id)[0] ?? ''
}

/** Pastes text as from a clipboard. Typing into the text field would change its line breaks. */
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

/**
 * Runs the receiver test against the user’s receiver with a throw-away secret: first with a bug in the receiver, then without. Returns the secret.
 */
async function testOwnReceiver({ app, main: page }: Desk, receiver: OwnReceiver, reportFile: string): Promise<string> {
  await openReceiverTest(page)
  await receiverTest(page).getByRole('button', { name: 'Set up test' }).click()
  const sheet = testSheet(page)
  await sheet.getByRole('textbox', { name: /^Your receiver/ }).fill('https://93.184.216.34/in')
  await expect(sheet.getByRole('textbox', { name: 'Type 93.184.216.34 to send deliveries there' })).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Run test' })).toBeDisabled()
  await sheet.getByRole('textbox', { name: /^Your receiver/ }).fill(withToken(receiver))
  await sheet.getByRole('textbox', { name: /^Address of the list of handled events/ }).fill(receiver.effectsUrl)
  await sheet.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(sheet.getByRole('timer')).toContainText('Clipboard clears')
  const secret = await app.evaluate(({ clipboard }) => clipboard.readText())
  receiver.become('another secret')
  await sheet.getByRole('button', { name: 'Send sample event' }).click()
  await page.getByRole('menuitem', { name: 'order.filled' }).click()
  await expect(sheet).toContainText('<img src=x onerror=alert(1)>')
  receiver.become(secret)
  await sheet.getByRole('button', { name: 'Send sample event' }).click()
  await page.getByRole('menuitem', { name: 'liquidation' }).click()
  await expect(sheet.getByRole('status').filter({ hasText: 'Sample liquidation:' })).toContainText('204')
  receiver.become(secret, { actsTwice: true })
  await sheet.getByRole('button', { name: 'Run test' }).click()
  await expect(sheet).toBeHidden()

  const panel = receiverTest(page)
  await expect(panel).toContainText('21 of 22 pass', { timeout: 20_000 })
  const failed = panel.getByRole('listitem').filter({ hasText: /^Failed:/ })
  await expect(failed).toHaveCount(1)
  await expect(failed).toContainText('Acts once on a repeated event')
  await checkRow(page, 'Refuses a wrong signature').click()
  const sent = panel.getByRole('region', { name: 'Sent for: Refuses a wrong signature' })
  await expect(sent.getByRole('listitem')).toHaveCount(2)
  await expect(sent).toContainText('The last digit of the signature was changed')
  await expect(sent).toContainText('<img src=x onerror=alert(1)>')
  await expect(panel).toHaveJSProperty('scrollWidth', await panel.evaluate(({ clientWidth }) => clientWidth))

  const asked = await answerDialogs(app, { save: reportFile })
  await panel.getByRole('button', { name: 'Save report' }).click()
  await page.getByRole('menuitem', { name: 'As Markdown' }).click()
  await expect(page.getByText(reportFile)).toBeVisible()
  expect(await asked()).toMatchObject([{ title: 'Save report' }])
  const report = readFileSync(reportFile, 'utf8')
  expect(report).toContain('# Receiver test: FAILED')
  expect(report).toMatch(/\| FAILED \| Acts once on a repeated event \(acted_once\) \| HOOK-07 \| acted more than once on evt_sample_/)
  expect(report).not.toContain(secret)

  receiver.become(secret)
  await panel.getByRole('button', { name: 'Run again' }).click()
  await expect(panel.getByRole('button', { name: 'Stop' })).toBeVisible()
  await expect(panel).toContainText('all pass', { timeout: 20_000 })
  await expect(panel.getByRole('listitem').filter({ hasText: /^Passed:/ })).toHaveCount(22)
  return secret
}

interface Before {
  readonly receiver: OwnReceiver
  readonly secret: string
  /** The address of the webhook lab. */
  readonly address: string
  readonly reportFile: string
}

/**
 * Checks after a restart that the lab listens only when the user starts it. Saves the test report and runs the receiver test again. Then deletes the
 * webhook and expects the lab to report the deletion.
 */
async function goOnAfterRestart({ app, main: page }: Desk, { receiver, secret, address, reportFile }: Before): Promise<void> {
  const [lab, panel] = [labPanel(page), receiverTest(page)]
  const deliver = () =>
    fetch(address, { method: 'POST', headers: Object.fromEntries(deliveredHeaders({ secret, body, timestampS: nowS() })), body }).then(({ status }) => status)
  await expectSignedIn(page)
  await openLab(page)
  await expect(lab).toContainText('Paused since the app was closed')
  await expect(lab).toContainText(url)
  await expect(deliver()).rejects.toThrow('fetch failed')

  await expect(panel).toContainText(/all pass.*Earlier run, .* ago/s)
  await expect(panel.getByRole('listitem').filter({ hasText: /^Passed:/ })).toHaveCount(22)
  await answerDialogs(app, { save: reportFile })
  await panel.getByRole('button', { name: 'Save report' }).click()
  await page.getByRole('menuitem', { name: 'As Markdown' }).click()
  await expect(page.getByText(reportFile)).toBeVisible()
  expect(readFileSync(reportFile, 'utf8')).toContain('# Receiver test: passed')
  await panel.getByRole('button', { name: 'Run again' }).click()
  await expect(testSheet(page)).toContainText('The app creates a secret for this test.')
  await expect(testSheet(page).getByRole('textbox', { name: /^Your receiver/ })).toHaveValue(withToken(receiver))
  await testSheet(page).getByRole('radio', { name: 'A webhook’s secret' }).click()
  await testSheet(page).getByRole('button', { name: 'Choose a webhook' }).click()
  await page.getByRole('menuitemradio', { name: new RegExp(`^${url}`) }).click()
  receiver.become(secret)
  await testSheet(page).getByRole('button', { name: 'Run test' }).click()
  await panel.getByRole('button', { name: 'Stop' }).click()
  await expect(panel).toContainText('stopped')

  await lab.getByRole('button', { name: 'Listen' }).click()
  await expect(lab.getByText('Listening')).toBeVisible()
  expect(await deliver()).toBe(204)
  await expect(capturedRow(page, 'evt_9f21')).toContainText('Verified')
  await expect.poll(() => receiver.incoming.filter(({ headers }) => headers['x-svc-event-id'] === 'evt_9f21').length).toBe(1)
  await lab.getByRole('button', { name: 'Pause' }).click()
  await chooseInLab(page, 'Settings')
  await expect(labSetup(page).getByRole('textbox', { name: 'Forward to' })).toHaveValue(withToken(receiver))
  await page.keyboard.press('Escape')

  await goTo(page, 'Webhooks')
  await webhookRow(page, url).getByRole('link').click()
  await page.getByRole('button', { name: 'Disable' }).click()
  await confirmHost(page, new URL(url).host, 'Disable webhook')
  await openLab(page)
  await lab.getByRole('button', { name: 'Listen' }).click()
  await expect(labSetup(page).getByRole('alert')).toContainText(`The signing secret of ${url} is no longer on this computer.`)
  await expect(labSetup(page).getByRole('textbox', { name: 'Forward to' })).toHaveValue(withToken(receiver))
}

test('the webhook inspector detects changed and old deliveries; the receiver test passes a fixed receiver, and its report survives a restart [HOOK-05, HOOK-06, HOOK-08]', async ({
  open,
  profileDir,
}) => {
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
    await expect(checks(page)).toContainText('A receiver accepts this delivery.')
    await expect(checks(page)).toContainText('8 of 8 right')
    await expect(checks(page)).toContainText(`Signed with the secret of ${url}; every step passes.`)
    await expect(page.getByRole('region', { name: 'Event' })).toContainText('An order was completely filled')
    await expect(page.getByRole('region', { name: 'Headers' }).getByText('Svc-DEX-Webhook/1.0')).toHaveCount(1)
    await expect(page.getByRole('region', { name: 'Delivery body' })).toContainText('12345678901234567890')

    await paste(page, write(headers, changed))
    await expect(checks(page)).toContainText('The signature is wrong: a receiver refuses this delivery.')
    await expect(failing(page)).toHaveCount(2)
    await expect(failing(page).first()).toContainText('Signature matches timestamp, dot and raw body')
    await expect(page.getByRole('region', { name: 'Event' })).toContainText('unverified')

    await paste(page, write(deliveredHeaders({ secret, body, timestampS: nowS() - 3 * 3_600 }), body))
    await expect(checks(page)).toContainText('The signature is right; this delivery is 3 h old.')
    await expect(checks(page)).toContainText('Outside tolerance')
    await expect(failing(page)).toHaveCount(1)
    await expect(failing(page)).toContainText('At most 300 s old')
  }
  await using receiver = await startReceiver()
  const throwaway = await testOwnReceiver(desk, receiver, join(profileDir, 'receiver.md'))
  expect(throwaway).toMatch(/^svc_whsec_[0-9a-f]{64}$/)
  const crossed = await traffic()
  expect(crossed).toContain('webhooks.inspect')
  expect(crossed).toContain('receiverTest.state')
  for (const one of [secret, throwaway]) expect(crossed).not.toContain(one)

  await test.step('after a restart, the webhook lab is paused with its settings, and the report of the receiver test still exists', async () => {
    const port = await freePort()
    await listenInLab(page, withToken(receiver), port)
    await desk.close()
    const search = createSearch(Object.entries({ secret, throwaway, token }).map(([name, value]) => ({ name, value })))
    expect(search.inFolder(profileDir)).toEqual([])
    await goOnAfterRestart(await open(), { receiver, secret, address: `http://127.0.0.1:${port}/hooks`, reportFile: join(profileDir, 'again.md') })
  })
})

test('the webhook inspector reads a delivery from a HAR file, names the event that a correction takes back, and reports unreadable input [HOOK-05, HOOK-07]', async ({
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
  await expect(checks(page)).toContainText('A receiver accepts this delivery.')
  await page.getByRole('button', { name: 'Delivery 1 of 2' }).click()
  await page.getByRole('menuitemradio', { name: /transaction.pending/ }).click()
  await expect(page.getByRole('region', { name: 'Event' })).toContainText('The correction takes back evt_9f23: undo what that event did.')
  await expect(page.getByRole('region', { name: 'Event' })).toContainText('only as a correction')
  await expect(checks(page)).toContainText('This delivery is a correction.')

  await test.step('without the signing secret, the inspector checks everything but the signature', async () => {
    await page.getByRole('button', { name: /^Check with:/ }).click()
    await page.getByRole('menuitemradio', { name: /^No secret/ }).click()
    await expect(checks(page)).toContainText('The sender is not known yet.')
    await expect(checks(page)).toContainText('7 of 8 right')
    await page.getByRole('button', { name: /^Check with:/ }).click()
    await page.getByRole('menuitemradio', { name: new RegExp(`^${url}`) }).click()
    await expect(checks(page)).toContainText('8 of 8 right')
  })
  await test.step('the inspector works with the keyboard alone', async () => {
    await pastedField(page).fill('{"id":"evt_1"}')
    await expect(page.getByRole('alert')).toContainText('This is only a body.')
    await pastedField(page).press('ControlOrMeta+a')
    await page.keyboard.type('curl x -d @body.json')
    await expect(page.getByRole('alert')).toContainText('-d names a file (@body.json)')
    await page.getByRole('button', { name: 'Clear' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toContainText('Is a delivery genuine?')
    await page.getByRole('tab', { name: 'Inspector' }).focus()
    await page.keyboard.press('Home')
    await expect(page.getByRole('table', { name: 'Webhooks' })).toBeVisible()
  })
})
