import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../e2e/support/free-port.ts'
import { allScopes, type Bot, botOf, callAt, live, type Served, startServed } from '../../e2e/support/gateway/bot.ts'
import { executeRoute } from '../../e2e/support/main/executing.ts'
import { preparePath } from '../../e2e/support/main/trader.ts'
import { value } from '../../e2e/support/main/workspace.ts'
import { openStream } from '../../e2e/support/practice/event-stream.ts'
import { isSecret, redactText } from '../../shared/api/redact.ts'
import { noLimits } from '../../shared/limits-draft.ts'

let served: Served
let bot: Bot
beforeEach(async () => {
  served = await startServed()
  bot = await served.bot()
})
afterEach(() => served.stop())

const hostUrl = async () => (await served.status()).hostUrl ?? ''
const rows = async () => (await served.status()).bots
const policyOf = async ({ id }: Bot) => (await rows()).find((row) => row.id === id)?.policy ?? live
const code = ({ json }: { readonly json: { readonly error?: Readonly<Record<string, unknown>> } }) => json.error?.code
const keyText = () => [...served.secrets.entries].find(([name]) => name.includes(served.keyId))?.[1].reveal() ?? ''

test('a bot reads with its token what the exchange answers to the key, byte for byte', async () => {
  const answers: [string, string][] = []
  await served.rewriteAnswers((route, answer) => {
    answers.push([route, JSON.stringify(answer)])
    return answer
  })
  for (const path of ['/markets', '/account', '/positions', '/orders?limit=10', '/summary?pair_id=1', '/markets/1/funding', '/meta', '/vault', '/collateral']) {
    answers.length = 0
    const answer = await bot.call(`/api/dex/v1${path}`)
    const [, sent] = answers.find(([route]) => route === `GET /api/dex/v1${path.split('?')[0]}`) ?? []
    expect({ path, status: answer.status, text: answer.text }).toEqual({ path, status: 200, text: sent })
    expect(answer.headers['x-svc-api-schema']).toBe('svc-dex-api-v1.1')
    expect(answer.headers['x-svc-gateway']).toBeUndefined()
  }
})

test('the exchange gets the key from the gateway, and the bot gets neither the key nor an answer that contains it [AUTH-09]', async () => {
  await bot.call('/api/dex/v1/account', { headers: { 'x-request-id': 'bot-request-1' } })
  const sent = served.sent.findLast(({ path }) => path === '/api/dex/v1/account')
  const key = sent?.headers['x-svc-api-key'] ?? ''
  expect(key).toMatch(/^SVC/)
  expect(key).not.toBe(bot.token)
  expect(sent?.headers['x-request-id']).toBe('bot-request-1')
  expect(JSON.stringify(sent?.headers)).not.toContain(bot.token)
  await served.rewriteAnswers((_, answer) => ({ ...(answer as object), echo: key }))
  const answer = await bot.call('/api/dex/v1/account')
  expect(code(answer)).toBe('GATEWAY_KEY_IN_ANSWER')
  expect(answer.text).not.toContain(key)
})

test('a refusal of the exchange reaches the bot unchanged', async () => {
  served.faults.answer.push({ route: 'GET /api/dex/v1/account', status: 418, code: 'TEAPOT', times: 1 })
  const answer = await bot.call('/api/dex/v1/account')
  expect(answer.status).toBe(418)
  expect(code(answer)).toBe('TEAPOT')
})

test('the bot calls over the unix socket, which only its user can open', async () => {
  const { socket } = await served.status()
  expect(socket).not.toBeNull()
  expect(statSync(socket ?? '').mode & 0o777).toBe(0o600)
  expect((await bot.call('/api/dex/v1/markets', { socket: socket ?? '' })).status).toBe(200)
})

test('public reads, relay and receipt need no token, but a wrong token is refused everywhere', async () => {
  const url = await hostUrl()
  expect((await callAt(url, '/api/dex/config')).status).toBe(200)
  expect((await callAt(url, `/api/dex/positions?wallet=${served.account.address}`)).status).toBe(200)
  expect(code(await callAt(url, '/api/dex/v1/markets'))).toBe('API_KEY_REQUIRED')
  const wrong = `${bot.token.slice(0, -1)}${bot.token.endsWith('A') ? 'B' : 'A'}`
  for (const token of [wrong, 'SVCbot1.000000000000.nobody', keyText(), 'x'])
    for (const path of ['/api/dex/v1/markets', '/api/dex/config']) expect(code(await callAt(url, path, { token }))).toBe('GATEWAY_TOKEN_UNKNOWN')
})

test('a token is redacted like a key, but is none that the app would send to the exchange [AUTH-09]', () => {
  expect(isSecret('key', bot.token)).toBe(false)
  expect(redactText(`token ${bot.token}`)).toBe('token SVC[redacted]')
})

test('the token is stored only as a hash, and ends when it expires or is revoked', async () => {
  const stored = JSON.stringify(served.journal().records.bots.list({}))
  expect(stored).toContain(bot.id)
  expect(stored).not.toContain(bot.token.split('.')[2])
  const { botId } = value(
    await served.handlers()['gateway.addBot']({ label: 'short', keyId: served.keyId, scopes: ['market:read'], expiresInDays: 1, policy: await policyOf(bot) }),
  )
  const token = served.revealed.at(-1)?.reveal() ?? ''
  expect((await callAt(await hostUrl(), '/api/dex/v1/markets', { token })).status).toBe(200)
  served.clock.advance(86_400_001)
  expect(code(await callAt(await hostUrl(), '/api/dex/v1/markets', { token }))).toBe('GATEWAY_TOKEN_EXPIRED')
  expect((await rows()).find(({ id }) => id === botId)?.state).toBe('expired')
  value(await served.handlers()['gateway.revoke']({ botId: bot.id }))
  expect(code(await bot.call('/api/dex/v1/markets'))).toBe('GATEWAY_TOKEN_UNKNOWN')
})

