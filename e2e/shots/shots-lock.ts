import { goTo } from '../pages/frame.ts'
import { givePassphrase, lockForm, lockSettings, setPassphrase, unlock } from '../pages/lock.ts'
import { pair } from '../pages/ready.ts'
import type { Studio } from './shots-studio.ts'

const passphrase = 'four plain words here'

/** Takes screenshots of the lock. Removes the passphrase at the end. */
export async function takeLockShots({ desk, page, shoot }: Studio): Promise<void> {
  await pair(desk)
  const settings = lockSettings(page)
  const sheet = page.getByRole('dialog')
  await goTo(page, 'Settings')
  await settings.evaluate((panel) => panel.scrollIntoView({ block: 'center' }))
  await shoot('lock-off')
  await settings.getByRole('button', { name: 'Set passphrase' }).click()
  await sheet.getByLabel('New passphrase', { exact: true }).fill('winter 12345')
  await sheet.getByLabel('Repeat new passphrase', { exact: true }).fill('winter 54321')
  await shoot('lock-set')
  await page.keyboard.press('Escape')
  await setPassphrase(page, passphrase)
  await page.locator('[data-part=toast]').filter({ hasText: 'Lock is on' }).getByRole('button', { name: 'Dismiss' }).click()
  await settings.evaluate((panel) => panel.scrollIntoView({ block: 'center' }))
  await shoot('lock-settings')
  await settings.getByRole('button', { name: 'Lock now' }).click()
  await lockForm(page).waitFor()
  await shoot('lock-page', { narrow: true })
  for (let time = 0; time < 4; time += 1) {
    await givePassphrase(page, 'four plain words')
    await lockForm(page).getByRole('alert').waitFor()
  }
  await lockForm(page).getByRole('button', { name: 'Forgot passphrase?' }).click()
  await lockForm(page)
    .getByRole('button', { name: /^Unlock in/ })
    .waitFor()
  await shoot('lock-wrong')
  await lockForm(page).getByRole('button', { name: 'Unlock', exact: true }).waitFor()
  await unlock(page, passphrase)
  await settings.getByRole('button', { name: 'Turn off' }).click()
  await sheet.getByLabel('Current passphrase', { exact: true }).fill(passphrase)
  await shoot('lock-remove')
  await sheet.getByRole('button', { name: 'Turn off lock' }).click()
  await settings.getByRole('button', { name: 'Set passphrase' }).waitFor()
}
