import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { benchOnChain } from '../../../../e2e/support/practice/on-chain.ts'
import { allScopes, type Payload, positionsOf } from '../../../../e2e/support/practice/orders.ts'
import { type Answer, at, text } from '../../../../e2e/support/practice/start.ts'

const on = benchOnChain()

const ready = async (action: string, payload: Payload, permit?: boolean): Promise<Answer> => {
  const answer = await on.client.act(action, payload, permit === undefined ? {} : { permit })
  expect([action, at(answer, 'execution.reason') ?? at(answer, 'error'), at(answer, 'execution.ready')]).toEqual([action, undefined, true])
  return answer
}
const broadcast = async (prepared: Answer): Promise<Hex> => (await on.broadcast(prepared)).at(-1) ?? '0x'
const carryOut = async (action: string, payload: Payload) => broadcast(await ready(action, payload))
async function relay(prepared: Answer): Promise<Hex> {
  const relayed = await on.client.relay(prepared)
  expect([relayed.status, relayed.text]).toEqual([200, relayed.text])
  await on.mine()
  return text(relayed, 'tx_hash') as Hex
}
const position = async () => (await positionsOf(on.client))[0]
async function open(change: Payload = {}): Promise<string> {
  await relay(await on.client.prepare(await on.client.marketOrder(change)))
  return text(await position(), 'position_id')
}
const atMarket = async () => ({ reference_price: await on.bench.mark(1), max_slippage_bps: 200 })
const transaction = async () => at(await on.client.read('/transactions'), 'transactions.items.0')
const finality = async (hash: Hex) => at(await on.client.read(`/native/executions/${hash}`), 'finality')
const status = async (hash: Hex) => (await on.chain.transaction(hash))?.status
const collateral = async (token = 0) => at(await on.client.read('/collateral'), `collateral.${token}.balance`)

test('the practice exchange inverts and closes positions through signed intents that it relays to the chain [FLOW-01]', async () => {
  const first = await open()
  expect(await status(await relay(await ready('invert_position', { position_id: first, ...(await atMarket()) })))).toBe('success')
  const turned = await position()
  expect([at(turned, 'side'), at(turned, 'position_id') === first]).toEqual(['short', false])
  const second = text(turned, 'position_id')
  await relay(await ready('close_position_market', { position_id: second, size: '0.01', ...(await atMarket()) }))
  expect(Number(at(await position(), 'size'))).toBeCloseTo(Number(at(turned, 'size')) - 0.01, 5)
  const hash = await relay(await ready('close_position_market', { position_id: second, ...(await atMarket()) }))
  expect([await positionsOf(on.client), await status(hash), await finality(hash)]).toEqual([[], 'success', 'PENDING_FINALITY'])
  await on.mine(7)
  expect([await finality(hash), at(await transaction(), 'state')]).toEqual(['FINAL', 'confirmed'])
})

test('on the practice exchange, a wallet can set and clear TP/SL with its own transactions [FLOW-03]', async () => {
  const position_id = await open()
  const hash = await carryOut('update_tpsl', { position_id, take_profit: '150000.5', stop_loss: '50000' })
  expect(await position()).toMatchObject({ take_profit: '150000.5', stop_loss: '50000' })
  expect(await transaction()).toMatchObject({ action: 'update_tpsl', state: 'submitted', tx_hash: hash })
  await carryOut('update_tpsl', { position_id, take_profit: null })
  expect(await position()).toMatchObject({ take_profit: null, stop_loss: '50000' })
  await on.mine(8)
  expect(await transaction()).toMatchObject({ state: 'confirmed' })
})

test('on the practice exchange, a wallet can change the margin and the leverage of an isolated position [FLOW-03]', async () => {
  const position_id = await open({ margin_mode: 'isolated', order_value_usdc: '1000', leverage: 10 })
  const margin = async () => Number(at(await position(), 'margin_usdc'))
  const [before, liquidation] = [await margin(), Number(at(await position(), 'liquidation_price'))]
  await carryOut('add_isolated_margin', { position_id, amount_usdc: '40.25' })
  expect(await margin()).toBeCloseTo(before + 40.25, 2)
  expect(Number(at(await position(), 'liquidation_price'))).toBeLessThan(liquidation - 2_000)
  await carryOut('reduce_isolated_margin', { position_id, amount_usdc: '20' })
  expect(await margin()).toBeCloseTo(before + 20.25, 2)
  await carryOut('change_isolated_leverage', { position_id, leverage: 5 })
  expect([at(await position(), 'leverage'), await margin()]).toEqual([5, expect.closeTo(200, 0)])
})

