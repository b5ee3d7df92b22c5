import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Executing, executePath, executeRoute, startExecuting } from '../../../../e2e/support/main/executing.ts'
import { failure, value } from '../../../../e2e/support/main/workspace.ts'
import type { DelegatedTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { day, hour, minute } from '../../../../shared/time.ts'

let workspace: Executing
beforeEach(async () => {
  workspace = await startExecuting()
})
afterEach(() => workspace.stop())

const resting = (limitPrice = '50000'): DelegatedTicket => ({
  action: 'create_limit',
  order: {
    ...{ pairId: 1, side: 'long', orderType: 'limit', marginMode: 'cross', leverage: 5, orderValueUsdc: '250', takeProfit: null, stopLoss: null },
    ...{ limitPrice, timeInForce: 'gtc', postOnly: false },
  },
})
const orders = async () => {
  await workspace.chain.mine(1)
  await workspace.exchange.settle()
  return value(await workspace.handlers()['account.orders']({ watch: null })).orders
}
const bodies = () => workspace.sentTo(executePath).map(({ body }) => body)
const lost = (times: number) => {
  workspace.faults.dropAnswer = [{ route: executeRoute, times }]
}

test('if the answer to an executor order is lost, the app sends exactly the same request again, and the service places only one order [ORD-13] [ORD-09]', async () => {
  lost(1)
  const intent = value(await workspace.execute(resting()))
  expect(intent).toMatchObject({ state: 'SUBMITTED', commandId: expect.stringMatching(/^cmd_/) })
  expect(bodies()).toHaveLength(2)
  expect(new Set(bodies()).size).toBe(1)
  expect(await orders()).toHaveLength(1)
})

test('if all answers to an executor order are lost, the app blocks the same order by any execution method until a resent request gets an answer [FLOW-07]', async () => {
  lost(3)
  const { ref, state } = value(await workspace.execute(resting()))
  expect(state).toBe('UNKNOWN')
  const held = { kind: 'held_back', why: 'unknown_intent', intentRef: ref }
  expect(failure(await workspace.execute(resting('49000')))).toEqual(held)
  expect(failure(await workspace.handlers()['intents.prepare'](await workspace.ticket()))).toEqual(held)
  expect((await workspace.prepare({ side: 'short' })).ready).toBe(true)
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('SUBMITTED')
  expect(new Set(bodies()).size).toBe(1)
  expect(await orders()).toHaveLength(1)
})

test('an UNKNOWN order that the wallet signed blocks the same order by executor [FLOW-07]', async () => {
  const { ref, signature } = await workspace.asked()
  workspace.faults.dropRequest = [{ route: 'POST /api/dex/actions/relay', times: 1 }]
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  expect(failure(await workspace.execute(resting()))).toEqual({ kind: 'held_back', why: 'unknown_intent', intentRef: ref })
})

test('while an executor order is UNKNOWN, the app blocks the same order signed by the wallet until the user allows it [FLOW-07]', async () => {
  workspace.faults.dropRequest = [{ route: executeRoute, times: 3 }]
  const { ref } = value(await workspace.execute(resting()))
  workspace.clock.advance(day / 2)
  const like = await workspace.ticket()
  expect(failure(await workspace.handlers()['intents.prepare'](like))).toEqual({ kind: 'held_back', why: 'unknown_intent_old', intentRef: ref })
  expect(value(await workspace.handlers()['intents.resolve']({ ref, outcome: 'pass' })).state).toBe('UNKNOWN')
  expect(value(await workspace.handlers()['intents.prepare'](like)).ready).toBe(true)
})

test('the app does not resend an old executor request automatically; if the user resends it, the service executes it once [FLOW-07]', async () => {
  workspace.faults.dropRequest = [{ route: executeRoute, times: 3 }]
  const { ref } = value(await workspace.execute(resting()))
  workspace.clock.advance(2 * minute)
  await workspace.tick()
  await workspace.tick()
  expect(await orders()).toEqual([])
  const waiting = await workspace.intent(ref)
  expect(waiting).toMatchObject({ state: 'UNKNOWN', reason: { code: 'execution_awaited' } })
  expect((await workspace.execution(ref)).replayUntilMs).toBe(waiting.createdAtMs + 23 * hour)
  expect(value(await workspace.handlers()['intents.replay']({ ref })).state).toBe('SUBMITTED')
  expect(failure(await workspace.handlers()['intents.replay']({ ref })).kind).toBe('wrong_state')
  expect(await orders()).toHaveLength(1)
})

test('the app never resends an order from a restored backup automatically, however new the order is [FLOW-07]', async () => {
  workspace.faults.dropRequest = [{ route: executeRoute, times: 3 }]
  const { ref } = value(await workspace.execute(resting()))
  workspace.journal().intents.update(ref, { reason: { code: 'restored' } })
  const sent = bodies().length
  await workspace.tick()
  await workspace.tick()
  expect(bodies()).toHaveLength(sent)
  expect(await workspace.intent(ref)).toMatchObject({ state: 'UNKNOWN', reason: { code: 'restored' } })
  expect(await orders()).toEqual([])
})

test('if the service refuses a resent request, the executor order stays UNKNOWN until another resent request returns the first answer [ORD-09]', async () => {
  lost(3)
  const { ref } = value(await workspace.execute(resting()))
  workspace.faults.answer = [{ route: executeRoute, status: 400, code: 'MARKET_DATA_STALE', times: 1 }]
  expect(value(await workspace.handlers()['intents.replay']({ ref })).state).toBe('UNKNOWN')
  expect(value(await workspace.handlers()['intents.replay']({ ref })).state).toBe('SUBMITTED')
  expect(await orders()).toHaveLength(1)
})

test('an executor order is UNKNOWN, not REFUSED, if the first answer is lost and the retry is refused [ORD-09]', async () => {
  lost(1)
  workspace.onSleep = () => {
    workspace.faults.stalePrices = true
    workspace.clock.advance(minute / 4)
  }
  const ticket: DelegatedTicket = { action: 'open_position', order: await workspace.ticket() }
  expect(value(await workspace.execute(ticket)).state).toBe('UNKNOWN')
  workspace.faults.stalePrices = false
  await workspace.tick()
  expect(bodies().length).toBeGreaterThan(2)
  expect(new Set(bodies()).size).toBe(1)
})

test('if an UNKNOWN executor order is too old to be resent automatically, the app looks for it in the wallet’s list of orders [FLOW-07]', async () => {
  lost(3)
  const { ref } = value(await workspace.execute(resting()))
  await orders()
  workspace.clock.advance(2 * minute)
  const before = bodies().length
  await workspace.tick()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'UNKNOWN', reason: { code: 'execution_listed' } })
  workspace.clock.advance(minute)
  await workspace.tick()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'FINAL', reason: { code: 'execution_listed_final' } })
  expect(bodies()).toHaveLength(before)
})

