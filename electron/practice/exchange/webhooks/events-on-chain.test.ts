import { afterEach, beforeEach, expect, test } from 'vitest'
import { benchOnChain } from '../../../../e2e/support/practice/on-chain.ts'
import { type Receiver, startReceiver } from '../../../../e2e/support/practice/receiver.ts'
import { bearer, text } from '../../../../e2e/support/practice/start.ts'

const on = benchOnChain()
let receiver: Receiver

beforeEach(async () => {
  receiver = await startReceiver()
  const session = await on.bench.signIn()
  await on.bench.call('POST /api/dex/developer/webhooks', { ...bearer(session), body: { url: receiver.url, events: ['*'] } })
})
afterEach(() => receiver.stop())

test('the practice exchange delivers the events of a relayed order, and corrects the events after a reorganisation of the chain [HOOK-05] [HOOK-07] [FLOW-06]', async () => {
  const relayed = await on.client.relay(await on.client.prepare(await on.client.marketOrder()))
  const hash = text(relayed, 'tx_hash')
  await on.mine(8)
  const told = (await receiver.until(4)).map(({ event }) => event)
  expect(told.map(({ type }) => type)).toEqual(['order.accepted', 'order.filled', 'position.changed', 'transaction.confirmed'])
  expect(told.map(({ data }) => data.tx_hash)).toEqual([hash, hash, hash, hash])
  await on.chain.reorganise(9)
  await on.bench.exchange.settle()
  // The exchange sends corrections of account events and of transaction events independently, so their order varies. Compare them sorted.
  const corrections = (await receiver.until(9)).slice(4).map(({ event }) => `${event.type} ${event.revoked_event_id}`)
  expect(corrections.toSorted()).toEqual([...told.map(({ id }) => `chain.reorg ${id}`), `transaction.pending ${told[3]?.id}`].toSorted())
})

test('the practice exchange sends a webhook event for a final deposit only if the deposit’s transaction was reported with a receipt [HOOK-09] [FLOW-05]', async () => {
  const prepared = await on.client.act('add_collateral', { token: 'USDC', amount: '10' })
  const hashes = await on.broadcast(prepared)
  await on.mine(8)
  const [changed] = await receiver.until(1)
  expect(changed?.event).toMatchObject({ type: 'collateral.changed', data: { token: 'USDC', amount: '10', tx_hash: hashes.at(-1) } })
  expect(on.bench.exchange.deliveries().map(({ type }) => type)).toEqual(['collateral.changed'])
  const body = { wallet: on.trader.account.address, intent_id: text(prepared, 'intent_id'), tx_hash: hashes.at(-1), state: 'submitted' }
  expect((await on.bench.call('POST /api/dex/actions/receipt', { body })).status).toBe(200)
  await on.mine()
  expect((await receiver.until(2))[1]?.event).toMatchObject({ type: 'transaction.confirmed', data: { tx_hash: hashes.at(-1), intent_id: body.intent_id } })
})
