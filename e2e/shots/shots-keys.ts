import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join as path } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect } from '@playwright/test'
import { goTo } from '../pages/frame.ts'
import { keyRow, leg, openKey } from '../pages/keys.ts'
import { foundPlace, openLeaks, scanFolders } from '../pages/leaks.ts'
import { asksToSend, asksToSign, type PhonePage } from '../pages/phone.ts'
import { join } from '../pages/ready.ts'
import { expectFinal, sendToWallet, signingSheet } from '../pages/signing.ts'
import { answerDialogs } from '../support/dialogs.ts'
import type { Studio } from './shots-studio.ts'

/** The inputs of the key screenshots: all parts of `Studio`, the practice phone’s window, and a folder for files that the app opens. */
interface KeyShots extends Studio {
  readonly phone: PhonePage
  readonly folder: string
}

const revokeRoute = 'DELETE /api/dex/developer/keys/{key_id}'

async function payment({ desk: { main: page }, phone, shoot }: KeyShots, label: string): Promise<void> {
  await openKey(page, label)
  await leg(page, 'Payment').getByRole('button', { name: 'Prepare payment' }).click()
  await page.getByRole('textbox', { name: 'Amount' }).fill('25.5')
  await shoot('payment')
  await page.getByRole('dialog').getByRole('button', { name: 'Prepare payment' }).click()
  const sheet = signingSheet(page)
  const word = sheet.getByRole('region', { name: 'A transaction to confirm' })
  await word.waitFor()
  await shoot('payment-review', { narrow: true })
  await word.getByRole('textbox').fill('allow 25.5 USDC')
  await sheet.getByRole('button', { name: 'Send to wallet' }).click()
  await phone.asks(asksToSend)
  await shoot('payment-waiting', { narrow: true })
  await shoot('phone-payment', { of: phone.page })
  await phone.approve(asksToSend)
  await expectFinal(page)
  await shoot('payment-final')
  await sheet.getByRole('button', { name: 'Done' }).click()
  await shoot('payment-list')
  await page.keyboard.press('Escape')
}

async function replacement({ desk: { main: page }, phone, shoot }: KeyShots, label: string): Promise<void> {
  await openKey(page, label)
  await page.getByRole('button', { name: 'Replace key' }).click()
  await page.getByRole('radio', { name: 'On a date' }).click()
  await shoot('replace-scheduled')
  await page.getByRole('radio', { name: 'Now', exact: true }).click()
  await shoot('replace-plan', { narrow: true })
  await page.getByRole('button', { name: 'Start replacement' }).click()
  await page.getByRole('button', { name: 'Review and sign' }).waitFor()
  await shoot('replace-grant')
  await page.getByRole('button', { name: 'Review and sign' }).click()
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await page.getByRole('button', { name: 'Test new key' }).click()
  await page.getByRole('button', { name: 'Confirm the bot uses it' }).waitFor()
  await shoot('replace-handover')
  await page.getByRole('button', { name: 'Abandon' }).click()
  await shoot('replace-abandon')
  await page.getByRole('button', { name: 'Continue replacement' }).click()
  await page.keyboard.press('Escape')
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Continue', exact: true }).waitFor()
  await shoot('keys-replacing')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('button', { name: 'Confirm the bot uses it' }).click()
  await page.getByRole('textbox', { name: /^Type/ }).fill(label)
  await shoot('replace-revoke')
  await page.getByRole('button', { name: `Revoke ${label}` }).click()
  await page.getByRole('dialog', { name: `${label} replaced` }).waitFor()
  await shoot('replace-done')
  await page.keyboard.press('Escape')
}

async function handover({ desk, shoot }: KeyShots, label: string): Promise<void> {
  const page = desk.main
  await openKey(page, label)
  await page.getByRole('button', { name: 'Hand over' }).click()
  const sheet = page.getByRole('dialog', { name: `Hand ${label} over` })
  await shoot('handover-empty')
  await sheet.getByRole('textbox', { name: 'Host' }).fill('bot@bots-1.example')
  await sheet.getByRole('textbox', { name: 'File' }).fill('.config/bot/svc-api-key')
  await sheet.getByRole('list', { name: 'Command arguments' }).waitFor()
  await shoot('handover', { narrow: true })
  await sheet.getByRole('radio', { name: 'Another program' }).check()
  await sheet.getByRole('textbox', { name: 'Program and arguments' }).fill('wc -c')
  await answerDialogs(desk.app, { agree: true })
  await sheet.getByRole('button', { name: 'Run command' }).click()
  await sheet.getByText('Secret handed over.').waitFor()
  await shoot('handover-done')
  await page.keyboard.press('Escape')
}