test('the practice exchange replaces and cancels a resting order; a replacement that is sent after the cancellation reverts [FLOW-03]', async () => {
  await relay(
    await on.client.prepare({
      pair_id: 2,
      side: 'long',
      order_type: 'limit',
      leverage: 2,
      order_value_usdc: '600',
      limit_price: '1500.5',
      take_profit: '9000',
    }),
  )
  const order = async () => at(await on.client.read('/orders'), 'orders.items.0')
  const order_id = text(await order(), 'order_id')
  await carryOut('replace_order', { order_id, order_value_usdc: '700', limit_price: '1400', stop_loss: '900' })
  expect(await order()).toMatchObject({ status: 'open', size: '0.5', price: '1400', order_value_usdc: '700', take_profit: '9000', stop_loss: '900' })
  const late = await ready('replace_order', { order_id, limit_price: '1300' })
  await carryOut('cancel_order', { order_id })
  expect(await order()).toMatchObject({ status: 'cancelled', reason: 'cancelled_by_trader', price: '1400' })
  const hash = await broadcast(late)
  expect([await status(hash), at(await order(), 'price')]).toEqual(['reverted', '1400'])
})

test('the practice exchange credits and debits USDC deposits and withdrawals, and refuses amounts above the balance [FLOW-04] [FLOW-03]', async () => {
  const hash = await carryOut('add_collateral', { token: 'USDC', amount: '120.5' })
  expect([await collateral(), await status(hash), await on.chain.usdcOf(on.trader.account.address)]).toEqual(['10120.50', 'success', 379_500_000n])
  await carryOut('withdraw_collateral', { token: 'USDC', amount: '20.25' })
  expect([await collateral(), await on.chain.usdcOf(on.trader.account.address)]).toEqual(['10100.25', 399_750_000n])
  const foreseen = async (action: string, payload: Payload) => at(await on.client.act(action, payload), 'execution.reason')
  expect(await foreseen('withdraw_collateral', { token: 'USDC', amount: '10100.26' })).toBe('withdraw_margin_insufficient')
  expect(await foreseen('add_collateral', { token: 'USDC', amount: '400' })).toBe('deposit_balance_insufficient')
  expect(await foreseen('add_collateral', { token: 'SVC', amount: '1' })).toBe('deposit_balance_insufficient')
  expect(at(await on.client.read('/account'), 'collateral_usdc')).toBe('10100.25')
})

test('on the practice exchange, a wallet can withdraw all of its withdrawable collateral, including profits, to the last unit [FLOW-03]', async () => {
  const position_id = await open({ order_value_usdc: '50000', leverage: 10 })
  on.bench.faults.priceShiftBps = 300
  await relay(await ready('close_position_market', { position_id, ...(await atMarket()) }))
  const all = text(await on.client.read('/collateral'), 'collateral.0.withdrawable')
  expect(Number(all)).toBeGreaterThan(11_000)
  const held = async () => (await on.chain.holdings(on.chain.usdc, on.trader.account.address)).router
  const units = BigInt(Math.round(Number(all) * 1_000_000))
  // The exchange credits the trading profit on the router in a separate transaction. Wait for this credit: without it, the router has too little USDC
  // for the withdrawal.
  await expect
    .poll(async () => {
      await on.mine()
      return held()
    })
    .toBeGreaterThanOrEqual(units)
  await carryOut('withdraw_collateral', { token: 'USDC', amount: all })
  expect([await collateral(), await on.chain.usdcOf(on.trader.account.address)]).toEqual(['0.00', 500_000_000n + units])
})

test('the practice exchange omits the approval from a prepared deposit if the router contract’s allowance is already sufficient [FLOW-04]', async () => {
  await on.trader.approve(on.chain.usdc, 50_000_000n)
  await on.mine()
  expect(at(await ready('add_collateral', { token: 'USDC', amount: '50' }), 'execution.transactions.length')).toBe(1)
  expect(at(await ready('add_collateral', { token: 'USDC', amount: '50.000001' }), 'execution.transactions.length')).toBe(2)
})

test('the practice exchange relays a deposit by signed permit: the executor pays the gas, and the account pays the network cost [FLOW-04] [FLOW-08]', async () => {
  const prepared = await ready('add_collateral', { token: 'USDC', amount: '75' }, true)
  const hash = await relay(prepared)
  expect([await status(hash), await collateral(), await on.chain.usdcOf(on.trader.account.address)]).toEqual(['success', '10074.98', 425_000_000n])
  expect(await transaction()).toMatchObject({ action: 'add_collateral', tx_hash: hash, state: 'submitted' })
  const again = await on.client.relay(prepared)
  expect(at(again, 'error.code')).toBe('INTENT_ALREADY_RELAYED')
  expect(at(await ready('add_collateral', { token: 'USDC', amount: '1' }, true), 'execution.typed_data.message.nonce')).toBe('1')
})

