import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join as joinPath } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from '@playwright/test'
import type { LabRow } from '../../../shared/ipc/webhooks/receiver-lab.ts'
import { goTo } from '../../pages/frame.ts'
import { checkAgain, expectedEvents, gapSummary, openGaps } from '../../pages/gaps.ts'
import { deliveredHeaders } from '../../pages/inspector.ts'
import { capturedRow, chooseInLab, labPanel, labSetup, listenInLab, openLab } from '../../pages/lab.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { expectFinal, sendToWallet, signingSheet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { confirmHost, openNewWebhook, signingSecret, webhookRow } from '../../pages/webhooks.ts'
import { appValue } from '../../support/bridge.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'
import { type FloodEvent, flood } from '../../support/flood.ts'
import { freePort } from '../../support/free-port.ts'
import { keptSecrets } from '../../support/keyring.ts'
import type { Practice } from '../../support/practice.ts'
import { outOf } from '../../support/project.ts'
import { watchAnswers } from '../../support/search/page-answers.ts'
import { takeBlockBack } from '../../support/take-block-back.ts'

interface Told {
  readonly type: string
  readonly url?: string
  readonly verified?: boolean
  readonly duplicate?: boolean
  readonly event?: { readonly id: string; readonly type: string; readonly revokes: { readonly id: string; readonly captured: boolean } | null }
  readonly forwarded?: { readonly outcome: string; readonly status?: number } | null
  readonly deliveries?: number
}

const terminals: ChildProcess[] = []
test.afterEach(() => {
  for (const child of terminals.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
})

/** Runs `svc-desk listen` in a terminal. Returns the process and its output lines. */
function listening(words: readonly string[]) {
  const child = spawn(process.execPath, [joinPath(outOf('hooks'), 'main/terminal.js'), 'listen', ...words], { stdio: ['pipe', 'pipe', 'pipe'] })
  terminals.push(child)
  const told: Told[] = []
  let errors = ''
  createInterface({ input: child.stdout }).on('line', (line) => told.push(JSON.parse(line) as Told)) // safe cast: the command prints these lines
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => code as number)
  return { told, errors: () => errors, ended, interrupt: () => child.kill('SIGINT') }
}

/** A webhook endpoint of the user. Stores every delivery and responds with 200. */
async function endpoint() {
  const got: { readonly id: string; readonly body: string }[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      got.push({ id: String(request.headers['x-svc-event-id']), body: Buffer.concat(parts).toString() })
      response.writeHead(200).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, close: () => server.close() }
}

async function tradeToFinal(page: Page, practice: Practice, value: string): Promise<string> {
  const before = (await practice.effects()).relayed.length
  await goTo(page, 'Trade')
  await reviewOrder(page, { value })
  await sendToWallet(page)
  await expect.poll(async () => (await practice.effects()).relayed.length).toBe(before + 1)
  await practice.chain({ mine: 8 })
  await expectFinal(page)
  await signingSheet(page).getByRole('button', { name: 'Done' }).click()
  return (await practice.effects()).relayed.at(-1)?.tx_hash ?? ''
}

/**
 * A flood of webhook deliveries: `genuine` valid ones, `forged` ones with a wrong signature, and one event many times. `keptForged` and
 * `keptAttempts` are the lab’s limits for stored forged deliveries and for attempts per event (electron/webhooks/lab/captures.ts).
 */
const [genuine, forged, keptForged, keptAttempts] = [850, 1_150, 1_000, 20]
/** The window must respond to a click within this time (ms), even during a flood of deliveries. */
const answerMs = 1_000
const whole = (count: number) => count.toLocaleString('en-US')

