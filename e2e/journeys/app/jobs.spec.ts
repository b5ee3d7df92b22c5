import type { Page } from '@playwright/test'
import { goTo } from '../../pages/frame.ts'
import { keyIdOf, keyRow, notices } from '../../pages/keys.ts'
import { openLab } from '../../pages/lab.ts'
import { expectKeyStored, signGrant } from '../../pages/new-key.ts'
import { asksToConnect, asksToSend, asksToSign, phonePage } from '../../pages/phone.ts'
import { receiverTest, testSheet } from '../../pages/receiver-test.ts'
import { rowForm } from '../../pages/rows.ts'
import { expectSignedIn, signInSheet } from '../../pages/sign-in.ts'
import { expectFinal, signingSheet } from '../../pages/signing.ts'
import { reviewButton, ticketField } from '../../pages/ticket.ts'
import { blotterRow } from '../../pages/trade.ts'
import { newWebhook, signingSecret } from '../../pages/webhooks.ts'
import { expectConnected } from '../../pages/welcome.ts'
import { expect, test } from '../../support/fixtures.ts'
import { keptSecrets } from '../../support/keyring.ts'
import { countPresses, type Presses } from '../../support/presses.ts'
import { startReceiver } from '../../support/receiver.ts'

/** The clicks, keys and phone presses that a job may need. `typed`: text that the user must type, for example a name. */
interface Limit {
  readonly clicks: number
  readonly phone?: number
  readonly typed?: string
  /** Number of key presses besides those for `typed`, for example Enter. */
  readonly keys?: number
}

interface Counted extends Presses {
  readonly job: string
  readonly phone: number
}

const table = (rows: readonly Counted[]): string =>
  [['job', 'clicks', 'keys', 'phone'], ...rows.map(({ job, clicks, keys, phone }) => [job, clicks, keys, phone])]
    .map(([job, ...counts]) => `${String(job).padEnd(36)}${counts.map((count) => String(count).padStart(8)).join('')}`)
    .join('\n')

/** Sends the request on the signing sheet to the wallet with one press. Fails if the sheet requires a typed phrase or a ticked box. */
async function sendWithOnePress(page: Page): Promise<void> {
  const sheet = signingSheet(page)
  const send = sheet.getByRole('button', { name: 'Send to wallet' })
  await expect(send).toBeEnabled()
  await expect(sheet.getByRole('textbox').or(sheet.getByRole('checkbox'))).toHaveCount(0)
  await send.click()
}

async function finish(page: Page): Promise<void> {
  await signingSheet(page).getByRole('button', { name: 'Done' }).click()
  await expect(signingSheet(page)).toBeHidden()
}

