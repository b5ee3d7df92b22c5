import { existsSync, readFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { goTo } from '../pages/frame.ts'
import { join } from '../pages/ready.ts'
import { signingSheet } from '../pages/signing.ts'
import { reviewOrder } from '../pages/ticket.ts'
import { answerDialogs } from '../support/dialogs.ts'
import { expect, test } from '../support/fixtures.ts'

test('the service is checked once after the first key, its signing format agreed to, and the first order asks for no words [FLOW-02]', async ({
  open,
  practice,
  profileDir,
}) => {
  const desk = await open()
  const page = desk.main
  await join(desk, 'checked')
  const before = await practice.effects()

  await test.step('offered with the first key, and run', async () => {
    await page.getByRole('button', { name: 'Open service check' }).click()
    await page.getByRole('button', { name: 'Check service' }).click()
    await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible({ timeout: 60_000 })
    await expect(page.getByRole('button', { name: 'Open service check' })).toBeHidden()
  })

  const results = page.getByRole('list', { name: 'Results of the service check' })
  await test.step('what an order would sign is shown and agreed to with one press', async () => {
    await results.getByRole('button', { name: 'Show Prepare open_position' }).click()
    await expect(results.getByRole('region', { name: 'Signing format' })).toContainText('Message to sign')
    await results.getByRole('button', { name: 'Agree to this signing format' }).click()
    await expect(results).toContainText('You agreed to this signing format.')
    expect((await practice.effects()).relayed).toEqual(before.relayed)
  })

  await test.step('the report is saved without the wallet', async () => {
    const file = joinPath(profileDir, 'check.json')
    await answerDialogs(desk.app, { save: file })
    await page.getByRole('button', { name: 'Save report' }).click()
    await expect.poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : '')).toMatch(/\}\s*$/)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1 })
  })

  await test.step('the first order needs no words', async () => {
    await goTo(page, 'Trade')
    await reviewOrder(page, { value: '250', leverage: '5' })
    await expect(signingSheet(page)).toBeVisible()
    await expect(signingSheet(page).getByRole('checkbox')).toHaveCount(0)
    await expect(signingSheet(page).getByRole('textbox')).toHaveCount(0)
  })
})
