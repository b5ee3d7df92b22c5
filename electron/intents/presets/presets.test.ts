import { afterEach, beforeEach, expect, test } from 'vitest'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { TicketPreset } from '../../../shared/ipc/intents/presets.ts'
import { raw } from '../../store/records/raw.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
})
afterEach(() => workspace.stop())

const preset = (name: string, change: Partial<TicketPreset> = {}): TicketPreset => ({
  name,
  side: 'long',
  orderType: 'limit',
  marginMode: 'cross',
  leverage: 10,
  orderValue: '250',
  valueIn: 'usdc',
  maxSlippageBps: 50,
  timeInForce: 'gtc',
  postOnly: true,
  restIfUnfilled: false,
  takeProfitPercent: '2',
  stopLossPercent: null,
  ...change,
})
const list = async () => value(await workspace.handlers()['presets.list']({})).presets

test('order presets survive a restart, and saving a preset under a name in use replaces the preset of that name', async () => {
  for (const name of ['Swing', 'Grid', 'Swing']) value(await workspace.handlers()['presets.save'](preset(name, { leverage: name === 'Swing' ? 3 : 10 })))
  await workspace.restart()
  expect(await list()).toEqual([preset('Grid'), preset('Swing', { leverage: 3 })])
  value(await workspace.handlers()['presets.remove']({ name: 'Grid' }))
  expect(await list()).toEqual([preset('Swing', { leverage: 3 })])
  expect(failure(await workspace.handlers()['presets.remove']({ name: 'Grid' }))).toEqual({ kind: 'not_found', what: 'preset' })
})

test('the user can save up to twenty order presets; the app refuses another one, but still saves changes to existing presets', async () => {
  for (let each = 0; each < 20; each += 1) value(await workspace.handlers()['presets.save'](preset(`No. ${each}`)))
  expect(failure(await workspace.handlers()['presets.save'](preset('One more')))).toMatchObject({ kind: 'bad_input', field: 'name' })
  value(await workspace.handlers()['presets.save'](preset('No. 7', { leverage: 2 })))
  expect(await list()).toHaveLength(20)
})

test('the order ticket’s settings survive a restart, and the app ignores order presets that another app version stored', async () => {
  expect(value(await workspace.handlers()['presets.settings']({}))).toEqual({ expert: false })
  value(await workspace.handlers()['presets.saveSettings']({ expert: true }))
  workspace.journal()[raw].values.set('ticket/practice/preset/Old', '{"name":"Old"}')
  await workspace.restart()
  expect(value(await workspace.handlers()['presets.settings']({}))).toEqual({ expert: true })
  expect(await list()).toEqual([])
})
