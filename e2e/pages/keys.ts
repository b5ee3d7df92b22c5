import { expect, type Locator, type Page } from '@playwright/test'
import { type Desk, isReveal } from '../support/desk.ts'
import { goTo, openAddress } from './frame.ts'

export const keyRow = (page: Page, label: string): Locator => page.getByRole('table', { name: 'Keys' }).getByRole('row').filter({ hasText: label })

/** Opens the key list and returns the service’s id of the key with this label. */
export async function keyIdOf(page: Page, label: string): Promise<string> {
  await goTo(page, 'Keys')
  const id = keyRow(page, label).locator('code').first()
  await expect(id).toHaveText(/^key_/)
  return id.innerText()
}

/** Opens the key with this label from the key list. Returns the key’s page. */
export async function openKey(page: Page, label: string): Promise<Locator> {
  await goTo(page, 'Keys')
  await keyRow(page, label).getByRole('link', { name: label }).click()
  await expect(page.getByRole('heading', { level: 1, name: label })).toBeVisible()
  return page.getByRole('main')
}

/** Chooses Rotate or Revoke from a key’s menu, types the key’s name and confirms. */
export async function confirmByName(page: Page, label: string, choice: 'Rotate' | 'Revoke'): Promise<void> {
  await keyRow(page, label)
    .getByRole('button', { name: `Actions for ${label}` })
    .click()
  await page.getByRole('menuitem', { name: choice }).click()
  const sheet = page.getByRole('alertdialog', { name: `${choice} ${label}` })
  const confirm = sheet.getByRole('button', { name: choice === 'Rotate' ? 'Rotate secret' : 'Revoke key' })
  await expect(confirm).toBeDisabled()
  await sheet.getByRole('textbox').fill(label)
  await confirm.click()
  await expect(sheet).toBeHidden()
}

/** Chooses Rotate or Revoke from the menu of the key with this id. Returns the sheet that asks for the key’s name. */
export async function openDangerSheet(page: Page, keyId: string, choice: 'Rotate' | 'Revoke'): Promise<Locator> {
  await keyRow(page, keyId)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: choice }).click()
  const sheet = page.getByRole('alertdialog')
  await expect(sheet).toBeVisible()
  return sheet
}

export const sheetFact = (sheet: Locator, name: string): Locator =>
  sheet
    .locator('dl > div')
    .filter({ has: sheet.page().getByText(name, { exact: true }) })
    .locator('dd')

export interface CustomKey {
  readonly label: string
  readonly preset: 'Read-only monitor' | 'Signal bot' | 'Treasury' | 'Trading bot'
  /** Scopes to add to the preset or remove from it, by their names in the form. */
  readonly toggle?: readonly string[]
  readonly allowlist?: string
  readonly quota?: { readonly name: string; readonly value: string }
}

/** Fills in the form for a key with chosen scopes and presses Create. The caller checks the result. */
export async function createCustomKey(page: Page, { label, preset, toggle = [], allowlist, quota }: CustomKey): Promise<void> {
  await goTo(page, 'Keys')
  await page
    .getByRole('main')
    .getByRole('button', { name: /New key/ })
    .first()
    .click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(label)
  await page.getByRole('radio', { name: new RegExp(preset) }).click()
  for (const name of toggle) await page.getByRole('checkbox', { name: new RegExp(`^${name}`) }).click()
  // If the scopes are those of a trading bot, the form also adds a trading agent. This key needs no agent, so the test switches the agent off.
  const agent = page.getByRole('checkbox', { name: /With a trading agent/ })
  if (await agent.isVisible()) await agent.uncheck()
  if (allowlist !== undefined) {
    // As soon as the exchange has reported this computer’s IP address, the form adds that address to the allowlist.
    const suggested = page.getByRole('button', { name: 'Remove 127.0.0.1', exact: true })
    if (await suggested.isVisible()) await suggested.click()
    await page.getByRole('textbox', { name: 'Add address or range' }).fill(allowlist)
    await page.getByRole('textbox', { name: 'Add address or range' }).press('Enter')
  }
  if (quota !== undefined) {
    await page.getByRole('button', { name: 'Add limit' }).click()
    await page.getByRole('textbox', { name: 'Name of limit 1' }).fill(quota.name)
    await page.getByRole('textbox', { name: 'Value of limit 1' }).fill(quota.value)
  }
  await page.getByRole('button', { name: 'Create key' }).click()
}

