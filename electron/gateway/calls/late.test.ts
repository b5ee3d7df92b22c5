import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Bot, live, type Served, startServed } from '../../../e2e/support/gateway/bot.ts'
import { executePath, executeRoute } from '../../../e2e/support/main/executing.ts'
import { value } from '../../../e2e/support/main/workspace.ts'
import { fail, ok } from '../../../shared/result.ts'
import { openJournal } from '../../store/journal/tables/sqlite-journal.ts'
import type { StoredBot, StoredCall } from '../../store/records/gateway-records.ts'
import { refusal } from '../http/listener.ts'
import { nothing } from '../policy/policy.ts'
import { embeddedState, type GatewayState } from '../state/gateway-state.ts'
import { createBotCalls, type EffectiveCall } from './bot-calls.ts'

let served: Served
let bot: Bot
beforeEach(async () => {
  served = await startServed()
  bot = await served.bot()
})
afterEach(() => served.stop())

const hourMs = 3_600_000
const lost = async (action: string, payload: object) => {
  const lose = { route: executeRoute, times: 5 }
  served.faults.dropRequest.push(lose)
  expect((await bot.execute(action, { ...payload, idempotency_key: 'lost-call-1' })).json).toMatchObject({ state: 'unknown' })
  served.faults.dropRequest.splice(0)
}
/** The actions that the gateway sends without being asked after `ms`. */
const sentAfter = async (ms: number) => {
  served.clock.advance(ms)
  const before = served.sent.length
  await served.tick()
  await served.settled()
  return served.sent
    .slice(before)
    .filter(({ path }) => path === executePath)
    .map(({ body }) => (JSON.parse(body ?? '') as { action: string }).action)
}
const positionId = async () => {
  await bot.execute('open_market', await served.marketOrder())
  await served.chain.mine()
  await served.exchange.settle()
  return value(await served.handlers()['account.positions']({ watch: null })).positions[0]?.id ?? ''
}

test.each([
  ['clear_sl', async () => ({ position_id: await positionId() })],
  ['set_sl', async () => ({ position_id: await positionId(), price: '1000' })],
  ['reduce', async () => ({ position_id: await positionId(), size: '0.001', ...(await priced()) })],
  ['close', async () => ({ position_id: await positionId(), ...(await priced()) })],
])(
  'a lost %s is not sent again late, because it could undo something newer',
  async (action, payload) => {
    await lost(action, await payload())
    expect(await sentAfter(2 * hourMs)).toEqual([])
  },
  20_000,
)

const priced = async () => {
  const { reference_price, max_slippage_bps } = await served.marketOrder()
  return { reference_price, max_slippage_bps }
}

test.each([
  [23.5, 'unknown'],
  [24.5, 'lapsed'],
])('a lost order that its bot repeats after %s hours is not sent again, because the exchange may have forgotten its key', async (hours, state) => {
  const order = await served.marketOrder()
  await lost('open_market', order)
  expect(await sentAfter(hours * hourMs)).toEqual([])
  const before = served.sent.length
  const { status, json } = await bot.execute('open_market', { ...order, idempotency_key: 'lost-call-1' })
  expect([status, json.state]).toEqual([202, state])
  expect(served.sent.slice(before).filter(({ path }) => path === executePath)).toEqual([])
})

test('a lost call is not sent again, not even at once, after a newer call about the same position', async () => {
  const id = await positionId()
  await lost('clear_sl', { position_id: id })
  expect(await sentAfter(0)).toEqual(['clear_sl'])
  served.clock.advance(25 * hourMs)
  await served.tick()
  await lost('clear_sl', { position_id: id })
  expect((await bot.execute('set_sl', { position_id: id, price: '1000' })).status).toBe(202)
  expect(await sentAfter(0)).toEqual([])
}, 30_000)

test('a lost cancel is not sent again once the bot has replaced the order', async () => {
  const { reference_price: _, max_slippage_bps: __, ...order } = await served.marketOrder()
  await bot.execute('create_limit', { ...order, limit_price: '1000', time_in_force: 'gtc' })
  await served.chain.mine()
  await served.exchange.settle()
  const resting = await served.order()
  await lost('cancel', { order_id: resting.orderId })
  await bot.execute('replace', { order_id: resting.orderId, limit_price: '1001' })
  expect(await sentAfter(2 * hourMs)).toEqual([])
}, 20_000)

test('a lost cancel is not sent again after the user has acted in the app', async () => {
  const ticket = await served.ticket()
  await lost('cancel', { order_id: 'o1' })
  // The app waits a moment before it reads from a host that has cut five connections.
  served.clock.advance(3_000)
  value(await served.handlers()['intents.prepare'](ticket))
  expect(await sentAfter(2 * hourMs)).toEqual([])
}, 20_000)

