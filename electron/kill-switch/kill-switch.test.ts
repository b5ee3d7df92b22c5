import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { preparePath, startTrader, type Trader } from '../../e2e/support/main/trader.ts'
import { agreed, failure, value } from '../../e2e/support/main/workspace.ts'
import type { Output } from '../../shared/ipc/contract.ts'
import type { BulkActionKind, KnownBulkAction } from '../../shared/ipc/intents/kill-switch.ts'
import type { LimitTicket, OrderTicket } from '../../shared/ipc/intents/tickets.ts'
import { bulkActionPhrases } from '../../shared/phrases.ts'
import { minute, second } from '../../shared/time.ts'
import { raw } from '../store/records/raw.ts'

let workspace: Trader
beforeEach(async () => {
  workspace = await startTrader()
})
afterEach(() => workspace.stop())

type Next = NonNullable<Output<'bulkActions.next'>['order']>

const start = (kind: BulkActionKind, keyIds: string[] = [], typed = bulkActionPhrases[kind]) =>
  workspace.handlers()['bulkActions.start']({ kind, by: { way: 'wallet' }, keyIds, typed })
const state = async () => value(await workspace.handlers()['bulkActions.state']({}))
const known = async (): Promise<KnownBulkAction> => {
  const now = await state()
  if (now.state === 'idle') throw new Error('There is no bulk action')
  return now
}
const steps = async () => (await known()).steps.map(({ kind, state: of }) => `${kind} ${of}`)
const next = async () => value(await workspace.handlers()['bulkActions.next']({})).order
const mustNext = async (): Promise<Next> => {
  const order = await next()
  if (order === null) throw new Error('No step is left')
  return order
}
const positions = async () => value(await workspace.handlers()['account.positions']({ watch: null })).positions
const ask = async ({ prepared }: Next) =>
  workspace.sign(value(await workspace.handlers()['intents.ask']({ ref: prepared.intent.ref, typedPhrase: null, typedRouter: 'yes' })))
async function sign(order: Next): Promise<void> {
  value(await workspace.handlers()['intents.answered']({ ref: order.prepared.intent.ref, answer: await ask(order) }))
  await workspace.chain.mine()
}
async function finish(): Promise<void> {
  await workspace.chain.mine(9)
  for (let looks = 0; looks < 6; looks += 1) await workspace.tick()
}
async function open(...pairIds: number[]): Promise<void> {
  for (const pairId of pairIds) {
    const { ref, signature } = await workspace.asked({ pairId })
    value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
    await workspace.chain.mine()
  }
  expect(await positions()).toHaveLength(pairIds.length)
}
const keyIds = async () => value(await workspace.handlers()['keys.list']({})).keys.flatMap(({ id, status }) => (status === 'active' ? [id] : []))
const revoked = () => workspace.exchange.effects().keys.filter(({ status }) => status === 'revoked').length

test('the kill switch closes positions at market with one signature each; a close is done once the account no longer lists the position [ORD-05]', async () => {
  await open(1, 2, 3)
  expect(await state()).toEqual({ state: 'idle' })
  value(await start('close_all'))
  expect(await steps()).toEqual(['close waiting', 'close waiting', 'close waiting'])
  for (let at = 0; at < 3; at += 1) {
    const order = await mustNext()
    expect(order.ticket).toMatchObject({ action: 'close_position_market', size: null, maxSlippageBps: 100 })
    expect((await known()).steps.find(({ id }) => id === order.stepId)).toMatchObject({ state: 'asking', ref: order.prepared.intent.ref })
    await sign(order)
  }
  expect(await next()).toBeNull()
  expect((await steps()).every((step) => step === 'close sent')).toBe(true)
  expect(await known()).toMatchObject({ state: 'open', endedAtMs: null, revocation: null })
  await finish()
  expect(await steps()).toEqual(['close done', 'close done', 'close done'])
  expect(await known()).toMatchObject({ state: 'done', endedAtMs: expect.any(Number) })
  expect((await known()).steps.every(({ txHash }) => txHash !== null)).toBe(true)
  expect(await positions()).toEqual([])
})

test('the kill switch starts only with the typed phrase and if an order or position is open; the app allows only one run at a time', async () => {
  expect(failure(await start('close_all', [], 'close'))).toEqual({ kind: 'bad_input', field: 'typed', issue: 'type_word close all' })
  expect(failure(await start('close_all'))).toEqual({ kind: 'not_found', what: 'open position' })
  expect(failure(await start('cancel_all'))).toEqual({ kind: 'not_found', what: 'open order' })
  expect(failure(await workspace.handlers()['bulkActions.next']({}))).toEqual({ kind: 'not_found', what: 'bulk action' })
  await open(1)
  value(await start('close_all'))
  expect(failure(await start('close_all'))).toMatchObject({ kind: 'wrong_state', state: 'open' })
  expect(await state()).toMatchObject({ state: 'open' })
})