test('a bot gets no scope that its key lacks, and no call beyond its own scopes [AUTH-04]', async () => {
  const policy = await policyOf(bot)
  const asked = { label: 'greedy', keyId: served.keyId, scopes: ['collateral:manage' as const], expiresInDays: null, policy }
  expect(await served.handlers()['gateway.addBot'](asked)).toMatchObject({ ok: false, failure: { kind: 'scope_missing', scope: 'collateral:manage' } })
  const reader = await served.bot({}, ['market:read'])
  expect((await reader.call('/api/dex/v1/markets')).status).toBe(200)
  expect(code(await reader.call('/api/dex/v1/account'))).toBe('GATEWAY_SCOPE')
  const trader = await served.bot({}, ['trade:execute'])
  expect((await trader.execute('cancel', { order_id: 'o1' })).json.error).toEqual({ code: 'GATEWAY_SCOPE', required_scope: 'orders:manage' })
  expect((await trader.execute('open_market', await served.marketOrder())).status).toBe(202)
})

test('a live bot executes an order, and the exchange gets exactly what was read, with an idempotency key [ORD-13]', async () => {
  const payload = await served.marketOrder({ client_order_id: 'grid-0001' })
  const answer = await bot.execute('open_market', payload)
  expect(answer.status).toBe(202)
  expect(served.commands()).toBe(1)
  expect(JSON.parse(served.sent.findLast(({ path }) => path.endsWith('/orders/execute'))?.body ?? '')).toEqual({ action: 'open_market', payload })
  const { command_id: commandId } = answer.json.delegated as { readonly command_id: string }
  expect((await bot.call(`/api/dex/v1/executions/${commandId}`)).status).toBe(200)
  const unnamed = await served.marketOrder()
  await bot.execute('open_market', unnamed, { headers: { 'idempotency-key': 'header-key-1' } })
  const sent = served.sent.findLast(({ path }) => path.endsWith('/orders/execute'))?.body ?? ''
  expect(JSON.parse(sent).payload).toEqual({ ...unnamed, idempotency_key: 'header-key-1' })
})

test.each([
  ['a name that occurs twice', (order: string) => order.replace('"leverage":5', '"leverage":1,"leverage":5'), 'twice'],
  ['a name that occurs twice, once in escapes', (order: string) => order.replace('"leverage":5', '"leverage":1,"lever\\u0061ge":5'), 'twice'],
  ['an unknown field', (order: string) => order.replace('"leverage":5', '"leverage":5,"bonus":true'), 'unread'],
  ['an unknown field beside the payload', (order: string) => order.replace('{"action"', '{"x":1,"action"'), 'unread'],
  ['a number in place of a decimal text', (order: string) => order.replace('"order_value_usdc":"100"', '"order_value_usdc":100'), 'unread'],
  ['an unknown action', (order: string) => order.replace('open_market', 'transfer'), 'unread'],
  ['a name of every object', (order: string) => order.replace('open_market', 'constructor'), 'unread'],
  ['a prototype', (order: string) => order.replace('"leverage":5', '"leverage":5,"__proto__":{"x":1}'), 'unread'],
  ['a batch with an unknown action', (order: string) => `{"action":"batch","payload":{"actions":[${order},{"action":"x","payload":{}}]}}`, 'unread'],
  ['no JSON', () => '{"action":', 'not_json'],
])('a live bot cannot send a body with %s', async (_, change, why) => {
  const body = change(JSON.stringify({ action: 'open_market', payload: await served.marketOrder() }))
  const answer = await bot.call('/api/dex/v1/orders/execute', { body })
  expect(answer.status).toBe(400)
  expect(answer.json.error).toMatchObject({ code: 'GATEWAY_BODY', why })
  expect(served.commands()).toBe(0)
  expect(served.sent.filter(({ path }) => path.endsWith('/orders/execute'))).toEqual([])
})

test('an observing bot only reads, and a bot in a dry run only validates', async () => {
  const order = await served.marketOrder()
  const observer = await served.bot({ mode: 'observe' })
  expect((await observer.call('/api/dex/v1/positions')).status).toBe(200)
  for (const answer of [
    await observer.execute('open_market', order),
    await observer.execute('open_market', order, { prepareOnly: true }),
    await observer.call('/api/dex/v1/orders/prepare', { body: { action: 'open_position', payload: order } }),
  ])
    expect(code(answer)).toBe('GATEWAY_OBSERVES')
  const dry = await served.bot({ mode: 'dry_run' })
  const answer = await dry.execute('open_market', { ...order, idempotency_key: 'the-real-key' })
  expect(answer.json).toMatchObject({ prepare_only: true })
  expect(served.commands()).toBe(0)
  // The validation has a key of its own, or the exchange would answer the real order with it.
  expect((await bot.execute('open_market', { ...order, idempotency_key: 'the-real-key' })).json).toMatchObject({ prepare_only: false })
  expect(served.commands()).toBe(1)
})

