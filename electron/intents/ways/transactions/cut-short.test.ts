import { afterEach, beforeEach, expect, test } from 'vitest'
import { agreed, type Desk, value } from '../../../../e2e/support/main/desk.ts'
import { callOf, startEverything } from '../../../../e2e/support/main/everything.ts'
import { minute } from '../../../../shared/time.ts'

let desk: Desk
let ref: string
/** A deposit whose approval stands on the chain, and which the user then rejected on the phone. */
beforeEach(async () => {
  desk = await startEverything()
  const prepared = value(await desk.handlers()['intents.prepare']({ action: 'add_collateral', token: 'USDC', amount: '25.5', permit: false }))
  ref = prepared.intent.ref
  const txHash = desk.chain.broadcast(callOf(await asked()))
  value(await desk.handlers()['intents.answered']({ ref, answer: txHash }))
  await desk.chain.mine(1)
  await desk.tick()
  await asked()
  value(await desk.handlers()['intents.declined']({ ref, why: 'rejected', detail: null }))
  await desk.chain.mine(8)
  await desk.tick()
})
afterEach(() => desk.stop())

const asked = async () => value(await desk.handlers()['intents.ask']({ ref, ...agreed }))
const states = () => [
  desk.journal().intents.get(ref)?.state,
  ...desk
    .journal()
    .transactions.of(ref)
    .map(({ state }) => state),
]

test('the approval of a deposit that is over is followed to its end, back when its block is taken, and there again [FLOW-06]', async () => {
  expect(states()).toEqual(['CANCELLED', 'final', 'cancelled'])
  await desk.chain.reorganise(9, 'waits')
  await desk.tick()
  expect(states()).toEqual(['CANCELLED', 'submitted', 'cancelled'])
  await desk.chain.mine(8)
  await desk.tick()
  expect(states()).toEqual(['CANCELLED', 'final', 'cancelled'])
})

test('an approval of a deposit that is over and which the network lost ends, and is not looked for again [FLOW-06]', async () => {
  await desk.chain.reorganise(9)
  await desk.tick()
  expect(states()).toEqual(['CANCELLED', 'submitted', 'cancelled'])
  desk.clock.advance(10 * minute)
  value(await desk.handlers()['markets.list']({}))
  await desk.tick()
  expect(states()).toEqual(['CANCELLED', 'cancelled', 'cancelled'])
  expect(desk.journal().transactions.open('practice')).toEqual([])
})
