import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { showOwnCalls } from '../../pages/activity.ts'
import { goTo, openAddress } from '../../pages/frame.ts'
import { auditTrail, confirmByName, createCustomKey, fact, keyIdOf, keyRow, leg, notices, openDangerSheet, openKey, sheetFact } from '../../pages/keys.ts'
import { createButton, expectKeyStored, newKeyButton } from '../../pages/new-key.ts'
import { asksToConnect, asksToSend, asksToSign, phonePage } from '../../pages/phone.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { expectSignedIn, sendChallenge } from '../../pages/sign-in.ts'
import { comparisonLine, contractQuestions, expectFinal, sendToWallet, signingSheet } from '../../pages/signing.ts'
import { expectConnected, scanWithPhone, startPractising } from '../../pages/welcome.ts'
import { sees } from '../../support/coverage.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, testSignedIn as test, test as testNew } from '../../support/fixtures.ts'
import { recordOf, statusWith } from '../../support/key-facts.ts'
import { keptSecrets } from '../../support/keyring.ts'
import { allowanceOf, receiptOf } from '../../support/receipt.ts'

const dayMs = 86_400_000

test('the user creates a key with chosen scopes without signing a grant, then extends, annotates, rotates and revokes the key [KEY-01, KEY-08, KEY-09]', async ({
  open,
  practice,
}) => {
  const { page } = await openSignedIn(open)
  await test.step('the user creates the key from a preset, with the preset’s limits', async () => {
    await createCustomKey(page, {
      label: 'risk-monitor',
      preset: 'Read-only monitor',
      toggle: ['Manage orders'],
      allowlist: '127.0.0.0/8',
      quota: { name: 'requests_per_second', value: '20' },
    })
    await sees(practice, 'POST /api/dex/developer/keys', () => expectKeyStored(page, 'risk-monitor'))
    expect(await practice.callsTo('POST /api/dex/developer/keys/prepare')).toEqual([])
    expect(await recordOf(practice, 'risk-monitor')).toMatchObject({
      scopes: ['market:read', 'account:read', 'orders:manage'],
      ip_allowlist: ['127.0.0.0/8'],
      quotas: { requests_per_second: 20 },
      agent: null,
    })
    expect((await practice.phone()).requests).toEqual([])
  })
  const keyId = await keyIdOf(page, 'risk-monitor')
  await sees(practice, 'GET /api/dex/developer/keys', async () => {
    const row = keyRow(page, 'risk-monitor')
    for (const words of ['market', 'account', 'orders', '1 entry', 'Keychain', '30 days']) await expect(row).toContainText(words)
    await expect(row).not.toContainText('execute')
  })
  const [first] = keptSecrets(keyId)
  expect(await statusWith(practice, first)).toBe(200)

  await openKey(page, 'risk-monitor')
  await test.step('the user extends the key’s expiry', async () => {
    await page.getByRole('button', { name: 'Extend' }).click()
    const sheet = page.getByRole('dialog', { name: 'Change expiry of risk-monitor' })
    await sheet.getByRole('radio', { name: '360 days' }).click()
    await sheet.getByRole('button', { name: 'Set expiry' }).click()
    await expect(sheet).toBeHidden()
    await sees(practice, 'PUT /api/dex/developer/keys/{key_id}/expiry', () => expect(leg(page, 'Key')).toContainText('360 days'))
    const { expires_at } = await recordOf(practice, 'risk-monitor')
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 360 * dayMs)).toBeLessThan(120_000)
    expect(keptSecrets(keyId)).toEqual([first])
  })
  await test.step('a note about the key is stored on this computer only', async () => {
    const calls = (await practice.calls()).filter(({ method }) => method !== 'GET').length
    await page.getByRole('button', { name: 'Add note' }).click()
    const sheet = page.getByRole('dialog', { name: 'Note on risk-monitor' })
    await sheet.getByRole('textbox', { name: 'Owner' }).fill('ana')
    await sheet.getByRole('textbox', { name: 'Environment' }).fill('production')
    await sheet.getByRole('textbox', { name: 'Group' }).fill('risk')
    await sheet.getByRole('textbox', { name: 'Note', exact: true }).fill('Pages the desk when margin is thin.')
    await sheet.getByRole('button', { name: 'Save note' }).click()
    await expect(sheet).toBeHidden()
    await expect(fact(page, 'Owner')).toHaveText('ana')
    await expect(fact(page, 'Group')).toHaveText('risk')
    await expect(page.getByRole('region', { name: 'Limits and notes' })).toContainText('Pages the desk when margin is thin.')
    expect((await practice.calls()).filter(({ method }) => method !== 'GET')).toHaveLength(calls)
  })
  await test.step('rotating a key replaces its secret: the old secret stops working, the new one works', async () => {
    await goTo(page, 'Keys')
    await sees(practice, 'POST /api/dex/developer/keys/{key_id}/rotate', async () => {
      await Promise.all([
        expect(notices(page)).toContainText('risk-monitor has a new secretStored in the keychain and verified.'),
        confirmByName(page, 'risk-monitor', 'Rotate'),
      ])
    })
    const [second, ...others] = keptSecrets(keyId)
    expect(others).toEqual([])
    expect(second).not.toBe(first)
    expect([await statusWith(practice, first), await statusWith(practice, second)]).toEqual([401, 200])
  })
  await test.step('the service’s audit log shows every change to the key', async () => {
    await openKey(page, 'risk-monitor')
    await sees(practice, 'GET /api/dex/developer/audit', async () => {
      for (const event of [/created/i, /expiry|end/i, /rotated|new secret/i])
        await expect(auditTrail(page).getByRole('listitem').filter({ hasText: event }).first()).toBeVisible()
    })
  })
  await test.step('the key’s history hides the app’s own calls until the user shows them', async () => {
    const events = auditTrail(page).getByRole('listitem')
    const before = await events.count()
    await showOwnCalls(auditTrail(page), true)
    await expect.poll(() => events.count()).toBeGreaterThan(before)
  })
  await test.step('the user revokes the key, and its secret disappears from the keychain', async () => {
    await goTo(page, 'Keys')
    await confirmByName(page, 'risk-monitor', 'Revoke')
    await goTo(page, 'Keys')
    await sees(practice, 'DELETE /api/dex/developer/keys/{key_id}', () => expect(keyRow(page, 'risk-monitor')).toContainText(/Revoked.*Removed/))
    expect(keptSecrets(keyId)).toEqual([])
    expect((await recordOf(practice, 'risk-monitor')).status).toBe('revoked')
    await openKey(page, 'risk-monitor')
    await expect(fact(page, 'Owner')).toHaveText('ana')
  })
})

