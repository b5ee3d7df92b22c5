import { createServer } from 'node:net'
import { addBot, botRow, createCustomKey, fillBot, fillPlan, openGateway, openPlans, planRow } from '../pages/keys.ts'
import { expectKeyStored } from '../pages/new-key.ts'
import { join } from '../pages/ready.ts'
import { answerDialogs } from '../support/dialogs.ts'
import type { Studio } from './shots-studio.ts'

/** Takes screenshots of the gateway: off, on, with bots in several states, and its sheets. */
export async function takeGatewayShots({ desk, page, shoot }: Studio): Promise<void> {
  await join(desk, 'grid-eth')
  await openGateway(page)
  await page.getByText('No bots yet').waitFor()
  await shoot('gateway-off', { narrow: true })
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(8_421, '127.0.0.1', resolve))
  await page.getByRole('switch', { name: 'Let bots use the exchange' }).click({ force: true })
  await page.getByText('Another program uses port 8421.').waitFor()
  await shoot('gateway-port-taken', { narrow: true })
  await new Promise((resolve) => blocker.close(resolve))
  await page.getByRole('textbox', { name: 'Port' }).fill('18421')
  await page.getByRole('button', { name: 'Apply' }).click()
  const url = 'http://127.0.0.1:18421'
  await page.getByText(url, { exact: true }).waitFor()
  await fillBot(page, { label: 'grid' })
  await shoot('gateway-add', { narrow: true })
  await fillBot(page, { label: 'grid', mode: 'Live' })
  await shoot('gateway-add-live', { narrow: true })
  await page.keyboard.press('Escape')
  const limits = { 'Max order size': '500', 'Max open value': '4000', 'Orders a minute': '10', From: '08:00', To: '17:30', After: '120' }
  const token = await addBot(desk, { label: 'grid', mode: 'Live', limits })
  await addBot(desk, { label: 'a-very-long-name-of-a-market-making-bot', mode: 'Dry run' })
  await addBot(desk, { label: 'watcher' })
  const call = (path: string, body?: object) =>
    fetch(`${url}/api/dex/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-svc-api-key': token, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  for (let times = 0; times < 12; times += 1) await call('/account')
  const order = { pair_id: 1, side: 'long', leverage: 2, order_value_usdc: '900', reference_price: '1', max_slippage_bps: 50 }
  for (let times = 0; times < 3; times += 1) await call('/orders/execute', { action: 'open_market', payload: order })
  await botRow(page, 'watcher').getByRole('button', { name: 'Pause watcher' }).click()
  await botRow(page, 'watcher').getByText('Paused').waitFor()
  await botRow(page, 'grid').filter({ hasText: 'over a limit' }).first().waitFor()
  await shoot('gateway-bots', { narrow: true })
  await botRow(page, 'grid').first().getByRole('button', { name: 'Actions for grid' }).click()
  await shoot('gateway-menu')
  await page.getByRole('menuitem', { name: 'Mode and limits' }).click()
  const sheet = page.getByRole('dialog', { name: 'Mode and limits of grid' })
  await sheet.getByRole('textbox', { name: 'Max order size' }).fill('900')
  await sheet.getByRole('textbox', { name: 'Orders a minute' }).fill('')
  await shoot('gateway-limits', { narrow: true })
  await sheet.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alertdialog', { name: 'Allow grid more?' }).waitFor()
  await shoot('gateway-wider', { narrow: true })
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await botRow(page, 'grid').first().getByRole('button', { name: 'Actions for grid' }).click()
  await page.getByRole('menuitem', { name: 'Revoke bot' }).click()
  await shoot('gateway-revoke')
  await page.keyboard.press('Escape')
}

/** Takes screenshots of the fleet plans: none, the form, and plans whose keys wait for a signature, for the user and for their time, or are replaced. */
export async function takeFleetShots({ desk, page, shoot }: Studio): Promise<void> {
  await join(desk, 'grid-eth')
  await createCustomKey(page, { label: 'reader', preset: 'Read-only monitor' })
  await expectKeyStored(page, 'reader')
  await openPlans(page)
  await page.getByText('No plans yet').waitFor()
  await shoot('fleet-none', { narrow: true })
  const sheet = await fillPlan(page, {
    ...{ name: 'october', addresses: '203.0.113.7' },
    targets: {
      'grid-eth': ['ssh', { Host: 'bot@bots-1.example', File: 'bot/key' }],
      reader: ['openbao', { Mount: 'secret', Path: 'bots/reader', Entry: 'key' }],
    },
  })
  await shoot('fleet-new', { narrow: true })
  await answerDialogs(desk.app, { agree: true })
  await sheet.getByRole('button', { name: 'Make plan' }).click()
  await planRow(page, 'october', 'reader').getByText('The plan is paused.').waitFor()
  await shoot('fleet-paused', { narrow: true })
  await page.getByRole('button', { name: 'Run plan october' }).click()
  await planRow(page, 'october', 'grid-eth').getByRole('button', { name: 'Sign' }).waitFor()
  await shoot('fleet-signs', { narrow: true })
  await planRow(page, 'october', 'grid-eth').getByRole('button', { name: 'Skip: grid-eth' }).click()
  await planRow(page, 'october', 'reader').getByText('The target’s client is not installed on this computer.').waitFor()
  await shoot('fleet-waits', { narrow: true })
  await page.getByRole('button', { name: 'Pause plan october' }).click()
  await page.getByRole('button', { name: 'End plan october' }).click()
  const next = await fillPlan(page, {
    ...{ name: 'november', addresses: '', due: new Date().toLocaleDateString('sv-SE') },
    targets: { reader: ['gateway', {}], 'grid-eth': ['onepassword', { Name: 'grid bot', Vault: 'Bots' }] },
  })
  await shoot('fleet-next', { narrow: true })
  await next.getByRole('button', { name: 'Make plan' }).click()
  await page.getByText('It is time to run this plan.').waitFor()
  await shoot('fleet-due', { narrow: true })
  await page.getByRole('button', { name: 'Run plan november' }).click()
  const asks = planRow(page, 'november', 'reader')
  await asks.getByText('The app cannot tell whether a bot of the gateway uses the new key.').waitFor()
  await shoot('fleet-asks', { narrow: true })
  await asks.getByRole('button', { name: 'The bot uses it: reader' }).click()
  await asks.getByText('Replaced').waitFor()
  await shoot('fleet-done', { narrow: true })
  await page.getByRole('button', { name: 'Remove plan october' }).click()
  await shoot('fleet-remove', { narrow: true })
  await page.keyboard.press('Escape')
}
