import { afterEach, beforeEach, expect, test } from 'vitest'
import { value } from '../../../e2e/support/main/desk.ts'
import { createMemoryVault } from '../../../e2e/support/main/memory-vault.ts'
import { startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { ok } from '../../../shared/result.ts'
import { minute } from '../../../shared/time.ts'
import { createFollowFinality } from './finality.ts'
import { createIntentBook } from './intent-book.ts'
import type { IntentCalls } from './intent-calls.ts'

let desk: Trader
beforeEach(async () => {
  desk = await startTrader()
})
afterEach(() => desk.stop())

async function submitted(): Promise<string> {
  const { ref, signature } = await desk.asked()
  expect(value(await desk.handlers()['intents.answered']({ ref, answer: signature })).state).toBe('SUBMITTED')
  return ref
}

test('follows an order from SUBMITTED over CONFIRMING to FINAL, with its confirmations [FLOW-06]', async () => {
  const ref = await submitted()
  await desk.tick()
  expect((await desk.intent(ref)).state).toBe('SUBMITTED')
  await desk.chain.mine(3)
  await desk.tick()
  expect(await desk.intent(ref)).toMatchObject({ state: 'CONFIRMING', confirmations: 3 })
  await desk.chain.mine(4)
  await desk.tick()
  expect(await desk.intent(ref)).toMatchObject({ state: 'CONFIRMING', confirmations: 7 })
  await desk.chain.mine(1)
  await desk.tick()
  expect(await desk.intent(ref)).toMatchObject({ state: 'FINAL', confirmations: 8 })
  expect(desk.exchange.effects().positions).toHaveLength(1)
})

test('goes on following after a restart, whichever wallet is connected [FLOW-06]', async () => {
  const ref = await submitted()
  await desk.restart()
  await desk.chain.mine(9)
  await desk.tick()
  expect((await desk.intent(ref)).state).toBe('FINAL')
})

test('an order that reverts on chain ends REVERTED, and says that nothing was executed [FLOW-06]', async () => {
  desk.chain.revertNext()
  const ref = await submitted()
  await desk.chain.mine(9)
  await desk.tick()
  expect(await desk.intent(ref)).toMatchObject({ state: 'REVERTED', reason: { code: 'reverted' } })
})

test('a reorganisation takes FINAL back, is said so, and the order is followed again [FLOW-06]', async () => {
  const ref = await submitted()
  await desk.chain.mine(9)
  await desk.tick()
  expect((await desk.intent(ref)).state).toBe('FINAL')
  await desk.chain.reorganise(9)
  await desk.tick()
  const back = await desk.intent(ref)
  expect(['SUBMITTED', 'CONFIRMING']).toContain(back.state)
  expect(back.reason).toEqual({ code: 'taken_back' })
})

test('FINAL is not asked for for ever [FLOW-06]', async () => {
  await submitted()
  await desk.chain.mine(9)
  await desk.tick()
  await desk.tick()
  const watched = desk.sent.length
  desk.clock.advance(3 * minute)
  await desk.tick()
  await desk.tick()
  expect(desk.sent).toHaveLength(watched)
})

test('a service that does not answer moves nothing, and the order is asked for again [FLOW-06]', async () => {
  const ref = await submitted()
  await desk.chain.mine(9)
  desk.faults.answer = [{ route: 'GET /api/dex/v1/native/executions/{tx_hash}', status: 500, code: 'INTERNAL', times: 99 }]
  await desk.tick()
  expect((await desk.intent(ref)).state).toBe('SUBMITTED')
  desk.faults.answer = []
  await desk.tick()
  expect((await desk.intent(ref)).state).toBe('FINAL')
})

test('a finality that the document does not name is shown as the service wrote it, and moves nothing [FLOW-06]', async () => {
  const ref = await submitted()
  const journal = desk.journal()
  const book = createIntentBook({
    profile: { id: 'practice', kind: 'live', hostUrl: desk.hostUrl, practiceWallet: null },
    journal,
    vault: createMemoryVault(),
    emit: () => {},
    isShown: () => true,
  })
  let finality = 'Queued_Elsewhere'
  const calls: Pick<IntentCalls, 'finality'> = {
    finality: async () => ok({ finality, confirmations: 2, blockNumber: null, txHash: null, unknownFields: null }),
  }
  const follow = createFollowFinality({ book, calls, clock: { ...desk.clock, known: () => true } })
  const row = journal.intents.get(ref)
  if (row === null) throw new Error('no intent')
  const shown = await follow(row)
  expect(book.view(shown)).toMatchObject({ state: 'SUBMITTED', finality: 'Queued_Elsewhere', confirmations: 2 })
  finality = 'PENDING_FINALITY'
  expect(book.view(await follow(shown))).toMatchObject({ state: 'CONFIRMING', finality: null })
})

test('an order that became final is told once, wherever the user is', async () => {
  const ref = await submitted()
  await desk.chain.mine(9)
  await desk.tick()
  await desk.tick()
  expect(desk.events.filter(({ type }) => type === 'notice')).toEqual([
    { type: 'notice', severity: 'ok', notice: { code: 'intent', title: 'Long 250.00 USDC at market', state: 'FINAL', reason: null }, to: `/activity/${ref}` },
  ])
})

test('every move tells the window which queries are old', async () => {
  desk.events.length = 0
  await submitted()
  const queries = desk.events.flatMap((event) => (event.type === 'invalidate' ? event.queries : []))
  expect(queries).toEqual(expect.arrayContaining(['intents.list', 'intents.get', 'app.attention', 'account.positions']))
})

test('what was prepared and not sent makes nothing of the account old', async () => {
  desk.events.length = 0
  await desk.asked()
  const queries = desk.events.flatMap((event) => (event.type === 'invalidate' ? event.queries : []))
  expect(queries).toContain('intents.get')
  expect(queries.filter((name) => name.startsWith('account.'))).toEqual([])
})