test('the user gives an existing key a trading agent with one signature, an executor, and an execution payment that becomes final [KEY-11, KEY-12, KEY-13]', async ({
  open,
  practice,
}) => {
  const { page, phone } = await openSignedIn(open)
  await createCustomKey(page, { label: 'night-bot', preset: 'Trading bot' })
  await expectKeyStored(page, 'night-bot')
  await openKey(page, 'night-bot')
  await expect(leg(page, 'Agent')).toContainText('No trading agent')

  await test.step('the user adds a trading agent to the key by signing its grant', async () => {
    await leg(page, 'Agent').getByRole('button', { name: 'Create agent' }).click()
    const sheet = page.getByRole('dialog', { name: 'Trading agent for night-bot' })
    await sees(practice, 'POST /api/dex/developer/keys/{key_id}/agent', () => expect(sheet).toContainText('Not allowed'))
    expect((await recordOf(practice, 'night-bot')).agent).toMatchObject({ granted: false })
    await sheet.getByRole('button', { name: 'Review and sign' }).click()
    await sendToWallet(page)
    await phone.approve(asksToSign)
    await sees(practice, 'POST /api/dex/developer/keys/{key_id}/agent/grant', () => expect(leg(page, 'Agent')).toContainText('In place'))
    expect((await recordOf(practice, 'night-bot')).agent).toMatchObject({ granted: true })
  })
  await test.step('the user binds an executor to the key', async () => {
    await leg(page, 'Executor').getByRole('button', { name: 'Bind executor' }).click()
    const sheet = page.getByRole('dialog', { name: 'Bind night-bot to an executor' })
    const bind = sheet.getByRole('button', { name: 'Bind executor' })
    await sheet.getByRole('textbox', { name: 'Executor' }).fill('exec fra')
    await expect(sheet.getByRole('alert')).toBeVisible()
    await sheet.getByRole('textbox', { name: 'Executor' }).fill('exec-fra-2')
    await sheet.getByRole('textbox', { name: /Type night-bot/ }).fill('night')
    await expect(bind).toBeDisabled()
    await sheet.getByRole('textbox', { name: /Type night-bot/ }).fill('night-bot')
    await bind.click()
    await expect(sheet).toBeHidden()
    await sees(practice, 'PUT /api/dex/developer/keys/{key_id}/executor', () => expect(leg(page, 'Executor')).toContainText('exec-fra-2'))
    expect((await recordOf(practice, 'night-bot')).executor).toBe('exec-fra-2')
  })
  await test.step('the app explains a payment’s token allowance in words, sends the payment with the wallet, and follows it to FINAL', async () => {
    const { walletAddress, router, usdc, rpcUrl } = practice.descriptor
    await leg(page, 'Payment').getByRole('button', { name: 'Prepare payment' }).click()
    const form = page.getByRole('dialog', { name: 'Pay for execution with night-bot' })
    await form.getByRole('textbox', { name: 'Amount' }).fill('25.5')
    await form.getByRole('button', { name: 'Prepare payment' }).click()
    const sheet = signingSheet(page)
    await sees(practice, 'POST /api/dex/developer/keys/{key_id}/execution-payment', async () => {
      await expect(comparisonLine(page, 'amount')).toContainText(/25\.50.*matches.*25\.50/)
      await expect(comparisonLine(page, 'spender')).toContainText('matches')
      await expect(sheet.getByRole('region', { name: 'A transaction to confirm' })).toContainText('This spending right ends when it is used or revoked.')
    })
    expect(await allowanceOf(rpcUrl, usdc, walletAddress, router)).toBe(0n)
    expect((await practice.phone()).requests).toEqual([])
    const send = sheet.getByRole('button', { name: 'Send to wallet' })
    await expect(contractQuestions(page)).toHaveCount(0)
    const word = sheet.getByRole('region', { name: 'A transaction to confirm' }).getByRole('textbox')
    await word.fill('allow 25 USDC')
    await expect(send).toBeDisabled()
    await word.fill('allow 25.5 USDC')
    await send.click()
    await phone.asks(asksToSend)
    await expect(phone.page.getByRole('main')).toContainText('25.50 USDC')
    await expect(sheet.getByRole('button', { name: 'Send again' })).toBeHidden()
    await phone.approve(asksToSend)
    await expectFinal(page)
    const hash = await sheet.locator('[data-part=transaction] code[title]').getAttribute('title')
    expect(await receiptOf(rpcUrl, hash ?? '')).toMatchObject({ status: '0x1', to: usdc.toLowerCase() })
    expect(await allowanceOf(rpcUrl, usdc, walletAddress, router)).toBe(25_500_000n)
    await sheet.getByRole('button', { name: 'Done' }).click()
    await expect(form.getByRole('region', { name: 'Earlier payments' })).toContainText(/25\.50 USDC.*Final/)
  })
})

