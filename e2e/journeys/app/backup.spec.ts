import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { openJournal } from '../../../electron/store/journal/tables/sqlite-journal.ts'
import { createProfileStore } from '../../../electron/store/records/profile-store.ts'
import { systemClock } from '../../../shared/time.ts'
import { goTo } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { join as joinExchange } from '../../pages/ready.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, test } from '../../support/fixtures.ts'
import { startKeyring } from '../../support/keyring/keyring.ts'
import { keepInKeyring, keptSecrets } from '../../support/keyring.ts'

const passphrase = 'four words that open it'
const id = 'p0123456789'
/** Options that block the public WalletConnect relay, which tests must not reach. A profile outside practice mode would connect through it. */
const offline = { env: { SVC_DESK_HOST_OFFLINE: '1' }, args: ['--host-resolver-rules=MAP relay.walletconnect.org ~NOTFOUND'] }

const panel = (page: Page): Locator => page.getByRole('region', { name: 'Backup and support' })

/** Adds a profile that the app treats as a real exchange. Its address is the practice exchange’s, and its key comes from practice mode. */
function addLiveProfile(profileDir: string, hostUrl: string, key: { readonly keyId: string; readonly wallet: string; readonly secret: string }): void {
  const app = openJournal({ file: join(profileDir, 'desk.db'), clock: systemClock })
  const store = createProfileStore(app.records)
  store.save({ id, name: 'Main', hostUrl, rpcHost: null, secondHostUrl: null, createdAtMs: 1 })
  store.setActive(id)
  app.close()
  const journal = openJournal({ file: join(profileDir, 'profiles', id, 'journal.db'), clock: systemClock })
  const account = `key/${id}/${key.keyId}/1`
  journal.secretIndex.remember({ profileId: id, wallet: key.wallet, keyId: key.keyId, account, label: 'hedger' })
  journal.close()
  keepInKeyring([{ service: 'Svc Desk', account, secret: key.secret }])
}

test('a backup moves an exchange’s profile to a fresh app with an empty keychain, and the key in the backup works there [AUTH-09]', async ({
  open,
  launch,
  practice,
  profileDir,
}) => {
  // The test starts the app three times, so it gets more time.
  test.slow()
  const first = await open()
  await joinExchange(first, 'hedger')
  const keyId = await keyIdOf(first.main, 'hedger')
  await first.close()
  const [secret = ''] = keptSecrets(keyId)
  addLiveProfile(profileDir, practice.descriptor.hostUrl, { keyId, wallet: practice.descriptor.walletAddress, secret })

  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-moved-'))
  const keyring = await startKeyring()
  try {
    const file = join(folder, 'main.svcbackup')
    const here = await launch(offline)
    await answerDialogs(here.app, { save: file })
    await goTo(here.main, 'Settings')
    await panel(here.main).getByRole('button', { name: 'Back up…' }).click()
    const sheet = here.main.getByRole('dialog', { name: 'Back up Main' })
    await expect(sheet.getByRole('checkbox', { name: 'hedger' })).toBeChecked()
    await sheet.getByLabel('Backup passphrase', { exact: true }).fill(passphrase)
    await sheet.getByLabel('Repeat backup passphrase').fill(passphrase)
    await sheet.getByRole('button', { name: 'Save backup' }).click()
    await expect(here.main.getByText('Backup saved')).toBeVisible({ timeout: 30_000 })
    await here.close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file).includes(secret)).toBe(false)

    const { HOME = '', XDG_RUNTIME_DIR = '', XDG_DATA_HOME = '', DBUS_SESSION_BUS_ADDRESS = '' } = keyring.env
    const there = await launch({
      ...offline,
      profileDir: join(folder, 'data'),
      env: { ...offline.env, HOME, XDG_RUNTIME_DIR, XDG_DATA_HOME, DBUS_SESSION_BUS_ADDRESS },
    })
    const page = there.main
    await answerDialogs(there.app, { open: file })
    await page.getByRole('button', { name: 'Restore…' }).click()
    const restore = page.getByRole('dialog', { name: 'Restore a backup' })
    await restore.getByLabel('Backup passphrase', { exact: true }).fill('another passphrase')
    await restore.getByRole('button', { name: 'Open backup' }).click()
    await expect(restore.getByRole('alert')).toContainText('Wrong passphrase, or the file is not an undamaged backup.', { timeout: 30_000 })
    await restore.getByLabel('Backup passphrase', { exact: true }).fill(passphrase)
    await restore.getByRole('button', { name: 'Open backup' }).click()
    await expect(restore.getByText(practice.descriptor.hostUrl)).toBeVisible({ timeout: 30_000 })
    const callsBefore = (await practice.calls()).length
    await restore.getByRole('button', { name: 'Restore backup' }).click()
    const restored = page.getByRole('dialog', { name: 'Restored Main' })
    await expect(restored.getByText('Works')).toBeVisible({ timeout: 30_000 })
    expect((await practice.calls()).slice(callsBefore).some(({ path, status }) => path.startsWith('/api/dex/v1/') && status === 200)).toBe(true)
    await restored.getByRole('button', { name: 'Open Main' }).click()
    await goTo(page, 'Settings')
    await expect(panel(page).getByRole('button', { name: 'Back up…' })).toBeEnabled()
    await there.close()
  } finally {
    await keyring.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the app shows the support bundle before saving it, and the bundle names no wallet, key, host or folder [AUTH-09]', async ({
  open,
  practice,
  profileDir,
}) => {
  test.slow()
  const first = await open()
  await joinExchange(first, 'hedger-canary')
  await first.close()
  const { walletAddress, hostUrl } = practice.descriptor
  const log = join(profileDir, 'logs', 'main.log')
  const line = {
    at: new Date().toISOString(),
    level: 'error',
    what: 'watch',
    error: { message: `hedger-canary of ${walletAddress} failed at ${hostUrl} in ${profileDir}/desk.db` },
  }
  writeFileSync(log, `${JSON.stringify(line)}\n`, { flag: 'a' })

  const { app, main: page } = await open()
  const file = test.info().outputPath('support.txt')
  await answerDialogs(app, { save: file })
  await goTo(page, 'Settings')
  await panel(page).getByRole('button', { name: 'Show…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Support bundle' })
  const text = (await sheet.getByRole('region', { name: 'Support bundle' }).locator('pre').textContent()) ?? ''
  expect(text).toContain('practice, selected, open: journal ready')
  expect(text).toContain('failed at')
  for (const canary of ['hedger-canary', walletAddress, new URL(hostUrl).host, profileDir]) expect(text.toLowerCase()).not.toContain(canary.toLowerCase())
  await sheet.getByRole('button', { name: 'Save support bundle' }).click()
  await expect(page.getByText('Support bundle saved')).toBeVisible()
  expect(readFileSync(file, 'utf8')).toBe(text)
})
