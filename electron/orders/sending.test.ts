import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../shared/time.ts'
import { type RunningChain, startChain } from '../sandbox/chain/start-chain.ts'
import { createPracticeClock } from '../sandbox/practice-clock.ts'
import { patience, type Sender, startSender } from '../testing/sender.ts'

let chain: RunningChain
let desk: Sender
beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: true })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  chain = started.value
})
afterAll(() => chain.stop())
beforeEach(async () => {
  desk = await startSender(chain)
})
afterEach(async () => {
  await chain.pauseMining(false)
  await desk.stop()
})

test('an order is cancelled by one transaction, followed to its eighth confirmation [ORD-05] [FLOW-03]', async () => {
  const order = await desk.restingOrder()
  const prepared = await desk.prepareAction({ action: 'cancel_order', order })
  expect(prepared).toMatchObject({
    ready: true,
    status: 'ready',
    intent: { state: 'PREPARED', way: 'transactions' },
    next: 0,
    expectedPhrase: null,
    transactions: [{ contract: 'router', signature: 'cancelOrder(string)', state: 'waiting', simulation: { outcome: 'works' }, gas: { enough: true } }],
  })
  const { ref } = prepared.intent
  await desk.step(ref)
  await desk.finalise(ref)
  await expect.poll(desk.openOrders, patience).toEqual([])
})
