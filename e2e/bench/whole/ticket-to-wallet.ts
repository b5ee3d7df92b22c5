import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Page } from 'playwright-core'
import { Agent, request } from 'undici'
import { sleep } from '../../../electron/kernel/deadline.ts'
import { openJournal } from '../../../electron/store/journal/tables/sqlite-journal.ts'
import { systemClock } from '../../../shared/time.ts'
import { goTo } from '../../pages/frame.ts'
import { asksToSign } from '../../pages/phone.ts'
import { join as joinExchange } from '../../pages/ready.ts'
import { signToFinal } from '../../pages/rows.ts'
import { signingSheet } from '../../pages/signing.ts'
import { fillOrder, reviewButton, reviewOrder } from '../../pages/ticket.ts'
import { appValue } from '../../support/bridge.ts'
import type { Desk } from '../../support/desk.ts'
import { anIntent } from '../../support/journal/an-intent.ts'
import { keptSecrets } from '../../support/keyring.ts'
import type { Practice } from '../../support/practice.ts'
import { compare, type Measured } from '../metric.ts'
import { interleave, type Rounds } from '../rounds.ts'

/**
 * Pause between two samples. The service limits each key’s requests per second, and the app’s own reads count too. Without the pause, one sample
 * would slow down the next.
 */
const calmMs = 1_500

declare global {
  var leftAtMs: number
  /** A copy of the signing sheet, as it was when the user could send. */
  var sheetCopy: HTMLDialogElement | null
}

const noteWhatLeaves = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { send } = WebSocket.prototype
    globalThis.leftAtMs = 0
    WebSocket.prototype.send = function (data) {
      if (String(data).includes('irn_publish')) globalThis.leftAtMs = performance.now()
      send.call(this, data)
    }
  })

/**
 * Milliseconds from pressing Review until Send is enabled on the signing sheet, plus milliseconds from pressing Send until the request is sent.
 * Excludes the time in between, in which a user would read the sheet.
 */
const pressBoth = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const button = (name: RegExp) => [...document.querySelectorAll('button')].find((one) => name.test(one.textContent ?? '') && !one.disabled)
    const until = async <T>(find: () => T | undefined): Promise<T> => {
      for (const patience = performance.now() + 10_000; performance.now() < patience; ) {
        const found = find()
        if (found !== undefined) return found
        await new Promise((resolve) => setTimeout(resolve))
      }
      throw new Error('It did not come')
    }
    const review = button(/^Review/)
    if (review === undefined) throw new Error('There is nothing to review')
    const reviewedAt = performance.now()
    review.click()
    const send = await until(() => button(/^Send to wallet/))
    const ready = performance.now() - reviewedAt
    globalThis.sheetCopy = (send.closest('dialog')?.cloneNode(true) ?? null) as HTMLDialogElement | null // a copy of a dialog is a dialog
    const sentAt = performance.now()
    send.click()
    const leftAt = await until(() => (globalThis.leftAtMs > sentAt ? globalThis.leftAtMs : undefined))
    return ready + leftAt - sentAt
  })

/** Milliseconds until the page has drawn a static copy of the signing sheet: the same elements and styles, without any script. */
const drawCopy = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    if (globalThis.sheetCopy === null) throw new Error('There is no copy of the signing sheet')
    const startedAt = performance.now()
    const copy = globalThis.sheetCopy.cloneNode(true) as HTMLDialogElement // a copy of a dialog is a dialog
    copy.removeAttribute('open')
    document.body.append(copy)
    copy.showModal()
    // The frame is drawn after its callbacks, so before the first task that follows.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    const took = performance.now() - startedAt
    copy.remove()
    return took
  })

/**
 * Measures the time from a completed order ticket until the signing request is on its way to the phone. Compares it with the unavoidable work:
 * preparing the order, writing the intent to disk and drawing the sheet. `folder` must be on a real disk.
 */
export async function measureTicketToWallet({ rounds, seed }: Rounds, desk: Desk, practice: Practice, folder: string): Promise<Measured[]> {
  const page = desk.main
  const phone = await joinExchange(desk, 'bot')
  await goTo(page, 'Trade')
  // The benchmark does not measure the first order, because the user must confirm contracts and signing formats with it.
  await reviewOrder(page, { value: '400' })
  await signToFinal(page, phone, practice)
  await noteWhatLeaves(page)
  const { keys } = await appValue(page, 'keys.list', {})
  const apiKey = keptSecrets(keys[0]?.id ?? '')[0] ?? ''
  const home = mkdtempSync(join(folder, 'bench-ticket-'))
  const journal = openJournal({ file: join(home, 'journal.db'), clock: systemClock })
  const agent = new Agent({ connections: 1, pipelining: 1 })
  let count = 0
  const ours = async (): Promise<number> => {
    count += 1
    await fillOrder(page, { value: String(300 + count) })
    await expect(reviewButton(page)).toBeEnabled()
    await sleep(calmMs)
    const took = await pressBoth(page)
    await phone.reject(asksToSign)
    await expect(signingSheet(page).getByRole('button', { name: 'Send to wallet' })).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(signingSheet(page)).toBeHidden()
    return took
  }
  const against = async (): Promise<number> => {
    count += 1
    await sleep(calmMs)
    const { marks } = await appValue(page, 'markets.marks', { pairIds: [1] })
    const started = performance.now()
    journal.intents.plan(anIntent(`bench-${count}`))
    const { statusCode, body } = await request(`${practice.descriptor.hostUrl}/api/dex/v1/orders/prepare`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'x-svc-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': `bench-ticket-${count}` },
      body: JSON.stringify({
        action: 'open_position',
        payload: {
          pair_id: 1,
          side: 'long',
          order_type: 'market',
          leverage: 10,
          order_value_usdc: String(300 + count),
          reference_price: marks[0]?.mark,
          max_slippage_bps: 50,
        },
      }),
    })
    const answer = await body.text()
    if (statusCode !== 200) throw new Error(`Not prepared: ${statusCode} ${answer}`)
    JSON.parse(answer)
    return performance.now() - started + (await drawCopy(page))
  }
  try {
    // Keeps a copy of the sheet for the reference.
    await ours()
    const cost = await interleave({ ours, against }, { rounds, turns: 1, seed })
    return [
      compare('Ticket to wallet, ms from the press of Review to the request on its way, against preparation + journal append + a static copy of the sheet', {
        ours: cost.ours,
        against: cost.against,
        target: 1.5,
      }),
    ]
  } finally {
    await agent.destroy()
    journal.close()
    rmSync(home, { recursive: true, force: true })
  }
}