/** Sends at least 2,000 deliveries to the webhook lab, until the window has responded to a click. Empties the lab at the end. */
async function floodLab(page: Page, url: string, secret: string): Promise<void> {
  const panel = labPanel(page)
  await chooseInLab(page, 'Clear')
  await expect(panel).toContainText('0 events, 0 attempts')
  const nowS = Math.floor(Date.now() / 1_000)
  let answered = false
  function* deliveries(): Generator<FloodEvent> {
    const often = { id: 'evt_often', createdAtS: nowS - 10_000, secret }
    for (let index = 0; index < forged; index += 1) {
      yield { id: `evt_forged_${index}`, createdAtS: nowS, secret: `${secret}0` }
      // Deliveries arrive in a different order from their events.
      if (index < genuine) yield { id: `evt_${index}`, createdAtS: nowS - ((index * 7) % genuine), secret }
      if (index % 10 === 0) yield often
    }
    while (!answered) yield often
  }
  const watched = await watchAnswers(page, 'lab.events')
  const begun = performance.now()
  const tryWindow = async () => {
    await expect(panel.getByText(/^\d[\d,]* events, [1-9]/)).toBeVisible()
    await chooseInLab(page, 'Settings')
    await expect(labSetup(page)).toBeVisible()
    expect(await watched.sheetMs()).toBeLessThan(answerMs)
    await page.keyboard.press('Escape')
    await expect(labSetup(page)).toBeHidden()
    await capturedRow(page, 'evt_').last().hover()
    await page.mouse.wheel(0, -100_000)
    await panel.getByRole('button', { name: 'Latest' }).click()
    await expect(panel.getByRole('button', { name: 'Latest' })).toBeHidden()
  }
  const tried = tryWindow().finally(() => {
    answered = true
  })
  const [sent] = await Promise.all([flood(url, deliveries()), tried])
  const took = performance.now() - begun
  await expect(panel).toContainText(`${whole(genuine + 1 + keptForged)} events, ${whole(sent)} attempts`)
  await expect(panel).toContainText(`${whole(forged - keptForged)} older events dropped`)
  const told = await watched.told()
  expect(told).toBeGreaterThan(0)
  expect(told, 'one word for all that comes within 200 ms').toBeLessThanOrEqual(took / 200 + 3)

  const rows: LabRow[] = []
  for (let from = 0; from < genuine + 1 + keptForged; from += 200) rows.push(...(await appValue(page, 'lab.events', { from, to: from + 200 })).rows)
  const happened = Array.from({ length: genuine }, (_, index) => index).toSorted((one, other) => ((other * 7) % genuine) - ((one * 7) % genuine))
  expect(rows.slice(0, genuine + 1).map(({ id, failed }) => [id, failed])).toEqual([['evt_often', null], ...happened.map((index) => [`evt_${index}`, null])])
  expect(rows.slice(genuine + 1).map(({ kind, number, failed }) => [kind, number, failed])).toEqual(
    Array.from({ length: keptForged }, (_, index) => ['refused', forged - keptForged + index + 1, 'signature']),
  )
  expect(rows.filter(({ id }) => id !== 'evt_often').every(({ attempts, answer }) => attempts === 1 && answer.kind !== 'waiting')).toBe(true)
  const { row, attempts } = await appValue(page, 'lab.event', { kind: 'event', id: 'evt_often' })
  expect([row.attempts, attempts.length]).toEqual([sent - genuine - forged, keptAttempts])
  await expect(capturedRow(page, 'evt_forged_').last()).toBeVisible()
  expect(await capturedRow(page, 'evt_').count()).toBeLessThan(100)
  await chooseInLab(page, 'Clear')
  await expect(panel).toContainText('0 events, 0 attempts')
}

