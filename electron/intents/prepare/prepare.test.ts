import { afterEach, beforeEach, expect, test } from 'vitest'
import { preparePath, prepareRoute, relayPath, startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { agreed, failure, value } from '../../../e2e/support/main/workspace.ts'
import { multiply, roundToStep } from '../../../shared/decimal.ts'
import { openTexts } from '../../../shared/text/comparison-text.ts'
import { minute, second } from '../../../shared/time.ts'
import type { Faults } from '../../practice/base/faults.ts'
import { raw } from '../../store/records/raw.ts'

let workspace: Trader
beforeEach(async () => {
  workspace = await startTrader()
})
afterEach(() => workspace.stop())

const newest = () => workspace.journal().intents.list('practice', { wallet: null, beforeMs: null, limit: 1 }).intents[0]

test('before the first request for an order, the app writes the order’s intent with its idempotency key and request body to the journal [ORD-06]', async () => {
  workspace.faults.delay = [{ route: prepareRoute, ms: null }]
  const pending = workspace.prepare()
  await expect.poll(() => workspace.sentTo(preparePath)).toHaveLength(1)
  const [request] = workspace.sentTo(preparePath)
  expect(newest()).toMatchObject({ state: 'PLANNED', body: request?.body, idempotencyKey: request?.headers['idempotency-key'] })
  expect(request?.headers['idempotency-key']).toMatch(/^[A-Za-z0-9._:-]{8,128}$/)
  workspace.faults.delay = []
  await pending
})

test('if the answer to a request for a preparation is lost, the app sends the same bytes with the same idempotency key again [ORD-06, ORD-07]', async () => {
  workspace.faults.dropAnswer = [{ route: prepareRoute, times: 1 }]
  const prepared = await workspace.prepare()
  const [first, second_, ...more] = workspace.sentTo(preparePath)
  expect(more).toEqual([])
  expect(second_?.body).toBe(first?.body)
  expect(second_?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
  expect(prepared.idempotentReplay).toBe(true)
  expect(prepared.ready).toBe(true)
  expect(workspace.exchange.effects().prepared).toBe(1)
})

test('the app gives each order its own idempotency key and client order id [ORD-06]', async () => {
  await workspace.prepare()
  await workspace.prepare()
  const [first, second_] = workspace.sentTo(preparePath)
  expect(second_?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key'])
  expect(second_?.body).not.toBe(first?.body)
})

test('if the service answers a repeated preparation with one that has expired, the app reports this and never sends it to the wallet [ORD-07]', async () => {
  workspace.faults.dropAnswer = [{ route: prepareRoute, times: 1 }]
  workspace.onSleep = () => workspace.clock.advance(6 * minute)
  const prepared = await workspace.prepare()
  expect(prepared).toMatchObject({ idempotentReplay: true, ready: false, intent: { state: 'EXPIRED' }, reason: { raw: 'expired' } })
  expect(failure(await workspace.handlers()['intents.ask']({ ref: prepared.intent.ref, ...agreed }))).toMatchObject({ kind: 'expired', what: 'intent' })
})

test('if the service reports an idempotency key conflict, the app does not repeat the request [ORD-08]', async () => {
  workspace.faults.answer = [{ route: prepareRoute, status: 409, code: 'IDEMPOTENCY_KEY_CONFLICT', times: 9 }]
  const answer = failure(await workspace.handlers()['intents.prepare'](await workspace.ticket()))
  expect(answer).toMatchObject({ kind: 'idempotency_conflict', code: 'IDEMPOTENCY_KEY_CONFLICT' })
  expect(workspace.sentTo(preparePath)).toHaveLength(1)
  expect(newest()).toMatchObject({ state: 'REFUSED' })
})

test('if an order’s client order id is already in use, the app shows the earlier order with the same client order id [ORD-08]', async () => {
  const id = 'ab'.repeat(16)
  workspace.nextIds.push(id)
  const earlier = await workspace.prepare()
  workspace.nextIds.push(id)
  const answer = failure(await workspace.handlers()['intents.prepare'](await workspace.ticket({ orderValueUsdc: '300' })))
  expect(answer).toMatchObject({ kind: 'idempotency_conflict', code: 'DUPLICATE_CLIENT_ORDER_ID', intentRef: earlier.intent.ref })
  expect(workspace.sentTo(preparePath)).toHaveLength(2)
  expect((await workspace.intent(earlier.intent.ref)).intentId).toBe(earlier.intent.intentId)
})

test('if the first answer to a preparation is lost and the repeated request is refused, the app says that the first request may have succeeded [ORD-09]', async () => {
  workspace.faults.dropAnswer = [{ route: prepareRoute, times: 1 }]
  workspace.onSleep = () => {
    workspace.faults.stalePrices = true
    workspace.clock.advance(20 * second)
  }
  expect(failure(await workspace.handlers()['intents.prepare'](await workspace.ticket())).kind).toBe('market_data_stale')
  expect(newest()).toMatchObject({ state: 'REFUSED' })
  expect(newest()?.reason).toEqual({ code: 'prepare_refused', earlier: true })
  expect(workspace.exchange.effects().prepared).toBe(1)
})

test('if all answers to an order’s preparation are lost, the app cancels the order, because a preparation executes nothing', async () => {
  workspace.faults.dropRequest = [{ route: prepareRoute, times: 9 }]
  expect(failure(await workspace.handlers()['intents.prepare'](await workspace.ticket()))).toMatchObject({ kind: 'outcome_unknown', intentRef: newest()?.ref })
  expect(workspace.sentTo(preparePath)).toHaveLength(3)
  expect(newest()).toMatchObject({ state: 'CANCELLED' })
  workspace.faults.dropRequest = []
  expect((await workspace.prepare()).ready).toBe(true)
})

test.each(['preflight_failed', 'contract_pending'] as const)(
  'if an order cannot be executed (%s), the app reports why, and requests no signature [ORD-10]',
  async (status) => {
    workspace.faults.prepared = status
    const prepared = await workspace.prepare()
    expect(prepared).toMatchObject({ ready: false, status, comparison: null, intent: { state: 'REFUSED' } })
    expect(prepared.reason?.raw).not.toBe('')
    expect(prepared.reason?.why.code).toMatch(/^(exchange_says|contract_pending)$/)
    expect(prepared.intent.reason).toEqual(prepared.reason?.why)
    expect(failure(await workspace.handlers()['intents.ask']({ ref: prepared.intent.ref, ...agreed }))).toMatchObject({ kind: 'not_executable', status })
  },
)

test.each(['ready_but_failed', 'not_ready_but_signable', 'unknown_status'] satisfies Faults['prepared'][])(
  'the app requests no signature for a preparation that contradicts itself (%s) [ORD-11]',
  async (contradiction) => {
    workspace.faults.prepared = contradiction
    const prepared = await workspace.prepare()
    expect(prepared).toMatchObject({ ready: false, intent: { state: 'REFUSED' } })
    const answer = failure(await workspace.handlers()['intents.ask']({ ref: prepared.intent.ref, ...agreed }))
    expect(['signing_refused', 'not_executable']).toContain(answer.kind)
    expect(failure(await workspace.handlers()['intents.answered']({ ref: prepared.intent.ref, answer: `0x${'11'.repeat(65)}` })).kind).toBe('wrong_state')
    expect(workspace.sentTo(relayPath)).toEqual([])
  },
)

test('the app blocks an order if the service’s normalised payload differs from the request that the app sent, and shows the difference [ORD-17]', async () => {
  workspace.faults.prepared = 'payload_differs'
  const prepared = await workspace.prepare()
  expect(prepared.comparison).toMatchObject({ verdict: 'block' })
  expect(prepared.comparison?.lines.filter(({ verdict }) => verdict === 'differ')).not.toEqual([])
  expect(prepared.intent).toMatchObject({ state: 'REFUSED', reason: { code: 'blocked', by: prepared.comparison?.blocked } })
  expect(failure(await workspace.handlers()['intents.ask']({ ref: prepared.intent.ref, ...agreed }))).toEqual({
    kind: 'signing_refused',
    why: { code: 'blocked', by: prepared.comparison?.blocked },
  })
})

test('the app shows an order’s costs in USDC and its simulated effect before the user signs [FLOW-08]', async () => {
  const prepared = await workspace.prepare()
  expect(prepared.intent.state).toBe('PREPARED')
  expect(prepared.costs).toEqual([
    { kind: 'network', amount: expect.stringMatching(/^0\.\d+$/), unit: 'USDC' },
    { kind: 'trading_fee', amount: expect.stringMatching(/^0\.\d+$/), unit: 'USDC' },
  ])
  // A small position with the whole collateral behind it has no liquidation price.
  expect(prepared.liquidation).toBeNull()
  expect((await workspace.prepare({ marginMode: 'isolated', leverage: 10 })).liquidation).toMatch(/^[1-9][\d,.]+$/)
})

test('if the service omits some of an order’s costs, the app shows these costs as missing, never as zero [FLOW-08]', async () => {
  workspace.faults.omitOptional = true
  const prepared = await workspace.prepare()
  expect(prepared.costs.filter(({ amount }) => amount === '0')).toEqual([])
  expect(prepared.liquidation).not.toBe('0')
})

test('after preparing an order, the app requests no signature and relays nothing until the user presses Send [GEN-06]', async () => {
  expect(failure(await workspace.handlers()['intents.ask']({ ref: 'nothing', ...agreed }))).toMatchObject({ kind: 'not_found' })
  const prepared = await workspace.prepare()
  const { ref } = prepared.intent
  expect(failure(await workspace.handlers()['intents.answered']({ ref, answer: `0x${'11'.repeat(65)}` })).kind).toBe('wrong_state')
  expect(failure(await workspace.handlers()['intents.resume']({ ref, action: 'relay' })).kind).toBe('wrong_state')
  expect(workspace.sentTo(relayPath)).toEqual([])
  expect(workspace.sent.filter(({ path }) => path.includes('/orders/execute'))).toEqual([])
  expect(workspace.exchange.effects()).toMatchObject({ positions: [], relayed: [], prepared: 1 })
})

test('if an order breaks a market rule, such as the smallest size, the app refuses the order and names the rule’s limit', async () => {
  const answer = failure(await workspace.handlers()['intents.prepare'](await workspace.ticket({ leverage: 9_999 })))
  expect(answer).toMatchObject({ kind: 'bad_input', field: 'leverage' })
  expect(workspace.sentTo(preparePath)).toEqual([])
  expect(newest()).toBeUndefined()
})

test('if the service refuses an order because its price moved or is too old, the app reports which, and ends the order [ORD-02]', async () => {
  const ticket = await workspace.ticket()
  workspace.faults.priceShiftBps = 400
  expect(failure(await workspace.handlers()['intents.prepare'](ticket)).kind).toBe('price_deviation')
  expect(newest()?.state).toBe('REFUSED')
  workspace.faults.priceShiftBps = 0
  const fresh = await workspace.ticket()
  workspace.faults.stalePrices = true
  workspace.clock.advance(20 * second)
  expect(failure(await workspace.handlers()['intents.prepare'](fresh)).kind).toBe('market_data_stale')
  expect(newest()?.state).toBe('REFUSED')
})

test('preparing an order at a new price cancels the old intent and creates one with a new idempotency key and client order id [ORD-02]', async () => {
  const old = await workspace.prepare()
  const repriced = value(await workspace.handlers()['intents.reprice']({ ref: old.intent.ref, referencePrice: (await workspace.ticket()).referencePrice }))
  expect((await workspace.intent(old.intent.ref)).state).toBe('CANCELLED')
  expect(repriced.intent).toMatchObject({ state: 'PREPARED', side: 'long', title: old.intent.title })
  expect(repriced.intent.ref).not.toBe(old.intent.ref)
  const [first, second_] = workspace
    .sentTo(preparePath)
    .map(({ headers, body }) => ({ key: headers['idempotency-key'], id: JSON.parse(body ?? '').payload.client_order_id }))
  expect(second_?.key).not.toBe(first?.key)
  expect(second_?.id).not.toBe(first?.id)
})

test('if an order was already sent, the app does not prepare it again at a new price, because both orders could execute [ORD-02]', async () => {
  const { ref, signature } = await workspace.asked()
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  const price = (await workspace.ticket()).referencePrice
  expect(failure(await workspace.handlers()['intents.reprice']({ ref, referencePrice: price }))).toEqual({
    kind: 'wrong_state',
    state: 'SUBMITTED',
    wanted: 'PREPARED',
  })
  expect(workspace.sentTo(preparePath)).toHaveLength(1)
})

test('after the journal was rebuilt, the app blocks new orders until the user agrees', async () => {
  const journal = workspace.journal()
  journal[raw].values.set('journal.rebuilt', 'journal.sqlite.damaged')
  expect(failure(await workspace.handlers()['intents.prepare'](await workspace.ticket()))).toEqual({
    kind: 'held_back',
    why: 'journal_rebuilt',
    intentRef: null,
  })
  expect(value(await workspace.handlers()['app.attention']({})).map(({ kind }) => kind)).toContain('journal_rebuilt')
  value(await workspace.handlers()['app.acceptRebuiltJournal']({}))
  expect((await workspace.prepare()).ready).toBe(true)
})

test('the app prepares limit and stop orders, compares them with the ticket, and keeps their price when they are prepared again [ORD-01] [ORD-03] [FLOW-02]', async () => {
  const { referencePrice, maxSlippageBps: _, restIfUnfilled: __, ...opening } = await workspace.ticket()
  const price = roundToStep(multiply(referencePrice, '0.9'), '1')
  const tickets = [
    { ...opening, orderType: 'limit', limitPrice: price, timeInForce: 'gtc', postOnly: true, clientOrderId: 'mine-1' },
    { ...opening, orderType: 'stop', side: 'short', triggerPrice: price, timeInForce: 'ioc' },
  ] as const
  for (const ticket of tickets) {
    const prepared = value(await workspace.handlers()['intents.prepare'](ticket))
    expect([prepared.ready, prepared.comparison?.verdict, prepared.comparison && openTexts(prepared.comparison)]).toEqual([true, 'confirm', []])
    const again = value(await workspace.handlers()['intents.reprice']({ ref: prepared.intent.ref, referencePrice }))
    expect(again).toMatchObject({ ready: true, intent: { title: prepared.intent.title } })
  }
  const sent = workspace.sentTo(preparePath).map(({ body }) => JSON.parse(body ?? '').payload)
  expect(sent.map((payload) => payload.limit_price ?? payload.trigger_price)).toEqual([price, price, price, price])
  expect(sent[0].client_order_id).toBe('mine-1')
  expect(new Set(sent.map((payload) => payload.client_order_id)).size).toBe(4)
})
