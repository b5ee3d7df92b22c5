import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { goTo } from '../../pages/frame.ts'
import { createCustomKey, keyIdOf, keyRow, leg, openKey } from '../../pages/keys.ts'
import { expectKeyStored } from '../../pages/new-key.ts'
import { asksToSign } from '../../pages/phone.ts'
import { openPhone, openSignedIn, signedIn } from '../../pages/ready.ts'
import { sendToWallet } from '../../pages/signing.ts'
import { sees } from '../../support/coverage.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, firstKey, testSignedIn as test, testWithKey } from '../../support/fixtures.ts'
import { recordOf, statusWith } from '../../support/key-facts.ts'
import { keptSecrets } from '../../support/keyring.ts'
import type { Practice } from '../../support/practice.ts'

const revokeRoute = 'DELETE /api/dex/developer/keys/{key_id}'

testWithKey(
  'replacing a key causes no downtime: the old key works until the bot has the new one, and is then revoked [KEY-07, KEY-09, KEY-12]',
  async ({ open, practice }) => {
    const { page, phone } = await openSignedIn(open)
    const oldId = await keyIdOf(page, firstKey)
    const [oldSecret] = keptSecrets(oldId)
    await openKey(page, firstKey)
    await leg(page, 'Executor').getByRole('button', { name: 'Bind executor' }).click()
    const bind = page.getByRole('dialog', { name: 'Bind first-key to an executor' })
    await bind.getByRole('textbox', { name: 'Executor' }).fill('exec-fra-2')
    await bind.getByRole('textbox', { name: /Type first-key/ }).fill(firstKey)
    await bind.getByRole('button', { name: 'Bind executor' }).click()
    await expect(bind).toBeHidden()

    await page.getByRole('button', { name: 'Replace key' }).click()
    const sheet = page.getByRole('dialog', { name: 'Replace first-key without downtime' })
    await expect(sheet.getByRole('complementary', { name: 'The new key’s settings' })).toContainText('exec-fra-2')
    await sheet.getByRole('button', { name: 'Start replacement' }).click()
    await sheet.getByRole('button', { name: 'Review and sign' }).click()
    expect((await practice.effects()).keys).toHaveLength(1)
    await sendToWallet(page)
    await phone.approve(asksToSign)
    await sheet.getByRole('button', { name: 'Test new key' }).click()
    await expect(sheet).toContainText('The new key works.')
    const made = await recordOf(practice, 'first-key 2')
    const [newSecret] = keptSecrets(made.key_id)
    expect([await statusWith(practice, oldSecret), await statusWith(practice, newSecret)]).toEqual([200, 200])
    expect(made).toMatchObject({ executor: 'exec-fra-2', agent: { granted: true }, scopes: (await recordOf(practice, firstKey)).scopes })

    await test.step('the key list links to an interrupted key replacement', async () => {
      await page.keyboard.press('Escape')
      await goTo(page, 'Keys')
      const note = page.getByRole('main').locator('[data-part=note]').filter({ hasText: 'first-key is being replaced by first-key 2.' })
      await expect(note).toContainText('Both keys work.')
      await note.getByRole('button', { name: 'Continue' }).click()
    })
    await sheet.getByRole('button', { name: 'Confirm the bot uses it' }).click()
    const revoke = sheet.getByRole('button', { name: 'Revoke first-key' })
    await sheet.getByRole('textbox', { name: /Type first-key/ }).fill('first-ke')
    await expect(revoke).toBeDisabled()
    expect(await statusWith(practice, oldSecret)).toBe(200)
    await sheet.getByRole('textbox', { name: /Type first-key/ }).fill(firstKey)
    await revoke.click()
    await sees(practice, revokeRoute, () =>
      expect(page.getByRole('dialog', { name: 'first-key replaced' })).toContainText('first-key 2 took the old key’s place.'),
    )
    expect([await statusWith(practice, oldSecret), await statusWith(practice, newSecret)]).toEqual([401, 200])
    expect(keptSecrets(oldId)).toEqual([])
  },
)

const names = ['alpha', 'beta', 'gamma'] as const

async function makeThree(page: Page): Promise<void> {
  for (const label of names) {
    await createCustomKey(page, { label, preset: 'Read-only monitor' })
    await expectKeyStored(page, label)
  }
}