async function expiry({ desk: { main: page }, practice, shoot }: KeyShots): Promise<void> {
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Expiry dates' }).click()
  const rows = page.getByRole('table', { name: 'Expiry dates' }).locator('tbody').getByRole('row')
  await rows.first().waitFor()
  await shoot('expiry', { narrow: true })
  await page
    .getByRole('button', { name: /^Schedule a replacement of/ })
    .nth(4)
    .click()
  await shoot('expiry-schedule')
  await page.getByRole('button', { name: 'Schedule replacement' }).click()
  await page.getByRole('button', { name: 'Abandon' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Replacement of .* starts on/ }).focus()
  await shoot('expiry-mark')
  await page.getByRole('radio', { name: /^Grants/ }).click()
  await shoot('expiry-grants')
  await practice.faults({ answer: [{ route: 'GET /api/dex/developer/keys', status: 503, code: 'BUSY', times: 20 }] })
  await page.getByRole('radio', { name: /^All/ }).click()
  await page.getByRole('button', { name: 'Refresh keys' }).click()
  await page.getByText('Stale, keys read').waitFor()
  await shoot('expiry-stale')
  await practice.clearFaults()
}

async function leaks({ desk, folder, shoot }: KeyShots, label: string, secrets: readonly string[]): Promise<void> {
  const page = desk.main
  const [bots, notes, big] = ['grid-bot', 'notes', 'archive'].map((name) => path(folder, name))
  if (bots === undefined || notes === undefined || big === undefined) return
  for (const made of [bots, path(bots, 'deploy'), path(bots, 'logs'), notes, big]) mkdirSync(made)
  writeFileSync(path(bots, '.gitignore'), '.env\nlogs/\n')
  await answerDialogs(desk.app, { save: path(bots, 'deploy/prod.env'), open: notes })
  await openKey(page, label)
  await page.getByRole('button', { name: 'Save .env' }).click()
  await page.getByText(path(bots, 'deploy/prod.env'), { exact: true }).waitFor()
  writeFileSync(path(bots, 'logs/bot.log'), `start\nX-Svc-API-Key: ${secrets[0]}\n`)
  writeFileSync(path(bots, 'secret.yaml'), `data:\n  key: ${Buffer.from(secrets[1] ?? '').toString('base64')}\n`)
  writeFileSync(path(notes, 'todo.txt'), 'SVC_API_KEY=your-key-here\n')
  const old = readFileSync(path(bots, 'deploy/prod.env'))
  writeFileSync(path(bots, `backup-${/SVC_API_KEY=["']?([\w.-]+)/.exec(old.toString())?.[1]}.tgz`), '')
  mkdirSync(path(bots, '.git/objects/4b'), { recursive: true })
  writeFileSync(path(bots, '.git/objects/4b', '825dc642cb6eb9a060e54bf8d69288fbee4904'), deflateSync(Buffer.concat([Buffer.from(`blob ${old.length}\0`), old])))
  await openLeaks(page)
  await shoot('leaks-first', { narrow: true })
  await page.getByRole('button', { name: 'Choose folder' }).click()
  await scanFolders(page, 'No keys found')
  await shoot('leaks-nothing', { narrow: true })
  await answerDialogs(desk.app, { open: bots })
  await page.getByRole('button', { name: 'Add folder' }).click()
  await page.getByRole('checkbox', { name: 'Include files that git ignores' }).check()
  await scanFolders(page, 'Keys found in 5 places')
  await shoot('leaks-found', { narrow: true })
  await foundPlace(page, 'deploy/prod.env:1').getByRole('button', { name: 'Revoke' }).click()
  await shoot('leaks-revoke')
  await page.keyboard.press('Escape')
  // Many hard links to one large file make the scan slow enough for a screenshot of its progress.
  writeFileSync(path(big, '0.csv'), '2026-11-21,BTC-PERP,long,0.5\n'.repeat(2_000_000))
  for (let copy = 1; copy < 60; copy += 1) linkSync(path(big, '0.csv'), path(big, `${copy}.csv`))
  await answerDialogs(desk.app, { open: big })
  await page.getByRole('button', { name: 'Add folder' }).click()
  await page.getByRole('button', { name: 'Scan again' }).click()
  await page.getByRole('status').filter({ hasText: 'Scanning' }).waitFor()
  await shoot('leaks-running', { narrow: true })
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('status').filter({ hasText: 'Stopped' }).waitFor()
  await shoot('leaks-stopped')
}

