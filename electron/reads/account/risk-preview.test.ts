import { afterEach, beforeEach, expect, test } from 'vitest'
import { marketTicket, withTrading } from '../../../e2e/support/main/trader.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { ActionTicket, MarketTicket } from '../../../shared/ipc/intents/tickets.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
})
afterEach(() => workspace.stop())

test('a risk preview shows an order’s effect on the account, as the service reports it, before the order is prepared [ORD-15]', async () => {
  await workspace.signIn()
  await workspace.createKey()
  const ticket = await marketTicket(workspace, { orderValueUsdc: '20000', leverage: 20, clientOrderId: 'named-by-me' })
  const preview = value(await workspace.handlers()['account.riskPreview']({ ticket }))
  expect(preview).toMatchObject({ executable: true, reason: null, marginUsdc: '1000', marginUsedBefore: '0', healthBefore: null, networkUsdc: '0.02' })
  expect(preview.unknownFields).toBeNull()
  expect([preview.entryPrice, preview.liquidationPrice, preview.marginUsedAfter, preview.healthAfter, preview.feeUsdc, preview.freeMarginAfterUsdc]).toEqual(
    Array.from({ length: 6 }, () => expect.stringMatching(/^[1-9]\d*(\.\d+)?$/)),
  )
  const sent = workspace.sent.at(-1)
  expect([sent?.method, sent?.path]).toEqual(['POST', '/api/dex/v1/risk/preview'])
  expect(JSON.parse(sent?.body ?? '')).toEqual({
    action: 'open_position',
    payload: {
      pair_id: 1,
      side: 'long',
      order_type: 'market',
      margin_mode: 'cross',
      leverage: 20,
      order_value_usdc: '20000',
      reference_price: ticket.referencePrice,
      max_slippage_bps: 50,
      rest_if_unfilled: false,
    },
  })
  expect([workspace.exchange.effects().prepared, workspace.journal().intents.open('practice')]).toEqual([0, []])
})

test('a risk preview shows why an order cannot be executed; an order that breaks market rules is not previewed [ORD-15, ORD-04]', async () => {
  await workspace.signIn()
  await workspace.createKey()
  const preview = async (change: Partial<MarketTicket>) => workspace.handlers()['account.riskPreview']({ ticket: await marketTicket(workspace, change) })
  expect(value(await preview({ orderValueUsdc: '900000' }))).toMatchObject({
    executable: false,
    reason: { text: 'The exchange says: open margin insufficient.', raw: 'open_margin_insufficient' },
  })
  const before = workspace.sent.filter(({ path }) => path.endsWith('/risk/preview')).length
  expect(failure(await preview({ leverage: 400 }))).toMatchObject({ kind: 'bad_input', field: 'leverage' })
  expect(workspace.sent.filter(({ path }) => path.endsWith('/risk/preview'))).toHaveLength(before)
})

test('to preview a position change, the app sends the payload of the prepare request without the client order id, with the field map’s names [ORD-15, ORD-05]', async () => {
  await workspace.signIn()
  await workspace.createKey()
  const trader = withTrading(workspace)
  const { ref, signature } = await trader.asked({ marginMode: 'isolated' })
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.chain.mine(9)
  await workspace.tick()
  const { positions } = value(await workspace.handlers()['account.positions']({ watch: null }))
  const { id, pairId, symbol, side, size, takeProfit, stopLoss, liquidationPrice } = positions[0] ?? expect.fail('no position')
  const position = { positionId: id ?? '', pairId, symbol, side, size, takeProfit, stopLoss }
  const { summary } = value(await workspace.handlers()['markets.summary']({ pairId }))
  const atMarket = { referencePrice: summary.mark ?? '0', maxSlippageBps: 50 }
  const preview = async (ticket: ActionTicket) => value(await workspace.handlers()['account.riskPreview']({ ticket }))
  const body = () => JSON.parse(workspace.sent.at(-1)?.body ?? '')

  const reduced = await preview({ action: 'reduce_isolated_margin', position, amountUsdc: '10' })
  expect(body()).toEqual({ action: 'reduce_isolated_margin', payload: { position_id: id, amount_usdc: '10' } })
  expect(reduced).toMatchObject({ executable: true, networkUsdc: '0' })
  expect(Number(reduced.liquidationPrice)).toBeGreaterThan(Number(liquidationPrice))
  const added = await preview({ action: 'add_isolated_margin', position, amountUsdc: '10' })
  expect(Number(added.liquidationPrice)).toBeLessThan(Number(liquidationPrice))
  const halved = await preview({ action: 'change_isolated_leverage', position, leverage: 2 })
  expect(Number(halved.liquidationPrice)).toBeLessThan(Number(liquidationPrice))

  const closed = await preview({ action: 'close_position_market', position, size: null, clientOrderId: 'mine', ...atMarket })
  expect(body().payload).toEqual({ position_id: id, reference_price: atMarket.referencePrice, max_slippage_bps: 50 })
  expect(closed).toMatchObject({ executable: true, liquidationPrice: null })
  const inverted = await preview({ action: 'invert_position', position, ...atMarket })
  expect(Number(inverted.liquidationPrice)).toBeGreaterThan(Number(atMarket.referencePrice))

  const entry = { part: 'payloads', of: 'reduce_isolated_margin', field: 'amount_usdc', at: 'amount', unit: null } as const
  value(await workspace.handlers()['fieldMap.change']({ set: [entry], remove: [], from: 'you' }))
  await workspace.handlers()['account.riskPreview']({ ticket: { action: 'reduce_isolated_margin', position, amountUsdc: '10' } })
  expect(body().payload).toEqual({ position_id: id, amount: '10' })
  expect(workspace.exchange.effects().prepared).toBe(1)
})

test('the app treats values missing from a risk preview as unknown, and keeps the preview’s undocumented fields [ORD-15, ERR-02]', async () => {
  await workspace.signIn()
  await workspace.createKey()
  const ticket = await marketTicket(workspace)
  Object.assign(workspace.faults, { omitOptional: true, extraFields: true })
  const preview = value(await workspace.handlers()['account.riskPreview']({ ticket }))
  expect(preview.unknownFields).toContain('svc_unlisted')
  expect([preview.executable, preview.healthBefore]).toEqual([true, null])
})

test('the app requests a risk preview with a key that may read the account [ORD-15, AUTH-04]', async () => {
  await workspace.signIn()
  const ticket = await marketTicket(workspace)
  expect(failure(await workspace.handlers()['account.riskPreview']({ ticket }))).toEqual({ kind: 'api_key_required', scope: 'account:read' })
})