test('the kill switch skips positions that closed during its run, and also closes positions that were opened during its run', async () => {
  await open(1, 2)
  value(await start('close_all'))
  const [first, second] = (await known()).steps
  const gone = (await positions()).find(({ id }) => id === first?.subject)
  const ticket: OrderTicket = {
    ...{ action: 'close_position_market', size: null, referencePrice: gone?.markPrice ?? '0', maxSlippageBps: 100 },
    position: { positionId: gone?.id ?? '', pairId: gone?.pairId ?? 0, symbol: null, side: 'long', size: gone?.size ?? null, takeProfit: null, stopLoss: null },
  }
  const prepared = value(await workspace.handlers()['intents.prepare'](ticket))
  await sign({ stepId: '', ticket, prepared })
  const { ref, signature } = await workspace.asked({ pairId: 3 })
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.chain.mine()
  const order = await mustNext()
  expect(order.stepId).toBe(second?.id)
  expect(await steps()).toEqual(['close gone', 'close asking', 'close waiting'])
  await sign(order)
  await sign(await mustNext())
  await finish()
  expect(await steps()).toEqual(['close gone', 'close done', 'close done'])
  expect(await positions()).toEqual([])
})

test('if the phone rejects one of several closes, the kill switch continues, and lets the user retry or skip that close', async () => {
  await open(1, 2, 3)
  value(await start('close_all'))
  const first = await mustNext()
  await ask(first)
  value(await workspace.handlers()['intents.declined']({ ref: first.prepared.intent.ref, why: 'rejected', detail: null }))
  const second = await mustNext()
  expect(second.stepId).not.toBe(first.stepId)
  expect((await known()).steps.find(({ id }) => id === first.stepId)).toMatchObject({
    state: 'failed',
    detail: { code: 'intent', reason: { code: 'rejected_on_phone' } },
  })
  await sign(second)
  const third = await mustNext()
  value(await workspace.handlers()['intents.declined']({ ref: third.prepared.intent.ref, why: 'rejected', detail: null }))
  expect(await next()).toBeNull()
  await finish()
  expect(await known()).toMatchObject({ state: 'open' })
  value(await workspace.handlers()['bulkActions.skip']({ stepId: third.stepId }))
  value(await workspace.handlers()['bulkActions.again']({ stepId: first.stepId }))
  const again = await mustNext()
  expect(again.stepId).toBe(first.stepId)
  expect(again.prepared.intent.ref).not.toBe(first.prepared.intent.ref)
  await sign(again)
  await finish()
  expect((await steps()).toSorted()).toEqual(['close done', 'close done', 'close skipped'])
  expect(await known()).toMatchObject({ state: 'done' })
  expect(await positions()).toHaveLength(1)
})

test('if the service refuses to prepare the close of a position, the kill switch shows the reason and continues with its next step [ORD-10]', async () => {
  await open(1, 2)
  value(await start('close_all'))
  workspace.faults.answer = [{ route: 'POST /api/dex/v1/orders/prepare', status: 422, code: 'MARKET_HALTED', times: 1 }]
  await sign(await mustNext())
  expect((await known()).steps[0]).toMatchObject({ state: 'failed', detail: { code: 'refused', by: 'MARKET_HALTED' } })
  await finish()
  expect(await steps()).toEqual(['close failed', 'close done'])
})

test('while the service or the wallet is unreachable, the kill switch marks no step as failed; it continues once they respond again', async () => {
  await open(1)
  value(await start('close_all'))
  value(await workspace.handlers()['wallet.report'](null))
  expect(failure(await workspace.handlers()['bulkActions.next']({}))).toEqual({ kind: 'no_wallet' })
  await workspace.connect()
  workspace.faults.answer = [{ route: 'POST /api/dex/v1/orders/prepare', status: 503, code: 'AWAY', times: 100 }]
  expect(failure(await workspace.handlers()['bulkActions.next']({}))).toMatchObject({ kind: 'outcome_unknown' })
  expect(await steps()).toEqual(['close waiting'])
  workspace.faults.answer = []
  workspace.clock.advance(minute)
  await sign(await mustNext())
  await finish()
  expect(await steps()).toEqual(['close done'])
})

const shut = (...routes: string[]) => {
  workspace.faults.answer = routes.map((route) => ({ route, status: 429, code: 'RATE_LIMITED', times: 1_000, retryAfterSeconds: 8 }))
}
const accountReads = ['positions', 'orders', 'summary', 'markets'].map((path) => `GET /api/dex/v1/${path}`)