testNew('without a wallet or a sign-in, the user can create no key, and the form for a new key says what is needed first', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  await startPractising(page)
  await page.getByRole('button', { name: 'Look around first' }).click()
  await goTo(page, 'Keys')
  await expect(newKeyButton(page)).toBeDisabled()

  const form = page.getByRole('form', { name: 'Purpose' })
  await openAddress(page, 'keys/new')
  await expect(form).toContainText('Connect a wallet first')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('too-early')
  await expect(createButton(page)).toBeDisabled()
  await form.getByRole('button', { name: 'Connect wallet' }).click()
  await scanWithPhone(page)
  const phone = phonePage(await desk.phone())
  await phone.approve(asksToConnect)
  await expectConnected(page)

  await openAddress(page, 'keys/new')
  await expect(form).toContainText('Sign in first')
  await expect(createButton(page)).toBeDisabled()
  expect(await practice.callsTo('POST /api/dex/developer/keys/prepare')).toEqual([])
  await form.getByRole('button', { name: 'Sign in' }).click()
  await sendChallenge(page)
  await phone.approve(asksToSign)
  await expectSignedIn(page)
  await expect(form).not.toContainText('Sign in first')
  await expect(createButton(page)).toBeEnabled()
})

/** Runs a command from the command palette with the keyboard alone. */
async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search or run a command' })).toBeFocused()
  await page.keyboard.type(name)
  await expect(page.getByRole('option', { selected: true })).toContainText(name)
  await page.keyboard.press('Enter')
}

