import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMemoryVault } from '../../../e2e/support/main/memory-vault.ts'
import { startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { value } from '../../../e2e/support/main/workspace.ts'
import { ok } from '../../../shared/result.ts'
import { minute } from '../../../shared/time.ts'
import { createFollowFinality } from './finality.ts'
import type { IntentCalls } from './intent-calls.ts'
import { createIntentRepository } from './intent-repository.ts'

let workspace: Trader
beforeEach(async () => {
  workspace = await startTrader()
})
afterEach(() => workspace.stop())

async function submitted(): Promise<string> {
  const { ref, signature } = await workspace.asked()
  expect(value(await workspace.handlers()['intents.answered']({ ref, answer: signature })).state).toBe('SUBMITTED')
  return ref
}

test('the app follows an order from SUBMITTED through CONFIRMING to FINAL, with its number of confirmations [FLOW-06]', async () => {
  const ref = await submitted()
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('SUBMITTED')
  await workspace.chain.mine(3)
  await workspace.tick()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'CONFIRMING', confirmations: 3 })
  await workspace.chain.mine(4)
  await workspace.tick()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'CONFIRMING', confirmations: 7 })
  await workspace.chain.mine(1)
  await workspace.tick()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'FINAL', confirmations: 8 })
  expect(workspace.exchange.effects().positions).toHaveLength(1)
})

test('the app continues to follow an order after a restart, whichever wallet is connected [FLOW-06]', async () => {
  const ref = await submitted()
  await workspace.restart()
  await workspace.chain.mine(9)
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('FINAL')
})

test('an order that reverts on the chain ends as REVERTED, and the app shows that nothing was executed [FLOW-06]', async () => {
  workspace.chain.revertNext()
  const ref = await submitted()
  await workspace.chain.mine(9)
  await workspace.tick()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'REVERTED', reason: { code: 'reverted' } })
})

test('the app reports when a reorganisation undoes an order’s FINAL state, and follows the order again [FLOW-06]', async () => {
  const ref = await submitted()
  await workspace.chain.mine(9)
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('FINAL')
  await workspace.chain.reorganise(9)
  await workspace.tick()
  const back = await workspace.intent(ref)
  expect(['SUBMITTED', 'CONFIRMING']).toContain(back.state)
  expect(back.reason).toEqual({ code: 'taken_back' })
})

test('the app sends no more requests about an order a few minutes after the order becomes FINAL [FLOW-06]', async () => {
  await submitted()
  await workspace.chain.mine(9)
  await workspace.tick()
  await workspace.tick()
  const watched = workspace.sent.length
  workspace.clock.advance(3 * minute)
  await workspace.tick()
  await workspace.tick()
  expect(workspace.sent).toHaveLength(watched)
})

test('if the service does not answer when the app looks up an order, the order keeps its state, and the app asks again [FLOW-06]', async () => {
  const ref = await submitted()
  await workspace.chain.mine(9)
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/native/executions/{tx_hash}', status: 500, code: 'INTERNAL', times: 99 }]
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('SUBMITTED')
  workspace.faults.answer = []
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('FINAL')
})

test('the app shows an undocumented finality value from the service as received, and keeps the order’s state [FLOW-06]', async () => {
  const ref = await submitted()
  const journal = workspace.journal()
  const repository = createIntentRepository({
    profile: { id: 'practice', kind: 'live', hostUrl: workspace.hostUrl, practiceWallet: null },
    journal,
    vault: createMemoryVault(),
    emit: () => {},
    wallet: { shown: () => ok(journal.intents.get(ref)?.wallet ?? null) },
    fillOf: async () => null,
  })
  let finality = 'Queued_Elsewhere'
  const calls: Pick<IntentCalls, 'finality'> = {
    finality: async () => ok({ finality, confirmations: 2, blockNumber: null, txHash: null, unknownFields: null }),
  }
  const follow = createFollowFinality({ repository, calls, clock: { ...workspace.clock, known: () => true } })
  const row = journal.intents.get(ref)
  if (row === null) throw new Error('no intent')
  const shown = await follow(row)
  expect(repository.view(shown)).toMatchObject({ state: 'SUBMITTED', finality: 'Queued_Elsewhere', confirmations: 2 })
  finality = 'PENDING_FINALITY'
  expect(repository.view(await follow(shown))).toMatchObject({ state: 'CONFIRMING', finality: null })
})