test('if the account cannot be read, the kill switch prepares the close of each position at once, from its last known state and price [FLOW-03, LIM-02]', async () => {
  await open(1)
  value(await start('close_all'))
  shut(...accountReads)
  const before = workspace.clock.monotonic()
  const order = await mustNext()
  expect(order.ticket).toMatchObject({ action: 'close_position_market', position: { side: 'long' } })
  expect(workspace.clock.monotonic() - before).toBeLessThan(second)
  await sign(order)
  workspace.faults.answer = []
  workspace.clock.advance(minute)
  await finish()
  expect(await steps()).toEqual(['close done'])
})

test('the kill switch starts even if it cannot list orders and positions, reports the failure, and can still revoke the keys [KEY-09]', async () => {
  const ids = await keyIds()
  await open(1)
  await workspace.restart()
  await workspace.connect()
  shut(...accountReads)
  const before = workspace.clock.monotonic()
  value(await start('kill', ids))
  expect(workspace.clock.monotonic() - before).toBeLessThan(second)
  expect((await known()).steps.map(({ kind, state: of, subject }) => [kind, of, subject])).toEqual([
    ['cancel', 'failed', ''],
    ['close', 'failed', ''],
  ])
  expect(revoked()).toBe(0)
  value(await workspace.handlers()['bulkActions.revoke']({ keyIds: ids }))
  await expect.poll(async () => (await known()).revocation?.state, { timeout: 10_000 }).toBe('done')
  expect(revoked()).toBe(ids.length)
})

test('the kill switch adds orders and positions that were unreadable at its start as soon as it can read them [FLOW-03]', async () => {
  await open(1)
  await workspace.restart()
  await workspace.connect()
  shut(...accountReads)
  value(await start('kill', await keyIds()))
  workspace.faults.answer = []
  workspace.clock.advance(minute)
  const order = await mustNext()
  expect(await steps()).toEqual(['cancel gone', 'close gone', 'close asking'])
  await sign(order)
  await finish()
  expect(await positions()).toEqual([])
})

test('the kill switch cancels an order by its id if the order list becomes unreadable after the kill switch started [FLOW-03]', async () => {
  const limit: LimitTicket = {
    ...{ pairId: 1, side: 'long', orderType: 'limit', marginMode: 'cross', leverage: 5, orderValueUsdc: '50', limitPrice: '50000', timeInForce: 'gtc' },
    ...{ postOnly: false, takeProfit: null, stopLoss: null },
  }
  const { ref } = value(await workspace.handlers()['intents.prepare'](limit)).intent
  const signature = await workspace.sign(value(await workspace.handlers()['intents.ask']({ ref, ...agreed })))
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.chain.mine()
  value(await start('cancel_all'))
  const subject = (await known()).steps[0]?.subject
  await workspace.restart()
  await workspace.connect()
  shut(...accountReads)
  expect(await mustNext()).toMatchObject({ ticket: { action: 'cancel_order', order: { orderId: subject, pairId: null, side: null } } })
})

test('after a crash, the kill switch tracks the close orders that it already requested, and continues with the remaining steps', async () => {
  await open(1, 2, 3)
  value(await start('close_all'))
  const first = await mustNext()
  await sign(first)
  const second = await mustNext()
  await workspace.restart()
  await workspace.connect()
  expect(value(await workspace.handlers()['app.attention']({})).find(({ kind }) => kind === 'bulk_action_unfinished')).toMatchObject({
    severity: 'danger',
    bulkAction: 'close_all',
    left: 3,
    of: 3,
    to: '/trade/stop',
  })
  const prepares = workspace.sentTo(preparePath).length
  const resumed = await mustNext()
  expect(resumed).toMatchObject({ stepId: second.stepId, prepared: { intent: { ref: second.prepared.intent.ref } } })
  expect(workspace.sentTo(preparePath)).toHaveLength(prepares)
  await sign(resumed)
  await sign(await mustNext())
  await finish()
  expect(await steps()).toEqual(['close done', 'close done', 'close done'])
  expect(await positions()).toEqual([])
})

test('if a kill switch order is prepared again at a new price, the kill switch links the new preparation to the same step only', async () => {
  await open(1, 2)
  value(await start('close_all'))
  const first = await mustNext()
  const anew = value(
    await workspace.handlers()['intents.reprice']({ ref: first.prepared.intent.ref, referencePrice: (await positions())[0]?.markPrice ?? '0' }),
  )
  const other = (await known()).steps.find(({ id }) => id !== first.stepId)
  expect(failure(await workspace.handlers()['bulkActions.took']({ stepId: other?.id ?? '', ref: anew.intent.ref }))).toMatchObject({ kind: 'bad_input' })
  value(await workspace.handlers()['bulkActions.took']({ stepId: first.stepId, ref: anew.intent.ref }))
  await sign({ ...first, prepared: anew })
  await sign(await mustNext())
  await finish()
  expect(await steps()).toEqual(['close done', 'close done'])
})