test.each([
  ['markets', { limits: { ...noLimits, markets: [2] } }, {}, 'market'],
  ['largest order', { limits: { ...noLimits, orderValueUsdc: '99.99' } }, {}, 'order_value'],
  ['leverage', { limits: { ...noLimits, leverage: 4 } }, {}, 'leverage'],
  ['sides', { sides: ['short' as const] }, {}, 'side'],
  ['open notional', { openNotionalUsdc: '99' }, {}, 'open_notional'],
  ['hours', { hours: { fromMinute: 0, toMinute: 0 } }, {}, 'hours'],
])('a bot’s limit on %s holds back an order before it leaves', async (_, policy, change, limit) => {
  const limited = await served.bot(policy)
  const answer = await limited.execute('open_market', await served.marketOrder(change))
  expect(answer.status).toBe(403)
  expect(answer.json.error).toMatchObject({ code: 'GATEWAY_LIMIT', limit })
  const prepared = await limited.call('/api/dex/v1/orders/prepare', { body: { action: 'open_position', payload: await served.marketOrder(change) } })
  expect(prepared.json.error).toMatchObject({ code: 'GATEWAY_LIMIT', limit })
  expect(served.commands()).toBe(0)
  expect(served.sent.filter(({ path }) => path.endsWith('/orders/execute') || path === preparePath)).toEqual([])
})

test('the wallet’s own risk limits hold for bots, too', async () => {
  value(await served.handlers()['riskLimits.save']({ limits: { ...noLimits, orderValueUsdc: '50' }, typed: null }))
  expect((await bot.execute('open_market', await served.marketOrder())).json.error).toMatchObject({
    code: 'GATEWAY_LIMIT',
    limit: 'order_value',
    allowed: '50',
  })
})

test('a bot’s orders a minute are counted also across a restart, and two orders at once cannot share the room of one', async () => {
  const limited = await served.bot({ ordersPerMinute: 2, openNotionalUsdc: '150' })
  const orders = await Promise.all(
    ['one-00001', 'two-00001', 'three-0001'].map(async (id) => limited.execute('open_market', await served.marketOrder({ client_order_id: id }))),
  )
  expect(orders.map(({ status }) => status).sort()).toEqual([202, 403, 403])
  expect((await served.bot({ openNotionalUsdc: '150' })).id).not.toBe(limited.id)
  value(
    await served.handlers()['gateway.setPolicy']({ botId: limited.id, policy: { ...(await policyOf(limited)), openNotionalUsdc: null, ordersPerMinute: 1 } }),
  )
  await served.restart()
  await served.connect()
  const again = await limited.execute('open_market', await served.marketOrder({ client_order_id: 'four-00001' }))
  expect(again.json.error).toMatchObject({ code: 'GATEWAY_LIMIT', limit: 'orders_per_minute' })
})

test('closing what the bot opened is never refused for a limit', async () => {
  await bot.execute('open_market', await served.marketOrder())
  await served.chain.mine()
  await served.exchange.settle()
  const [position] = value(await served.handlers()['account.positions']({ watch: null })).positions
  const policy = {
    limits: { markets: [2], leverage: 1, orderValueUsdc: '1', dailyLossUsdc: '0.000001' },
    sides: ['short' as const],
    openNotionalUsdc: '1',
    ordersPerMinute: 1,
  }
  const before = await policyOf(bot)
  value(await served.handlers()['gateway.setPolicy']({ botId: bot.id, policy: { ...before, ...policy, hours: { fromMinute: 0, toMinute: 0 } } }))
  const { reference_price, max_slippage_bps } = await served.marketOrder()
  const close = { position_id: position?.id, reference_price, max_slippage_bps }
  const other = await served.bot(policy)
  expect(code(await other.execute('close', close))).toBe('GATEWAY_NOT_OWN')
  expect((await bot.execute('close', close)).status).toBe(202)
})

test('a bot that is limited to some markets cannot change orders and positions in other markets, or in markets that it cannot tell', async () => {
  const { reference_price: _, max_slippage_bps: __, ...order } = await served.marketOrder()
  await bot.execute('create_limit', { ...order, limit_price: '1000', time_in_force: 'gtc' })
  await served.chain.mine()
  await served.exchange.settle()
  const [resting] = value(await served.handlers()['account.orders']({ watch: null })).orders
  const elsewhere = await served.bot({ limits: { ...noLimits, markets: [2] } })
  const shrink = (orderId: string | undefined) => elsewhere.execute('replace', { order_id: orderId, order_value_usdc: '10' })
  const before = served.commands()
  expect((await shrink(resting?.id)).json.error).toMatchObject({ code: 'GATEWAY_NOT_OWN', pair_id: 1 })
  expect((await shrink('unlisted')).json.error).toMatchObject({ code: 'GATEWAY_NOT_OWN', pair_id: null })
  expect(served.commands()).toBe(before)
  const here = await served.bot({ limits: { ...noLimits, markets: [1] } })
  expect((await here.execute('replace', { order_id: resting?.id, order_value_usdc: '10' })).status).toBe(202)
})

test('a call that waited is checked against the bot’s policy of this moment', async () => {
  const order = await served.marketOrder()
  await served.gateway().set({ isOn: true, port: 0, callsPerSecond: 1 })
  const calls = Array.from({ length: 3 }, (_, index) => bot.execute('open_market', { ...order, client_order_id: `waits-${index}` }))
  await Promise.race(calls)
  value(await served.handlers()['gateway.setPolicy']({ botId: bot.id, policy: { ...(await policyOf(bot)), limits: { ...noLimits, leverage: 2 } } }))
  const codes = (await Promise.all(calls)).map(code)
  expect(codes).toContain('GATEWAY_LIMIT')
  expect(served.commands()).toBe(codes.filter((one) => one !== 'GATEWAY_LIMIT').length)
}, 20_000)