test('the receiver lab shows deliveries and corrections, a terminal command forwards deliveries, and a disabled webhook gets no deliveries [HOOK-04, HOOK-05, HOOK-07]', async ({
  open,
  practice,
  profileDir,
}) => {
  test.setTimeout(120_000)
  const own = await endpoint()
  const { desk, page } = await openSignedIn(open)
  await practice.wallet({ autoApprove: true })
  const host = `127.0.0.1:${await freePort()}`
  const hook = `http://${host}/deliveries`
  const sheet = await openNewWebhook(page)
  await sheet.getByRole('textbox', { name: 'Send to' }).fill(hook)
  await sheet.getByRole('checkbox', { name: /All events/ }).check()
  await sheet.getByRole('button', { name: 'Create webhook' }).click()
  await expect(signingSecret(page)).toContainText('In the system keychain')
  const id = await page.getByRole('region', { name: 'Subscription' }).getByText(/^wh_/).innerText()
  const [secret = ''] = keptSecrets(id)

  await test.step('the lab shows each delivery with its attempts, links a correction to the event that it revokes, and frees its port when stopped', async () => {
    await openLab(page)
    await listenInLab(page, own.url)
    await practice.faults({ deliveries: { duplicate: true } })
    const confirmed = await practice.deliver('transaction.confirmed')
    await expect(capturedRow(page, confirmed.event_id)).toContainText(/Verified.*200.*once of 2/)
    await practice.clearFaults()
    const pending = await practice.deliver('transaction.pending', { revokedEventId: confirmed.event_id })
    await expect(capturedRow(page, confirmed.event_id)).toContainText('Taken back')
    await expect(labPanel(page).getByText(/^takes back evt_/)).toBeVisible()
    const timestampS = Math.floor(Date.now() / 1_000)
    const body = JSON.stringify({ id: 'evt_forged', type: 'order.filled', created_at: timestampS, data: {} })
    const headers = Object.fromEntries(deliveredHeaders({ secret: `${secret}0`, body, timestampS, id: 'evt_forged' }))
    expect((await fetch(hook, { method: 'POST', headers, body })).status).toBe(401)
    await expect(capturedRow(page, 'evt_forged')).toContainText(/Forged.*401 refused/)
    await capturedRow(page, pending.event_id).getByRole('button').click()
    await page.getByRole('dialog').getByRole('button', { name: confirmed.event_id }).click()
    await expect(page.getByRole('dialog').getByRole('button', { name: pending.event_id })).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByRole('dialog').getByText('resent from here')).toBeVisible()
    expect(await page.content()).not.toContain(secret)
    await page.keyboard.press('Escape')
    await goTo(page, 'Overview')
    await expect(page.getByRole('link', { name: /^Webhooks.*listening$/ })).toBeVisible()
    await openLab(page)
    await expect(capturedRow(page, 'evt_')).toHaveCount(3)
    expect(own.got.map(({ id }) => id)).toEqual([confirmed.event_id, confirmed.event_id, pending.event_id, confirmed.event_id])
  })
  await test.step('the lab counts every delivery of a flood, stores them up to its limit, and the window stays responsive', async () => {
    const { settings } = await appValue(page, 'lab.state', {})
    if (settings === null) throw new Error('the lab has no settings')
    await appValue(page, 'lab.open', { ...settings, forwardTo: null, answer: { kind: 'fixed', status: 200, delayS: 0 } })
    await floodLab(page, hook, secret)
  })
  await labPanel(page).getByRole('button', { name: 'Pause' }).click()
  await expect(labPanel(page).getByText('Paused')).toBeVisible()
  const before = own.got.length

  const terminal = listening(['--json', '--data', profileDir, '--forward', own.url.replace('http://', '')])
  const { told } = terminal
  const asked = page.getByRole('alertdialog')
  await expect(asked).toContainText(hook)
  await expect(asked).toContainText('It uses the secret to check deliveries')
  await asked.getByRole('button', { name: 'Give secret' }).click()
  await expect.poll(() => told[0]).toMatchObject({ type: 'listening', url: hook })

  const of = (type: string) => told.filter((one) => one.event?.type === type)
  const hash = await test.step('the terminal command verifies the events of a final order, and forwards each without changing a byte', async () => {
    const txHash = await tradeToFinal(page, practice, '420')
    await expect.poll(() => of('transaction.confirmed').length, { timeout: 20_000 }).toBe(1)
    await expect.poll(() => of('order.filled').length, { timeout: 20_000 }).toBe(1)
    expect(told.slice(1).every(({ verified, forwarded }) => verified === true && forwarded?.status === 200)).toBe(true)
    const sent = await practice.deliveries()
    for (const { event_id, body } of sent.filter(({ state }) => state === 'delivered')) expect(own.got).toContainEqual({ id: event_id, body })
    expect(sent.findLast(({ type }) => type === 'transaction.confirmed')?.body).toContain(txHash)
    return txHash
  })
  const confirmed = of('transaction.confirmed')[0]?.event?.id ?? 'none'

  await test.step('the terminal command marks a repeated delivery as a duplicate, and forwards it with that mark', async () => {
    await practice.faults({ deliveries: { duplicate: true } })
    const { event_id } = await practice.deliver('funding.charged')
    await expect
      .poll(() => of('funding.charged').map(({ event, duplicate }) => [event?.id, duplicate]))
      .toEqual([
        [event_id, false],
        [event_id, true],
      ])
    await practice.clearFaults()
  })

  await test.step('after a reorganisation, a correction names the event that it revokes', async () => {
    await takeBlockBack(practice, hash)
    await expect.poll(() => of('transaction.pending').map(({ event }) => event?.revokes), { timeout: 20_000 }).toEqual([{ id: confirmed, captured: true }])
    await expect.poll(() => of('chain.reorg').length, { timeout: 20_000 }).toBeGreaterThan(0)
    await practice.chain({ pause: false })
  })

  await test.step('a disabled webhook gets no more deliveries', async () => {
    await goTo(page, 'Webhooks')
    await webhookRow(page, hook)
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await confirmHost(page, host, 'Disable webhook')
    const [sent, heard] = [(await practice.deliveries()).length, told.length]
    await tradeToFinal(page, practice, '430')
    expect((await practice.deliveries()).length).toBe(sent)
    expect(told.length).toBe(heard)
  })

  terminal.interrupt()
  expect(await terminal.ended, terminal.errors()).toBe(0)
  expect(told.at(-1)).toMatchObject({ type: 'summary', deliveries: own.got.length - before })
  expect(secret).toMatch(/^svc_whsec_/)
  expect(JSON.stringify(told) + terminal.errors() + desk.output()).not.toContain(secret)
  own.close()
})

