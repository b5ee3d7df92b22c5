import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { needsYou, takeUp } from '../../pages/activity.ts'
import { goTo, walletChip } from '../../pages/frame.ts'
import { confirmByName, keyRow } from '../../pages/keys.ts'
import { unlock } from '../../pages/lock.ts'
import { askForGrant, signGrant } from '../../pages/new-key.ts'
import { asksToConnect, phonePage } from '../../pages/phone.ts'
import { join as joinExchange, makeKey, openPhone, signedIn, signIn } from '../../pages/ready.ts'
import { confirmLimits, openRiskLimits } from '../../pages/risk-limits.ts'
import { signingSheet } from '../../pages/signing.ts'
import { reviewOrder, ticket } from '../../pages/ticket.ts'
import { webhookRow } from '../../pages/webhooks.ts'
import { expectConnected, scanWithPhone } from '../../pages/welcome.ts'
import { appValue } from '../../support/bridge.ts'
import { expect, test, testWithKey } from '../../support/fixtures.ts'
import { keepInKeyring } from '../../support/keyring.ts'
import { oldPassphrase, unpackOldFolder } from '../../support/old-folder.ts'
import type { Practice } from '../../support/practice.ts'

const prepared = 'POST /api/dex/developer/keys/prepare'

/** Starts to create a key that needs a signed grant, and expects the app to refuse. */
async function keyHeldBack(page: Page, what: string): Promise<void> {
  await askForGrant(page, 'held')
  await expect(page.getByRole('main').getByRole('alert').filter({ hasText: what })).toBeVisible()
  await expect(signGrant(page)).toBeHidden()
}

const keyStates = async (practice: Practice) => (await practice.effects()).keys.map(({ status }) => status)

testWithKey(
  'after the app replaced a damaged journal, new orders and keys wait until the user agrees, but revoking a key never waits',
  async ({ open, practice, profileDir }) => {
    const first = await open()
    await signedIn(first)
    await openPhone(first)
    await first.close()
    const folder = join(profileDir, 'profiles/practice')
    const file = openSync(join(folder, 'journal.db'), 'r+')
    writeSync(file, Buffer.alloc(2_048, 'not a database '), 0, 2_048, 0)
    closeSync(file)
    const damaged = readFileSync(join(folder, 'journal.db'))

    const second = await open()
    const page = second.main
    await expect(needsYou(page)).toContainText('The journal was damaged and lost entries')
    await expect(needsYou(page)).toContainText('The damaged file was set aside. New orders and keys wait until you agree.')
    const aside = readdirSync(folder).filter((name) => /^journal\.corrupt-.*\.db$/.test(name))
    expect(aside.map((name) => readFileSync(join(folder, name)).equals(damaged))).toEqual([true])

    await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click()
    await scanWithPhone(page)
    const phone = phonePage(await second.phone())
    await phone.approve(asksToConnect)
    await expectConnected(page)
    await signIn(page, phone)
    const prepares = (await practice.callsTo(prepared)).length
    await keyHeldBack(page, 'New orders wait')
    expect(await practice.callsTo(prepared)).toHaveLength(prepares)
    await goTo(page, 'Keys')
    const [{ label } = { label: '' }] = (await practice.effects()).keys
    // The record of where secrets are stored was lost with the journal, so the app looks in the keychain again.
    await expect(keyRow(page, label)).toContainText('Keychain')
    await confirmByName(page, label, 'Revoke')
    await expect.poll(() => keyStates(practice)).toEqual(['revoked'])

    await takeUp(page, 'The journal was damaged', 'Read more')
    await page.getByRole('button', { name: 'Allow new orders again' }).click()
    await expect(page.getByRole('button', { name: 'Allow new orders again' })).toBeHidden()
    await makeKey(page, phone, 'after')
    expect(await keyStates(practice)).toEqual(['revoked', 'active'])
    await goTo(page, 'Trade')
    await reviewOrder(page, { value: '250' })
    await expect(ticket(page).getByRole('alert')).toContainText('Your risk limits were lost')
    expect(await practice.callsTo('POST /api/dex/v1/orders/prepare')).toEqual([])
    const limits = await openRiskLimits(page)
    await expect(limits).toContainText('Nothing that adds risk is sent until you set limits or choose none.')
    await limits.getByRole('button', { name: 'Continue without limits' }).click()
    await confirmLimits(page, 'Trade without risk limits', 'Continue without limits')
    await expect(limits).not.toContainText('Your risk limits were lost')
    await goTo(page, 'Trade')
    await reviewOrder(page, { value: '250' })
    await expect(signingSheet(page).getByRole('heading', { name: 'Open a long on BTC-PERP' })).toBeVisible()
  },
)