test('the app notifies the user once that an order is FINAL, whichever page is open', async () => {
  const ref = await submitted()
  await workspace.chain.mine(9)
  await workspace.tick()
  await workspace.tick()
  await expect
    .poll(() => workspace.events.filter(({ type }) => type === 'notice'))
    .toEqual([
      {
        type: 'notice',
        severity: 'ok',
        notice: {
          code: 'intent',
          title: { code: 'open', side: 'long', orderType: 'market', orderValueUsdc: '250', price: null, symbol: null },
          state: 'FINAL',
          reason: null,
          fill: { price: expect.stringMatching(/^[\d,]+\.\d+$/), size: expect.any(String), base: 'BTC', feeUsdc: expect.any(String) },
        },
        to: `/activity/${ref}`,
        system: 'away',
      },
    ])
  const [held] = workspace.exchange.effects().positions
  const fill = fillOf(noticesOf(workspace)[0])
  expect(fill?.size).toBe(held?.size)
  const listed = await workspace.handlers()['intents.list']({ beforeMs: null, limit: 10 })
  expect(listed.ok && listed.value.intents.find((intent) => intent.ref === ref)?.fill, 'the list of orders states the same fill').toEqual(fill)
})

const noticesOf = ({ events }: Trader) => events.flatMap((event) => (event.type === 'notice' && event.notice.code === 'intent' ? [event.notice] : []))
const fillOf = (notice: ReturnType<typeof noticesOf>[number] | undefined) => notice?.fill

test('the notice of a final order waits a few seconds for the fill, then says that the fill is unknown', async () => {
  const ref = await submitted()
  // The fill of this order from before a reorganisation.
  workspace.journal().records.fills.write({ profile: 'practice', ref }, { price: '1.0', size: '1', base: 'BTC', feeUsdc: null })
  await workspace.chain.mine(9)
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/trades', status: 500, code: 'INTERNAL', times: 99 }]
  await workspace.tick()
  await expect.poll(() => noticesOf(workspace)).toMatchObject([{ state: 'FINAL', fill: null }])
  const listed = await workspace.handlers()['intents.list']({ beforeMs: null, limit: 10 })
  expect(listed.ok && listed.value.intents.find((intent) => intent.ref === ref)).not.toHaveProperty('fill')
})

test('the notice of a final order contains the fill, even if the service adds the trade a moment later', async () => {
  await submitted()
  await workspace.chain.mine(9)
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/trades', status: 500, code: 'INTERNAL', times: 1 }]
  await workspace.tick()
  await expect.poll(() => noticesOf(workspace)).toMatchObject([{ state: 'FINAL', fill: { base: 'BTC' } }])
})

test('when an order’s state changes, the main process tells the window which data to read again', async () => {
  workspace.events.length = 0
  await submitted()
  const queries = workspace.events.flatMap((event) => (event.type === 'invalidate' ? event.queries : []))
  expect(queries).toEqual(expect.arrayContaining(['intents.list', 'intents.get', 'app.attention', 'account.positions']))
})

test('after an order was prepared but not sent, the main process does not ask the window to read account data again', async () => {
  workspace.events.length = 0
  await workspace.asked()
  const queries = workspace.events.flatMap((event) => (event.type === 'invalidate' ? event.queries : []))
  expect(queries).toContain('intents.get')
  expect(queries.filter((name) => name.startsWith('account.'))).toEqual([])
})
