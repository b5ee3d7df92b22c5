import { generatePrivateKey } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../shared/time.ts'
import { type RunningChain, startChain } from '../../chain/start-chain.ts'
import { newTrader, type Trader } from '../../chain/testing/trader.ts'
import { createPracticeClock } from '../../practice-clock.ts'
import { allScopes, type Desk, openDesk } from '../testing/orders.ts'
import { type Receiver, startReceiver } from '../testing/receiver.ts'
import { at, type Bench, bearer, start, text } from '../testing/start.ts'

/** Deliveries of what happens on a real chain, whose blocks come when a test mines them. */
const clock = createPracticeClock(systemClock)
let chain: RunningChain
let bench: Bench<RunningChain>
let desk: Desk
let trader: Trader
let receiver: Receiver

beforeAll(async () => {
  const started = await startChain({ clock, dataDir: null, firstHolder: null, history: true })
  if (!started.ok) throw new Error(started.failure.detail)
  chain = started.value
})
afterAll(() => chain.stop())
beforeEach(async () => {
  await chain.pauseMining(false)
  trader = await newTrader(chain, 500_000_000n, generatePrivateKey())
  await chain.pauseMining(true)
  bench = await start({ chain, clock, wallet: trader.account })
  desk = await openDesk(bench, allScopes)
  receiver = await startReceiver()
  const session = await bench.signIn()
  await bench.call('POST /api/dex/developer/webhooks', { ...bearer(session), body: { url: receiver.url, events: ['*'] } })
})
afterEach(async () => {
  await receiver.stop()
  await bench.stop()
})

const mine = async (blocks = 1) => {
  await chain.mine(blocks)
  await bench.exchange.settle()
}

test('delivers what a relayed order did, and corrects it after a reorganisation of the chain [HOOK-05] [HOOK-07] [FLOW-06]', async () => {
  const relayed = await desk.relay(await desk.prepare(await desk.marketOrder()))
  const hash = text(relayed, 'tx_hash')
  await mine(8)
  const told = (await receiver.until(4)).map(({ event }) => event)
  expect(told.map(({ type }) => type)).toEqual(['order.accepted', 'order.filled', 'position.changed', 'transaction.confirmed'])
  expect(told.map(({ data }) => data.tx_hash)).toEqual([hash, hash, hash, hash])
  await chain.reorganise(9)
  await bench.exchange.settle()
  // The ledger and the transactions are looked at apart: which of them notices first is open.
  const corrections = (await receiver.until(9)).slice(4).map(({ event }) => `${event.type} ${event.revoked_event_id}`)
  expect(corrections.toSorted()).toEqual([...told.map(({ id }) => `chain.reorg ${id}`), `transaction.pending ${told[3]?.id}`].toSorted())
})

test('delivers the finality of a deposit only when its receipt was reported [HOOK-09] [FLOW-05]', async () => {
  const prepared = await desk.act('add_collateral', { token: 'USDC', amount: '10' })
  const listed = at(prepared, 'execution.transactions')
  const hashes: string[] = []
  for (const each of Array.isArray(listed) ? listed : []) {
    hashes.push(await trader.send(each.to, each.data))
    await mine()
  }
  await mine(8)
  const [changed] = await receiver.until(1)
  expect(changed?.event).toMatchObject({ type: 'collateral.changed', data: { token: 'USDC', amount: '10', tx_hash: hashes.at(-1) } })
  expect(bench.exchange.deliveries().map(({ type }) => type)).toEqual(['collateral.changed'])
  const body = { wallet: trader.account.address, intent_id: text(prepared, 'intent_id'), tx_hash: hashes.at(-1), state: 'submitted' }
  expect((await bench.call('POST /api/dex/actions/receipt', { body })).status).toBe(200)
  await mine()
  expect((await receiver.until(2))[1]?.event).toMatchObject({ type: 'transaction.confirmed', data: { tx_hash: hashes.at(-1), intent_id: body.intent_id } })
})
