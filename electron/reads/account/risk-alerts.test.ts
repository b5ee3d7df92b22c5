import { afterEach, beforeEach, expect, test } from 'vitest'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { noticeText } from '../../../shared/text/notice-text.ts'

let workspace: Workspace
let service: TestService
let health: string | null
let mark: string
beforeEach(async () => {
  service = await startService()
  health = '3'
  mark = '100'
  service.answer = ({ path }, response) =>
    json(
      response,
      200,
      path.includes('/positions')
        ? { positions: [{ position_id: 'p1', pair_id: 1, symbol: 'BTC-PERP', side: 'long', mark_price: mark, liquidation_price: '80' }] }
        : { health_factor: health },
    )
  workspace = await startWorkspace({ hostUrl: service.hostUrl })
  await workspace.connect()
})
afterEach(async () => {
  await workspace.stop()
  await service.close()
})

const notices = () => workspace.events.flatMap((event) => (event.type === 'notice' ? [noticeText(event.notice).title] : []))
const save = (watch: string | null, healthBelow: string | null, distanceBelow: string | null) =>
  workspace.handlers()['account.saveAlerts']({ watch, healthBelow, distanceBelow })
const read = async (watch: string | null = null) => {
  value(await workspace.handlers()['account.summary']({ watch }))
  value(await workspace.handlers()['account.positions']({ watch }))
}

test('a risk alert appears once when a value crosses its threshold, and again only after a clear recovery, also across restarts [ACC-01]', async () => {
  value(await save(null, '2', '10'))
  await read()
  expect(notices()).toEqual([])
  health = '1.99'
  await read()
  await read()
  expect(notices()).toEqual(['Health factor 1.99'])
  expect(workspace.events.find(({ type }) => type === 'notice')).toMatchObject({ severity: 'danger', to: '/account', system: true })
  await workspace.restart()
  await workspace.connect()
  await read()
  // A second alert is possible only after the value has risen to a tenth above the threshold. A smaller rise does not count as a recovery.
  for (const next of ['2.1', '1.9', '2.2', '1.5']) {
    health = next
    await read()
  }
  expect(notices()).toEqual(['Health factor 1.99', 'Health factor 1.50'])
  mark = '88'
  await read()
  expect(notices().slice(2)).toEqual(['BTC-PERP long is 9.1 % from liquidation'])
})

test('the app reads an account that no window shows only if it has risk alerts, and raises no alert for a missing value [ACC-01, ERR-02]', async () => {
  await workspace.tick()
  expect(service.received.filter(({ path }) => path.includes('account'))).toEqual([])
  value(await save(null, '2', null))
  health = null
  await workspace.tick()
  expect(service.received.some(({ path }) => path.startsWith('/api/dex/account'))).toBe(true)
  expect(notices()).toEqual([])
  health = '1.2'
  await workspace.tick()
  expect(notices()).toEqual(['Health factor 1.20'])
})

test('the app continues to watch for risk alerts after a failed journal write, and shows a missed alert later [ACC-01]', async () => {
  value(await save(null, '2', null))
  health = '1.2'
  workspace.beforeWrite = () => {
    throw new Error('the disk is gone')
  }
  await workspace.tick()
  expect(notices()).toEqual([])
  workspace.beforeWrite = () => {}
  await workspace.tick()
  expect(notices()).toEqual(['Health factor 1.20'])
})

test('the app keeps separate alert thresholds for a watched wallet, and names the wallet in its alerts [ACC-03]', async () => {
  const watch = workspace.account.address
  value(await workspace.handlers()['account.watch']({ address: watch, name: 'Fund' }))
  value(await save(watch, '4', null))
  await workspace.tick()
  expect(notices()).toEqual(['Fund: Health factor 3.00'])
  expect(value(await workspace.handlers()['account.alerts']({ watch: null }))).toEqual({ healthBelow: null, distanceBelow: null })
  expect(failure(await save(watch, '-1', null))).toMatchObject({ kind: 'bad_input', field: 'healthBelow' })
  expect(failure(await save(watch, '1,05', null))).toMatchObject({ issue: ['writeWithPoint', '1.05'] })
  expect(failure(await save(watch, null, 'soon'))).toMatchObject({ kind: 'bad_input', field: 'distanceBelow' })
})
