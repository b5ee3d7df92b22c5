import { needsYou } from '../../pages/activity.ts'
import { goTo } from '../../pages/frame.ts'
import { keyRow } from '../../pages/keys.ts'
import { openGrant, prepareKey } from '../../pages/new-key.ts'
import { asksToSign } from '../../pages/phone.ts'
import { pair, signIn } from '../../pages/ready.ts'
import { sendToWallet } from '../../pages/signing.ts'
import { expect, test } from '../../support/fixtures.ts'
import { startKeyring } from '../../support/keyring/keyring.ts'

test('the app keeps a new key’s secret in memory while the keychain is locked, and stores the secret after unlocking [KEY-05]', async ({ open, practice }) => {
  const keyring = await startKeyring()
  const env = keyring.env as Record<string, string>
  try {
    const desk = await open({ env })
    const page = desk.main
    const phone = await pair(desk)
    await signIn(page, phone)
    await prepareKey(page, 'unlucky')
    await openGrant(page)
    await practice.faults({ delay: [{ route: 'POST /api/dex/developer/keys', ms: null }] })
    await sendToWallet(page)
    await phone.approve(asksToSign)
    // The service has now created the key, but its response with the secret has not arrived yet.
    await expect.poll(async () => (await practice.effects()).keys.length).toBe(1)
    await keyring.lock()
    await practice.clearFaults()

    const secret = page.getByRole('region', { name: 'Secret' })
    await expect(secret.getByRole('status').filter({ hasText: 'unlucky was created, but its secret is only in memory' })).toBeVisible()
    await secret.getByRole('button', { name: 'Try keychain again' }).click()
    await expect(secret).toContainText('The keychain is still locked.')
    await secret.getByRole('button', { name: 'Copy secret' }).click()
    await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Secret copied')

    await goTo(page, 'Overview')
    await expect(needsYou(page)).toContainText('unlucky: its secret is only in memory')
    await expect(page.getByRole('region', { name: 'Account' })).toContainText('10,000.00 USDC')
    await goTo(page, 'Keys')
    await expect(page.getByRole('region', { name: 'Where your secrets are' })).toContainText('Keychain locked')
    await expect(keyRow(page, 'unlucky')).toContainText('Until the app quits')
    await keyring.unlock()
    await page.getByRole('button', { name: 'Store secret now' }).click()
    await expect(keyRow(page, 'unlucky').getByRole('cell', { name: 'Keychain', exact: true })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Where your secrets are' })).toContainText('Keychain unlocked')
    await desk.close()

    const { main: again } = await open({ env })
    await expect(again.getByRole('region', { name: 'Account' })).toContainText('10,000.00 USDC')
    await expect(needsYou(again)).not.toContainText('unlucky')
  } finally {
    await keyring.stop()
  }
})