test('on a full disk, the app reports this, sends no new orders but still revokes keys; once there is space, it sends orders again', async ({
  open,
  practice,
  profileDir,
}) => {
  // biome-ignore lint/suspicious/noSkippedTests: only root on Linux can mount a small disk, and there it always runs
  test.skip(process.platform !== 'linux' || process.getuid?.() !== 0, 'a small disk can only be mounted by root on Linux')
  const disk = join(profileDir, 'profiles')
  mkdirSync(disk, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', disk])
  try {
    const desk = await open()
    const page = desk.main
    const phone = await joinExchange(desk, 'full')
    await goTo(page, 'Trade')
    const filler = join(disk, 'filler')
    expect(() => writeFileSync(filler, Buffer.alloc(8 * 1_024 * 1_024))).toThrow('ENOSPC')
    // The nearly full disk has room for a few log entries. The app writes as many entries as fit, and keeps working.
    const told = ticket(page).or(page.getByRole('main')).getByRole('alert').filter({ hasText: 'The disk is full' })
    await expect(async () => {
      await page.keyboard.press('Escape')
      await reviewOrder(page, { value: '250' })
      await expect(told).toBeVisible({ timeout: 2_000 })
    }).toPass({ timeout: 90_000 })
    await expect(page.getByText('Closing, cancelling and revoking still work.').first()).toBeVisible()
    const { prepared } = await practice.effects()
    await reviewOrder(page, { value: '250' })
    await expect(told).toBeVisible()
    expect((await practice.effects()).prepared).toBe(prepared)
    await goTo(page, 'Overview')
    await expect(needsYou(page)).toContainText('The disk is full')
    await goTo(page, 'Keys')
    await confirmByName(page, 'full', 'Revoke')
    await expect.poll(() => keyStates(practice)).toEqual(['revoked'])

    rmSync(filler)
    await goTo(page, 'Overview')
    await expect(needsYou(page).filter({ hasText: 'The disk is full' })).toHaveCount(0, { timeout: 30_000 })
    await makeKey(page, phone, 'again')
    expect(await keyStates(practice)).toEqual(['revoked', 'active'])
    await desk.close()
  } finally {
    execFileSync('umount', ['-l', disk])
  }
})

test('the app opens a data folder from its first published version with the same passphrase, keys and webhooks', async ({ launch, profileDir }) => {
  const { userData, keychain } = unpackOldFolder(profileDir)
  keepInKeyring(keychain.filter(({ service }) => service === 'Svc Desk Practice'))
  const desk = await launch({ profileDir: userData })
  const page = desk.main
  await unlock(page, oldPassphrase)
  const connect = page.getByRole('banner').getByRole('button', { name: 'Connect wallet' })
  await expect(connect.or(walletChip(page))).toBeVisible()
  // The stored wallet connection is valid for a week, and the sign-in for four hours. If the connection has expired, connect again.
  if (await connect.isVisible()) {
    await connect.click()
    await scanWithPhone(page)
    await phonePage(await desk.phone()).approve(asksToConnect)
  }
  await expectConnected(page)
  const status = await appValue(page, 'session.status', {})
  if (status.state !== 'active') {
    await appValue(page, 'practice.showPhone', {})
    await signIn(page, phonePage(await desk.phone()))
  }
  await expect(needsYou(page)).toContainText('The kill switch is not finished')
  await expect(needsYou(page)).toContainText('A webhook may exist without its secret')
  await expect(needsYou(page)).not.toContainText('could not be read')
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  await goTo(page, 'Keys')
  const rowOf = (label: string) => keyRow(page, label).filter({ has: page.getByRole('link', { name: label, exact: true }) })
  for (const label of ['bot', 'all', 'reader']) await expect(rowOf(label)).toContainText('Keychain')
  await expect(rowOf('bot')).toContainText('exec-fra-1')
  await expect(rowOf('old-bot')).toContainText('Revoked')
  await goTo(page, 'Webhooks')
  await expect(webhookRow(page, 'http://127.0.0.1:4818/hooks')).toContainText('Keychain')
})

test('on a computer for which practice has no chain, the first page says so before the user starts practice, and disables the button', async ({ launch }) => {
  const desk = await launch()
  const start = desk.main.getByRole('button', { name: 'Start practice' })
  await expect(start).toBeEnabled()
  await desk.app.evaluate(() => void Object.defineProperty(process, 'arch', { value: 'riscv64' }))
  await desk.main.reload()
  await expect(start).toBeDisabled()
  const card = desk.main.getByRole('region', { name: 'Try everything first' })
  await expect(card).toContainText('Practice cannot run on this computer')
  await expect(card).toContainText(`Its local chain is missing for ${process.platform}-riscv64.`)
  await expect(card).toContainText('Practise on another computer, or connect your exchange here.')
})
