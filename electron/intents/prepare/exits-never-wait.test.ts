import { afterEach, beforeEach, expect, test } from 'vitest'
import { preparePath, prepareRoute, startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { value } from '../../../e2e/support/main/workspace.ts'
import type { OrderTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import { second } from '../../../shared/time.ts'
import { cancelTicket, closeTicket } from '../../kill-switch/stop-steps.ts'
import { raw } from '../../store/records/raw.ts'

let workspace: Trader
beforeEach(async () => {
  workspace = await startTrader()
})
afterEach(() => workspace.stop())

const reads = ['markets', 'summary', 'summaries', 'meta', 'positions', 'orders', 'account', 'collateral', 'snapshot'].map((path) => `GET /api/dex/v1/${path}`)
const publicReads = ['config', 'markets', 'summary', 'summaries', 'positions', 'orders'].map((path) => `GET /api/dex/${path}`)

/** Makes the exchange respond to every read with status 429. */
const shutReads = (retryAfterSeconds: number) => {
  workspace.faults.answer = [...reads, ...publicReads].map((route) => ({ route, status: 429, code: 'RATE_LIMITED', times: 100, retryAfterSeconds }))
}

/** Opens a position, and places an order that stays open. */
async function openAccount(): Promise<{ position: Position; order: OpenOrder }> {
  const { ref, signature } = await workspace.asked()
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  const limit = await workspace.handlers()['intents.prepare']({
    ...{ pairId: 1, side: 'long', orderType: 'limit', marginMode: 'cross', leverage: 5, orderValueUsdc: '50', limitPrice: '50000', timeInForce: 'gtc' },
    ...{ postOnly: false, takeProfit: null, stopLoss: null },
  })
  const request = value(await workspace.handlers()['intents.ask']({ ref: value(limit).intent.ref, typedPhrase: 'sign this layout', typedRouter: 'yes' }))
  value(await workspace.handlers()['intents.answered']({ ref: value(limit).intent.ref, answer: await workspace.sign(request) }))
  await workspace.chain.mine()
  const [position] = value(await workspace.handlers()['account.positions']({ watch: null })).positions
  const [order] = value(await workspace.handlers()['account.orders']({ watch: null })).orders
  if (position === undefined || order === undefined) throw new Error('Nothing is open')
  return { position, order }
}

/** Prepares a ticket as the user’s click on its button does. Returns how long this took, in ms of simulated time. */
async function pressed(ticket: OrderTicket): Promise<number> {
  const before = workspace.clock.monotonic()
  const sent = workspace.sentTo(preparePath).length
  expect(value(await workspace.handlers()['intents.prepare'](ticket)).intent.state).toBe('PREPARED')
  expect(workspace.sentTo(preparePath)).toHaveLength(sent + 1)
  return workspace.clock.monotonic() - before
}

// A pause of 8 s only delays a read that does not end risk. With a pause of 30 s, the app gives up on such a read.
test.each([8, 30])(
  'the app prepares a cancel or close order within a second, even if the service asks it to delay reads by %i s [FLOW-03, LIM-02]',
  async (waitSeconds) => {
    const { position, order } = await openAccount()
    for (const isPaused of [false, true]) {
      // Restart the app, so that it has not read the market yet.
      await workspace.restart()
      await workspace.connect()
      shutReads(waitSeconds)
      // The service refuses this read, so the app pauses all further reads.
      if (isPaused) await workspace.handlers()['markets.list']({})
      expect(await pressed(closeTicket(position, position.id ?? '', position.markPrice ?? '0'))).toBeLessThan(second)
      expect(await pressed(cancelTicket(order))).toBeLessThan(second)
      workspace.faults.answer = []
      workspace.clock.advance(31 * second)
    }
  },
)

test('the app prepares a close order within moments even if a read of the service hangs [FLOW-03]', async () => {
  const { position } = await openAccount()
  await workspace.restart()
  await workspace.connect()
  workspace.faults.delay = [...reads, ...publicReads].map((route) => ({ route, ms: null }))
  const before = performance.now()
  await pressed(closeTicket(position, position.id ?? '', position.markPrice ?? '0'))
  expect(performance.now() - before).toBeLessThan(3 * second)
  workspace.faults.delay = []
})

test('the app prepares a close or cancel order through an untrusted contract within seconds, even if the chain does not answer [FLOW-01, FLOW-03]', async () => {
  const { position, order } = await openAccount()
  workspace.journal()[raw].values.set('pin/practice/router', null)
  workspace.rpc.hang()
  const exits = async () => {
    const found: { readonly state: string; readonly router: unknown }[] = []
    for (const ticket of [closeTicket(position, position.id ?? '', position.markPrice ?? '0'), cancelTicket(order)]) {
      const before = performance.now()
      const { intent, router } = value(await workspace.handlers()['intents.prepare'](ticket))
      expect(performance.now() - before).toBeLessThan(5 * second)
      found.push({ state: intent.state, router })
    }
    return found
  }
  const published = { state: 'PREPARED', router: { state: 'new', unread: [], hasCode: null } }
  expect(await exits()).toMatchObject([published, published])
  // After a minute, the app’s copy of the published contracts is outdated. If it cannot read the contracts again, the app refuses at once and does
  // not wait.
  workspace.clock.advance(61 * second)
  workspace.faults.delay = [...reads, ...publicReads].map((route) => ({ route, ms: null }))
  expect(await exits()).toMatchObject([{}, { state: 'REFUSED' }])
  workspace.faults.delay = []
})

test('if the service answers a close order with a 503 that names a delay, the app waits that long before it repeats the request [LIM-02]', async () => {
  const { position } = await openAccount()
  workspace.faults.answer = [{ route: prepareRoute, status: 503, code: 'AWAY', times: 1, retryAfterSeconds: 3 }]
  const before = workspace.clock.monotonic()
  value(await workspace.handlers()['intents.prepare'](closeTicket(position, position.id ?? '', position.markPrice ?? '0')))
  expect(workspace.clock.monotonic() - before).toBeGreaterThanOrEqual(3 * second)
})
