import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { takeUp } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { notices } from '../../pages/keys.ts'
import { openPhone, openSignedIn, paired, signedIn, signIn } from '../../pages/ready.ts'
import { expectSignedIn } from '../../pages/sign-in.ts'
import { confirmHost, createWebhook, lostWebhook, newWebhook, openNewWebhook, signingSecret, webhookRow } from '../../pages/webhooks.ts'
import { sees } from '../../support/coverage.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, testSignedIn as test, testPaired } from '../../support/fixtures.ts'
import { recordIpc } from '../../support/ipc-traffic.ts'
import { keptSecrets } from '../../support/keyring.ts'
import { heapOf, storageOf } from '../../support/search/page-memory.ts'
import { createSearch } from '../../support/search/secret-search.ts'
import { death, diesBefore } from '../../support/sudden-death.ts'

const list = 'GET /api/dex/developer/webhooks'
const create = 'POST /api/dex/developer/webhooks'
const disable = 'DELETE /api/dex/developer/webhooks/{webhook_id}'
const url = 'http://127.0.0.1:4000/hooks'
const host = '127.0.0.1:4000'
const signed = /^svc_whsec_[0-9a-f]{64}$/

/** Waits until the app shows the webhook as created. Returns the webhook’s id. */
async function made(page: Page): Promise<string> {
  await expect(signingSecret(page)).toContainText('In the system keychain')
  const id = page.getByRole('region', { name: 'Subscription' }).getByText(/^wh_/)
  return id.innerText()
}

testPaired(
  'the user creates a webhook; its secret in the keychain survives a restart and is deleted together with the webhook [HOOK-01, HOOK-02, HOOK-03]',
  async ({ open, practice, profileDir }) => {
    let desk = await open()
    await paired(desk)
    const phone = await openPhone(desk)
    await goTo(desk.main, 'Webhooks')
    await expect(desk.main.getByRole('main')).toContainText('Sign in to see your webhooks')
    await signIn(desk.main, phone)
    await goTo(desk.main, 'Webhooks')
    await expect(desk.main.getByRole('main')).toContainText('No webhooks yet')

    await test.step('the webhook form shows an error at an invalid field, and sends nothing', async () => {
      const sheet = await openNewWebhook(desk.main)
      const field = sheet.getByRole('textbox', { name: 'Send to' })
      const press = () => sheet.getByRole('button', { name: 'Create webhook' }).click()
      for (const [typed, words] of [
        ['', 'Type the URL'],
        ['http://bots.example/in', 'begin with https://'],
        ['https://bots.example:444/in', 'only reaches the ports 443, 8443'],
        ['https://me:pw@bots.example/in', 'Leave out the user name and password'],
        ['https://192.168.0.7/in', '192.168.0.7 is not a public address'],
        [`https://bots.example/${'a'.repeat(500)}`, 'Use at most 512 characters'],
        ['https://missing.invalid/in', 'No address is known for missing.invalid'],
      ] as const) {
        await field.fill(typed)
        await press()
        await expect(sheet.getByRole('alert')).toContainText(words)
      }
      for (const name of ['transaction.confirmed', 'transaction.reverted']) await expect(sheet.getByRole('checkbox', { name })).toBeChecked()
      await expect(sheet.getByRole('checkbox', { name: /^liquidation.warning never sent/ })).not.toBeChecked()
      await expect(sheet.getByRole('checkbox', { name: /^transaction.pending only as a correction/ })).toBeVisible()
      await expect(sheet.getByRole('region', { name: 'Transactions and the chain' })).toContainText('for transactions whose hash the service knows')
      await field.fill(url)
      for (const name of ['transaction.confirmed', 'transaction.reverted']) await sheet.getByRole('checkbox', { name }).uncheck()
      await press()
      await expect(sheet.getByRole('alert')).toContainText('Choose at least one')
      expect(await practice.callsTo(create)).toEqual([])
      for (const name of ['order.filled', 'position.changed']) await sheet.getByRole('checkbox', { name }).check()
      await expect(sheet).toContainText('Only practice accepts an address of this computer.')
      await sees(practice, create, async () => {
        await Promise.all([expect(notices(desk.main)).toContainText('The webhook’s signing secret is in the keychain and verified.'), press()])
      })
    })
    const id = await made(desk.main)
    const [secret = '', ...others] = keptSecrets(id)
    expect(secret).toMatch(signed)
    expect(others).toEqual([])
    expect((await practice.effects()).webhooks).toMatchObject([{ webhook_id: id, url, events: ['order.filled', 'position.changed'], status: 'active' }])
    await goTo(desk.main, 'Webhooks')
    await sees(practice, list, async () => {
      for (const words of ['order.filled', 'position.changed', 'Active', 'Keychain']) await expect(webhookRow(desk.main, url)).toContainText(words)
      await expect(desk.main.getByRole('img', { name: '1 of 8 active webhooks' })).toBeVisible()
    })

    await desk.close()
    desk = await open()
    await expectSignedIn(desk.main)
    await goTo(desk.main, 'Webhooks')
    await webhookRow(desk.main, url).getByRole('link').click()
    const path = join(profileDir, 'bot.env')
    await answerDialogs(desk.app, { save: path })
    await signingSecret(desk.main).getByRole('button', { name: 'Save .env' }).click()
    await expect(signingSecret(desk.main)).toContainText(`Only you can read ${path}.`)
    expect(readFileSync(path, 'utf8')).toBe(`SVC_WEBHOOK_SECRET=${secret}\n`)
    await expect(signingSecret(desk.main)).toContainText(`--webhook ${url}`)

    await desk.main.getByRole('button', { name: 'Disable' }).click()
    await confirmHost(desk.main, host, 'Disable webhook')
    await sees(practice, disable, async () => {
      await goTo(desk.main, 'Webhooks')
      await expect(webhookRow(desk.main, url)).toContainText('Disabled')
      await expect(desk.main.getByRole('img', { name: '0 of 8 active webhooks' })).toBeVisible()
    })
    expect(keptSecrets(id)).toEqual([])
    expect((await practice.effects()).webhooks).toMatchObject([{ webhook_id: id, status: 'disabled' }])
  },
)

