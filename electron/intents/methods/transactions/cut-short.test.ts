import { afterEach, beforeEach, expect, test } from 'vitest'
import { callOf, startEverything } from '../../../../e2e/support/main/everything.ts'
import { agreed, value, type Workspace } from '../../../../e2e/support/main/workspace.ts'
import { minute } from '../../../../shared/time.ts'

let workspace: Workspace
let ref: string
/** Before each test, the approval of a deposit is on the chain, and the user has rejected the deposit transaction on the phone. */
beforeEach(async () => {
  workspace = await startEverything()
  const prepared = value(await workspace.handlers()['intents.prepare']({ action: 'add_collateral', token: 'USDC', amount: '25.5', permit: false }))
  ref = prepared.intent.ref
  const txHash = workspace.chain.broadcast(callOf(await asked()))
  value(await workspace.handlers()['intents.answered']({ ref, answer: txHash }))
  await workspace.chain.mine(1)
  await workspace.tick()
  await asked()
  value(await workspace.handlers()['intents.declined']({ ref, why: 'rejected', detail: null }))
  await workspace.chain.mine(8)
  await workspace.tick()
})
afterEach(() => workspace.stop())

const asked = async () => value(await workspace.handlers()['intents.ask']({ ref, ...agreed }))
const states = () => [
  workspace.journal().intents.get(ref)?.state,
  ...workspace
    .journal()
    .transactions.of(ref)
    .map(({ state }) => state),
]

test('if the user rejects a deposit after its token approval, the app follows the approval until it is final, even through a reorganisation [FLOW-06]', async () => {
  expect(states()).toEqual(['CANCELLED', 'final', 'cancelled'])
  await workspace.chain.reorganise(9, 'waits')
  await workspace.tick()
  expect(states()).toEqual(['CANCELLED', 'submitted', 'cancelled'])
  await workspace.chain.mine(8)
  await workspace.tick()
  expect(states()).toEqual(['CANCELLED', 'final', 'cancelled'])
})

test('if a reorganisation drops the token approval of a cancelled deposit, the app stops looking for the approval after ten minutes [FLOW-06]', async () => {
  await workspace.chain.reorganise(9)
  await workspace.tick()
  expect(states()).toEqual(['CANCELLED', 'submitted', 'cancelled'])
  workspace.clock.advance(10 * minute)
  value(await workspace.handlers()['markets.list']({}))
  await workspace.tick()
  expect(states()).toEqual(['CANCELLED', 'cancelled', 'cancelled'])
  expect(workspace.journal().transactions.open('practice')).toEqual([])
})