test('the gateway keeps working while the app is locked, and can be paused then', async () => {
  await bot.call('/api/dex/v1/account')
  served.locked = true
  expect((await bot.call('/api/dex/v1/account')).status).toBe(200)
  value(await served.handlers()['gateway.pause']({ botId: null }))
  expect(code(await bot.call('/api/dex/v1/account'))).toBe('GATEWAY_PAUSED')
})

test('a paused bot can do nothing until it is resumed, and stays paused across a restart', async () => {
  const other = await served.bot()
  expect(value(await served.handlers()['gateway.pause']({ botId: bot.id }))).toEqual({ bots: 1, underWay: [] })
  for (const answer of [await bot.call('/api/dex/v1/account'), await bot.execute('close', {}), await bot.call('/api/dex/config')])
    expect(code(answer)).toBe('GATEWAY_PAUSED')
  expect((await other.call('/api/dex/v1/account')).status).toBe(200)
  await served.restart()
  expect(new Map((await rows()).map(({ id, state }) => [id, state]))).toEqual(
    new Map([
      [bot.id, 'paused'],
      [other.id, 'running'],
    ]),
  )
  value(await served.handlers()['gateway.resume']({ botId: bot.id }))
  expect((await bot.call('/api/dex/v1/account')).status).toBe(200)
})

test('the kill switch stops 100 bots within 100 ms, and no order leaves afterwards', async () => {
  const bots = await Promise.all(Array.from({ length: 100 }, () => served.bot()))
  const order = await served.marketOrder()
  let isOver = false
  const stopped: number[] = []
  const trade = async (one: Bot, index: number) => {
    for (let at = 0; !isOver; at += 1) {
      const answer = await one.execute('open_market', { ...order, client_order_id: `bot-${index}-order-${at}` })
      if (code(answer) === 'GATEWAY_PAUSED') return void stopped.push(performance.now())
    }
  }
  const running = bots.map(trade)
  while (served.commands() < 20) await bot.call('/api/dex/v1/status')
  const pressedAt = performance.now()
  const { bots: paused, underWay } = value(await served.handlers()['gateway.pause']({ botId: null }))
  const doneAt = performance.now()
  const before = served.sent.filter(({ path }) => path.endsWith('/orders/execute')).length
  expect(paused).toBe(101)
  expect(underWay.every(({ botId }) => bots.some(({ id }) => id === botId))).toBe(true)
  expect(doneAt - pressedAt).toBeLessThan(100)
  await Promise.all(running)
  isOver = true
  expect(stopped).toHaveLength(100)
  expect(served.sent.filter(({ path }) => path.endsWith('/orders/execute')).length).toBe(before)
}, 60_000)

test('the app’s kill switch pauses every bot before it cancels or closes anything', async () => {
  const { reference_price: _, max_slippage_bps: __, ...order } = await served.marketOrder()
  await bot.execute('create_limit', { ...order, limit_price: '1000', time_in_force: 'gtc' })
  await served.chain.mine()
  await served.exchange.settle()
  value(await served.handlers()['bulkActions.start']({ kind: 'cancel_all', by: { way: 'executor', keyId: null }, keyIds: [], typed: 'cancel all' }))
  expect((await rows()).map(({ state }) => state)).toEqual(['paused'])
  expect(code(await bot.execute('open_market', await served.marketOrder()))).toBe('GATEWAY_PAUSED')
})

test('a bot that repeats an order gets the first answer, and the order is sent once', async () => {
  const order = await served.marketOrder({ idempotency_key: 'once-and-only' })
  const first = await bot.execute('open_market', order)
  const again = await bot.execute('open_market', Object.fromEntries(Object.entries(order).reverse()))
  expect([again.status, again.text]).toEqual([first.status, first.text])
  expect(again.headers['x-svc-gateway']).toBe('replay')
  await served.restart()
  expect((await bot.execute('open_market', order)).text).toBe(first.text)
  expect(served.sent.filter(({ path }) => path.endsWith('/orders/execute'))).toHaveLength(1)
  expect(code(await bot.execute('open_market', { ...order, order_value_usdc: '101' }))).toBe('IDEMPOTENCY_KEY_CONFLICT')
  // The exchange would answer another bot of the same key with the first bot's order.
  expect(code(await (await served.bot()).execute('open_market', order))).toBe('IDEMPOTENCY_KEY_CONFLICT')
})

test('after a lost answer, the bot gets the answer of the order that was carried out [FLOW-07]', async () => {
  served.faults.dropAnswer.push({ route: executeRoute, times: 1 })
  const answer = await bot.execute('open_market', await served.marketOrder({ idempotency_key: 'lost-answer-1' }))
  expect(answer.status).toBe(202)
  expect(answer.json).toMatchObject({ idempotent_replay: true, delegated: { command_id: expect.any(String) } })
  expect(served.commands()).toBe(1)
})

test('while the outcome stays unknown, the bot gets 202 with an address that tells it later [FLOW-07]', async () => {
  served.faults.dropAnswer.push({ route: executeRoute, times: 5 })
  const order = await served.marketOrder({ idempotency_key: 'lost-answer-2' })
  const answer = await bot.execute('open_market', order)
  expect(answer.status).toBe(202)
  expect(answer.json).toEqual({ success: true, state: 'unknown', status_url: '/gateway/calls/open_market~lost-answer-2' })
  expect((await bot.call('/gateway/calls/open_market~lost-answer-2')).json).toMatchObject({ state: 'unknown' })
  expect((await rows())[0]?.unknown).toBe(1)
  await served.tick()
  expect((await bot.call('/gateway/calls/open_market~lost-answer-2')).json).toMatchObject({ state: 'done', status: 202, answer: { idempotent_replay: true } })
  expect((await bot.execute('open_market', order)).json).toMatchObject({ idempotent_replay: true })
  expect(served.commands()).toBe(1)
  expect(code(await (await served.bot()).call('/gateway/calls/open_market~lost-answer-2'))).toBe('GATEWAY_NOT_FOUND')
}, 20_000)