test('the kill switch revokes the keys only after all orders and positions are gone [KEY-09]', async () => {
  await open(1)
  const ids = await keyIds()
  value(await start('kill', ids))
  const order = await mustNext()
  await sign(order)
  await workspace.tick()
  expect(revoked()).toBe(0)
  expect(await known()).toMatchObject({ revocation: { state: 'waiting', total: ids.length, left: ids.length } })
  await finish()
  await expect.poll(async () => (await known()).revocation?.state, { timeout: 10_000 }).toBe('done')
  expect(revoked()).toBe(ids.length)
  await workspace.tick()
  expect(await known()).toMatchObject({ state: 'done', revocation: { revoked: ids.length, left: 0 } })
})

test('the kill switch continues even if its progress cannot be saved because the disk is full [KEY-09]', async () => {
  await open(1)
  const ids = await keyIds()
  const { values } = workspace.journal()[raw]
  const { set } = values
  Object.assign(values, {
    set: (...[name, ...rest]: Parameters<typeof set>) => {
      if (/^(sweep|panic)\//.test(name)) throw new Error('database or disk is full')
      set(name, ...rest)
    },
  })
  value(await start('kill', ids))
  await sign(await mustNext())
  await finish()
  await expect.poll(async () => (await known()).revocation?.state, { timeout: 10_000 }).toBe('done')
  expect(await steps()).toEqual(['close done'])
  expect(revoked()).toBe(ids.length)
})

test('during a kill switch run, the user can revoke the keys at any time, even while the wallet does not respond [KEY-09]', async () => {
  await open(1, 2)
  const ids = await keyIds()
  value(await start('kill', ids))
  await ask(await mustNext())
  value(await workspace.handlers()['bulkActions.revoke']({ keyIds: ids }))
  await expect.poll(async () => (await known()).revocation?.state, { timeout: 10_000 }).toBe('done')
  expect(revoked()).toBe(ids.length)
  expect(await known()).toMatchObject({ state: 'open' })
  value(await workspace.handlers()['bulkActions.end']({}))
  expect(await known()).toMatchObject({ state: 'done' })
})

test('the kill switch revokes the keys immediately if there are no open orders or positions [KEY-09]', async () => {
  const ids = await keyIds()
  value(await start('kill', ids))
  await expect.poll(async () => (await known()).revocation?.state, { timeout: 10_000 }).toBe('done')
  expect(revoked()).toBe(ids.length)
})

test('if no wallet is connected, the kill switch cannot revoke the keys, shows that reason and waits for the user [AUTH-08]', async () => {
  const ids = await keyIds()
  await open(1)
  value(await start('kill', ids))
  await sign(await mustNext())
  value(await workspace.handlers()['wallet.report'](null))
  await finish()
  expect(await known()).toMatchObject({ state: 'open', revocation: { state: 'waiting', failure: { kind: 'no_wallet' } } })
  await workspace.connect()
  value(await workspace.handlers()['bulkActions.revoke']({ keyIds: ids }))
  await expect.poll(async () => (await known()).revocation?.state, { timeout: 10_000 }).toBe('done')
})

test('the report of the kill switch is a table that lists every step and every key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bulk-action-'))
  try {
    expect(failure(await workspace.handlers()['bulkActions.saveReport']({}))).toEqual({ kind: 'not_found', what: 'bulk action' })
    await open(1)
    const ids = await keyIds()
    value(await start('kill', ids))
    await sign(await mustNext())
    await finish()
    await expect.poll(async () => (await known()).revocation?.state, { timeout: 10_000 }).toBe('done')
    const path = join(folder, 'report.csv')
    workspace.chosenFiles.push(path)
    expect(value(await workspace.handlers()['bulkActions.saveReport']({}))).toEqual({ path })
    const [header, close, revoke] = (await readFile(path, 'utf8')).split('\r\n')
    expect(header).toBe('\ufeffwhat,name,id,outcome,transaction,request id,time,detail')
    expect(close).toMatch(/^close,.*,done,0x[0-9a-f]{64},,20.*Z,$/)
    expect(revoke).toMatch(/^revoke,bot,.*,revoked,,[^,]{8,},20.*Z,$/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('the app shows a kill switch run only to the wallet that started it, and lets no other wallet continue the run [AUTH-03]', async () => {
  await open(1)
  value(await start('close_all'))
  const stranger = privateKeyToAccount(generatePrivateKey())
  await workspace.connect(stranger)
  expect(await state()).toEqual({ state: 'idle' })
  expect(failure(await workspace.handlers()['bulkActions.next']({}))).toEqual({
    kind: 'wrong_wallet',
    wallet: stranger.address,
    expected: workspace.account.address,
  })
})