test('the gap check finds exactly the delivery that was lost, and links to the received events and to those that a correction took back [HOOK-07, HOOK-08]', async ({
  open,
  practice,
}) => {
  test.setTimeout(120_000)
  const { page } = await openSignedIn(open)
  await practice.wallet({ autoApprove: true })
  const sheet = await openNewWebhook(page)
  await sheet.getByRole('textbox', { name: 'Send to' }).fill(`http://127.0.0.1:${await freePort()}/deliveries`)
  await sheet.getByRole('checkbox', { name: /All events/ }).check()
  await sheet.getByRole('button', { name: 'Create webhook' }).click()
  await expect(signingSecret(page)).toContainText('In the system keychain')
  await openLab(page)
  await listenInLab(page)
  await practice.faults({ deliveries: { drop: ['position.changed'] } })
  const hash = await tradeToFinal(page, practice, '410')
  await openGaps(page)
  const event = (type: string) => expectedEvents(page).filter({ hasText: type })
  await expect(event('transaction.confirmed')).toContainText('Captured', { timeout: 20_000 })
  await expect(event('position.changed')).toContainText('Still due')
  await practice.clearFaults()
  // Waits long enough for all four delivery attempts of the service and the pauses between them.
  await practice.advance(70_000)
  await checkAgain(page)
  await expect(gapSummary(page)).toHaveText('1 of 4 events missing', { timeout: 20_000 })
  await page.getByText('Missing only').click()
  await expect(expectedEvents(page)).toHaveText([/position\.changed.*BTC-PERP.*Missing/])
  await page.getByText('Missing only').click()
  await event('order.filled').getByRole('link', { name: /^evt_/ }).click()
  await expect(page.getByRole('dialog')).toContainText('order.filled')
  await page.keyboard.press('Escape')
  // After ten minutes, the app’s last check of the webhook counts as old.
  await practice.advance(600_000)
  await takeBlockBack(practice, hash)
  await openGaps(page)
  await checkAgain(page)
  await expect(event('transaction.pending')).toContainText(/takes back\s*transaction\.confirmed.*Event ID.*Captured/, { timeout: 20_000 })
  await checkAgain(page)
  await expect(gapSummary(page)).toHaveText('All 3 events captured', { timeout: 20_000 })
  await event('transaction.pending').getByRole('link', { name: 'transaction.confirmed' }).click()
  await expect(page.getByRole('dialog')).toContainText('Taken back by')
  await page.keyboard.press('Escape')
  await practice.chain({ pause: false })
  await labPanel(page).getByRole('button', { name: 'Pause' }).click()
  await expect(labPanel(page).getByText('Paused')).toBeVisible()
})