test('a refused order may be sent again under the same key', async () => {
  served.faults.answer.push({ route: executeRoute, status: 422, code: 'MARKET_DATA_STALE', times: 1 })
  const order = await served.marketOrder({ idempotency_key: 'refused-once' })
  expect(code(await bot.execute('open_market', order))).toBe('MARKET_DATA_STALE')
  expect((await bot.execute('open_market', order)).status).toBe(202)
})

test.each([
  ['a redirect', 302, () => void served.faults.body.push({ route: executeRoute, kind: 'redirect' }), () => void served.faults.body.splice(0)],
  ['a body that is no JSON', 202, () => void served.faults.body.push({ route: executeRoute, kind: 'truncated' }), () => void served.faults.body.splice(0)],
])('after %s, the bot gets its bytes, and the outcome is unknown until the exchange tells it [FLOW-07]', async (_, status, breaks, mends) => {
  breaks()
  const order = await served.marketOrder({ idempotency_key: 'proves-nothing' })
  const answer = await bot.execute('open_market', order)
  expect(answer.status).toBe(status)
  expect(answer.headers).toMatchObject({ 'x-svc-gateway': 'unknown', 'x-svc-gateway-status': '/gateway/calls/open_market~proves-nothing' })
  expect((await rows())[0]?.unknown).toBe(1)
  expect((await bot.call('/gateway/calls/open_market~proves-nothing')).json).toMatchObject({ state: 'unknown' })
  mends()
  await served.tick()
  expect((await bot.call('/gateway/calls/open_market~proves-nothing')).json).toMatchObject({ state: 'done', answer: { idempotent_replay: true } })
  expect(served.commands()).toBe(1)
})

test.each([
  ['`success: false` with a success status', 202, { success: false, message: 'busy' }, 'unknown'],
  ['`success: false` with a code of the document', 202, { success: false, error: { code: 'MARKET_DATA_STALE' } }, undefined],
])('%s counts as no order that was carried out', async (_, status, body, header) => {
  let isFailing = true
  await served.rewriteAnswers((route, answer) => (route === executeRoute && isFailing ? body : answer))
  const order = await served.marketOrder({ idempotency_key: 'says-failure' })
  const answer = await bot.execute('open_market', order)
  expect([answer.status, answer.json, answer.headers['x-svc-gateway']]).toEqual([status, body, header])
  expect((await rows())[0]?.unknown).toBe(header === undefined ? 0 : 1)
  isFailing = false
  expect((await bot.execute('open_market', order)).json).toMatchObject({ success: true, idempotent_replay: true })
  expect(served.commands()).toBe(1)
})

test('an HTML page is no refusal, even with the status of one', async () => {
  let isShown = true
  const page = { status: 403, answer: '<html><body>Just a moment</body></html>' }
  await served.rewriteAnswers(
    (_, answer) => answer,
    (route, body) => (route === executeRoute && isShown ? page : { body }),
  )
  const answer = await bot.execute('open_market', await served.marketOrder({ idempotency_key: 'page-of-html' }))
  expect([answer.status, answer.text, answer.headers['x-svc-gateway']]).toEqual([403, page.answer, 'unknown'])
  isShown = false
  await served.tick()
  expect((await bot.call('/gateway/calls/open_market~page-of-html')).json).toMatchObject({ state: 'done' })
})

test('a limit that an order of unknown outcome fills itself does not make a retry of this order look refused', async () => {
  const limited = await served.bot({ openNotionalUsdc: '150' })
  served.faults.dropAnswer.push({ route: executeRoute, times: 5 })
  const order = await served.marketOrder({ idempotency_key: 'fills-its-limit' })
  expect((await limited.execute('open_market', order)).json).toMatchObject({ state: 'unknown' })
  expect(await limited.execute('open_market', order)).toMatchObject({ status: 202, json: { state: 'unknown' } })
  served.faults.dropAnswer.splice(0)
  expect(served.commands()).toBe(1)
}, 20_000)

test('a lost cancel is sent again as long as the exchange remembers its key, and never after that [ORD-13]', async () => {
  served.faults.dropRequest.push({ route: executeRoute, times: 1_000 })
  const sent = () => served.sent.filter(({ path }) => path.endsWith('/orders/execute')).length
  await bot.execute('cancel', { order_id: 'o1', idempotency_key: 'lost-cancel-1' })
  const afterwards = async (ms: number) => {
    served.clock.advance(ms)
    const before = sent()
    await served.tick()
    await served.settled()
    return sent() - before
  }
  expect(await afterwards(22 * 3_600_000)).toBe(1)
  expect(await afterwards(2 * 3_600_000)).toBe(0)
}, 20_000)

test('a paused bot’s lost order is not sent again', async () => {
  served.faults.dropRequest.push({ route: executeRoute, times: 1 })
  const order = bot.execute('open_market', await served.marketOrder({ idempotency_key: 'lost-then-paused' }))
  await expect.poll(() => served.faults.dropRequest.filter(({ times }) => times > 0), { interval: 1 }).toEqual([])
  value(await served.handlers()['gateway.pause']({ botId: bot.id }))
  expect((await order).json).toMatchObject({ state: 'unknown' })
  await served.tick()
  expect(served.commands()).toBe(0)
})

