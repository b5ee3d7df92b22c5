import { decodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { allScopes, type Client, openClient, openPosition, type Payload, positionsOf } from '../../../../e2e/support/practice/orders.ts'
import { type Answer, at, type Bench, start, text } from '../../../../e2e/support/practice/start.ts'

let bench: Bench
let client: Client
beforeEach(async () => {
  bench = await start()
  client = await openClient(bench, allScopes)
})
afterEach(() => bench.stop())

const routerAbi = parseAbi([
  'function deposit(uint256 amount)',
  'function depositToken(address token, uint256 amount)',
  'function withdraw(uint256 amount)',
  'function withdrawToken(address token, uint256 amount)',
  'function updateTpSl(string positionId, uint256 takeProfit, uint256 stopLoss)',
  'function addMargin(string positionId, uint256 amount)',
  'function reduceMargin(string positionId, uint256 amount)',
  'function changeLeverage(string positionId, uint256 leverage)',
  'function cancelOrder(string orderId)',
  'function replaceOrder(string orderId, uint256 orderValue, uint256 limitPrice, uint256 triggerPrice, uint256 takeProfit, uint256 stopLoss)',
  'function approve(address spender, uint256 value)',
])

const called = (answer: Answer, index = 0) => {
  const { functionName, args } = decodeFunctionData({ abi: routerAbi, data: text(answer, `execution.transactions.${index}.data`) as Hex })
  return [functionName, ...(args ?? [])]
}
const outcome = (answer: Answer) =>
  answer.status === 200 ? (at(answer, 'execution.reason') ?? at(answer, 'execution.status')) : `${at(answer, 'error.code')} ${at(answer, 'error.field')}`
const act = async (action: string, payload: Payload) => outcome(await client.act(action, payload))
const atMarket = async (pairId = 1) => ({ reference_price: await bench.mark(pairId), max_slippage_bps: 100 })
const numberOf = (value: unknown) => Number(value)

async function restingOrder(change: Payload = {}): Promise<string> {
  const order = { pair_id: 2, side: 'long', order_type: 'limit', leverage: 2, order_value_usdc: '600', limit_price: '2000.5', take_profit: '5000', ...change }
  await client.relay(await client.prepare(order))
  await bench.chain.mine(1)
  return text(await client.read('/orders'), 'orders.items.0.order_id')
}

test('the practice exchange prepares a market close as an intent to close exactly the requested part of the position [ORD-05] [FLOW-02]', async () => {
  const position_id = await openPosition(bench, client)
  const prices = await atMarket()
  const answer = await client.act('close_position_market', { position_id, size: '0.01000', ...prices, client_order_id: 'part-of-it' })
  expect(at(answer, 'payload')).toEqual({
    ...{ position_id, size: '0.01', reference_price: String(Number(prices.reference_price)), max_slippage_bps: 100, client_order_id: 'part-of-it' },
  })
  expect(at(answer, 'execution')).toMatchObject({ ready: true, status: 'signature_ready', mode: 'signed_intent', transactions: [] })
  expect(at(answer, 'execution.costs')).toMatchObject({ network_usdc: '0.02', charged_from: 'dex_collateral' })
  expect(at(answer, 'execution.typed_data')).toMatchObject({
    domain: { name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: bench.chain.router },
    primaryType: 'ClosePosition',
    message: {
      trader: bench.wallet.address,
      positionId: position_id,
      pairId: '1',
      orderType: 'market',
      size: '1000000',
      referencePrice: `${prices.reference_price.replace('.', '')}0000000`,
      maxSlippageBps: '100',
      limitPrice: '0',
      timeInForce: 'ioc',
      postOnly: false,
      clientOrderId: 'part-of-it',
      nonce: expect.stringMatching(/^\d+$/),
      deadline: String(Math.floor(bench.clock.now() / 1000) + 300),
    },
  })
  expect(JSON.stringify(at(answer, 'execution.typed_data.types.ClosePosition')).match(/"name"/g)).toHaveLength(13)
})

test('the practice exchange closes the whole position if a market or limit close request contains no size [ORD-05] [FLOW-02]', async () => {
  const position_id = await openPosition(bench, client)
  const size = at((await positionsOf(client))[0], 'size')
  expect(at(await client.act('close_position_market', { position_id, ...(await atMarket()) }), 'payload.size')).toBe(size)
  const limit = await client.act('close_position_limit', { position_id, limit_price: '120000.5', post_only: true })
  expect(at(limit, 'payload')).toMatchObject({ position_id, size, limit_price: '120000.5', time_in_force: 'gtc', post_only: true })
  expect(at(limit, 'execution.typed_data.message')).toMatchObject({
    ...{ orderType: 'limit', limitPrice: '12000050000000', referencePrice: '0', maxSlippageBps: '0', timeInForce: 'gtc', postOnly: true },
  })
})

test('the practice exchange prepares an inversion of a position as an intent for the wallet to sign [ORD-05] [ORD-11]', async () => {
  const position_id = await openPosition(bench, client)
  const answer = await client.act('invert_position', { position_id, ...(await atMarket()), client_order_id: 'turn-around' })
  expect(at(answer, 'execution')).toMatchObject({ ready: true, status: 'signature_ready', mode: 'signed_intent', transactions: [] })
  expect(at(answer, 'execution.typed_data.primaryType')).toBe('InvertPosition')
  expect(at(answer, 'execution.typed_data.message')).toEqual({
    trader: bench.wallet.address,
    positionId: position_id,
    pairId: '1',
    referencePrice: expect.stringMatching(/^\d{12,14}$/),
    maxSlippageBps: '100',
    clientOrderId: 'turn-around',
    nonce: expect.stringMatching(/^\d+$/),
    deadline: String(Math.floor(bench.clock.now() / 1000) + 300),
  })
})

test('the practice exchange prepares every change except orders, closes and inversions as transactions that the wallet sends [FLOW-03] [ORD-05]', async () => {
  const position_id = await openPosition(bench, client, { margin_mode: 'isolated', take_profit: '150000' })
  const order_id = await restingOrder()
  const stop_id = await restingOrder({ order_type: 'stop', limit_price: undefined, take_profit: undefined, trigger_price: '4500' })
  const deadline = Math.floor(bench.clock.now() / 1000) + 120
  const sent = async (action: string, payload: Payload) => {
    const answer = await client.act(action, payload)
    expect([action, at(answer, 'execution')]).toMatchObject([action, { ready: true, status: 'ready', costs: { network_usdc: '0', charged_from: 'wallet' } }])
    expect([at(answer, 'execution.mode'), at(answer, 'execution.typed_data'), at(answer, 'execution.transactions.length')]).toEqual([undefined, undefined, 1])
    expect(at(answer, 'execution.transactions.0')).toMatchObject({ kind: 'action', from: bench.wallet.address, to: bench.chain.router, value: '0x0', deadline })
    return called(answer)
  }
  expect(await sent('update_tpsl', { position_id, stop_loss: '50000.5' })).toEqual(['updateTpSl', position_id, 15_000_000_000_000n, 5_000_050_000_000n])
  expect(await sent('update_tpsl', { position_id, take_profit: null })).toEqual(['updateTpSl', position_id, 0n, 0n])
  expect(await sent('add_isolated_margin', { position_id, amount_usdc: '12.345678' })).toEqual(['addMargin', position_id, 12_345_678n])
  expect(await sent('reduce_isolated_margin', { position_id, amount_usdc: '1.5' })).toEqual(['reduceMargin', position_id, 1_500_000n])
  expect(await sent('change_isolated_leverage', { position_id, leverage: 7 })).toEqual(['changeLeverage', position_id, 7n])
  expect(await sent('cancel_order', { order_id })).toEqual(['cancelOrder', order_id])
  expect(await sent('replace_order', { order_id, limit_price: '2100.25', stop_loss: '1500' })).toEqual([
    ...['replaceOrder', order_id, 600_000_000n, 210_025_000_000n, 0n, 500_000_000_000n, 150_000_000_000n],
  ])
  expect(await sent('replace_order', { order_id, take_profit: null })).toEqual(['replaceOrder', order_id, 600_000_000n, 200_050_000_000n, 0n, 0n, 0n])
  expect(await sent('replace_order', { order_id: stop_id, order_value_usdc: '700.5', trigger_price: '4600' })).toEqual([
    ...['replaceOrder', stop_id, 700_500_000n, 0n, 460_000_000_000n, 0n, 0n],
  ])
})

test('the practice exchange prepares a deposit as an exact approval plus a deposit, and a withdrawal as one transaction [FLOW-04] [FLOW-03]', async () => {
  const { router, usdc, svc } = bench.chain
  const deposit = await client.act('add_collateral', { token: 'USDC', amount: '25.50' })
  expect(at(deposit, 'payload')).toEqual({ token: 'USDC', amount: '25.5' })
  expect([at(deposit, 'execution.status'), called(deposit), called(deposit, 1)]).toEqual(['ready', ['approve', router, 25_500_000n], ['deposit', 25_500_000n]])
  expect(at(deposit, 'execution.transactions')).toMatchObject([
    { kind: 'approval', to: usdc },
    { kind: 'action', to: router, deadline: Math.floor(bench.clock.now() / 1000) + 180 },
  ])
  const own = await client.act('add_collateral', { token: 'SVC', amount: '1.000000000000000001' })
  const units = 1_000_000_000_000_000_001n
  expect([called(own), called(own, 1), at(own, 'execution.transactions.0.to')]).toEqual([['approve', router, units], ['depositToken', svc, units], svc])
  const withdrawal = await client.act('withdraw_collateral', { token: 'USDC', amount: '100' })
  expect([called(withdrawal), at(withdrawal, 'execution.transactions.length')]).toEqual([['withdraw', 100_000_000n], 1])
  expect(await act('withdraw_collateral', { token: 'SVC', amount: '1' })).toBe('withdraw_balance_insufficient')
})

test('the practice exchange prepares a deposit by signed permit as typed data for the router contract, and only in USDC [FLOW-04]', async () => {
  const { router, usdc } = bench.chain
  const answer = await client.act('add_collateral', { token: 'USDC', amount: '25.5' }, { permit: true })
  const deadline = Math.floor(bench.clock.now() / 1000) + 180
  expect(at(answer, 'execution')).toMatchObject({ ready: true, status: 'signature_ready', mode: 'permit_deposit', transactions: [], deadline })
  expect(at(answer, 'execution.costs.network_usdc')).toBe('0.02')
  expect(at(answer, 'execution.typed_data')).toMatchObject({
    domain: { name: 'USD Coin', version: '1', chainId: 8453, verifyingContract: usdc },
    primaryType: 'Permit',
    message: { owner: bench.wallet.address, spender: router, value: '25500000', nonce: '0', deadline: String(deadline) },
  })
  expect(outcome(await client.act('add_collateral', { token: 'SVC', amount: '25.5' }, { permit: true }))).toBe('VALIDATION_ERROR permit')
  expect(at(await client.act('add_collateral', { token: 'USDC', amount: '25.5' }, { permit: false }), 'execution.status')).toBe('ready')
})

test('on the practice exchange, prepared trading actions expire after 120 s, collateral actions after 180 s and signed intents after 300 s [ORD-12]', async () => {
  const position_id = await openPosition(bench, client, { margin_mode: 'isolated' })
  const order_id = await restingOrder()
  const life = async (action: string, payload: Payload, permit?: boolean) => {
    const answer = await client.act(action, payload, permit === undefined ? {} : { permit })
    return (numberOf(at(answer, 'expires_at_ms')) - bench.clock.now()) / 1000
  }
  const prices = await atMarket()
  expect([
    await life('open_position', await client.marketOrder()),
    await life('close_position_market', { position_id, ...prices }),
    await life('close_position_limit', { position_id, limit_price: '120000' }),
    await life('invert_position', { position_id, ...prices }),
  ]).toEqual([300, 300, 300, 300])
  expect([
    await life('update_tpsl', { position_id, take_profit: '150000' }),
    await life('add_isolated_margin', { position_id, amount_usdc: '1' }),
    await life('reduce_isolated_margin', { position_id, amount_usdc: '1' }),
    await life('change_isolated_leverage', { position_id, leverage: 3 }),
    await life('cancel_order', { order_id }),
    await life('replace_order', { order_id, limit_price: '1900' }),
  ]).toEqual([120, 120, 120, 120, 120, 120])
  const usdc = { token: 'USDC', amount: '5' }
  expect([await life('add_collateral', usdc), await life('add_collateral', usdc, true), await life('withdraw_collateral', usdc)]).toEqual([180, 180, 180])
})

test('with a fault, the practice exchange alters the transactions or typed data in its responses to every kind of prepare request [FLOW-02] [FLOW-03]', async () => {
  const position_id = await openPosition(bench, client)
  const deposit = () => client.act('add_collateral', { token: 'USDC', amount: '5' })
  bench.faults.transaction = 'token'
  expect(at(await deposit(), 'execution.transactions.0.to')).toBe('0x000000000000000000000000000000000000dEaD')
  bench.faults.transaction = 'unlimited'
  expect(called(await deposit())[2]).toBe(2n ** 256n - 1n)
  bench.faults.transaction = null
  bench.faults.typedData = 'amount'
  const close = () => client.act('close_position_limit', { position_id, limit_price: '120000', size: '0.01' })
  const permit = () => client.act('add_collateral', { token: 'USDC', amount: '5' }, { permit: true })
  expect([at(await close(), 'execution.typed_data.message.size'), at(await permit(), 'execution.typed_data.message.value')]).toEqual(['10000000', '50000000'])
  bench.faults.typedData = 'router'
  expect(at(await permit(), 'execution.typed_data.message.spender')).toBe('0x000000000000000000000000000000000000dEaD')
  const altered = await close()
  const relayed = await client.relay(altered)
  expect([relayed.status, at(relayed, 'error.code')]).toEqual([400, 'BAD_SIGNATURE'])
})