test('an UNKNOWN order that the service lists does not become final if a reorganisation then removes it from the list [FLOW-06] [FLOW-07]', async () => {
  lost(3)
  const { ref } = value(await workspace.execute(resting()))
  await orders()
  workspace.clock.advance(2 * minute)
  await workspace.tick()
  await workspace.chain.reorganise(1)
  workspace.clock.advance(2 * minute)
  await workspace.tick()
  expect(await orders()).toEqual([])
  expect(await workspace.intent(ref)).toMatchObject({ state: 'UNKNOWN', reason: { code: 'execution_awaited' } })
  // The resent request returns the first answer, which contains the command id and the outcome.
  value(await workspace.handlers()['intents.replay']({ ref }))
  await workspace.tick()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'REVERTED', reason: { code: 'nothing_executed', raw: 'transaction_lost' } })
})

test('after a day, when the service has forgotten an UNKNOWN order’s idempotency key, the app never resends the order and lets it expire [ORD-13]', async () => {
  workspace.faults.dropRequest = [{ route: executeRoute, times: 3 }]
  const { ref } = value(await workspace.execute(resting()))
  workspace.clock.advance(day)
  const before = bodies().length
  expect(failure(await workspace.handlers()['intents.replay']({ ref }))).toMatchObject({ kind: 'expired', what: 'request' })
  expect((await workspace.execution(ref)).replayUntilMs).toBeNull()
  workspace.clock.advance(2 * hour)
  value(await workspace.handlers()['markets.list']({}))
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('EXPIRED')
  expect(bodies()).toHaveLength(before)
})

test('after a crash, an executor order is UNKNOWN; resending its request finds the order without placing a second one [ORD-13] [FLOW-07]', async () => {
  workspace.faults.delay = [{ route: executeRoute, ms: null }]
  const dying = Promise.resolve(workspace.execute(resting())).catch(() => 'killed')
  await expect.poll(orders).toHaveLength(1)
  const ref = workspace.journal().intents.open('practice')[0]?.ref ?? ''
  await workspace.restart()
  await dying
  await workspace.connect()
  workspace.faults.delay = []
  expect((await workspace.intent(ref)).state).toBe('UNKNOWN')
  await workspace.tick()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'SUBMITTED', way: 'executor' })
  expect(await orders()).toHaveLength(1)
  await workspace.chain.mine(9)
  await workspace.restart()
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('FINAL')
  expect(await workspace.execution(ref)).toMatchObject({ state: 'executed', items: [{ state: 'executed' }] })
})