test('a lost order is not sent again with another key that its bot gets meanwhile [ORD-13]', async () => {
  const newKeyId = await served.createKey('next')
  const sent = () => served.sent.filter(({ path }) => path.endsWith('/orders/execute')).length
  served.faults.dropRequest.push({ route: executeRoute, times: 1 })
  const order = bot.execute('open_market', await served.marketOrder({ idempotency_key: 'lost-then-moved' }))
  await expect.poll(() => served.faults.dropRequest.filter(({ times }) => times > 0), { interval: 1 }).toEqual([])
  served.gateway().moveKey(served.keyId, newKeyId)
  expect((await order).json).toMatchObject({ state: 'unknown' })
  await served.tick()
  expect(sent()).toBe(1)
  expect(served.commands()).toBe(0)
})

test('a repetition of a lost order that the exchange refuses with 401 is not sent with another key that its bot gets meanwhile [ORD-13]', async () => {
  const newKeyId = await served.createKey('next')
  const sent = () => served.sent.filter(({ path }) => path.endsWith('/orders/execute'))
  served.faults.dropRequest.push({ route: executeRoute, times: 1 })
  served.faults.answer.push({ route: executeRoute, status: 401, code: 'API_KEY_INVALID', times: 1 })
  served.faults.delay.push({ route: executeRoute, ms: null })
  const order = bot.execute('open_market', await served.marketOrder({ idempotency_key: 'refused-then-moved' }))
  await expect.poll(() => served.faults.answer.filter(({ times }) => times > 0), { interval: 1, timeout: 10_000 }).toEqual([])
  served.gateway().moveKey(served.keyId, newKeyId)
  served.faults.delay = []
  expect((await order).json).toMatchObject({ state: 'unknown' })
  await served.tick()
  expect(served.commands()).toBe(0)
  expect(new Set(sent().map(({ headers }) => headers['x-svc-api-key'])).size).toBe(1)
})

test('a bot prepares, signs and relays with its own wallet, and only the bot that prepared an intent can relay it [FLOW-01]', async () => {
  const body = { action: 'open_position', payload: await served.marketOrder() }
  const prepared = await bot.call('/api/dex/v1/orders/prepare', { body, headers: { 'idempotency-key': 'prepare-0001' } })
  expect(prepared.status).toBe(200)
  const { intent_id: intentId, execution } = prepared.json as {
    intent_id: string
    execution: { typed_data: Parameters<typeof served.account.signTypedData>[0] }
  }
  const relay = { wallet: served.account.address, intent_id: intentId, signature: await served.account.signTypedData(execution.typed_data) }
  const url = await hostUrl()
  expect(code(await callAt(url, '/api/dex/actions/relay', { body: { ...relay, intent_id: 'dx_foreign' } }))).toBe('GATEWAY_INTENT')
  expect(code(await callAt(url, '/api/dex/actions/relay', { body: relay, token: (await served.bot()).token }))).toBe('GATEWAY_INTENT')
  value(await served.handlers()['gateway.pause']({ botId: bot.id }))
  expect(code(await callAt(url, '/api/dex/actions/relay', { body: relay }))).toBe('GATEWAY_PAUSED')
  value(await served.handlers()['gateway.resume']({ botId: bot.id }))
  const relayed = await callAt(url, '/api/dex/actions/relay', { body: relay })
  expect(relayed.status).toBe(200)
  expect((await callAt(url, '/api/dex/actions/relay', { body: relay })).text).toBe(relayed.text)
  expect(served.sent.filter(({ path }) => path === '/api/dex/actions/relay')).toHaveLength(1)
})

test('the stream’s refusal reaches the bot unchanged while the exchange has no stream [ACC-04]', async () => {
  const answer = await bot.call('/api/dex/v1/stream?pair_id=1&interval=1m', { headers: { 'last-event-id': '7' } })
  expect(answer.status).toBe(503)
  expect(answer.headers['retry-after']).toBe('5')
  expect(code(answer)).toBe('REALTIME_STREAM_ASYNC_WORKER_REQUIRED')
  expect(served.sent.at(-1)?.headers['last-event-id']).toBe('7')
})

test('the stream reaches the bot as it comes, resumes after its last event, and ends when the bot is paused [ACC-04]', async () => {
  served.faults.stream = {}
  const url = `${await hostUrl()}/api/dex/v1/stream`
  const stream = await openStream(url, { 'x-svc-api-key': bot.token })
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/event-stream')])
  const [first] = await stream.until(({ id }) => id !== null)
  const again = await openStream(url, { 'x-svc-api-key': bot.token, 'last-event-id': first?.id ?? '' })
  expect(served.sent.at(-1)?.headers['last-event-id']).toBe(first?.id)
  value(await served.handlers()['gateway.pause']({ botId: bot.id }))
  await Promise.all([stream.ended, again.ended])
  expect(code(await bot.call('/api/dex/v1/stream'))).toBe('GATEWAY_PAUSED')
})

