import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { goTo } from '../pages/frame.ts'
import { pair } from '../pages/ready.ts'
import { answerDialogs } from '../support/dialogs.ts'
import { expect, test } from '../support/fixtures.ts'

const panel = (page: Page): Locator => page.getByRole('region', { name: 'Names in payloads' })
const action = (page: Page, name: string): Locator => panel(page).getByRole('listitem').filter({ hasText: name })

async function openForm(page: Page, name: string): Promise<Locator> {
  await panel(page)
    .getByRole('button', { name: `Change the names of ${name}` })
    .click()
  return panel(page).getByRole('form', { name: `Names of ${name}` })
}

test('a name that the document leaves open is corrected, checked, kept over a restart, and carried in a file [ORD-05]', async ({ open, profileDir }) => {
  const first = await open()
  await pair(first)
  await goTo(first.main, 'Settings')
  const form = await openForm(first.main, 'close_position_market')
  const size = form.getByRole('textbox', { name: 'size' })
  const use = form.getByRole('button', { name: 'Use these names' })
  for (const [name, sentence] of [
    ['9 lives', /begins with a letter/],
    ['position_id', /Another field of close_position_market has this name/],
  ] as const) {
    await size.fill(name)
    await expect(size).toHaveAccessibleDescription(sentence)
    await expect(use).toBeDisabled()
  }
  await size.fill('quantity')
  await use.click()
  await expect(action(first.main, 'close_position_market')).toContainText(/size\s+is sent as\s+quantity/)
  const actions = await openForm(first.main, 'batch')
  await actions.getByRole('textbox', { name: 'actions', exact: true }).fill('idempotency_key')
  await expect(actions.getByRole('textbox', { name: 'actions', exact: true })).toHaveAccessibleDescription(/key of the request/)
  await actions.getByRole('textbox', { name: 'actions', exact: true }).fill('steps')
  await actions.getByRole('button', { name: 'Use these names' }).click()
  await expect(action(first.main, 'batch')).toContainText(/actions\s+is sent as\s+steps/)
  const file = join(profileDir, 'names.json')
  await answerDialogs(first.app, { save: file, open: file })
  await panel(first.main).getByRole('button', { name: 'Save a file' }).click()
  await expect.poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : '')).toMatch(/\}\s*$/)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ close_position_market: { size: 'quantity' }, batch: { actions: 'steps' } })
  await first.close()

  const second = await open()
  await goTo(second.main, 'Settings')
  await expect(panel(second.main)).toContainText('2 changed')
  await (await openForm(second.main, 'close_position_market')).getByRole('textbox', { name: 'size' }).fill('')
  await panel(second.main).getByRole('button', { name: 'Use these names' }).click()
  await expect(panel(second.main)).toContainText('1 changed')
  await answerDialogs(second.app, { open: file })
  await panel(second.main).getByRole('button', { name: 'Read a file' }).click()
  await expect(action(second.main, 'close_position_market')).toContainText(/size\s+is sent as\s+quantity/)
})