async function imports({ desk, practice, folder, shoot }: KeyShots, secrets: readonly string[]): Promise<void> {
  const page = desk.main
  const file = path(folder, 'bots.env')
  const sheet = page.getByRole('dialog', { name: 'Import key' })
  const read = () => sheet.getByRole('button', { name: /From a file/ }).click()
  await answerDialogs(desk.app, { open: file })
  writeFileSync(file, '# nothing here\n')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await shoot('import')
  await read()
  await sheet.getByText('No key in').waitFor()
  await shoot('import-nothing')
  writeFileSync(file, `MM_BOT_KEY=${secrets[0]}\nOTHER_BOT_KEY=${secrets[1]}\n`)
  await read()
  await sheet.getByRole('button', { name: 'Use this key MM_BOT_KEY, line 1' }).waitFor()
  await shoot('import-several')
  await sheet.getByRole('button', { name: 'Use this key MM_BOT_KEY, line 1' }).click()
  await sheet.getByRole('button', { name: /^Store (secret|as)/ }).waitFor()
  await shoot('import-known')
  await sheet.getByRole('button', { name: 'Read another key' }).click()
  await practice.faults({ audit: 'empty', credential: 'invalid' })
  await read()
  await sheet.getByRole('button', { name: 'Use this key OTHER_BOT_KEY, line 2' }).click()
  await sheet.getByText('The service rejects this secret.').waitFor()
  await shoot('import-dead')
  await practice.clearFaults()
  await page.keyboard.press('Escape')
}

async function revokeAll({ desk: { main: page }, practice, shoot }: KeyShots): Promise<void> {
  await page.getByRole('button', { name: 'Revoke all…' }).click()
  const choose = page.getByRole('button', { name: /^Revoke \d+ keys…/ })
  await choose.waitFor()
  await shoot('revoke-all-choose', { narrow: true })
  await choose.click()
  const confirm = page.getByRole('alertdialog')
  await shoot('revoke-all-confirm')
  await confirm.getByRole('textbox').fill(await confirm.locator('label code').innerText())
  await practice.faults({ delay: [{ route: revokeRoute, ms: null }], answer: [{ route: revokeRoute, status: 403, code: 'NOT_ALLOWED', times: 1 }] })
  await confirm.getByRole('button', { name: 'Revoke all chosen keys' }).click()
  await page.getByRole('status').filter({ hasText: 'Revoking, 0 of' }).waitFor()
  await shoot('revoke-all-running', { narrow: true })
  await goTo(page, 'Overview')
  await shoot('revoke-all-banner')
  await practice.faults({ delay: [] })
  await goTo(page, 'Keys')
  await expect(page.getByRole('button', { name: 'Revoke all…' })).toBeVisible()
  await page.getByRole('status').filter({ hasText: 'Revoking keys' }).waitFor({ state: 'hidden' })
  await page.evaluate(() => location.assign('#/keys/revoke-all'))
  await page.getByRole('button', { name: 'Last report' }).click()
  await page.getByRole('button', { name: 'Back to Keys' }).waitFor()
  await shoot('revoke-all-report', { narrow: true })
  await practice.clearFaults()
}

/** Takes screenshots of work with existing keys. Revokes nearly all keys at the end. */
export async function takeKeyShots(studio: Studio): Promise<void> {
  const { desk, page, practice, shoot } = studio
  const label = 'grid-eth-2'
  const shots = { ...studio, phone: await join(desk, label), folder: studio.profileDir }
  await payment(shots, label)
  await replacement(shots, label)
  await handover(shots, `${label} 2`)
  const sample = await practice.sample(60)
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(keyRow(page, sample[0]?.key_id ?? '')).toBeVisible()
  await shoot('keys-many', { narrow: true })
  await page.getByRole('button', { name: 'Expiry, soonest first' }).click()
  await shoot('keys-order')
  await page.keyboard.press('Escape')
  await expiry(shots)
  await leaks(shots, `${label} 2`, [sample[1]?.api_key ?? '', sample[3]?.api_key ?? ''])
  await goTo(page, 'Keys')
  await imports(shots, [sample[0]?.api_key ?? '', sample[2]?.api_key ?? ''])
  await page
    .getByRole('link', { name: sample[0]?.label ?? '', exact: true })
    .first()
    .click()
  await page.getByRole('button', { name: 'Replace key' }).click()
  await page.getByRole('button', { name: 'Start replacement' }).click()
  await page.getByText('You have reached the key limit.').waitFor()
  await shoot('replace-stuck', { narrow: true })
  await page.keyboard.press('Escape')
  await goTo(page, 'Keys')
  await revokeAll(shots)
}