test('ten bots notice nothing when the key behind them gets a new secret, and no order is doubled', async () => {
  // Below the exchange's own limit, so that no refusal for too many calls hides one for the key.
  await served.gateway().set({ isOn: true, port: 0, callsPerSecond: 25 })
  const bots = await Promise.all(Array.from({ length: 10 }, () => served.bot()))
  const order = await served.marketOrder({ order_value_usdc: '10' })
  let isOver = false
  const sent: string[] = []
  const failed: unknown[] = []
  const trade = async (one: Bot, index: number) => {
    for (let at = 0; !isOver; at += 1) {
      const key = `bot-${index}-order-${at}`
      const read = await one.call('/api/dex/v1/account')
      const answer = await one.execute('open_market', { ...order, idempotency_key: key })
      const again = await one.execute('open_market', { ...order, idempotency_key: key })
      sent.push(key)
      for (const { status, text } of [read, answer, again]) if (status >= 300) failed.push(text)
      if (again.text !== answer.text) failed.push(key)
    }
  }
  const running = bots.map(trade)
  while (sent.length < 10) await bot.call('/api/dex/v1/status')
  value(await served.handlers()['keys.rotate']({ keyId: served.keyId, confirmLabel: 'bot' }))
  const before = sent.length
  while (sent.length < before + 20) await bot.call('/api/dex/v1/status')
  isOver = true
  await Promise.all(running)
  expect(failed).toEqual([])
  expect(new Set(served.sent.filter(({ path }) => path.endsWith('/orders/execute')).map(({ headers }) => headers['x-svc-api-key'])).size).toBe(2)
  expect(served.exchange.effects().commands.toSorted()).toEqual(sent.toSorted())
}, 60_000)

test('a new key reaches all bots of the old key or, if it cannot be stored for all, none of them', async () => {
  await served.bot()
  const { keyId } = served
  const newKeyId = await served.createKey('next')
  const keysOfBots = async () => (await rows()).map((row) => row.keyId)
  const access = served.gateway()
  let bots = 0
  served.beforeWrite = (what) => {
    if (what === 'value gateway') bots += 1
    if (bots === 2) throw new Error('the disk is gone')
  }
  expect(() => access.moveKey(keyId, newKeyId)).toThrow('the disk is gone')
  served.beforeWrite = () => {}
  expect(await keysOfBots()).toEqual([keyId, keyId])
  expect(
    served
      .journal()
      .records.bots.list({})
      .map(({ record }) => record.keyId),
  ).toEqual([keyId, keyId])
  expect([access.moveKey(keyId, newKeyId), access.moveKey(keyId, newKeyId)]).toEqual([2, 0])
  expect(await keysOfBots()).toEqual([newKeyId, newKeyId])
  await served.restart()
  expect(await keysOfBots()).toEqual([newKeyId, newKeyId])
})

test('calls that wait for their turn work on when their bot gets another key and the old one is revoked', async () => {
  const { keyId } = served
  const newKeyId = await served.createKey('next')
  await served.gateway().set({ isOn: true, port: 0, callsPerSecond: 1 })
  const waiting = Array.from({ length: 3 }, () => bot.call('/api/dex/v1/positions'))
  await Promise.race(waiting)
  served.gateway().moveKey(keyId, newKeyId)
  value(await served.handlers()['keys.revoke']({ keyId, confirmLabel: 'bot' }))
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200])
}, 20_000)

test('the example bot works with nothing but a URL and a token', async () => {
  const example = new URL('../../build/examples/gateway-bot.ts', import.meta.url).pathname
  const env = { PATH: process.env.PATH, SVC_BASE_URL: `${await hostUrl()}/api/dex/v1`, SVC_API_KEY: bot.token }
  const { stdout } = await promisify(execFile)(process.execPath, [example], { env })
  expect(stdout).toMatch(/^mark [0-9.]+\nthe order is valid: 202\n$/)
  expect(served.commands()).toBe(0)
}, 30_000)

test('a silent bot’s own orders are cancelled once, and other orders stay', async () => {
  const quiet = await served.bot({ silence: { afterSeconds: 30, does: 'cancel' } })
  const { reference_price: _, max_slippage_bps: __, ...order } = await served.marketOrder()
  const resting = { ...order, limit_price: '1000', time_in_force: 'gtc' }
  await quiet.execute('create_limit', { ...resting, client_order_id: 'quiet-0001' })
  await bot.execute('create_limit', { ...resting, client_order_id: 'other-0001' })
  await served.chain.mine()
  await served.exchange.settle()
  const open = async () =>
    value(await served.handlers()['account.orders']({ watch: null }))
      .orders.filter(({ status }) => status === 'open')
      .map(({ clientOrderId }) => clientOrderId)
  expect((await open()).sort()).toEqual(['other-0001', 'quiet-0001'])
  served.clock.advance(31_000)
  await served.tick()
  await served.settled()
  await served.chain.mine()
  await served.exchange.settle()
  expect(await open()).toEqual(['other-0001'])
})

test('a silent bot’s orders are cancelled although an answer to another bot was no JSON and an execution cannot be read', async () => {
  const silence = { afterSeconds: 30, does: 'cancel' as const }
  const { reference_price: _, max_slippage_bps: __, ...order } = await served.marketOrder()
  const resting = { ...order, limit_price: '1000', time_in_force: 'gtc' }
  const other = await served.bot({ silence })
  await other.execute('create_limit', { ...resting, client_order_id: 'other-0001' })
  const quiet = await served.bot({ silence })
  await quiet.execute('create_limit', { ...resting, client_order_id: 'quiet-0001' })
  const { records } = served.journal()
  for (const { key, record } of records.botCalls.list({}))
    if (key.bot === other.id && record.answer !== null)
      records.botCalls.write(key, { ...record, answer: { ...record.answer, body: Buffer.from('<p>ok').toString('base64') } })
  await served.restart()
  await served.connect()
  await served.chain.mine()
  await served.exchange.settle()
  served.faults.answer.push({ route: 'GET /api/dex/v1/executions/{command_id}', status: 404, code: 'NOT_FOUND', times: 1_000 })
  served.clock.advance(31_000)
  await served.tick()
  await served.settled()
  await served.chain.mine()
  await served.exchange.settle()
  const orders = value(await served.handlers()['account.orders']({ watch: null })).orders.filter(({ status }) => status === 'open')
  expect(orders.map(({ clientOrderId }) => clientOrderId)).toEqual([])
})

