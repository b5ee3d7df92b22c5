import { type Hex, hashTypedData } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newTrader, type Trader } from '../../../e2e/support/practice/chain/trader.ts'
import { systemClock } from '../../../shared/time.ts'
import { createPracticeClock } from '../base/practice-clock.ts'
import { type RunningChain, startChain } from './start-chain.ts'

const clock = createPracticeClock(systemClock)
let chain: RunningChain
let trader: Trader
let nonce = 0n

beforeAll(async () => {
  const started = await startChain({ clock, dataDir: null, firstHolder: null, history: true })
  if (!started.ok) throw new Error(started.failure.detail)
  chain = started.value
  await chain.pauseMining(true)
})
afterAll(() => chain.stop())
beforeEach(async () => {
  await chain.pauseMining(false)
  trader = await newTrader(chain, 1_000_000_000n)
  await chain.pauseMining(true)
})

async function ends(...sent: readonly Promise<Hex>[]): Promise<string[]> {
  const hashes: Hex[] = []
  for (const each of sent) hashes.push(await each)
  await chain.mine(1)
  return Promise.all(hashes.map(async (hash) => (await chain.transaction(hash))?.status ?? 'unknown'))
}

const domain = () => ({ name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: chain.router }) as const
const deadline = () => BigInt(Math.floor(clock.now() / 1_000) + 120)

