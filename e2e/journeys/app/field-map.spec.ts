import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { goTo } from '../../pages/frame.ts'
import { leg, openKey } from '../../pages/keys.ts'
import { openPhone, openSignedIn, paired } from '../../pages/ready.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, firstKey, testPaired as test, testWithKey } from '../../support/fixtures.ts'

const panel = (page: Page): Locator => page.getByRole('region', { name: 'Field map' })
const entries = (page: Page): Locator => panel(page).getByRole('table', { name: 'Field map' })
const entry = (page: Page, request: string, field: string): Locator => entries(page).getByRole('row').filter({ hasText: request }).filter({ hasText: field })

async function openForm(page: Page, name: string): Promise<Locator> {
  await panel(page)
    .getByRole('button', { name: `Change names in ${name}` })
    .click()
  return panel(page).getByRole('form', { name: `Names in ${name}` })
}

test('the user can edit, check, export, import and undo the field map, and it survives a restart [ORD-05]', async ({ open, profileDir }) => {
  const first = await open()
  await paired(first)
  await openPhone(first)
  await goTo(first.main, 'Settings')
  const form = await openForm(first.main, 'close_position_market')
  const size = form.getByRole('textbox', { name: 'size' })
  const save = form.getByRole('button', { name: 'Save names' })
  for (const [name, sentence] of [
    ['9 lives', /starts with a letter/],
    ['position_id', /another field of this request has that name/],
    ['size_usdc', /says a unit that the app does not send/],
  ] as const) {
    await size.fill(name)
    await expect(size).toHaveAccessibleDescription(sentence)
    await expect(save).toBeDisabled()
  }
  await size.fill('quantity')
  await save.click()
  await expect(entry(first.main, 'close_position_market', 'size')).toContainText('quantity')
  const batch = await openForm(first.main, 'batch')
  await batch.getByRole('textbox', { name: 'actions', exact: true }).fill('steps')
  await batch.getByRole('button', { name: 'Save names' }).click()
  await expect(entry(first.main, 'batch', 'actions')).toContainText('steps')
  const file = join(profileDir, 'map.json')
  await answerDialogs(first.app, { save: file, open: file })
  await panel(first.main).getByRole('button', { name: 'Export' }).click()
  await expect.poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : '')).toMatch(/\}\s*$/)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    version: 2,
    answers: {},
    payloads: { batch: { actions: 'steps' }, close_position_market: { size: 'quantity' } },
  })
  await first.close()

  const second = await open()
  await goTo(second.main, 'Settings')
  await expect(panel(second.main)).toContainText('2 entries')
  await panel(second.main).getByRole('button', { name: 'Remove size of close_position_market' }).click()
  await expect(panel(second.main)).toContainText('1 entry')
  await answerDialogs(second.app, { open: file })
  await panel(second.main).getByRole('button', { name: 'Import' }).click()
  const sheet = second.main.getByRole('dialog', { name: 'Import field map' })
  await expect(sheet.getByRole('table', { name: 'Added entries' })).toContainText('quantity')
  await sheet.getByRole('button', { name: 'Add entries' }).click()
  await expect(panel(second.main)).toContainText('2 entries')
  await panel(second.main).getByRole('button', { name: 'Undo last change' }).click()
  await expect(panel(second.main)).toContainText('1 entry')

  // The file comes from an untrusted source. The app must explain each invalid line and change nothing.
  writeFileSync(
    file,
    ['{', '"version": 2,', '"payloads": { "open_position": { "pair_id": "market" } },', '"contracts": { "router": "0x1" },', '"answers": {}', '}'].join('\n'),
  )
  await panel(second.main).getByRole('button', { name: 'Import' }).click()
  const refused = second.main.getByRole('dialog', { name: 'This file cannot be imported' })
  await expect(refused).toContainText('Line 3: ')
  await expect(refused).toContainText('Line 4: ')
  await expect(refused).toContainText('never come from a file')
  await refused.getByRole('button', { name: 'Close' }).first().click()
  await expect(panel(second.main)).toContainText('1 entry')
})

testWithKey(
  'if the service refuses a field name in a request, one press saves the name that the service expects and retries the request [KEY-08]',
  async ({ open, practice }) => {
    const { page } = await openSignedIn(open)
    // The exchange accepts `expires_in_days`, but the app now sends another name, as if an earlier exchange had required that name.
    await goTo(page, 'Settings')
    const form = await openForm(page, 'Key expiry')
    await form.getByRole('textbox', { name: 'expires_in_days' }).fill('days')
    await form.getByRole('button', { name: 'Save names' }).click()
    await expect(entry(page, 'Key expiry', 'expires_in_days')).toContainText('days')

    await goTo(page, 'Keys')
    await openKey(page, firstKey)
    await page.getByRole('button', { name: 'Extend' }).click()
    const sheet = page.getByRole('dialog', { name: 'Change expiry of first-key' })
    await sheet.getByRole('radio', { name: '360 days' }).click()
    await sheet.getByRole('button', { name: 'Set expiry' }).click()
    const refused = sheet.getByRole('alert')
    await expect(refused).toContainText('The service did not accept the field name days. It expects expires_in_days.')
    await refused.getByRole('button', { name: 'Use name and try again' }).click()
    await expect(sheet).toBeHidden()
    await expect(leg(page, 'Key')).toContainText('360 days')
    expect(await practice.callsTo('PUT /api/dex/developer/keys/{key_id}/expiry')).toHaveLength(2)
    await goTo(page, 'Settings')
    await expect(panel(page)).toBeVisible()
    await expect(entries(page)).toBeHidden()
  },
)
