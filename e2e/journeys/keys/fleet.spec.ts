import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openAddress } from '../../pages/frame.ts'
import { createCustomKey, fillPlan, openPlans, planRow } from '../../pages/keys.ts'
import { expectKeyStored } from '../../pages/new-key.ts'
import { asksToSign } from '../../pages/phone.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { sendToWallet } from '../../pages/signing.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, firstKey, testWithKey as test } from '../../support/fixtures.ts'
import { botAddress, callAsBot, kept, standIn } from '../../support/fleet/fleet-clients.ts'
import { recordOf } from '../../support/key-facts.ts'

const rowOf = (page: Page, label: string) => planRow(page, 'october', label)

test('the user replaces two keys with a plan: the phone signs, the app is killed on the way, each old key ends only after its bot has the new one, and the ended plan is removed', async ({
  open,
  practice,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-plan-'))
  standIn(folder, 'pass')
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  try {
    const { desk: first, page, phone } = await openSignedIn(() => open({ env }))
    await createCustomKey(page, { label: 'reader', preset: 'Read-only monitor', allowlist: '127.0.0.0/8' })
    await expectKeyStored(page, 'reader')
    const sheet = await fillPlan(page, {
      ...{ name: 'october', addresses: botAddress, due: new Date().toLocaleDateString('sv-SE') },
      targets: { [firstKey]: ['pass', { Name: 'bots/first' }] },
    })
    await sheet.getByRole('checkbox', { name: 'reader', exact: true }).click()
    const target = sheet.getByRole('group', { name: 'Target of reader' })
    await expect(target.getByRole('combobox', { name: 'Target' })).toHaveValue('pass')
    const place = target.getByRole('textbox', { name: 'Name', exact: true })
    await expect(place).toHaveValue('')
    await sheet
      .getByRole('group', { name: `Target of ${firstKey}` })
      .getByRole('combobox', { name: 'Target' })
      .selectOption('gateway')
    await place.fill('../reader')
    await sheet.getByRole('button', { name: 'Make plan' }).click()
    await expect(target.getByRole('alert')).toContainText('only the characters that this target accepts')
    await expect(place).toBeFocused()
    await place.fill('bots/reader')
    await expect(target.getByRole('alert')).toBeHidden()
    const asked = await answerDialogs(first.app, { agree: true })
    await sheet.getByRole('button', { name: 'Make plan' }).click()
    await expect(sheet).toBeHidden()
    expect((await asked()).map(({ detail }) => detail).join()).toContain('pass insert --multiline --force bots/reader')

    await expect(page.getByText('It is time to run this plan.')).toBeVisible()
    await page.getByRole('button', { name: 'Run plan october' }).click()
    await rowOf(page, firstKey).getByRole('button', { name: 'Sign' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Review and sign' }).click()
    await sendToWallet(page)
    await phone.approve(asksToSign)
    await openAddress(page, 'keys/fleet')
    await page.getByRole('button', { name: 'Check now' }).click()
    await expect(rowOf(page, firstKey)).toContainText('The app cannot tell whether a bot of the gateway uses the new key.', { timeout: 30_000 })
    expect((await recordOf(practice, firstKey)).status).toBe('active')
    await page.getByRole('button', { name: `The bot uses it: ${firstKey}` }).click()
    await expect(rowOf(page, firstKey)).toContainText('Replaced', { timeout: 30_000 })
    await expect(rowOf(page, 'reader')).toContainText('Waiting for the bot', { timeout: 30_000 })
    expect((await recordOf(practice, 'reader')).status).toBe('active')
    await first.kill()

    const again = (await open({ env })).main
    await openPlans(again)
    await expect(rowOf(again, 'reader')).toContainText('Waiting for the bot')
    expect(await callAsBot(practice.descriptor.hostUrl, kept(folder, 'pass', 'input'))).toBe(200)
    await expect(async () => {
      await again.getByRole('button', { name: 'Check now' }).click({ timeout: 1_000 })
      await expect(rowOf(again, 'reader')).toContainText('Replaced', { timeout: 2_000 })
    }).toPass({ timeout: 45_000 })
    await expect(rowOf(again, 'reader')).toContainText(`Used from ${botAddress}`)
    for (const label of [firstKey, 'reader']) expect((await recordOf(practice, label)).status).toBe('revoked')
    await again.getByRole('button', { name: 'Remove plan october' }).click()
    await again.getByRole('alertdialog', { name: 'Remove plan october' }).getByRole('button', { name: 'Remove plan' }).click()
    await expect(again.getByText('No plans yet')).toBeVisible()
    for (const what of ['words', 'env'] as const) expect(readFileSync(join(folder, `pass.${what}`), 'utf8')).not.toContain(kept(folder, 'pass', 'input'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
