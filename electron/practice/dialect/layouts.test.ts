import { type Address, decodeAbiParameters, encodeFunctionData, type Hex, hashTypedData, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createTaughtCalls } from '../../../e2e/support/practice/taught-calls.ts'
import { intentFields } from '../chain/router-intents.ts'
import { domainFields, isSignedBy, nativeMessage, routerDomain, type WireTypedData } from '../chain/wire-typed-data.ts'
import type { WireTransaction } from '../exchange/state/state.ts'
import { alterations, alterTransactions, alterTypedData } from './alter.ts'
import { callLayouts, layOutCall, layOutTransaction } from './call-layout.ts'
import { drawDialect } from './draw.ts'
import { layOut } from './typed-layout.ts'

const router: Address = '0x4B1c000000000000000000000000000000000082'
const usdc: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const account = privateKeyToAccount(generatePrivateKey())
const seeds = Array.from({ length: 60 }, (_, index) => index + 1)

const document = (primaryType: string, fields: WireTypedData['types'][string], message: WireTypedData['message']): WireTypedData => ({
  ...{ domain: routerDomain(router), types: { EIP712Domain: domainFields, [primaryType]: fields }, primaryType, message },
})
const end = { clientOrderId: 'co_1', nonce: '1763866000000', deadline: '1763866300' }
const open = document('OpenPosition', intentFields.OpenPosition, {
  ...{ trader: account.address, pairId: '2', side: 'long', orderType: 'limit', marginMode: 'cross', leverage: '10', orderValue: '2500000000' },
  ...{ referencePrice: '0', maxSlippageBps: '50', limitPrice: '330000000000', triggerPrice: '0', timeInForce: 'gtc', restIfUnfilled: false },
  ...{ postOnly: true, takeProfit: '400000000000', stopLoss: '0', ...end },
})
const close = document('ClosePosition', intentFields.ClosePosition, {
  ...{ trader: account.address, positionId: 'pos_1763865000000', pairId: '2', orderType: 'market', size: '25000000', referencePrice: '330000000000' },
  ...{ maxSlippageBps: '50', limitPrice: '0', timeInForce: 'ioc', postOnly: false, ...end },
})
const invert = document('InvertPosition', intentFields.InvertPosition, {
  ...{ trader: account.address, positionId: 'pos_1763865000000', pairId: '2', referencePrice: '330000000000', maxSlippageBps: '50', ...end },
})
const digest = (data: WireTypedData): Hex => {
  const { EIP712Domain: _, ...types } = data.types
  return hashTypedData({ domain: data.domain, types, primaryType: data.primaryType, message: nativeMessage(data) })
}

test('two dialects write an intent to close a position with the fields and values in the stored snapshots', () => {
  const shown = (seed: number) => {
    const { primaryType, types, message } = layOut(drawDialect(seed), close)
    const fields = Object.entries(types).map(([name, each]) => [name, each.map((field) => `${field.type} ${field.name}`).join(', ')])
    const values = Object.entries(message).map(([name, value]) => [name, value === account.address ? 'the trader' : value])
    return { primaryType, ...Object.fromEntries(fields.slice(1)), message: Object.fromEntries(values) }
  }
  expect(shown(3)).toMatchInlineSnapshot(`
    {
      "ExitPosition": "address account, uint256 posId, uint256 pairId, string orderType, uint128 quantity, uint256 oraclePrice, uint256 slippageToleranceBps, uint256 restingPrice, string duration, bool isPostOnly, string userOrderRef, uint128 nonce, uint64 validUntil",
      "message": {
        "account": "the trader",
        "duration": "ioc",
        "isPostOnly": false,
        "nonce": "1763866000000",
        "oraclePrice": "330000000000",
        "orderType": "market",
        "pairId": "2",
        "posId": "1763865000000",
        "quantity": "25000000",
        "restingPrice": "0",
        "slippageToleranceBps": "50",
        "userOrderRef": "co_1",
        "validUntil": "1763866300",
      },
      "primaryType": "ExitPosition",
    }
  `)
  expect(shown(4)).toMatchInlineSnapshot(`
    {
      "ReducePosition": "address user, uint64 validUntil, string clientId, uint64 seqNo, string orderLifetime, uint256 maxSlippageE18, uint8 postOnly, uint256 seenPrice, string executionType, uint256 positionKey, uint256 restingPrice, uint256 quantity, uint256 instrumentId",
      "message": {
        "clientId": "co_1",
        "executionType": "MARKET",
        "instrumentId": "2",
        "maxSlippageE18": "5000000000000000",
        "orderLifetime": "IOC",
        "positionKey": "4611687782292387904",
        "postOnly": "0",
        "quantity": "25000000",
        "restingPrice": "0",
        "seenPrice": "330000000000",
        "seqNo": "1763866000000",
        "user": "the trader",
        "validUntil": "1763866300",
      },
      "primaryType": "ReducePosition",
    }
  `)
})

test('a wallet can sign data in the signing format of every dialect, and the signature is valid for that format only', { timeout: 60_000 }, async () => {
  const digests = new Set<string>()
  for (const seed of seeds)
    for (const own of [open, close, invert]) {
      const data = layOut(drawDialect(seed), own)
      expect(data.domain).toEqual(own.domain)
      digests.add(digest(data))
    }
  expect(digests.size).toBeGreaterThan(seeds.length * 2.5)
  for (const seed of seeds.slice(0, 25)) {
    const data = layOut(drawDialect(seed), open)
    const signature = await account.signTypedData(data as unknown as Parameters<typeof account.signTypedData>[0])
    expect([seed, await isSignedBy(account.address, data, signature), await isSignedBy(account.address, open, signature)]).toEqual([seed, true, false])
  }
})

