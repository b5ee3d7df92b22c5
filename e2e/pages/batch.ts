import { expect, type Locator, type Page } from '@playwright/test'
import { ticket } from './ticket.ts'

export const composer = (page: Page): Locator => page.getByRole('dialog', { name: 'Executor batch' })

/** Fills in the sheet that binds an executor, from any page that opens this sheet. */
export async function fillExecutor(page: Page, label: string, executor: string): Promise<void> {
  const sheet = page.getByRole('dialog', { name: `Bind ${label} to an executor` })
  await sheet.getByRole('textbox', { name: 'Executor' }).fill(executor)
  await sheet.getByRole('textbox', { name: new RegExp(`Type ${label}`) }).fill(label)
  await sheet.getByRole('button', { name: 'Bind executor' }).click()
  await expect(sheet).toBeHidden()
}

export async function chooseSignWith(page: Page, way: string): Promise<void> {
  await ticket(page)
    .getByRole('button', { name: /^Sign with:/ })
    .click()
  await expect(page.getByRole('menuitemradio', { name: new RegExp(`^${way}`) })).toBeEnabled()
  await page.getByRole('menuitemradio', { name: new RegExp(`^${way}`) }).click()
}

export async function openComposer(page: Page): Promise<Locator> {
  await ticket(page)
    .getByRole('button', { name: /^Batch/ })
    .click()
  await page.getByRole('menuitem', { name: 'Open batch' }).click()
  await expect(composer(page)).toBeVisible()
  return composer(page)
}

export interface BatchEntry {
  readonly action: string
  readonly market?: string
  readonly position?: RegExp
  readonly order?: RegExp
  readonly choose?: readonly string[]
  readonly fill?: Readonly<Record<string, string>>
}

/** Adds one action to the batch by filling in the batch composer’s form. */
export async function addAction(page: Page, { action, market, position, order, choose = [], fill = {} }: BatchEntry): Promise<void> {
  const form = composer(page).getByRole('form', { name: 'New action' })
  const pick = async (label: string, value: string | RegExp) => {
    await form.getByRole('button', { name: new RegExp(`^${label}:`) }).click()
    await page.getByRole('menuitemradio', { name: value, ...(typeof value === 'string' ? { exact: true } : {}) }).click()
  }
  const items = composer(page).getByRole('list', { name: 'Batch actions' }).getByRole('listitem')
  const before = await items.count()
  await pick('Action', action)
  if (market !== undefined) await pick('Market', market)
  if (position !== undefined) await pick('Position', position)
  if (order !== undefined) await pick('Order', order)
  for (const name of choose) await form.getByRole('radio', { name, exact: true }).click()
  for (const [name, value] of Object.entries(fill)) await form.getByRole('textbox', { name, exact: true }).fill(value)
  await form.getByRole('button', { name: 'Add action' }).click()
  await expect(items).toHaveCount(before + 1)
}

export const batchItems = (page: Page): Locator => composer(page).getByRole('list', { name: 'Batch actions' }).getByRole('listitem')

/** The dialog that describes in words what the executor will do, and asks the user to confirm. */
export const confirmation = (page: Page): Locator => page.getByRole('dialog', { name: /^Execute (this action|\d+ actions)$/ })

/** Confirms the batch and waits until all actions are done and their transactions are final. */
export async function carryOut(page: Page, count: number): Promise<Locator> {
  const confirm = confirmation(page)
  await expect(confirm.getByRole('list', { name: 'Actions for the executor' }).getByRole('listitem')).toHaveCount(count)
  await expect(confirm).toContainText('Your wallet signs nothing.')
  await confirm.getByRole('button', { name: 'Execute' }).click()
  const results = page.getByRole('dialog').getByRole('list', { name: 'Results' })
  await expect(results.getByRole('listitem').filter({ hasText: 'Done' })).toHaveCount(count, { timeout: 30_000 })
  return page.getByRole('dialog')
}