test('a cancel of unknown outcome does not count as the end of a silent bot’s orders', async () => {
  const quiet = await served.bot({ silence: { afterSeconds: 30, does: 'cancel' } })
  const { reference_price: _, max_slippage_bps: __, ...order } = await served.marketOrder()
  await quiet.execute('create_limit', { ...order, limit_price: '1000', time_in_force: 'gtc', client_order_id: 'quiet-0001' })
  await served.chain.mine()
  await served.exchange.settle()
  served.faults.dropRequest.push({ route: executeRoute, times: 1_000 })
  const isWatched = () => served.journal().records.bots.read({ profile: 'practice', id: quiet.id })?.isWatched
  const silent = async () => {
    served.clock.advance(31_000)
    await served.tick()
    await served.settled()
    return isWatched()
  }
  expect(await silent()).toBe(true)
  served.faults.dropRequest.splice(0)
  expect(await silent()).toBe(false)
}, 30_000)

test('after a bot’s token has ended, its orders are cancelled as after its silence', async () => {
  const policy = { ...live, silence: { afterSeconds: 30, does: 'cancel' as const } }
  const asked = { label: 'short', keyId: served.keyId, scopes: [...allScopes], expiresInDays: 1, policy }
  const { botId } = value(await served.handlers()['gateway.addBot'](asked))
  const short = botOf(botId, served.revealed.at(-1)?.reveal() ?? '', hostUrl)
  const { reference_price: _, max_slippage_bps: __, ...order } = await served.marketOrder()
  await short.execute('create_limit', { ...order, limit_price: '1000', time_in_force: 'gtc', client_order_id: 'short-0001' })
  await served.chain.mine()
  await served.exchange.settle()
  served.clock.advance(86_400_001)
  expect(code(await short.call('/api/dex/v1/markets'))).toBe('GATEWAY_TOKEN_EXPIRED')
  await served.tick()
  await served.settled()
  await served.chain.mine()
  await served.exchange.settle()
  const orders = value(await served.handlers()['account.orders']({ watch: null })).orders.filter(({ status }) => status === 'open')
  expect(orders.map(({ clientOrderId }) => clientOrderId)).toEqual([])
})

test('a bot that only sends what the gateway refuses counts as silent', async () => {
  const quiet = await served.bot({ silence: { afterSeconds: 30, does: 'cancel' }, limits: { ...noLimits, leverage: 5 } })
  const { reference_price: _, max_slippage_bps: __, ...order } = await served.marketOrder()
  await quiet.execute('create_limit', { ...order, limit_price: '1000', time_in_force: 'gtc', client_order_id: 'quiet-0001' })
  await served.chain.mine()
  await served.exchange.settle()
  const open = async () => value(await served.handlers()['account.orders']({ watch: null })).orders.filter(({ status }) => status === 'open').length
  for (let at = 0; at < 3; at += 1) {
    served.clock.advance(10_000)
    expect(code(await quiet.execute('open_market', await served.marketOrder({ leverage: 6 })))).toBe('GATEWAY_LIMIT')
    expect(code(await quiet.call('/api/dex/v1/nothing'))).toBe('GATEWAY_ROUTE')
  }
  expect(await open()).toBe(1)
  await served.tick()
  await served.settled()
  await served.chain.mine()
  await served.exchange.settle()
  expect(await open()).toBe(0)
})

test('a change of the gateway’s port keeps its switch, and a change of its switch keeps its port, even if both come at once', async () => {
  await served.gateway().set({ isOn: false })
  const port = await freePort()
  await Promise.all([served.handlers()['gateway.set']({ port, callsPerSecond: 50 }), served.handlers()['gateway.set']({ isOn: true })])
  expect(await served.status()).toMatchObject({ isOn: true, port, callsPerSecond: 50, hostUrl: `http://127.0.0.1:${port}` })
})

test('while the gateway is off, it holds no key', async () => {
  expect((await bot.call('/api/dex/v1/account')).status).toBe(200)
  for (const account of [...served.secrets.entries.keys()]) await served.secrets.delete(account)
  served.rest()
  expect((await bot.call('/api/dex/v1/account')).status).toBe(200)
  await served.gateway().set({ isOn: false, port: 0, callsPerSecond: 1_000 })
  await served.gateway().set({ isOn: true, port: 0, callsPerSecond: 1_000 })
  expect(code(await bot.call('/api/dex/v1/account'))).toBe('GATEWAY_NO_KEY')
})

test('after one key’s 429, its bots wait; a bot of another key and the user’s own order do not [LIM-02]', async () => {
  const second = await served.createKey('second')
  const policy = await policyOf(bot)
  value(await served.handlers()['gateway.addBot']({ label: 'other', keyId: second, scopes: ['account:read'], expiresInDays: null, policy }))
  const token = served.revealed.at(-1)?.reveal() ?? ''
  const ticket = await served.ticket()
  served.faults.answer.push({ route: 'GET /api/dex/v1/account', status: 429, code: 'RATE_LIMITED', times: 1, retryAfterSeconds: 30 })
  expect((await bot.call('/api/dex/v1/account')).status).toBe(429)
  const answer = await bot.call('/api/dex/v1/account')
  expect([code(answer), answer.headers['retry-after']]).toEqual(['GATEWAY_WAITING', '30'])
  const started = served.clock.monotonic()
  expect((await callAt(await hostUrl(), '/api/dex/v1/account', { token })).status).toBe(200)
  expect((await bot.call('/api/dex/config')).status).toBe(200)
  value(await served.handlers()['intents.prepare'](ticket))
  expect(served.clock.monotonic() - started).toBeLessThan(10_000)
})
