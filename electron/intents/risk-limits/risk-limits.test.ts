import { afterEach, beforeEach, expect, test } from 'vitest'
import { preparePath, startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import { compare } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { RiskLimits } from '../../../shared/ipc/intents/risk-limits.ts'
import type { LimitTicket, OrderTicket, SeenPosition } from '../../../shared/ipc/intents/tickets.ts'
import type { Position } from '../../../shared/ipc/reads/account.ts'
import { noLimits } from '../../../shared/limits-draft.ts'
import { day } from '../../../shared/time.ts'
import { raw } from '../../store/records/raw.ts'

let workspace: Trader
beforeEach(async () => {
  workspace = await startTrader()
})
afterEach(() => workspace.stop())

const save = (limits: Partial<RiskLimits>, typed: string | null = null) =>
  workspace.handlers()['riskLimits.save']({ limits: { ...noLimits, ...limits }, typed })
const limits = async () => value(await workspace.handlers()['riskLimits.get']({})).limits
const today = async () => value(await workspace.handlers()['riskLimits.today']({}))
const prepare = (ticket: OrderTicket) => workspace.handlers()['intents.prepare'](ticket)
const positions = async () => value(await workspace.handlers()['account.positions']({ watch: null })).positions
const seen = ({ id, pairId, symbol, side, size, takeProfit, stopLoss }: Position): SeenPosition => ({
  ...{ positionId: id ?? '', pairId, symbol, side, size, takeProfit, stopLoss },
})
const mark = async (pairId = 1) => value(await workspace.handlers()['markets.summary']({ pairId })).summary.mark ?? '0'

async function open(change: Parameters<Trader['asked']>[0] = {}): Promise<Position> {
  const { ref, signature } = await workspace.asked(change)
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.chain.mine()
  const found = (await positions()).find(({ pairId }) => pairId === (change.pairId ?? 1))
  if (found === undefined) throw new Error('No position was opened')
  return found
}
async function close(position: Position): Promise<void> {
  const ticket = {
    action: 'close_position_market',
    position: seen(position),
    size: null,
    referencePrice: await mark(position.pairId),
    maxSlippageBps: 100,
  } as const
  const { ref } = value(await prepare(ticket)).intent
  const request = value(await workspace.handlers()['intents.ask']({ ref, typedPhrase: 'sign this layout', typedRouter: 'yes' }))
  value(await workspace.handlers()['intents.answered']({ ref, answer: await workspace.sign(request) }))
  await workspace.chain.mine()
  // The exchange processes the block only at the next request, at the time of that request.
  await positions()
}
/** Expects that a risk limit blocks the ticket, and that the app sends and journals nothing. */
async function held(ticket: OrderTicket, wanted: Partial<Extract<Failure, { kind: 'guard_rail' }>>): Promise<void> {
  const before = workspace.sentTo(preparePath).length
  const listed = value(await workspace.handlers()['intents.list']({ beforeMs: null, limit: 50 })).total
  expect(failure(await prepare(ticket))).toMatchObject({ kind: 'guard_rail', ...wanted })
  expect(workspace.sentTo(preparePath)).toHaveLength(before)
  expect(value(await workspace.handlers()['intents.list']({ beforeMs: null, limit: 50 })).total).toBe(listed)
}
const limit = (change: Partial<LimitTicket> = {}): LimitTicket => ({
  ...{ pairId: 1, side: 'long', orderType: 'limit', marginMode: 'cross', leverage: 5, orderValueUsdc: '250', limitPrice: '50000', timeInForce: 'gtc' },
  ...{ postOnly: false, takeProfit: null, stopLoss: null },
  ...change,
})

test('the app blocks an order above the user’s size limit, and sends an order of exactly the limit [ORD-04]', async () => {
  value(await save({ orderValueUsdc: '250' }))
  await held(await workspace.ticket({ orderValueUsdc: '250.000001' }), { rail: 'order_value', limit: '250', asked: '250.000001' })
  await held(limit({ orderValueUsdc: '251' }), { rail: 'order_value' })
  expect((await workspace.prepare({ orderValueUsdc: '250' })).ready).toBe(true)
})

test('the app blocks an order whose leverage is above the user’s limit [ORD-04]', async () => {
  value(await save({ leverage: 5 }))
  await held(await workspace.ticket({ leverage: 6 }), { rail: 'leverage', limit: '5', asked: '6' })
  expect((await workspace.prepare({ leverage: 5 })).ready).toBe(true)
})

test('the app blocks an order in a market that the user’s risk limits exclude, and names the market', async () => {
  value(await save({ markets: [1] }))
  const refused = await workspace.ticket({ pairId: 2 })
  await held(refused, { rail: 'market', limit: expect.stringContaining('BTC'), asked: expect.stringContaining('ETH') })
  expect((await workspace.prepare()).ready).toBe(true)
})

test('risk limits treat an inversion as a new order of the position’s size and leverage, and never block closing, TP/SL or adding margin', async () => {
  const position = await open({ orderValueUsdc: '1000', leverage: 10 })
  const invert = { action: 'invert_position', position: seen(position), referencePrice: await mark(), maxSlippageBps: 100 } as const
  value(await save({ orderValueUsdc: '500' }))
  await held(invert, { rail: 'order_value', asked: expect.stringMatching(/^\d{3,4}/) })
  value(await save({ orderValueUsdc: '500', leverage: 5 }))
  value(await save({ leverage: 5 }, 'Practice'))
  await held(invert, { rail: 'leverage', asked: '10' })
  value(await save({ leverage: 5, markets: [2], orderValueUsdc: '1', dailyLossUsdc: '0.000001' }))
  for (const ticket of [
    { action: 'close_position_market', position: seen(position), size: null, referencePrice: await mark(), maxSlippageBps: 100 },
    { action: 'close_position_limit', position: seen(position), size: null, limitPrice: '200000', timeInForce: 'gtc', postOnly: false },
  ] as const)
    expect(value(await prepare(ticket)).intent.state).toBe('PREPARED')
  for (const ticket of [
    { action: 'update_tpsl', position: seen(position), takeProfit: null, stopLoss: null },
    { action: 'add_isolated_margin', position: seen(position), amountUsdc: '5' },
    { action: 'withdraw_collateral', token: 'USDC', amount: '5' },
  ] as const) {
    const answer = await prepare(ticket)
    if (!answer.ok) expect(answer.failure.kind).not.toBe('guard_rail')
  }
})

test('if a position’s new leverage would exceed the limit, the app blocks raising it and withdrawing margin, but allows lowering the leverage', async () => {
  const position = await open({ marginMode: 'isolated', orderValueUsdc: '1000', leverage: 10 })
  value(await save({ leverage: 5, markets: [2] }))
  await held({ action: 'change_isolated_leverage', position: seen(position), leverage: 12 }, { rail: 'market' })
  value(await save({ leverage: 5 }, 'Practice'))
  await held({ action: 'change_isolated_leverage', position: seen(position), leverage: 12 }, { rail: 'leverage', asked: '12' })
  await held({ action: 'reduce_isolated_margin', position: seen(position), amountUsdc: '10' }, { rail: 'leverage', asked: expect.stringMatching(/^11\.\d+$/) })
  // The new leverage exceeds the limit but is lower than before, so the app must allow it.
  const lower = await prepare({ action: 'change_isolated_leverage', position: seen(position), leverage: 8 })
  if (!lower.ok) expect(lower.failure.kind).not.toBe('guard_rail')
  expect(workspace.sentTo(preparePath).at(-1)?.body).toContain('change_isolated_leverage')
})

test('if a position cannot be read, the app blocks an action on it only if a risk limit depends on the position’s values', async () => {
  const position = await open({ leverage: 10 })
  const invert = { action: 'invert_position', position: { ...seen(position), size: null }, referencePrice: await mark(), maxSlippageBps: 100 } as const
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/positions', status: 403, code: 'NO', times: 100 }]
  value(await save({ orderValueUsdc: '500' }))
  await held(invert, { rail: 'order_value', asked: null })
  value(await save({ markets: [1] }, 'Practice'))
  expect(value(await prepare(invert)).intent.state).toBe('PREPARED')
})

test('the user can lower a risk limit without confirmation; raising or removing one requires typing the profile’s name', async () => {
  value(await save({ orderValueUsdc: '500', leverage: 10, dailyLossUsdc: '100', markets: [1, 2] }))
  value(await save({ orderValueUsdc: '400', leverage: 5, dailyLossUsdc: '90', markets: [1] }))
  const tight = { orderValueUsdc: '400', leverage: 5, dailyLossUsdc: '90', markets: [1] }
  for (const looser of [
    { ...tight, orderValueUsdc: '400.1' },
    { ...tight, orderValueUsdc: null },
    { ...tight, leverage: 6 },
    { ...tight, leverage: null },
    { ...tight, dailyLossUsdc: '91' },
    { ...tight, dailyLossUsdc: null },
    { ...tight, markets: [1, 3] },
    { ...tight, markets: [3] },
    { ...tight, markets: null },
  ])
    for (const typed of [null, '', 'practice', 'Practice '])
      expect(failure(await save(looser, typed))).toEqual({ kind: 'bad_input', field: 'typed', issue: 'type_word Practice' })
  expect(await limits()).toEqual(tight)
  value(await save({ ...tight, leverage: 50 }, 'Practice'))
  expect(await limits()).toEqual({ ...tight, leverage: 50 })
  for (const wrong of [{ orderValueUsdc: '0' }, { dailyLossUsdc: '-1' }, { markets: [] }])
    expect(failure(await save(wrong, 'Practice'))).toMatchObject({ kind: 'bad_input', field: Object.keys(wrong)[0] })
})

test('each wallet has its own risk limits, which survive a restart', async () => {
  value(await save({ leverage: 3 }))
  await workspace.restart()
  await workspace.connect()
  expect(await limits()).toEqual({ ...noLimits, leverage: 3 })
  await held(await workspace.ticket({ leverage: 4 }), { rail: 'leverage' })
})

test('if the user lowers a risk limit after an order was prepared, the app requests no signature for an order above the new limit', async () => {
  const { ref } = (await workspace.prepare({ orderValueUsdc: '250' })).intent
  value(await save({ orderValueUsdc: '100' }))
  expect(failure(await workspace.handlers()['intents.ask']({ ref, typedPhrase: 'sign this layout', typedRouter: 'yes' }))).toMatchObject({
    kind: 'guard_rail',
    rail: 'order_value',
  })
})

test('when the day’s realised loss including fees reaches the user’s limit, the app blocks new risk, but lets the user close positions [ACC-01]', async () => {
  expect(await today()).toMatchObject({ known: true, lossUsdc: '0' })
  const position = await open({ orderValueUsdc: '1000' })
  const paid = await today()
  expect(paid).toMatchObject({ known: true, lossUsdc: expect.stringMatching(/^0\.(49|5)/) })
  value(await save({ dailyLossUsdc: '5' }))
  workspace.faults.priceShiftBps = -100
  const other = await open({ pairId: 2 })
  await close(position)
  const lost = await today()
  if (!lost.known) throw new Error(lost.why)
  expect(compare(lost.lossUsdc, '5')).toBe(1)
  await held(await workspace.ticket(), { rail: 'daily_loss', limit: '5', asked: lost.lossUsdc })
  await close(other)
  // The loss counts per day, so it starts at zero the next day.
  workspace.clock.advance(day)
  expect(await today()).toMatchObject({ known: true, lossUsdc: '0' })
})

test.each([
  [
    'a closed position that cannot be read',
    '/positions/history',
    (page: object) => ({ ...page, items: [{ realised_pnl_usdc: '1', closed_at_ms: 4_000_000_000_000 }, 7] }),
  ],
  ['a trade that cannot be read', '/trades', (page: { items: unknown[] }) => ({ ...page, items: [...page.items, 7] })],
  ['more trades without a way to them', '/trades', (page: object) => ({ ...page, has_more: true, next_cursor: null })],
])('the daily loss limit treats the day’s loss as unknown if the service’s answer has %s [ERR-02]', async (_, route, change) => {
  await open({ orderValueUsdc: '1000' })
  expect(await today()).toMatchObject({ known: true })
  await workspace.rewriteAnswers((asked, answer) => {
    if (!asked.endsWith(route)) return answer
    const pages = answer as Record<string, { items: unknown[] }> // the cast is safe: the practice exchange sends this shape
    return Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, name === 'trades' || name === 'history' ? change(page) : page]))
  })
  expect(await today()).toMatchObject({ known: false, why: 'not_added_up' })
})