test('with eight active webhooks, the app shows that the limit is reached, and shows the service’s refusal of a ninth with its request id [HOOK-04, GEN-05]', async ({
  open,
  practice,
}) => {
  const { page } = await openSignedIn(open)
  for (let count = 1; count <= 8; count += 1) {
    await createWebhook(page, `${url}/${count}`)
    await made(page)
  }
  await goTo(page, 'Webhooks')
  await expect(page.getByRole('img', { name: '8 of 8 active webhooks' })).toBeVisible()
  await createWebhook(page, `${url}/9`)
  const sheet = newWebhook(page)
  await expect(sheet).toContainText('8 webhooks are active. The service accepts no more webhooks.')
  await expect(sheet).toContainText('WEBHOOK_LIMIT_REACHED')
  await expect(sheet).toContainText('A wallet holds at most 8 active webhooks')
  const refusal = (await practice.callsTo(create)).find(({ status }) => status === 409)
  await expect(sheet).toContainText(refusal?.requestId ?? 'none')
  expect((await practice.effects()).webhooks).toHaveLength(8)
  await page.keyboard.press('Escape')

  await webhookRow(page, `${url}/1`)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await confirmHost(page, host, 'Disable webhook')
  await createWebhook(page, `${url}/9`)
  await made(page)
})