test('an executor order is not placed if the service answers with a rate limit or an idempotency key conflict [ORD-13]', async () => {
  workspace.faults.answer = [{ route: executeRoute, status: 429, code: 'RATE_LIMITED', times: 1 }]
  expect(failure(await workspace.execute(resting())).kind).toBe('rate_limited')
  workspace.faults.answer = [{ route: executeRoute, status: 409, code: 'IDEMPOTENCY_KEY_CONFLICT', times: 1 }]
  const conflict = failure(await workspace.execute(resting()))
  const [refused] = value(await workspace.handlers()['intents.list']({ beforeMs: null, limit: 1 })).intents
  expect(conflict).toMatchObject({ kind: 'idempotency_conflict', intentRef: refused?.ref })
  expect(refused).toMatchObject({ state: 'REFUSED', reason: { code: 'execution_key_conflict' } })
  expect(await orders()).toEqual([])
})

test('when a reorganisation undoes an executor order’s FINAL state and results, the app follows the order again [FLOW-06]', async () => {
  const { intent } = await workspace.carryOut(resting())
  expect(intent.state).toBe('FINAL')
  await workspace.chain.reorganise(9)
  await workspace.tick()
  const back = await workspace.intent(intent.ref)
  expect(['SUBMITTED', 'CONFIRMING']).toContain(back.state)
  expect(back.reason).toEqual({ code: 'taken_back' })
  expect((await workspace.execution(intent.ref)).items).toMatchObject([{ state: 'pending' }])
  // The reorganisation has removed the executor’s transaction for good. The exchange reports this only after an hour.
  workspace.clock.advance(hour)
  await workspace.chain.mine(1)
  await workspace.exchange.settle()
  await workspace.tick()
  expect(await workspace.intent(intent.ref)).toMatchObject({ state: 'REVERTED', reason: { code: 'nothing_executed', raw: 'transaction_lost' } })
})

test('if an executor order has no command id and a reorganisation drops its transaction, it ends once the service has forgotten its idempotency key [FLOW-06]', async () => {
  workspace.faults.delegated = 'no_command_id'
  const { intent } = await workspace.carryOut(resting())
  expect(intent).toMatchObject({ state: 'FINAL', commandId: null })
  await workspace.chain.reorganise(9)
  await workspace.tick()
  workspace.clock.advance(day)
  value(await workspace.handlers()['markets.list']({}))
  await workspace.tick()
  expect((await workspace.intent(intent.ref)).state).toBe('SUBMITTED')
  workspace.clock.advance(2 * hour)
  value(await workspace.handlers()['markets.list']({}))
  await workspace.tick()
  expect(await workspace.intent(intent.ref)).toMatchObject({ state: 'EXPIRED', reason: { code: 'gone_from_chain' } })
})

test('if an executor’s command has no transaction yet, the app follows the command until a transaction is sent, and then until it is final [ORD-13] [FLOW-06]', async () => {
  workspace.chain.setAway(true)
  const { ref, txHash, state } = value(await workspace.execute(resting()))
  expect([state, txHash]).toEqual(['SUBMITTED', null])
  await workspace.tick()
  expect(await workspace.execution(ref)).toMatchObject({ state: 'queued', txHash: null, items: [{ state: 'pending' }] })
  workspace.chain.setAway(false)
  await workspace.chain.mine(1)
  const hash = async () => {
    await workspace.tick()
    return (await workspace.intent(ref)).txHash
  }
  await expect.poll(hash).toMatch(/^0x[0-9a-f]{64}$/)
  await workspace.chain.mine(9)
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('FINAL')
})

test('if the answer to an executor order is unreadable, the app reports this, does not send the order again, and finds its outcome later', async () => {
  workspace.faults.body = [{ route: executeRoute, kind: 'truncated' }]
  const intent = value(await workspace.execute(resting()))
  expect(intent).toMatchObject({ state: 'UNKNOWN', reason: { code: 'execution_unreadable' } })
  await workspace.chain.mine(1)
  await workspace.exchange.settle()
  await workspace.tick()
  expect((await workspace.intent(intent.ref)).reason).toEqual({ code: 'execution_listed' })
  workspace.clock.advance(10_000)
  await workspace.tick()
  expect(bodies()).toHaveLength(1)
})
