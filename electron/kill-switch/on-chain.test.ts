import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { patience, startSender } from '../../e2e/support/main/sender.ts'
import { value } from '../../e2e/support/main/workspace.ts'
import type { Output } from '../../shared/ipc/contract.ts'
import { bulkActionPhrases } from '../../shared/phrases.ts'
import { systemClock } from '../../shared/time.ts'
import { createPracticeClock } from '../practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../practice/chain/start-chain.ts'

let chain: RunningChain
let workspace: Awaited<ReturnType<typeof startSender>>
beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: true })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  chain = started.value
})
afterAll(() => chain.stop())
beforeEach(async () => {
  workspace = await startSender(chain)
})
afterEach(() => workspace.stop())

type Next = NonNullable<Output<'bulkActions.next'>['order']>

const known = async () => {
  const now = value(await workspace.handlers()['bulkActions.state']({}))
  if (now.state === 'idle') throw new Error('There is no bulk action')
  return now
}
const next = async (): Promise<Next> => {
  const { order } = value(await workspace.handlers()['bulkActions.next']({}))
  if (order === null) throw new Error('No step is left')
  return order
}
const steps = async () => (await known()).steps.map(({ kind, state }) => `${kind} ${state}`)
const becomes = (wanted: string[]) =>
  expect
    .poll(async () => {
      await workspace.rpc('anvil_mine', ['0x4'])
      await workspace.tick()
      return steps()
    }, patience)
    .toEqual(wanted)

test('the kill switch cancels orders by wallet transactions, then closes positions by signed messages, then revokes the keys [ORD-05, FLOW-03]', async () => {
  await workspace.openPosition()
  await workspace.restingOrder()
  const keyIds = value(await workspace.handlers()['keys.list']({})).keys.map(({ id }) => id)
  value(await workspace.handlers()['bulkActions.start']({ kind: 'kill', by: { way: 'wallet' }, keyIds, typed: bulkActionPhrases.kill }))
  expect(await steps()).toEqual(['cancel waiting', 'close waiting'])
  const cancel = await next()
  expect(cancel).toMatchObject({ ticket: { action: 'cancel_order' }, prepared: { transactions: [{ contract: 'router' }] } })
  await workspace.step(cancel.prepared.intent.ref)
  const close = await next()
  expect(close.ticket).toMatchObject({ action: 'close_position_market' })
  expect(await steps()).toEqual(['cancel sent', 'close asking'])
  const signature = await workspace.sign(value(await workspace.ask(close.prepared.intent.ref)))
  value(await workspace.handlers()['intents.answered']({ ref: close.prepared.intent.ref, answer: signature }))
  await becomes(['cancel done', 'close done'])
  expect(workspace.exchange.effects().positions).toEqual([])
  await expect.poll(async () => (await known()).revocation?.state, patience).toBe('done')
  expect(workspace.exchange.effects().keys.every(({ status }) => status === 'revoked')).toBe(true)
})

test('the kill switch skips an order that was cancelled elsewhere before the kill switch could cancel it', async () => {
  const order = await workspace.restingOrder()
  value(await workspace.handlers()['bulkActions.start']({ kind: 'cancel_all', by: { way: 'wallet' }, keyIds: [], typed: bulkActionPhrases.cancel_all }))
  const { intent } = await workspace.prepareAction({ action: 'cancel_order', order })
  await workspace.step(intent.ref)
  await workspace.becomes(intent.ref, 'CONFIRMING')
  expect(value(await workspace.handlers()['bulkActions.next']({})).order).toBeNull()
  expect(await steps()).toEqual(['cancel gone'])
  expect(await known()).toMatchObject({ state: 'done' })
})