test('intents that bots prepared are forgotten after 25 hours', async () => {
  const body = { action: 'open_position', payload: await served.marketOrder() }
  await bot.call('/api/dex/v1/orders/prepare', { body, headers: { 'idempotency-key': 'prepare-0001' } })
  const kept = () => served.journal().records.botIntents.list({}).length
  served.clock.advance(24 * hourMs)
  await served.tick()
  expect(kept()).toBe(1)
  served.clock.advance(2 * hourMs)
  await served.tick()
  expect(kept()).toBe(0)
})

test('a receipt for another wallet is not passed on', async () => {
  const body = { action: 'open_position', payload: await served.marketOrder() }
  const { json } = await bot.call('/api/dex/v1/orders/prepare', { body, headers: { 'idempotency-key': 'prepare-0001' } })
  const receipt = { intent_id: json.intent_id, tx_hash: `0x${'1'.repeat(64)}`, state: 'submitted' }
  const other = await bot.call('/api/dex/actions/receipt', { body: { ...receipt, wallet: `0x${'2'.repeat(40)}` } })
  expect(other.json.error?.code).toBe('GATEWAY_INTENT')
  expect(served.sent.some(({ path }) => path === '/api/dex/actions/receipt')).toBe(false)
})

/** The calls of bots alone, with a service that accepts everything. */
function startCalls(most: number, state: GatewayState = embeddedState()) {
  const folder = mkdtempSync(join(tmpdir(), 'calls-'))
  let now = 1_000_000
  const clock = { now: () => now, monotonic: () => now }
  const journal = openJournal({ file: join(folder, 'journal.db'), clock })
  onTestFinished(() => {
    journal.close()
    rmSync(folder, { recursive: true })
  })
  let sent = 0
  const late: string[] = []
  const calls = createBotCalls({
    ...{ profileId: 'p', journal, state, clock, sleep: async () => true, most },
    sendAgain: async (_, body) => {
      late.push(body)
      return { kind: 'unsent', why: 'stopped' }
    },
    keyIdOf: () => 'k',
    find: async () => null,
    userActedSince: () => false,
    changed: () => undefined,
  })
  const run = async (
    id: string,
    wallet: string,
    key: string,
    endsRisk: boolean,
    answer: string | null = '{"success":true}',
    onSend = () => {},
    more: Partial<EffectiveCall> = {},
  ) =>
    calls.run({
      ...{
        route: 'execute',
        key,
        hash: key,
        keyId: 'k',
        endsRisk,
        repeatsLate: false,
        subjects: [],
        clientOrderIds: [],
        body: '{}',
        orders: endsRisk ? 0 : 1,
        valueUsdc: '0',
      },
      bot: { id, wallet, policy: live } as StoredBot, // safe cast: the calls read nothing else of a bot
      take: async () => ok({ ...nothing, orders: endsRisk ? 0 : 1 }),
      send: async () => {
        sent += 1
        onSend()
        if (answer === null) return { kind: 'lost', why: 'no_answer' } as const
        return { kind: 'answer', outcome: 'done', status: 202, headers: {}, body: Buffer.from(answer) } as const
      },
      ...more,
    })
  return {
    run,
    outcome: calls.outcome,
    lookAgain: calls.lookAgain,
    local: calls.local,
    late,
    journal,
    sent: () => sent,
    advance: (ms: number) => (now += ms),
    kept: () => journal.records.botCalls.list({}).length,
  }
}

test('a bot with too many stored calls may only end risk, until the oldest are forgotten', async () => {
  const { run, kept, advance } = startCalls(3)
  for (const key of ['open-1', 'open-2', 'open-3']) expect((await run('a', '0xaa', key, false)).status).toBe(202)
  expect(await run('a', '0xaa', 'open-4', false)).toMatchObject({ code: 'FULL', status: 429 })
  expect((await run('b', '0xaa', 'open-5', false)).status).toBe(202)
  for (const key of ['close-1', 'close-2', 'close-3', 'close-4', 'close-5']) expect((await run('a', '0xaa', key, true)).status).toBe(202)
  // The oldest closes have made way, and no order has.
  expect(kept()).toBe(7)
  advance(25 * hourMs + 1)
  expect((await run('a', '0xaa', 'open-6', false)).status).toBe(202)
  expect(kept()).toBe(1)
})