test('if the day’s loss cannot be read, the app blocks new risk only if a daily loss limit is set, and gives that reason', async () => {
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/positions/history', status: 403, code: 'NO', times: 100 }]
  expect(await today()).toMatchObject({ known: false, why: 'not_told' })
  value(await save({ orderValueUsdc: '500' }))
  expect((await workspace.prepare()).ready).toBe(true)
  value(await save({ orderValueUsdc: '500', dailyLossUsdc: '50' }))
  await held(await workspace.ticket(), { rail: 'daily_loss', limit: '50', asked: null })
  workspace.faults.answer = []
  expect((await workspace.prepare()).ready).toBe(true)
})

test('if a damaged journal lost the risk limits, the app blocks new risk, but no exit, until the user sets or waives limits [ORD-04]', async () => {
  const position = await open()
  workspace.journal()[raw].values.set('journal.lost', 'journal.sqlite.damaged')
  const state = async () => value(await workspace.handlers()['riskLimits.get']({}))
  expect(await state()).toMatchObject({ lost: true, limits: noLimits })
  const before = workspace.sentTo(preparePath).length
  expect(failure(await prepare(await workspace.ticket()))).toEqual({ kind: 'held_back', why: 'rails_lost', intentRef: null })
  expect(failure(await workspace.handlers()['intents.execute']({ ticket: { action: 'create_limit', order: limit() }, keyId: null })).kind).not.toBe(
    'guard_rail',
  )
  expect(workspace.sentTo(preparePath)).toHaveLength(before)
  await close(position)
  expect(await positions()).toEqual([])

  const { loosenWith } = await state()
  for (const typed of [null, 'yes']) expect(failure(await save({}, typed))).toMatchObject({ kind: 'bad_input', field: 'typed' })
  expect(failure(await save({ orderValueUsdc: '100' }))).toMatchObject({ kind: 'bad_input', field: 'typed' })
  value(await save({}, loosenWith))
  expect(await state()).toMatchObject({ lost: false, limits: noLimits })
  expect((await workspace.prepare()).ready).toBe(true)
})

test.each(['{"orderValueUsdc":', '7', '{"orderValueUsdc":{}}'])(
  'while stored risk limits are damaged (%s), the app blocks new risk but no exits, until the user sets the limits again [V12, ORD-04]',
  async (damaged) => {
    const position = await open()
    value(await save({ orderValueUsdc: '100000' }))
    const [{ name = '' } = {}] = workspace.journal()[raw].values.withPrefix('guards/')
    workspace.journal()[raw].values.set(name, damaged)
    const state = async () => value(await workspace.handlers()['riskLimits.get']({}))
    expect(await state()).toMatchObject({ lost: true, limits: noLimits })
    expect(failure(await prepare(await workspace.ticket()))).toEqual({ kind: 'held_back', why: 'rails_lost', intentRef: null })
    await close(position)
    expect(await positions()).toEqual([])
    value(await save({ orderValueUsdc: '500' }, (await state()).loosenWith))
    expect(await state()).toMatchObject({ lost: false, limits: { orderValueUsdc: '500' } })
  },
)