test('each alteration of an order’s message changes the digest to sign, in every dialect whose signing format has the altered field', {
  timeout: 60_000,
}, () => {
  const fitting = new Map<string, Set<string>>()
  for (const seed of seeds.slice(0, 30))
    for (const own of [open, close, invert]) {
      const dialect = drawDialect(seed)
      const honest = digest(layOut(dialect, own))
      for (const alteration of alterations) {
        const altered = alterTypedData(own, alteration, (data) => layOut(dialect, data))
        if (altered === null) continue
        expect([seed, own.primaryType, alteration, digest(altered) === honest]).toEqual([seed, own.primaryType, alteration, false])
        fitting.set(own.primaryType, (fitting.get(own.primaryType) ?? new Set()).add(alteration))
      }
    }
  const always = [
    'deadline_far',
    'other_router',
    'other_recipient',
    'extra_address',
    'extra_amount',
    'chain_id',
    'field_moved',
    'other_market',
    'price_moved',
    'slippage_raised',
  ]
  const sized = ['amount_doubled', 'amount_scaled']
  expect([...(fitting.get('OpenPosition') ?? [])].toSorted()).toEqual([...always, ...sized, 'side_flipped', 'leverage_raised'].toSorted())
  expect([...(fitting.get('ClosePosition') ?? [])].toSorted()).toEqual([...always, ...sized, 'other_id', 'size_above_position'].toSorted())
  expect([...(fitting.get('InvertPosition') ?? [])].toSorted()).toEqual([...always, 'other_id'].toSorted())
})

const abi = parseAbi([
  'function cancelOrder(string orderId)',
  'function replaceOrder(string orderId, uint256 orderValue, uint256 limitPrice, uint256 triggerPrice, uint256 takeProfit, uint256 stopLoss)',
  'function deposit(uint256 amount)',
  'function approve(address spender, uint256 value)',
])
const sentTo = (to: Address, kind: 'action' | 'approval', data: Hex): WireTransaction => ({
  kind,
  from: account.address,
  to,
  data,
  value: '0x0',
  deadline: 1_763_866_120,
})
const cancel = sentTo(router, 'action', encodeFunctionData({ abi, functionName: 'cancelOrder', args: ['ord_1763865000000'] }))
const replace = sentTo(
  router,
  'action',
  encodeFunctionData({ abi, functionName: 'replaceOrder', args: ['ord_1763865000000', 600_000_000n, 200_050_000_000n, 0n, 0n, 0n] }),
)
const deposit = [
  sentTo(usdc, 'approval', encodeFunctionData({ abi, functionName: 'approve', args: [router, 25_500_000n] })),
  sentTo(router, 'action', encodeFunctionData({ abi, functionName: 'deposit', args: [25_500_000n] })),
]

test('a dialect gives the router contract’s functions other selectors, but leaves a token approval unchanged', () => {
  for (const seed of seeds) {
    const dialect = drawDialect(seed)
    const selectors = callLayouts(dialect).map(({ selector }) => selector)
    expect([seed, new Set(selectors).size]).toEqual([seed, 10])
    expect(selectors).toContain(layOutCall(dialect, cancel.data).slice(0, 10))
    expect(layOutTransaction(dialect, router, deposit[0] ?? cancel)).toEqual(deposit[0])
  }
  const plain = seeds.find((seed) => drawDialect(seed).ids.order === 'big_integer' && layOutCall(drawDialect(seed), cancel.data).length === 74) ?? 0
  const [number] = decodeAbiParameters([{ type: 'uint256' }], `0x${layOutCall(drawDialect(plain), cancel.data).slice(10)}`)
  expect(number).toBe(4_611_687_782_292_387_904n)
})

test('the practice exchange translates a router call in any dialect’s format back into the router contract’s own format', () => {
  for (const seed of seeds) {
    const dialect = drawDialect(seed)
    const taught = createTaughtCalls()
    taught.teach(callLayouts(dialect))
    for (const { data } of [cancel, replace, ...deposit]) expect([seed, taught.own(layOutCall(dialect, data))]).toEqual([seed, data])
  }
})

test('each alteration that a test can make to a prepared transaction really changes that transaction, in every dialect', { timeout: 60_000 }, () => {
  const kinds = new Map<string, Set<string>>()
  for (const seed of seeds.slice(0, 30)) {
    const dialect = drawDialect(seed)
    const layout = (each: WireTransaction) => layOutTransaction(dialect, router, each)
    for (const [name, own] of [
      ['cancel', [cancel]],
      ['replace', [replace]],
      ['deposit', deposit],
    ] as const)
      for (const alteration of alterations) {
        const altered = alterTransactions(own, alteration, { layOut: layout, router, usdc })
        if (altered === null) continue
        expect([seed, name, alteration, altered]).not.toEqual([seed, name, alteration, own.map(layout)])
        kinds.set(name, (kinds.get(name) ?? new Set()).add(alteration))
      }
  }
  const always = ['deadline_far', 'other_router', 'other_recipient', 'unlimited_approval', 'value_added', 'extra_address', 'extra_amount']
  expect([...(kinds.get('cancel') ?? [])].toSorted()).toEqual([...always, 'other_id'].toSorted())
  expect([...(kinds.get('replace') ?? [])].toSorted()).toEqual(
    [...always, 'other_id', 'amount_doubled', 'amount_scaled', 'price_moved', 'field_moved'].toSorted(),
  )
  expect([...(kinds.get('deposit') ?? [])].toSorted()).toEqual([...always, 'amount_doubled', 'amount_scaled'].toSorted())
})