test('after a lost response or a kill, the app lists a new webhook whose secret is missing, and the user can replace the webhook [HOOK-03, KEY-16]', async ({
  open,
  practice,
}) => {
  let desk = await open()
  await signedIn(desk)
  await openPhone(desk)
  await practice.faults({ dropAnswer: [{ route: create, times: 1 }] })
  await createWebhook(desk.main, `${url}/lost`)
  await expect(newWebhook(desk.main)).toContainText(/lost|may/)
  await newWebhook(desk.main).getByRole('button', { name: 'See result' }).click()
  await expect(lostWebhook(desk.main)).toBeVisible()
  await takeUp(desk.main, 'A webhook may exist without its secret', 'Resolve')
  await expect(lostWebhook(desk.main)).toContainText(`${url}/lost`)
  await lostWebhook(desk.main).getByRole('button', { name: 'Disable and create again' }).click()
  await expect(lostWebhook(desk.main)).toBeHidden()
  expect((await practice.effects()).webhooks).toMatchObject([
    { url: `${url}/lost`, status: 'disabled' },
    { url: `${url}/lost`, status: 'active' },
  ])
  expect(keptSecrets((await practice.effects()).webhooks[1]?.webhook_id ?? '')).toEqual([expect.stringMatching(signed)])

  await test.step('the app is killed while the service’s response is on its way', async () => {
    await practice.faults({ delay: [{ route: create, ms: null }] })
    await createWebhook(desk.main, `${url}/killed`)
    await expect.poll(async () => (await practice.effects()).webhooks.length).toBe(3)
    await desk.kill()
    await practice.clearFaults()
    desk = await open()
    await expectSignedIn(desk.main)
    await takeUp(desk.main, 'A webhook may exist without its secret', 'Resolve')
    await expect(lostWebhook(desk.main)).toContainText(`${url}/killed`)
    await expect(webhookRow(desk.main, `${url}/killed`)).toContainText('Not here')
    await lostWebhook(desk.main).getByRole('button', { name: 'Disable', exact: true }).click()
    await expect(lostWebhook(desk.main)).toBeHidden()
    await expect(webhookRow(desk.main, `${url}/killed`)).toContainText('Disabled')
  })

  await test.step('the app is killed after storing the secret in the keychain and before recording this in the journal', async () => {
    await diesBefore(desk, 'STORED')
    await createWebhook(desk.main, `${url}/stored`)
    await death(desk)
    desk = await open()
    await expectSignedIn(desk.main)
    await goTo(desk.main, 'Webhooks')
    await expect(webhookRow(desk.main, `${url}/stored`)).toContainText('Keychain')
    await expect(lostWebhook(desk.main)).toBeHidden()
    const { webhook_id: id = '' } = (await practice.effects()).webhooks.at(-1) ?? {}
    expect(keptSecrets(id)).toEqual([expect.stringMatching(signed)])
  })
})

test('a webhook’s signing secret appears in no page, browser storage, IPC message, output, path or file of the app [HOOK-03, AUTH-09]', async ({
  open,
  practice,
  profileDir,
}) => {
  const desk = await open()
  const page = desk.main
  const traffic = await recordIpc(desk.app)
  await signedIn(desk)
  await openPhone(desk)
  await createWebhook(page, url)
  const id = await made(page)
  await signingSecret(page).getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(signingSecret(page)).toContainText('Clipboard clears in')
  await signingSecret(page).getByRole('button', { name: 'Reveal' }).click()
  await expect(signingSecret(page).getByRole('timer')).toBeVisible()
  const [secret = ''] = keptSecrets(id)
  expect(secret).toMatch(signed)
  const places = { heap: await heapOf(page), storage: await storageOf(page), IPC: await traffic(), paths: JSON.stringify(await practice.calls()) }
  await desk.close()
  const sought = createSearch([{ name: 'signing secret', value: secret }])
  expect(Object.entries({ ...places, output: desk.output() }).flatMap(([place, text]) => sought.inText(place, text))).toEqual([])
  expect(readdirSync(profileDir)).toEqual(expect.arrayContaining(['desk.db', 'logs', 'profiles']))
  expect([...sought.inFolder(profileDir), ...sought.inFolder(dirname(practice.descriptorFile))]).toEqual([])
  // Checks that the search works: it must find a planted copy of the secret.
  expect(sought.inText('planted', `x${Buffer.from(`a${secret}`).toString('base64')}`)).not.toEqual([])
})

test('the user creates and disables a webhook with the keyboard alone [HOOK-02, HOOK-04]', async ({ open, practice }) => {
  const { page } = await openSignedIn(open)
  const focused = page.locator(':focus')
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab')
      if (
        name.test(await focused.evaluate((element) => element.getAttribute('aria-label') ?? element.closest('label')?.textContent ?? element.textContent ?? ''))
      )
        return
    }
    throw new Error(`the focus never came to ${name}`)
  }
  await goTo(page, 'Overview')
  await page.keyboard.press('g')
  await page.keyboard.press('w')
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible()
  await tabTo(/^New webhook/)
  await page.keyboard.press('Enter')
  await expect(newWebhook(page).getByRole('textbox', { name: 'Send to' })).toBeFocused()
  await page.keyboard.type(url)
  await tabTo(/^All events/)
  await page.keyboard.press('Space')
  await tabTo(/^Create webhook/)
  await page.keyboard.press('Enter')
  await made(page)
  expect((await practice.effects()).webhooks).toMatchObject([{ url, events: ['*'], status: 'active' }])

  await tabTo(/^Disable/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog').getByRole('textbox')).toBeFocused()
  await page.keyboard.type(host)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect.poll(async () => (await practice.effects()).webhooks[0]?.status).toBe('disabled')
})