const states = async (practice: Practice) => (await practice.effects()).keys.map(({ status }) => status)

/** Starts to revoke all keys and confirms by typing the phrase, which contains the number of keys. */
async function confirmRevokeAll(page: Page, keys: number): Promise<void> {
  await page.getByRole('button', { name: `Revoke ${keys} keys…` }).click()
  const sheet = page.getByRole('alertdialog', { name: `Revoke ${keys} keys` })
  await sheet.getByRole('textbox').fill(`revoke ${keys + 1} keys`)
  await expect(sheet.getByRole('button', { name: 'Revoke all chosen keys' })).toBeDisabled()
  await sheet.getByRole('textbox').fill(`revoke ${keys} keys`)
  await sheet.getByRole('button', { name: 'Revoke all chosen keys' }).click()
}

test('the user revokes three keys with one typed phrase, sees each result and saves a report [KEY-09, LIM-01]', async ({ open, practice, profileDir }) => {
  const { desk, page } = await openSignedIn(open)
  await makeThree(page)
  await createCustomKey(page, { label: 'spared', preset: 'Signal bot' })
  await expectKeyStored(page, 'spared')
  const ids = await Promise.all(names.map(async (label) => (await recordOf(practice, label)).key_id))
  await goTo(page, 'Keys')
  await page.getByRole('button', { name: 'Revoke all…' }).click()
  await expect(page.getByRole('region', { name: 'Keys to revoke' })).toContainText('4 of 4 chosen')
  await page.getByRole('checkbox', { name: /spared/ }).uncheck()
  await confirmRevokeAll(page, 3)

  const outcome = page.getByRole('table', { name: 'Result for each key' })
  await sees(practice, revokeRoute, async () => {
    await expect(page.getByRole('status').filter({ hasText: 'All 3 keys are revoked' })).toBeVisible()
    for (const label of names) await expect(outcome.getByRole('row').filter({ hasText: label })).toContainText('Revoked')
  })
  expect(await states(practice)).toEqual(['revoked', 'revoked', 'revoked', 'active'])
  const path = join(profileDir, 'report.csv')
  await answerDialogs(desk.app, { save: path })
  await page.getByRole('button', { name: 'Save report' }).click()
  await expect(page.getByRole('status').filter({ hasText: path })).toBeVisible()
  const report = readFileSync(path, 'utf8')
  for (const id of ids) expect(report).toContain(id)
  await page.getByRole('button', { name: 'Back to Keys' }).click()
  await expect(keyRow(page, 'spared')).toContainText('Keychain')
  // The app deletes the secrets after it has revoked the last key, so the test waits for “Removed” before it reads the keyring.
  for (const label of names) await expect(keyRow(page, label)).toContainText(/Revoked.*Removed/)
  expect(ids.flatMap(keptSecrets)).toEqual([])
})

test('if the app is killed while it revokes several keys, the next start lists the remaining keys and continues after one press [KEY-09]', async ({
  open,
  practice,
}) => {
  const first = await open()
  await signedIn(first)
  await openPhone(first)
  await makeThree(first.main)
  await goTo(first.main, 'Keys')
  await first.main.getByRole('button', { name: 'Revoke all…' }).click()
  await practice.faults({ delay: [{ route: revokeRoute, ms: null }] })
  await confirmRevokeAll(first.main, 3)
  await expect(first.main.getByRole('status').filter({ hasText: 'Revoking, 0 of 3' })).toBeVisible()
  await goTo(first.main, 'Overview')
  await expect(first.main.getByRole('status').filter({ hasText: 'Revoking keys, 0 of 3.' })).toBeVisible()
  await first.kill()
  await practice.clearFaults()

  const page = (await open()).main
  const banner = page.getByRole('alert').filter({ hasText: 'Revoking keys stopped. 3 of 3 still work.' })
  await banner.getByRole('button', { name: 'Continue' }).click()
  const goOn = page.getByRole('main').getByRole('button', { name: 'Continue' })
  // The button is busy until the wallet has reconnected after the restart.
  await expect(goOn).not.toHaveAttribute('aria-busy')
  await goOn.click()
  await expect(page.getByRole('status').filter({ hasText: 'All 3 keys are revoked' })).toBeVisible({ timeout: 30_000 })
  expect(await states(practice)).toEqual(['revoked', 'revoked', 'revoked'])
})