test('everyday jobs, such as signing in or placing an order, need exactly the allowed number of clicks and key presses', async ({
  open,
  practice,
}, testInfo) => {
  test.setTimeout(300_000)
  const desk = await open()
  const { app, main: page } = desk
  await using receiver = await startReceiver()
  const counted: Counted[] = []
  const clipboard = () => app.evaluate(({ clipboard }) => clipboard.readText())

  let readPhone: (() => Promise<Presses>) | null = null
  const countPhone = async () => {
    readPhone = await countPresses(await desk.phone())
  }

  /** Does a job that starts on the current page, and checks the number of presses. */
  const job = (name: string, limit: Limit, run: () => Promise<void>): Promise<void> =>
    test.step(name, async () => {
      const read = await countPresses(page)
      if (readPhone !== null) await countPhone()
      await run()
      const onPhone = await readPhone?.()
      const presses = { job: name, ...(await read()), phone: onPhone?.clicks ?? 0 }
      counted.push(presses)
      // Requires exact numbers, so that a miscounted press also fails the test.
      expect.soft(presses).toEqual({ job: name, clicks: limit.clicks, keys: (limit.typed?.length ?? 0) + (limit.keys ?? 0), phone: limit.phone ?? 0 })
    })
  const fromOverview = async (...given: Parameters<typeof job>) => {
    await goTo(page, 'Overview')
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
    await job(...given)
  }
  const inMain = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

  await expect(page.getByRole('button', { name: 'Start practice' })).toBeVisible()
  await job('practice to paired', { clicks: 2, phone: 1 }, async () => {
    await page.getByRole('button', { name: 'Start practice' }).click()
    const scan = page.getByRole('button', { name: 'Scan with the practice phone' })
    await expect(scan).toBeEnabled({ timeout: 30_000 })
    await scan.click()
    await countPhone()
    await phonePage(await desk.phone()).approve(asksToConnect)
    await expectConnected(page)
  })
  const phone = phonePage(await desk.phone())

  await fromOverview('sign in', { clicks: 2, phone: 1 }, async () => {
    await inMain('Sign in').click()
    const send = signInSheet(page).getByRole('button', { name: 'Send to wallet' })
    await expect(send).toBeEnabled()
    await send.click()
    await phone.approve(asksToSign)
    await expectSignedIn(page)
  })

  await fromOverview('first bot key', { clicks: 5, phone: 1, typed: 'first-bot' }, async () => {
    await inMain('New key').click()
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
    await page.keyboard.type('first-bot')
    await page.getByRole('radio', { name: /Trading bot/ }).click()
    await page.getByRole('button', { name: 'Prepare grant' }).click()
    await signGrant(page).click()
    await sendWithOnePress(page)
    await phone.approve(asksToSign)
    await expectKeyStored(page, 'first-bot')
  })
  const [secret = 'none'] = keptSecrets(await keyIdOf(page, 'first-bot'))

  await fromOverview('copy a secret', { clicks: 2 }, async () => {
    await goTo(page, 'Keys')
    await keyRow(page, 'first-bot').getByRole('button', { name: 'Copy secret of first-bot' }).click()
    await expect(notices(page).filter({ hasText: 'Secret copied' })).toBeVisible()
    await expect.poll(clipboard).toBe(secret)
  })
  await app.evaluate(({ clipboard }) => clipboard.clear())

  await fromOverview('copy a secret by keyboard', { clicks: 0, typed: 'copy first', keys: 2 }, async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('copy first')
    await expect(page.getByRole('dialog', { name: 'Commands' }).getByRole('option').first()).toContainText('Copy secret of first-bot')
    await page.keyboard.press('Enter')
    await expect.poll(clipboard).toBe(secret)
  })

  await fromOverview('see what expires', { clicks: 0 }, async () => {
    await expect(page.getByRole('region', { name: /^Key/ }).filter({ hasText: 'first-bot' })).toContainText(/\d+ days/)
  })

  const order = async () => {
    await goTo(page, 'Trade')
    await ticketField(page, 'Order value').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('500')
    await expect(reviewButton(page)).toBeEnabled()
    await page.keyboard.press('Enter')
    await sendWithOnePress(page)
    await phone.approve(asksToSign)
  }
  const finished = async () => {
    await practice.chain({ mine: 8 })
    await expectFinal(page)
    await finish(page)
  }
  await fromOverview('market order, first', { clicks: 3, phone: 1, typed: '500', keys: 2 }, order)
  await finished()

  await fromOverview('take profit and stop loss, first', { clicks: 6, phone: 1 }, async () => {
    await goTo(page, 'Trade')
    await blotterRow(page, 'Positions', 'BTC-PERP')
      .getByRole('button', { name: /^TP\/SL of the long on BTC-PERP/ })
      .click()
    const distance = (of: string) =>
      rowForm(page)
        .getByRole('radiogroup', { name: `${of}, percent from entry` })
        .getByRole('radio', { name: '5 %' })
    await distance('Take profit').click()
    await distance('Stop loss').click()
    await rowForm(page)
      .getByRole('button', { name: /^Review/ })
      .click()
    await sendWithOnePress(page)
    await phone.approve(asksToSend)
  })
  await expect(async () => {
    await practice.chain({ mine: 4 })
    await expectFinal(page, 1_500)
  }).toPass({ timeout: 60_000 })
  await finish(page)
  expect((await practice.effects()).positions).toMatchObject([{ take_profit: expect.any(String), stop_loss: expect.any(String) }])

  await fromOverview('close a position, first', { clicks: 3, phone: 1 }, async () => {
    await inMain('Close the long on BTC-PERP').click()
    await rowForm(page)
      .getByRole('button', { name: /^Review/ })
      .click()
    await sendWithOnePress(page)
    await phone.approve(asksToSign)
  })
  await finished()
  expect((await practice.effects()).positions).toEqual([])

  await fromOverview('market order, later', { clicks: 3, phone: 1, typed: '500', keys: 2 }, order)
  await finished()

  await fromOverview('order value by keyboard', { clicks: 0, keys: 3 }, async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await expect(reviewButton(page)).toBeVisible()
    await page.keyboard.press('Shift+V')
    await expect(ticketField(page, 'Order value')).toBeFocused()
  })

  const url = 'http://127.0.0.1:4000/hooks'
  await fromOverview('add a webhook', { clicks: 3, typed: url }, async () => {
    await goTo(page, 'Webhooks')
    await inMain('New webhook').first().click()
    await expect(newWebhook(page).getByRole('textbox', { name: 'Send to' })).toBeFocused()
    await page.keyboard.type(url)
    await newWebhook(page).getByRole('button', { name: 'Create webhook' }).click()
    await expect(signingSecret(page)).toContainText('In the system keychain')
  })

  await fromOverview('test a receiver', { clicks: 3, typed: receiver.url, keys: 1 }, async () => {
    await openLab(page)
    await receiverTest(page).getByRole('button', { name: 'Set up test' }).click()
    await expect(testSheet(page).getByRole('textbox', { name: /^Your receiver/ })).toBeFocused()
    await page.keyboard.type(receiver.url)
    await page.keyboard.press('Enter')
    await expect(receiverTest(page)).toContainText(/\d+ of 22 pass/, { timeout: 60_000 })
  })

  const confirmed = async (choice: 'Rotate' | 'Revoke') => {
    await goTo(page, 'Keys')
    await keyRow(page, 'first-bot').getByRole('button', { name: 'Actions for first-bot' }).click()
    await page.getByRole('menuitem', { name: choice }).click()
    const sheet = page.getByRole('alertdialog', { name: `${choice} first-bot` })
    await expect(sheet.getByRole('textbox')).toBeFocused()
    await page.keyboard.type('first-bot')
    await page.keyboard.press('Enter')
    await expect(sheet).toBeHidden()
  }
  await fromOverview('rotate a key', { clicks: 3, typed: 'first-bot', keys: 1 }, () => confirmed('Rotate'))
  await fromOverview('revoke a key', { clicks: 3, typed: 'first-bot', keys: 1 }, () => confirmed('Revoke'))

  process.stdout.write(`${table(counted)}\n`)
  await testInfo.attach('jobs', { body: table(counted), contentType: 'text/plain' })
})