test('the same idempotency key of two wallets names two calls, as at the exchange', async () => {
  const { run, sent } = startCalls(10)
  expect((await run('a', '0xAa', 'grid-0001', false)).status).toBe(202)
  expect((await run('b', '0xbb', 'grid-0001', false)).status).toBe(202)
  expect(await run('c', '0xaA', 'grid-0001', false)).toMatchObject({ code: 'KEY_REUSED' })
  expect(sent()).toBe(2)
  const atOnce = await Promise.all([run('a', '0xaa', 'grid-0002', false), run('c', '0xaa', 'grid-0002', false)])
  expect(atOnce).toMatchObject([{ status: 202 }, { code: 'KEY_REUSED' }])
  expect(sent()).toBe(3)
})

test('a very large answer is not stored, and a repetition still sends nothing', async () => {
  const { run, sent, journal } = startCalls(10)
  const large = JSON.stringify({ success: true, text: 'x'.repeat(100_000) })
  expect((await run('a', '0xaa', 'large-001', false, large)).body.toString()).toBe(large)
  expect(JSON.parse((await run('a', '0xaa', 'large-001', false)).body.toString())).toEqual({ success: true, state: 'done', answer: 'too_large' })
  expect(sent()).toBe(1)
  expect(JSON.stringify(journal.records.botCalls.list({})).length).toBeLessThan(2_000)
})

test('a bot that asks for outcomes waits for its turn before the shared state is asked, so that it does not keep others from it', async () => {
  const asked: string[] = []
  const find: GatewayState['find'] = async ({ key }) => {
    asked.push(key)
    return null
  }
  const { run, outcome } = startCalls(10, { ...embeddedState(), isShared: true, find })
  const busy = async () => refusal('BUSY')
  expect(await outcome('a', 'elsewhere-1', busy)).toMatchObject({ code: 'BUSY' })
  expect(asked).toEqual([])
  expect(await outcome('a', 'elsewhere-1', async () => null)).toMatchObject({ code: 'NOT_FOUND' })
  expect(asked).toEqual(['elsewhere-1'])
  // What this gateway has itself costs nothing.
  await run('a', '0xaa', 'own-00001', false)
  expect(await outcome('a', 'own-00001', busy)).toMatchObject({ status: 200 })
})

test('a lost order that another gateway has settled gets that answer and does not leave again', async () => {
  const known = new Map<string, StoredCall>()
  const find: GatewayState['find'] = async ({ key }) => known.get(key) ?? null
  const { run, sent, journal } = startCalls(10, { ...embeddedState(), isShared: true, find })
  expect((await run('a', '0xaa', 'taken-0001', false, null)).status).toBe(202)
  const [lost_] = journal.records.botCalls.list({})
  if (lost_ === undefined) expect.fail('not stored')
  const before = sent()
  known.set('taken-0001', { ...lost_.record, state: 'done', answer: { status: 202, headers: {}, body: Buffer.from('{"by":"other"}').toString('base64') } })
  expect((await run('a', '0xaa', 'taken-0001', false)).body.toString()).toBe('{"by":"other"}')
  expect(sent()).toBe(before)
})

test('if two gateways find out about a lost order, both give the answer that the state got first', async () => {
  const known = new Map<string, StoredCall>()
  const find: GatewayState['find'] = async ({ key }) => known.get(key) ?? null
  const state = { ...embeddedState(), isShared: true, find }
  const { run, journal } = startCalls(10, state)
  expect((await run('a', '0xaa', 'taken-0001', false, null)).status).toBe(202)
  const [lost_] = journal.records.botCalls.list({})
  if (lost_ === undefined) expect.fail('not stored')
  const answered = run('a', '0xaa', 'taken-0001', false, '{"by":"this"}', () => {
    known.set('taken-0001', { ...lost_.record, state: 'done', answer: { status: 202, headers: {}, body: Buffer.from('{"by":"other"}').toString('base64') } })
  })
  expect((await answered).body.toString()).toBe('{"by":"other"}')
  expect((await run('a', '0xaa', 'taken-0001', false)).body.toString()).toBe('{"by":"other"}')
})

const sharedState = (more: Partial<GatewayState> = {}): GatewayState => ({ ...embeddedState(), isShared: true, ...more })
const closes: Partial<EffectiveCall> = { subjects: ['position:p1'] }

test('beside other gateways, a lost close leaves again while its bot waits or repeats it, and never without the bot', async () => {
  const { run, sent, lookAgain, late, advance } = startCalls(10, sharedState())
  expect((await run('a', '0xaa', 'close-001', true, null, () => {}, closes)).status).toBe(202)
  expect(sent()).toBeGreaterThan(1)
  const before = sent()
  advance(10_000)
  await lookAgain()
  expect(late).toEqual([])
  expect((await run('a', '0xaa', 'close-001', true, null, () => {}, closes)).status).toBe(202)
  expect(sent()).toBeGreaterThan(before)
})

