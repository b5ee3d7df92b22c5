import type { Page } from '@playwright/test'
import { goTo, type View } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { join } from '../../pages/ready.ts'
import { expect, test } from '../../support/fixtures.ts'

const views: readonly View[] = ['Overview', 'Keys', 'Webhooks', 'Account', 'Trade', 'Markets', 'Activity', 'Settings']

/** Search texts, each with a result that must be among the first three. `{id}` is the id of the key “grid-btc”. */
const queries: readonly (readonly [typed: string, expected: string])[] = [
  ['keys', 'Keys'],
  ['grid', 'Open key grid-btc'],
  ['{id}', 'Open key grid-btc'],
  ['api credential', 'Keys'],
  ['copy secret', 'Copy secret of grid-btc'],
  ['copy grid', 'Copy secret of grid-btc'],
  ['clipboard', 'Copy secret of grid-btc'],
  ['rotate grid', 'Rotate grid-btc'],
  ['revoke grid', 'Revoke grid-btc'],
  ['new key', 'New key'],
  ['create key', 'New key'],
  ['import', 'Import key'],
  ['btc', 'Trade BTC-PERP'],
  ['eth-perp', 'Trade ETH-PERP'],
  ['chart sol', 'Market data of SOL-PERP'],
  ['buy', 'Trade'],
  ['balance', 'Account'],
  ['slippage', 'Settings: Risk limits'],
  ['max leverage', 'Settings: Risk limits'],
  ['project id', 'Settings: Wallet connection'],
  ['rpc', 'Settings: Wallet connection'],
  ['passphrase', 'Settings: Lock'],
  ['language', 'Settings: Appearance'],
  ['dark', 'Theme: dark'],
  ['host', 'Settings: Exchanges'],
  ['licence', 'Settings: About'],
  ['cli', 'Settings: Terminal'],
  ['quota', 'Settings: Service'],
  ['help', 'Help'],
  ['documentation', 'Help'],
  ['deposit', 'Deposit collateral'],
  ['top up', 'Deposit collateral'],
  ['payout', 'Withdraw collateral'],
  ['csv', 'Reports'],
  ['kill', 'Kill switch'],
  ['panic', 'Kill switch'],
  ['cancel all', 'Cancel all orders'],
  ['login', 'Sign in again'],
  ['hotkeys', 'Keyboard shortcuts'],
  ['dsk-1a2b3c', 'Find requests with “dsk-1a2b3c”'],
]

const search = (page: Page) => page.getByRole('combobox', { name: 'Search or run a command' })
const palette = (page: Page) => page.getByRole('dialog', { name: 'Commands' })
const firstThree = async (page: Page) => (await palette(page).getByRole('option').allInnerTexts()).slice(0, 3).map((text) => text.replaceAll(/\s+/g, ' '))

test('on every page, the command palette lists the wanted result among its first three, and a risky command only if the user typed its name', async ({
  open,
}) => {
  test.setTimeout(240_000)
  const desk = await open()
  const page = desk.main
  await join(desk, 'grid-btc')
  const id = await keyIdOf(page, 'grid-btc')
  const missed: string[] = []
  for (const view of views) {
    await goTo(page, view)
    await page.keyboard.press('Control+k')
    for (const [typed, expected] of queries) {
      await search(page).fill(typed.replace('{id}', id))
      try {
        await expect.poll(() => firstThree(page), { timeout: 3_000 }).toContainEqual(expect.stringContaining(expected))
      } catch {
        missed.push(`${view}: ${typed} → ${(await firstThree(page)).join(' | ')}`)
      }
    }
    for (const harmless of ['grid', 'btc', id]) {
      await search(page).fill(harmless)
      await expect.poll(() => firstThree(page)).toContainEqual(expect.stringContaining('grid-btc'))
      expect((await firstThree(page)).join('\n')).not.toMatch(/Rotate|Revoke|Cancel|Close|Kill/)
    }
    await page.keyboard.press('Escape')
  }
  expect(missed).toEqual([])
})