test('the user can create, rotate and revoke a key with the keyboard alone [KEY-05, KEY-07, KEY-09]', async ({ open, practice }) => {
  const { page } = await openSignedIn(open)
  await command(page, 'Keys')
  await command(page, 'New key')
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await page.keyboard.type('no-mouse')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio', { name: /Read-only monitor/ })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: /Signal bot/ })).toBeChecked()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expectKeyStored(page, 'no-mouse')
  const { key_id: keyId } = await recordOf(practice, 'no-mouse')
  const [first] = keptSecrets(keyId)

  await command(page, 'Keys')
  await expect(keyRow(page, 'no-mouse')).toBeVisible()
  await command(page, 'Rotate no-mouse')
  const rotate = page.getByRole('alertdialog', { name: 'Rotate no-mouse' })
  await expect(rotate.getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(rotate).toBeHidden()
  expect(keptSecrets(keyId)).toEqual([first])
  await command(page, 'Rotate no-mouse')
  await expect(rotate.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('no-mouse')
  await page.keyboard.press('Enter')
  await expect(rotate).toBeHidden()
  const [second] = keptSecrets(keyId)
  expect([await statusWith(practice, first), await statusWith(practice, second)]).toEqual([401, 200])

  await command(page, 'Revoke no-mouse')
  const revoke = page.getByRole('alertdialog', { name: 'Revoke no-mouse' })
  await expect(revoke.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('no-mouse')
  await page.keyboard.press('Enter')
  await expect(revoke).toBeHidden()
  await expect(page.getByRole('main')).toContainText('Revoked')
  expect(await statusWith(practice, second)).toBe(401)
  expect(keptSecrets(keyId)).toEqual([])
})

test('the user imports one of several keys in a file, and the app finds out the id of the chosen key [KEY-05, AUTH-09]', async ({
  open,
  practice,
  profileDir,
}) => {
  const elsewhere = await practice.sample(12)
  const { keys } = await practice.effects()
  const usable = elsewhere.filter(({ key_id }) => keys.find((key) => key.key_id === key_id)?.ip_allowlist.length === 0)
  const [wanted, other] = usable
  if (wanted === undefined || other === undefined) throw new Error('the sample has no two keys for any address')
  const file = join(profileDir, 'bots.env')
  writeFileSync(file, `# bots\nOTHER_BOT_KEY=${other.api_key}\nMM_BOT_KEY="${wanted.api_key}"\n`)

  const { desk, page } = await openSignedIn(open)
  await goTo(page, 'Keys')
  const row = page.getByRole('table', { name: 'Keys' }).getByRole('row').filter({ hasText: wanted.key_id })
  await expect(row).toContainText('Not here')
  await answerDialogs(desk.app, { open: file })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Import key' })
  await sheet.getByRole('button', { name: /From a file/ }).click()
  await sheet.getByRole('button', { name: 'Use this key MM_BOT_KEY, line 3' }).click()
  await expect(sheet).toContainText('The secret works.')
  await expect(sheet.getByRole('region', { name: 'Key of this secret' })).toContainText(wanted.key_id)
  await sheet.getByRole('button', { name: /^Store (secret|as)/ }).click()
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('region', { name: 'Secret' })).toContainText('In the system keychain')
  expect(keptSecrets(wanted.key_id)).toEqual([wanted.api_key])
  expect(keptSecrets(other.key_id)).toEqual([])
})

test('the app shows id, last use and agent of two keys with the same name, and revokes only the chosen key [KEY-09]', async ({ open, practice }) => {
  const twins = (await practice.sample(12)).filter(({ label }) => label === 'grid-btc').map(({ key_id: id }) => id)
  const [used, unused] = twins
  if (used === undefined || unused === undefined || twins.length > 2) throw new Error('the sample has no two keys of the same name')
  const agentOf = async (id: string) => (await practice.effects()).keys.find(({ key_id }) => key_id === id)?.agent?.address ?? ''
  const statusOf = async () => (await practice.effects()).keys.filter(({ key_id: id }) => twins.includes(id)).map(({ key_id: id, status }) => [id, status])

  const { page } = await openSignedIn(open)
  await goTo(page, 'Keys')
  for (const [choice, stops] of [
    ['Revoke', 'The program that uses the key stops working at once.'],
    ['Rotate', 'The key’s current secret stops working at once.'],
  ] as const) {
    const sheet = await openDangerSheet(page, used, choice)
    await expect(sheetFact(sheet, 'ID')).toContainText(used)
    await expect(sheetFact(sheet, 'Agent').locator('code')).toHaveAttribute('title', await agentOf(used))
    await expect(sheetFact(sheet, 'Secret')).toContainText('Not here')
    await expect(sheet).toContainText(/A program used this key .*\./)
    await expect(sheet).toContainText(stops)
    await expect(sheet).not.toContainText(unused)
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
  }
  const sheet = await openDangerSheet(page, unused, 'Revoke')
  await expect(sheetFact(sheet, 'ID')).toContainText(unused)
  await expect(sheetFact(sheet, 'Last used')).toHaveText('Never')
  await expect(sheet).not.toContainText('A program used this key')
  await sheet.getByRole('textbox').fill('grid-btc')
  await sheet.getByRole('button', { name: 'Revoke key' }).click()
  await expect(sheet).toBeHidden()
  expect(Object.fromEntries(await statusOf())).toEqual({ [used]: 'active', [unused]: 'revoked' })
})

test('the user can sort, search and group by note a list of 64 keys [KEY-06]', async ({ open, practice }) => {
  await practice.sample(64)
  const { page } = await openSignedIn(open)
  await goTo(page, 'Keys')
  const rows = page
    .getByRole('table', { name: 'Keys' })
    .getByRole('row')
    .filter({ has: page.locator('code') })
  await expect(rows).toHaveCount(64)
  const first = await rows.first().getByRole('link').innerText()
  await rows.first().getByRole('link').click()
  await page.getByRole('button', { name: 'Add note' }).click()
  const note = page.getByRole('dialog', { name: /^Note on/ })
  await note.getByRole('textbox', { name: 'Group' }).fill('night shift')
  await note.getByRole('button', { name: 'Save note' }).click()
  await expect(note).toBeHidden()
  await goTo(page, 'Keys')

  await page.getByRole('textbox', { name: 'Filter keys' }).fill('night shift')
  await expect(rows).toHaveCount(1)
  await expect(rows.first().getByRole('link')).toHaveText(first)
  await page.getByRole('textbox', { name: 'Filter keys' }).fill('')
  await page.getByRole('button', { name: 'Expiry, soonest first' }).click()
  await page.getByRole('menuitemradio', { name: 'Group', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: /night shift 1/ }).or(page.getByRole('rowheader', { name: /night shift 1/ }))).toBeVisible()
  const expires = page.getByRole('columnheader', { name: 'Expires' })
  await expect(expires).toHaveAttribute('aria-sort', 'ascending')
  await expires.getByRole('button').click()
  await expect(expires).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('columnheader', { name: 'Key' }).getByRole('button').click()
  await expect(page.getByRole('button', { name: 'Name, A to Z' })).toBeVisible()
})