/** A state in which a gateway has ended after it claimed the call that is asked for. `row`: what the database says of it. */
const adopting = (row: Partial<StoredCall>): GatewayState =>
  sharedState({ claim: async ({ call }) => ({ kind: 'adopted', call: { ...call, ...row } }), room: () => ({ grow: async () => '0' }) })

test('what a call taken over sends comes from its bot and never from the database', async () => {
  const row = { body: '{"action":"open_market"}', repeatsLate: true, endsRisk: true, subjects: [], orders: 0, reservedUsdc: null }
  const bodies: string[] = []
  const { run, lookAgain, late, advance } = startCalls(10, adopting(row))
  const send: EffectiveCall['send'] = async (body) => {
    bodies.push(body)
    return { kind: 'lost', why: 'no_answer' }
  }
  const refused = async () => fail(refusal('LIMIT', { limit: 'open_notional', allowed: '1', asked: '2' }))
  expect((await run('a', '0xaa', 'taken-0001', false, null, () => {}, { send, take: refused })).status).toBe(202)
  advance(10_000)
  await lookAgain()
  expect([bodies, late]).toEqual([[], []])
  expect((await run('a', '0xaa', 'taken-0002', false, null, () => {}, { send })).status).toBe(202)
  expect(new Set(bodies)).toEqual(new Set(['{}']))
})

test('a call taken over keeps the room that its check has measured, if that is more than its claim named', async () => {
  const { run, journal } = startCalls(10, adopting({ reservedUsdc: '5' }))
  const take = async () => ok({ ...nothing, orders: 1, reservedUsdc: '80' })
  await run('a', '0xaa', 'invert-001', false, null, () => {}, { take })
  expect(journal.records.botCalls.list({}).map(({ record }) => record.reservedUsdc)).toEqual(['80'])
})

test('an order that its bot repeats leaves only if there is room for it in this minute', async () => {
  const { run, sent } = startCalls(10, sharedState({ again: async () => false }))
  expect((await run('a', '0xaa', 'again-0001', false, null)).status).toBe(202)
  const before = sent()
  expect(JSON.parse((await run('a', '0xaa', 'again-0001', false)).body.toString())).toMatchObject({ state: 'unknown' })
  expect(sent()).toBe(before)
})

test.each([
  ['the same', 'k', 1],
  ['another', 'other', 0],
])('a close on which another gateway works with %s API key is carried out only once', async (_, keyId, times) => {
  let asked: StoredCall | null = null
  const state = sharedState({
    claim: async ({ call }) => {
      asked = call
      return { kind: 'elsewhere' }
    },
    find: async () => asked && { ...asked, keyId },
  })
  const { run, sent } = startCalls(10, state)
  expect((await run('a', '0xaa', 'close-001', true, '{"success":true}', () => {}, closes)).status).toBe(202)
  expect(sent()).toBe(times)
})

/** A shared state that was away while a call was under way: another gateway has taken it over and answered it. */
const startAway = (more: Partial<GatewayState> = {}) => {
  const known = new Map<string, StoredCall>()
  let joins = 0
  const find: GatewayState['find'] = async ({ key }) => known.get(key) ?? null
  const bench = startCalls(10, sharedState({ joinedAs: () => joins, find, ...more }))
  const answerElsewhere = (key: string) => {
    const [row] = bench.journal.records.botCalls.list({})
    if (row === undefined) expect.fail('not stored')
    joins += 1
    known.set(key, { ...row.record, state: 'done', answer: { status: 202, headers: {}, body: Buffer.from('{"by":"other"}').toString('base64') } })
  }
  return { ...bench, answerElsewhere }
}

test('an answer that arrives after the state was away gives way to that of the gateway that has taken the call over', async () => {
  const { run, answerElsewhere } = startAway()
  const answer = await run('a', '0xaa', 'away-0001', false, '{"by":"this"}', () => answerElsewhere('away-0001'))
  expect(answer.body.toString()).toBe('{"by":"other"}')
})

test('an answer that the state could not take is compared with it once the state is back', async () => {
  let isBack = true
  const { run, answerElsewhere, local } = startAway({ isReachable: () => isBack, joinedAs: () => 0 })
  const first = await run('a', '0xaa', 'away-0001', false, '{"by":"this"}', () => {
    isBack = false
  })
  expect(first.body.toString()).toBe('{"by":"this"}')
  isBack = true
  answerElsewhere('away-0001')
  local.shared({ bot: 'a', key: 'away-0001' })
  await expect.poll(async () => (await run('a', '0xaa', 'away-0001', false)).body.toString()).toBe('{"by":"other"}')
})
