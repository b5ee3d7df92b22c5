import { afterEach, beforeEach, expect, test } from 'vitest'
import { bindExecutor, type Executing, executePath, executeRoute, startExecuting } from '../../../../e2e/support/main/executing.ts'
import { failure, value } from '../../../../e2e/support/main/workspace.ts'
import type { DelegatedItem, LimitTicket, StopTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { noticeText } from '../../../../shared/text/notice-text.ts'

let workspace: Executing
beforeEach(async () => {
  workspace = await startExecuting()
})
afterEach(() => workspace.stop())

const opening = {
  pairId: 1,
  side: 'long',
  marginMode: 'isolated',
  leverage: 10,
  orderValueUsdc: '1000',
  takeProfit: null,
  stopLoss: null,
} as const
const limit = (limitPrice: string, change: Partial<LimitTicket> = {}): LimitTicket => ({
  ...{ ...opening, orderType: 'limit', limitPrice, timeInForce: 'gtc', postOnly: false },
  ...change,
})
const stop = (triggerPrice: string): StopTicket => ({ ...opening, orderType: 'stop', triggerPrice, timeInForce: 'gtc' })
const sent = () =>
  workspace.sentTo(executePath).map(({ body }) => JSON.parse(body ?? '') as { action: string; payload: Record<string, unknown>; prepare_only?: boolean })
const positions = async () => value(await workspace.handlers()['account.positions']({ watch: null })).positions
const done = { intent: { state: 'FINAL', way: 'executor', reason: null }, execution: { state: 'executed', commandId: expect.stringMatching(/^cmd_/) } }
/** A limit order so far from the market price that it stays open. */
const resting = { action: 'create_limit', order: limit('50000') } as const
const market = async (change = {}): Promise<DelegatedItem> => ({
  action: 'open_market',
  order: { ...opening, ...(await workspace.ticket()), marginMode: 'isolated', leverage: 10, orderValueUsdc: '1000', maxSlippageBps: 100, ...change },
})

test('the executor can open, increase, reduce, invert and close a position [ORD-13]', async () => {
  expect(await workspace.carryOut(await market())).toMatchObject(done)
  const first = await workspace.position()
  expect(first).toMatchObject({ pairId: 1, side: 'long' })
  expect(await workspace.carryOut({ action: 'increase', position: first, orderValueUsdc: '500', ...(await workspace.atMarket()) })).toMatchObject(done)
  const increased = await workspace.position()
  expect(Number(increased.size) / Number(first.size)).toBeCloseTo(1.5, 2)
  expect(await workspace.carryOut({ action: 'reduce', position: increased, size: '0.002', ...(await workspace.atMarket()) })).toMatchObject(done)
  const reduced = await workspace.position()
  expect(Number(increased.size) - Number(reduced.size)).toBeCloseTo(0.002, 6)
  expect(await workspace.carryOut({ action: 'invert', position: reduced, ...(await workspace.atMarket()) })).toMatchObject(done)
  const inverted = await workspace.position()
  expect(inverted.side).toBe('short')
  expect(await workspace.carryOut({ action: 'close', position: inverted, ...(await workspace.atMarket()) })).toMatchObject(done)
  expect(await positions()).toEqual([])
  const fills = () =>
    workspace.events.flatMap((event) =>
      event.type === 'notice' && event.notice.code === 'intent' && event.notice.state === 'FINAL' ? [event.notice.fill] : [],
    )
  await expect
    .poll(fills, { message: 'each notice states what its order traded' })
    .toEqual(Array(5).fill(expect.objectContaining({ base: 'BTC', price: expect.any(String) })))
  const { intents } = value(await workspace.handlers()['intents.list']({ beforeMs: null, limit: 10 }))
  expect(intents.filter(({ fill }) => fill !== undefined)).toHaveLength(5)
})

test('the executor can set and clear TP/SL, and change margin and leverage of a position [ORD-13]', async () => {
  await workspace.carryOut(await market())
  const position = await workspace.position()
  expect(await workspace.carryOut({ action: 'set_tp', position, price: '150000' })).toMatchObject(done)
  expect(await workspace.carryOut({ action: 'set_sl', position, price: '50000' })).toMatchObject(done)
  expect(await workspace.position()).toMatchObject({ takeProfit: '150000', stopLoss: '50000' })
  expect(await workspace.carryOut({ action: 'clear_tp', position })).toMatchObject(done)
  expect(await workspace.position()).toMatchObject({ takeProfit: null, stopLoss: '50000' })
  expect(await workspace.carryOut({ action: 'clear_sl', position })).toMatchObject(done)
  expect(await workspace.position()).toMatchObject({ takeProfit: null, stopLoss: null })
  const [before] = await positions()
  expect(await workspace.carryOut({ action: 'isolated_manage', position, change: { marginDeltaUsdc: '50' } })).toMatchObject(done)
  expect(await workspace.carryOut({ action: 'isolated_manage', position, change: { marginDeltaUsdc: '-20' } })).toMatchObject(done)
  const [after] = await positions()
  expect(Number(after?.marginUsdc) - Number(before?.marginUsdc)).toBeCloseTo(30, 0)
  expect(await workspace.carryOut({ action: 'isolated_manage', position, change: { leverage: 5 } })).toMatchObject(done)
  expect((await positions())[0]).toMatchObject({ leverage: '5' })
})

test('the executor can place, change and cancel orders [ORD-13]', async () => {
  const placed = await workspace.carryOut(resting)
  expect(placed).toMatchObject(done)
  const order = await workspace.order()
  expect(placed.execution.items).toMatchObject([{ index: 0, action: 'create_limit', state: 'executed', orderId: order.orderId }])
  expect(await workspace.carryOut({ action: 'replace', order, limitPrice: '51000' })).toMatchObject(done)
  expect(await workspace.order()).toMatchObject({ orderId: order.orderId, limitPrice: '51000' })
  expect(await workspace.carryOut({ action: 'cancel', order })).toMatchObject(done)
  await expect(workspace.order()).rejects.toThrow('No order is open')
  expect(await workspace.carryOut({ action: 'create_stop', order: stop('150000') })).toMatchObject(done)
  expect(await workspace.order()).toMatchObject({ triggerPrice: '150000' })
  expect(await workspace.carryOut({ action: 'open_position', order: limit('40000', { side: 'long' }) })).toMatchObject(done)
  expect(value(await workspace.handlers()['account.orders']({ watch: null })).orders.filter(({ status }) => status === 'open')).toHaveLength(2)
})

test('the app sends a batch to the executor as one command; the actions that can succeed are executed, and the app shows why others failed [ORD-13]', async () => {
  await workspace.carryOut(await market())
  const position = await workspace.position()
  await workspace.carryOut(resting)
  const order = await workspace.order()
  // The last cancellation must fail, because an earlier action of the same ticket has already cancelled this order.
  const { intent, execution } = await workspace.carryOut({
    action: 'batch',
    items: [
      { action: 'set_sl', position, price: '50000' },
      { action: 'cancel', order },
      { action: 'cancel', order },
    ],
  })
  expect(intent).toMatchObject({ action: 'batch', title: { code: 'batch', actions: 3 }, state: 'FINAL', pairId: 1, side: 'long' })
  expect(intent.reason).toEqual({ code: 'partly_executed', actions: 3, failed: 1, raw: expect.any(String) })
  const told = workspace.events.flatMap((event) => (event.type === 'notice' ? [{ ...noticeText(event.notice), severity: event.severity }] : []))
  expect(told.filter(({ title }) => title === 'Batch of 3 actions')).toEqual([
    expect.objectContaining({ severity: 'warn', text: expect.stringMatching(/^2 of 3 actions took effect\. 1 failed\. The\w* \S+/) }),
  ])
  expect(execution).toMatchObject({ state: 'partially_executed', keyLabel: 'bot', executor: 'exec-fra-1' })
  expect(execution.items.map(({ index, action, state }) => [index, action, state])).toEqual([
    [0, 'set_sl', 'executed'],
    [1, 'cancel', 'executed'],
    [2, 'cancel', 'failed'],
  ])
  expect(execution.items[2]?.reason).toEqual(expect.any(String))
  expect(sent().filter(({ action }) => action === 'batch')).toHaveLength(1)
})

test('if all actions of an executor batch fail, the batch becomes REVERTED, and the app shows the reason [ORD-13]', async () => {
  await workspace.carryOut(resting)
  const order = await workspace.order()
  const first = value(await workspace.execute({ action: 'cancel', order }))
  const second = value(await workspace.execute({ action: 'cancel', order }))
  await workspace.chain.mine(9)
  await workspace.tick()
  expect((await workspace.intent(first.ref)).state).toBe('FINAL')
  const failed = await workspace.intent(second.ref)
  expect(failed.state).toBe('REVERTED')
  expect(failed.reason).toEqual({ code: 'nothing_executed', raw: expect.any(String) })
})

test('each order for an executor has its own idempotency key, which the app journals before sending and sends only in the request’s payload [ORD-13] [ORD-06]', async () => {
  const first = value(await workspace.execute(resting))
  const second = value(await workspace.execute({ action: 'create_limit', order: limit('49000') }))
  const keys = sent().map(({ payload }) => payload.idempotency_key)
  expect(keys).toEqual([expect.stringMatching(/^desk-[0-9a-f]{32}$/), expect.stringMatching(/^desk-[0-9a-f]{32}$/)])
  expect(new Set(keys).size).toBe(2)
  expect(workspace.sentTo(executePath).map(({ headers }) => Object.keys(headers).filter((name) => name.toLowerCase() === 'idempotency-key'))).toEqual([[], []])
  for (const [index, { ref }] of [first, second].entries()) expect(workspace.journal().intents.get(ref)?.body).toBe(workspace.sentTo(executePath)[index]?.body)
  const { timeline } = value(await workspace.handlers()['intents.get']({ ref: first.ref }))
  expect(timeline.map(({ state }) => state)).toEqual(['PLANNED', 'SENT', 'SUBMITTED'])
})

test('a dry run of an executor order has its own idempotency key and submits nothing, so that the order can be sent afterwards [ORD-13]', async () => {
  const ticket = { action: 'batch', items: [resting, { action: 'create_stop', order: stop('150000') }] } as const
  const run = value(await workspace.handlers()['intents.dryRun']({ ticket: { ...ticket, items: [...ticket.items] }, keyId: null }))
  expect(run).toMatchObject({
    valid: true,
    failure: null,
    submittedCommandId: null,
    items: [
      { index: 0, verdict: 'valid' },
      { index: 1, verdict: 'valid' },
    ],
  })
  expect(value(await workspace.handlers()['intents.list']({ beforeMs: null, limit: 10 })).intents).toEqual([])
  const batch = await workspace.carryOut({ ...ticket, items: [...ticket.items] })
  expect(batch).toMatchObject(done)
  expect((await workspace.intent(batch.intent.ref)).batchState).toBe('executed')
  const [dry, order] = sent()
  expect([dry?.prepare_only, order?.prepare_only]).toEqual([true, undefined])
  expect(dry?.payload.idempotency_key).not.toBe(order?.payload.idempotency_key)
})

test('in a dry run of a batch, the app names the action that the service refuses, and does not judge the batch’s other actions [ORD-13]', async () => {
  await workspace.carryOut(await market())
  // This take profit is on the wrong side of the market price. The app does not check that, so the service must refuse it.
  const passed = { action: 'set_tp' as const, position: await workspace.position(), price: '100' }
  const run = value(await workspace.handlers()['intents.dryRun']({ ticket: { action: 'batch', items: [resting, passed, resting] }, keyId: null }))
  expect(run.valid).toBe(false)
  expect(run.items.map(({ verdict }) => verdict)).toEqual(['untold', 'refused', 'untold'])
  expect(run.items[1]?.issue).toMatch(/actions\.1/)
  workspace.faults.dropAnswer = [{ route: executeRoute, times: 9 }]
  expect(failure(await workspace.handlers()['intents.dryRun']({ ticket: resting, keyId: null })).kind).toBe('unreachable')
})

test('if the chosen key has no executor, the app names the key and executes nothing with it [ORD-14]', async () => {
  value(
    await workspace
      .handlers()
      ['keys.createCustom']({ label: 'bare', scopes: ['account:read', 'trade:execute'], expiresInDays: 30, ipAllowlist: [], quotas: [] }),
  )
  const keyId = value(await workspace.handlers()['keys.list']({})).keys.find(({ label }) => label === 'bare')?.id ?? ''
  expect(failure(await workspace.execute(resting, keyId))).toMatchObject({ kind: 'executor_required', keyLabel: 'bare', keyId })
  const [refused] = value(await workspace.handlers()['intents.list']({ beforeMs: null, limit: 1 })).intents
  expect(refused).toMatchObject({ state: 'REFUSED', reason: { code: 'no_executor' } })
  // If the user specifies no key, the app uses the key that has an executor.
  expect(value(await workspace.execute(resting)).state).toBe('SUBMITTED')
  await bindExecutor(workspace, 'bare')
  expect(value(await workspace.execute(resting, keyId)).state).toBe('SUBMITTED')
})

test('before sending a batch, the app reports the scope that one of the batch’s actions needs and the key lacks [AUTH-04]', async () => {
  value(
    await workspace
      .handlers()
      ['keys.createCustom']({ label: 'opener', scopes: ['account:read', 'trade:execute'], expiresInDays: 30, ipAllowlist: [], quotas: [] }),
  )
  const keyId = await bindExecutor(workspace, 'opener')
  const order = {
    orderId: 'ord_1',
    pairId: 1,
    symbol: null,
    side: null,
    orderValueUsdc: null,
    limitPrice: null,
    triggerPrice: null,
    takeProfit: null,
    stopLoss: null,
  }
  for (const ticket of [{ action: 'cancel', order } as const, { action: 'batch' as const, items: [resting, { action: 'cancel' as const, order }] }])
    expect(failure(await workspace.execute(ticket, keyId))).toEqual({ kind: 'scope_missing', scope: 'orders:manage', keyLabel: 'opener' })
  expect(sent()).toEqual([])
  expect(value(await workspace.execute(resting, keyId)).state).toBe('SUBMITTED')
})

test('if an executor order breaks a market rule, the app reports this before it writes the order to the journal [ORD-04]', async () => {
  const ticket = { action: 'batch' as const, items: [resting, { action: 'create_limit' as const, order: limit('50000', { leverage: 1_000 }) }] }
  expect(failure(await workspace.execute(ticket))).toMatchObject({ kind: 'bad_input', field: 'items.1.leverage' })
  expect(sent()).toEqual([])
})

test('if no wallet is connected, an executor order is placed for the wallet that was last connected [ORD-13]', async () => {
  value(await workspace.handlers()['wallet.report'](null))
  const methods = value(await workspace.handlers()['intents.methods']({ ticket: limit('50000') }))
  expect(methods).toMatchObject({
    wallet: { why: { code: 'no_wallet' } },
    executors: [{ label: 'bot', why: null }],
    preferred: { by: 'executor' },
  })
  expect(value(await workspace.execute(resting)).state).toBe('SUBMITTED')
})

test('the app says for each execution method whether it can be used or why not, and selects wallet signing if a wallet is connected [GEN-06]', async () => {
  const methods = async (ticket: Parameters<ReturnType<Executing['handlers']>['intents.methods']>[0]['ticket']) =>
    value(await workspace.handlers()['intents.methods']({ ticket }))
  const bare = value(
    await workspace
      .handlers()
      ['keys.createCustom']({ label: 'bare', scopes: ['account:read', 'trade:execute'], expiresInDays: 30, ipAllowlist: [], quotas: [] }),
  ).id
  const open = await methods(limit('50000'))
  expect(open).toMatchObject({ wallet: { why: null }, preferred: { by: 'wallet' }, why: null })
  expect(open.executors.find(({ label }) => label === 'bot')).toMatchObject({ executor: 'exec-fra-1', why: null })
  expect(open.executors.find(({ keyId }) => keyId === bare)).toMatchObject({ why: { code: 'no_executor', label: 'bare' } })
  expect(await methods({ action: 'add_collateral', token: 'USDC', amount: '1', permit: false })).toMatchObject({
    ...{ executors: [], why: { code: 'not_delegated', issue: ['executorNoCollateral'] }, preferred: { by: 'wallet' } },
  })
})

test('the app reads an executor command’s status only from the profile’s own host, even if the service returns a status URL on another host [ORD-13]', async () => {
  workspace.faults.delegated = 'foreign_status_url'
  expect(await workspace.carryOut(resting)).toMatchObject(done)
  expect(workspace.sent.filter(({ path }) => path.includes('/executions/cmd_')).length).toBeGreaterThan(0)
})

test('if the service returns no command id for an executor order, the app follows the order by its transaction [FLOW-06]', async () => {
  workspace.faults.delegated = 'no_command_id'
  const { intent, execution } = await workspace.carryOut(resting)
  expect(intent).toMatchObject({ state: 'FINAL', commandId: null })
  expect(execution).toMatchObject({ commandId: null, state: null, items: [{ index: 0, state: null }] })
})

test('the app blocks a batch if one of its actions exceeds a risk limit, but still sends a single close to the executor [ORD-13]', async () => {
  await workspace.carryOut(await market())
  const limits = { orderValueUsdc: '900', leverage: null, dailyLossUsdc: null, markets: null }
  value(await workspace.handlers()['riskLimits.save']({ limits, typed: null }))
  const before = sent().length
  const position = await workspace.position()
  const close = { action: 'close' as const, position, ...(await workspace.atMarket()) }
  expect(failure(await workspace.execute(resting))).toMatchObject({ kind: 'guard_rail', rail: 'order_value', asked: '1000' })
  expect(failure(await workspace.execute({ action: 'batch', items: [close, resting] })).kind).toBe('guard_rail')
  expect(sent()).toHaveLength(before)
  expect(await workspace.carryOut(close)).toMatchObject(done)
})