test('the practice exchange undoes deposits, TP/SL changes and margin changes if a reorganisation removes their transactions [FLOW-06]', async () => {
  const position_id = await open({ margin_mode: 'isolated' })
  const before = [await position(), await collateral()]
  const deposit = await carryOut('add_collateral', { token: 'USDC', amount: '10' })
  await carryOut('update_tpsl', { position_id, take_profit: '150000' })
  await carryOut('add_isolated_margin', { position_id, amount_usdc: '5' })
  expect([await position(), await collateral()]).not.toEqual(before)
  await on.chain.reorganise(4)
  await on.bench.exchange.settle()
  const after = await position()
  expect([at(after, 'take_profit'), at(after, 'margin_usdc'), await collateral()]).toEqual([null, at(before[0], 'margin_usdc'), before[1]])
  expect(await finality(deposit)).toBeUndefined()
})

test('the practice exchange marks an intent as reverted if its reported transaction reverted, and ignores the hash of a different transaction [FLOW-05] [FLOW-06]', async () => {
  await relay(await on.client.prepare({ pair_id: 2, side: 'long', order_type: 'limit', leverage: 2, order_value_usdc: '600', limit_price: '1500.5' }))
  const order_id = text(await on.client.read('/orders'), 'orders.items.0.order_id')
  const [first, second] = [await ready('cancel_order', { order_id }), await ready('cancel_order', { order_id })]
  await broadcast(first)
  const report = (prepared: Answer, tx_hash: string) =>
    on.bench.call('POST /api/dex/actions/receipt', {
      body: { wallet: on.trader.account.address, intent_id: at(prepared, 'intent_id'), tx_hash, state: 'broadcast' },
    })
  const states = async () => {
    const listed = at(await on.client.read('/transactions'), 'transactions.items')
    const all = Array.isArray(listed) ? listed : []
    return [first, second]
      .map((prepared) =>
        at(
          all.find((each) => at(each, 'intent_id') === at(prepared, 'intent_id')),
          'state',
        ),
      )
      .toSorted()
  }
  // Both intents prepared the same transaction, and the wallet sent it once. Therefore only one of the intents may become `submitted`.
  expect(await states()).toEqual(['prepared', 'submitted'])
  const other = await on.trader.approve(on.chain.usdc, 1n)
  await on.mine()
  for (const prepared of [first, second]) for (const hash of [`0x${'ab'.repeat(32)}`, other]) expect((await report(prepared, hash)).status).toBe(200)
  expect(await states()).toEqual(['prepared', 'submitted'])
  const [transactions] = [at(first, 'execution.transactions.0')]
  const hash = await on.trader.send(on.chain.router, text(transactions, 'data') as Hex)
  await report(first, hash)
  await report(second, hash)
  await on.mine()
  expect([await status(hash), await states()]).toEqual(['reverted', ['reverted', 'submitted']])
})

test('the practice exchange sends an executor’s command from the executor’s agent; the command takes effect once a block contains it [ORD-13]', async () => {
  const { apiKey, keyId, session } = await on.bench.newKey({ scopes: allScopes })
  await on.bench.call(`PUT /api/dex/developer/keys/${keyId}/executor`, { headers: { Authorization: `Bearer ${session}` }, body: { executor: 'exec-fra-1' } })
  const execute = (action: string, payload: Payload) =>
    on.bench.call('POST /api/dex/v1/orders/execute', { headers: { 'X-Svc-API-Key': apiKey }, body: { action, payload } })
  const order = { pair_id: 1, side: 'short', leverage: 5, order_value_usdc: '1000', ...(await atMarket()) }
  const sent = await execute('open_market', order)
  const hash = text(sent, 'delegated.tx_hash') as Hex
  const command = async (answer: Answer) => at(await on.client.read(`/executions/${at(answer, 'delegated.command_id')}`), 'execution')
  expect([await command(sent), await positionsOf(on.client)]).toMatchObject([{ state: 'submitted', results: [{ state: 'pending' }] }, []])
  await on.mine()
  const held = await position()
  expect([await command(sent), held]).toMatchObject([
    { state: 'executed', tx_hash: hash, results: [{ state: 'executed', position_id: at(held, 'position_id') }] },
    { side: 'short', leverage: 5 },
  ])
  const from = (await on.chain.sentTransaction(hash))?.from
  expect([from === on.trader.account.address, await finality(hash)]).toEqual([false, 'PENDING_FINALITY'])
  await on.chain.reorganise(2)
  await on.bench.exchange.settle()
  expect([await command(sent), await positionsOf(on.client)]).toMatchObject([{ state: 'submitted', results: [{ state: 'pending' }] }, []])
})