/** One part of the authority map of the open key, which shows what the key may do. */
export const leg = (page: Page, name: 'Key' | 'Scopes' | 'Agent' | 'Executor' | 'Payment'): Locator =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { level: 3, name, exact: true }) })

export const fact = (page: Page, name: string): Locator =>
  page
    .getByRole('region', { name: 'Limits and notes' })
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')

/** The app’s notifications. A notification disappears automatically, so wait for it before you trigger the action. */
export const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' })

export const auditTrail = (page: Page): Locator => page.getByRole('region', { name: 'Audit trail' })

/** Opens the page of the gateway. */
export async function openGateway(page: Page): Promise<void> {
  await goTo(page, 'Keys')
  await page.getByRole('main').getByRole('button', { name: 'Gateway' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Gateway' })).toBeVisible()
}

/** Opens the page of the fleet plans. */
export async function openPlans(page: Page): Promise<void> {
  await goTo(page, 'Keys')
  await page.getByRole('main').getByRole('button', { name: 'Fleet plans' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fleet plans' })).toBeVisible()
}

export const planRow = (page: Page, plan: string, label: string): Locator =>
  page
    .getByRole('table', { name: `Keys of ${plan}` })
    .getByRole('row')
    .filter({ hasText: label })

/** Fills in the sheet that makes a plan. `targets`: for each key, the target’s code and the fields by their names. */
export async function fillPlan(
  page: Page,
  {
    name,
    addresses,
    due,
    targets,
  }: {
    readonly name: string
    readonly addresses: string
    readonly due?: string
    readonly targets: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>>
  },
): Promise<Locator> {
  await openAddress(page, 'keys/fleet/new')
  const sheet = page.getByRole('dialog', { name: 'New plan' })
  await sheet.getByRole('textbox', { name: 'Name', exact: true }).first().fill(name)
  await sheet.getByRole('textbox', { name: 'Addresses of the bots' }).fill(addresses)
  if (due !== undefined) {
    await sheet.getByRole('radio', { name: 'On a date' }).click()
    await sheet.getByRole('textbox', { name: 'Date of the reminder' }).fill(due)
  }
  for (const [label, [target, fields]] of Object.entries(targets)) {
    await sheet.getByRole('checkbox', { name: label, exact: true }).click()
    const group = sheet.getByRole('group', { name: `Target of ${label}` })
    await group.getByRole('combobox', { name: 'Target' }).selectOption(target)
    for (const [field, value] of Object.entries(fields)) await group.getByRole('textbox', { name: field, exact: true }).fill(value)
  }
  return sheet
}

export const botRow = (page: Page, label: string): Locator => page.getByRole('table', { name: 'Bots' }).getByRole('row').filter({ hasText: label })

export interface NewBot {
  readonly label: string
  readonly mode?: 'Observe' | 'Dry run' | 'Live'
  /** The limits, by the names of their fields. */
  readonly limits?: Readonly<Record<string, string>>
}

/** Fills in the sheet that adds a bot, on the open page of the gateway. */
export async function fillBot(page: Page, { label, mode = 'Observe', limits = {} }: NewBot): Promise<Locator> {
  await openAddress(page, 'keys/gateway/add')
  const sheet = page.getByRole('dialog', { name: 'Add bot' })
  await sheet.getByRole('textbox', { name: 'Name', exact: true }).fill(label)
  await sheet.getByRole('radio', { name: mode }).click()
  for (const [name, value] of Object.entries(limits)) await sheet.getByRole('textbox', { name, exact: true }).fill(value)
  return sheet
}

/** Adds a bot and reads its token from the window for secrets. */
export async function addBot(desk: Desk, bot: NewBot): Promise<string> {
  const sheet = await fillBot(desk.main, bot)
  await sheet.getByRole('button', { name: 'Add and show token' }).click()
  await expect(sheet).toBeHidden()
  const shown = () => desk.app.windows().find((window) => isReveal(window) && !window.isClosed())
  await expect.poll(() => shown() !== undefined).toBe(true)
  const window = shown()
  const token = /SVCbot1\.[0-9a-f]{12}\.[A-Za-z0-9_-]{43}/
  await expect.poll(async () => token.exec((await window?.locator('body').textContent()) ?? '')?.[0] ?? null).not.toBeNull()
  const text = token.exec((await window?.locator('body').textContent()) ?? '')?.[0] ?? ''
  await window?.close()
  return text
}