const closeTypes = {
  ClosePosition: [
    { name: 'trader', type: 'address' },
    { name: 'positionId', type: 'string' },
    { name: 'pairId', type: 'uint256' },
    { name: 'orderType', type: 'string' },
    { name: 'size', type: 'uint256' },
    { name: 'referencePrice', type: 'uint256' },
    { name: 'maxSlippageBps', type: 'uint256' },
    { name: 'limitPrice', type: 'uint256' },
    { name: 'timeInForce', type: 'string' },
    { name: 'postOnly', type: 'bool' },
    { name: 'clientOrderId', type: 'string' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const
const invertTypes = {
  InvertPosition: [
    { name: 'trader', type: 'address' },
    { name: 'positionId', type: 'string' },
    { name: 'pairId', type: 'uint256' },
    { name: 'referencePrice', type: 'uint256' },
    { name: 'maxSlippageBps', type: 'uint256' },
    { name: 'clientOrderId', type: 'string' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

async function opened(): Promise<bigint> {
  nonce += 1n
  const item = { nonce, action: 'open_position', payloadHash: `0x${'11'.repeat(32)}` } as const
  expect(await ends(chain.submitCommand({ trader: trader.account.address, commandId: `cmd_${nonce}`, items: [item] }))).toEqual(['success'])
  return nonce
}

const close = (positionId: string, change: Partial<Record<'size' | 'limitPrice', bigint>> = {}) => {
  nonce += 1n
  return {
    ...{ trader: trader.account.address, positionId, pairId: 1n, orderType: 'limit', size: 2_600_000n, referencePrice: 0n, maxSlippageBps: 0n },
    ...{ limitPrice: 9_610_000_000_000n, timeInForce: 'gtc', postOnly: true, clientOrderId: 'close-1', nonce, deadline: deadline(), ...change },
  }
}
const invert = (positionId: string) => {
  nonce += 1n
  const prices = { pairId: 1n, referencePrice: 9_610_000_000_000n, maxSlippageBps: 50n }
  return { trader: trader.account.address, positionId, ...prices, clientOrderId: 'turn-1', nonce, deadline: deadline() }
}

test('the practice router contract accepts a close or an inversion only if each of its fields is exactly as the trader signed it [FLOW-01]', async () => {
  const position = `pos_${await opened()}`
  const from = await chain.blockNumber()
  const [closing, turning] = [close(position), invert(position)]
  const closeData = { domain: domain(), types: closeTypes, primaryType: 'ClosePosition', message: closing } as const
  const invertData = { domain: domain(), types: invertTypes, primaryType: 'InvertPosition', message: turning } as const
  const [closeSigned, invertSigned] = [await trader.account.signTypedData(closeData), await trader.account.signTypedData(invertData)]
  expect(
    await ends(
      chain.submitIntent({ primaryType: 'ClosePosition', message: { ...closing, size: 2_600_001n } }, closeSigned),
      chain.submitIntent({ primaryType: 'ClosePosition', message: { ...closing, postOnly: false } }, closeSigned),
      chain.submitIntent({ primaryType: 'InvertPosition', message: { ...turning, maxSlippageBps: 51n } }, invertSigned),
      chain.submitIntent({ primaryType: 'ClosePosition', message: closing }, closeSigned),
      chain.submitIntent({ primaryType: 'InvertPosition', message: turning }, invertSigned),
      chain.submitIntent({ primaryType: 'InvertPosition', message: turning }, invertSigned),
    ),
  ).toEqual(['reverted', 'reverted', 'reverted', 'success', 'success', 'reverted'])
  const events = await chain.routerEvents(from + 1n)
  expect(events.map(({ args }) => ('digest' in args ? args.digest : null))).toEqual([hashTypedData(closeData), hashTypedData(invertData)])
})

test('the practice router contract refuses to close or invert a position that the trader does not have [FLOW-01]', async () => {
  const theirs = `pos_${await opened()}`
  trader = await newTrader(chain, 0n, generatePrivateKey())
  const closing = close(theirs)
  const turning = invert('pos_1')
  expect(
    await ends(
      chain.submitIntent(
        { primaryType: 'ClosePosition', message: closing },
        await trader.account.signTypedData({ domain: domain(), types: closeTypes, primaryType: 'ClosePosition', message: closing }),
      ),
      chain.submitIntent(
        { primaryType: 'InvertPosition', message: turning },
        await trader.account.signTypedData({ domain: domain(), types: invertTypes, primaryType: 'InvertPosition', message: turning }),
      ),
    ),
  ).toEqual(['reverted', 'reverted'])
})

test('the practice router contract lets a trader change only their own position, and emits an event for each change [FLOW-03]', async () => {
  const position = `pos_${await opened()}`
  const from = await chain.blockNumber()
  expect(
    await ends(
      trader.router('updateTpSl', position, 9_900_000_000_000n, 0n),
      trader.router('addMargin', position, 5_000_000n),
      trader.router('reduceMargin', position, 1_500_000n),
      trader.router('changeLeverage', position, 7n),
    ),
  ).toEqual(Array(4).fill('success'))
  const owner = { trader: trader.account.address, positionId: position }
  expect((await chain.routerEvents(from + 1n)).map(({ name, args }) => ({ name, args }))).toEqual([
    { name: 'TpSlUpdated', args: { ...owner, takeProfit: 9_900_000_000_000n, stopLoss: 0n } },
    { name: 'MarginAdded', args: { ...owner, amount: 5_000_000n } },
    { name: 'MarginReduced', args: { ...owner, amount: 1_500_000n } },
    { name: 'LeverageChanged', args: { ...owner, leverage: 7n } },
  ])
})

test('the practice router contract refuses changes by zero, and changes to positions or orders that are missing or belong to another trader [FLOW-03]', async () => {
  const [position, order] = [`pos_${await opened()}`, `ord_${nonce}`]
  const stranger = await newTrader(chain)
  expect(
    await ends(
      stranger.router('updateTpSl', position, 1n, 0n),
      stranger.router('addMargin', position, 1n),
      stranger.router('reduceMargin', position, 1n),
      stranger.router('changeLeverage', position, 2n),
      stranger.router('cancelOrder', order),
      stranger.router('replaceOrder', order, 1n, 1n, 0n, 0n, 0n),
      trader.router('addMargin', position, 0n),
      trader.router('reduceMargin', position, 0n),
      trader.router('changeLeverage', position, 0n),
      trader.router('updateTpSl', 'pos_0', 1n, 0n),
      trader.router('cancelOrder', position),
    ),
  ).toEqual(Array(11).fill('reverted'))
})

test('the practice router contract cancels an order only once, and does not replace a cancelled order [FLOW-03]', async () => {
  const order = `ord_${await opened()}`
  expect(await ends(trader.router('replaceOrder', order, 100_000_000n, 1n, 0n, 0n, 0n), trader.router('cancelOrder', order))).toEqual(['success', 'success'])
  expect(await ends(trader.router('replaceOrder', order, 1n, 1n, 0n, 0n, 0n), trader.router('cancelOrder', order))).toEqual(['reverted', 'reverted'])
})

test('the practice router contract records each trader’s collateral in USDC and in the exchange’s own token SVC, and pays out no more [FLOW-04]', async () => {
  const holder = generatePrivateKey()
  const owner = (await newTrader(chain, 0n, holder)).account.address
  const started = await startChain({
    clock,
    dataDir: null,
    firstHolder: { owner, usdc: 50_000_000n, svc: 7n * 10n ** 18n },
    history: false,
  })
  if (!started.ok) throw new Error(started.failure.detail)
  const other = started.value
  try {
    const rich = await newTrader(other, 0n, holder)
    const send = async (sent: Promise<Hex>) => {
      const hash = await sent
      await other.mine(1)
      return (await other.transaction(hash))?.status
    }
    expect(await send(other.credit(owner, 20_000_000n))).toBe('success')
    expect(await send(rich.router('credit', owner, 1n))).toBe('reverted')
    expect(await other.holdings(other.usdc, owner)).toEqual({ wallet: 50_000_000n, router: 20_000_000n, allowance: 0n })
    expect(await send(rich.router('deposit', 10_000_000n))).toBe('reverted')
    expect(await send(rich.approve(other.usdc, 10_000_000n))).toBe('success')
    expect(await other.holdings(other.usdc, owner)).toMatchObject({ allowance: 10_000_000n })
    expect(await send(rich.router('deposit', 10_000_000n))).toBe('success')
    await send(rich.approve(other.svc, 7n * 10n ** 18n))
    expect(await send(rich.router('depositToken', other.svc, 7n * 10n ** 18n))).toBe('success')
    expect(await send(rich.router('depositToken', other.router, 1n))).toBe('reverted')
    expect(await send(rich.router('withdraw', 30_000_001n))).toBe('reverted')
    expect(await send(rich.router('withdraw', 30_000_000n))).toBe('success')
    expect(await send(rich.router('withdrawToken', other.svc, 2n * 10n ** 18n))).toBe('success')
    expect(await other.holdings(other.usdc, owner)).toEqual({ wallet: 70_000_000n, router: 0n, allowance: 0n })
    expect(await other.holdings(other.svc, owner)).toEqual({ wallet: 2n * 10n ** 18n, router: 5n * 10n ** 18n, allowance: 0n })
    const moved = (await other.routerEvents(0n)).map(({ name, args }) => [name, 'token' in args ? args.token : null, 'amount' in args ? args.amount : null])
    expect(moved).toEqual([
      ['Deposited', other.usdc, 10_000_000n],
      ['Deposited', other.svc, 7n * 10n ** 18n],
      ['Withdrawn', other.usdc, 30_000_000n],
      ['Withdrawn', other.svc, 2n * 10n ** 18n],
    ])
  } finally {
    await other.stop()
  }
})

test('the practice router contract accepts a deposit by signed permit only once, and only for the exact amount that the owner signed [FLOW-04]', async () => {
  const { account } = trader
  const permit = { owner: account.address, spender: chain.router, value: 4_000_000n, nonce: await chain.permitNonce(account.address), deadline: deadline() }
  const signature = await account.signTypedData({
    domain: { name: 'USD Coin', version: '1', chainId: 8453, verifyingContract: chain.usdc },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: permit,
  })
  const relay = (value: bigint) => chain.submitPermit({ owner: account.address, value, deadline: permit.deadline, signature })
  expect(await ends(relay(5_000_000n), relay(4_000_000n), relay(4_000_000n))).toEqual(['reverted', 'success', 'reverted'])
  expect(await chain.holdings(chain.usdc, account.address)).toEqual({ wallet: 996_000_000n, router: 4_000_000n, allowance: 0n })
})

test('the practice router contract accepts an executor’s command only once and only from its agent, and emits one event per item, in order [ORD-13]', async () => {
  nonce += 2n
  const items = [nonce - 1n, nonce].map((each) => ({ nonce: each, action: 'open_market', payloadHash: `0x${'22'.repeat(32)}` }) as const)
  const command = { trader: trader.account.address, commandId: 'cmd_two', items }
  const from = await chain.blockNumber()
  expect(await ends(trader.router('execute', trader.account.address, 'cmd_own', items), chain.submitCommand(command), chain.submitCommand(command))).toEqual([
    'reverted',
    'success',
    'reverted',
  ])
  expect((await chain.routerEvents(from + 1n)).map(({ name, args, ordinal }) => [name, 'item' in args ? args.item : null, ordinal])).toEqual([
    ['CommandExecuted', 0n, 0],
    ['CommandExecuted', 1n, 1],
  ])
})
