import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { describeTransaction } from './transaction-card.ts'

const usdc = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const svc = '0x4B1c000000000000000000000000000000000083'
const router = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const stranger = '0x000000000000000000000000000000000000dEaD'
const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const abi = parseAbi([
  'function approve(address spender, uint256 value)',
  'function deposit(uint256 amount)',
  'function burn(uint256 value)',
  'function withdrawToken(address token, uint256 amount)',
  'function updateTpSl(string positionId, uint256 takeProfit, uint256 stopLoss)',
  'function reduceMargin(string positionId, uint256 amount)',
  'function changeLeverage(string positionId, uint256 leverage)',
  'function cancelOrder(string orderId)',
  'function replaceOrder(string orderId, uint256 orderValue, uint256 limitPrice, uint256 triggerPrice, uint256 takeProfit, uint256 stopLoss)',
])
const card = (to: `0x${string}`, data: `0x${string}`) => describeTransaction({ from, to, data, value: '0x0' }, { usdc, svc, router })
const approve = (spender: `0x${string}`, value: bigint) => encodeFunctionData({ abi, functionName: 'approve', args: [spender, value] })

test('the practice phone’s card for an allowance shows the spender and the amount', () => {
  expect(card(usdc, approve(router, 25_500_000n))).toMatchObject({
    headline: ['Let the exchange take your USDC', '25.50 USDC'],
    fields: [
      { name: 'to', raw: usdc },
      { name: 'value', text: '0 ETH' },
      { name: 'function', raw: 'approve(address,uint256)', text: 'approve' },
      { name: 'argument spender', raw: router },
      { name: 'argument value', raw: '25500000', text: '25.50 USDC' },
      { name: 'data', text: '68 bytes' },
    ],
  })
})

test('the practice phone’s card shows an unknown spender and an unlimited amount in its headline', () => {
  expect(card(usdc, approve(stranger, 2n ** 256n - 1n)).headline).toEqual([`Let ${stranger} take your USDC`, 'Any amount of USDC'])
})

test('the practice phone’s card shows a deposit by name, and marks calls that the phone cannot decode as unreadable', () => {
  expect(card(router, encodeFunctionData({ abi, functionName: 'deposit', args: [1_000_000n] })).headline).toEqual(['Deposit into the exchange', '1.00 USDC'])
  const unread = { name: 'data', text: expect.stringMatching(/which this phone cannot read$/) }
  for (const { headline, fields } of [
    card(stranger, approve(router, 1n)),
    card(usdc, encodeFunctionData({ abi, functionName: 'burn', args: [1n] })),
    card(usdc, `${approve(router, 1n)}00`),
  ]) {
    expect(headline[0]).toBe('Send a transaction')
    expect(fields).toHaveLength(3)
    expect(fields.at(-1)).toMatchObject(unread)
  }
  expect(card(usdc, '0x').fields.at(-1)).toMatchObject({ text: '0 bytes' })
})

test('the practice phone’s card shows order and position changes by name, with their new values', () => {
  const headline = (data: `0x${string}`) => card(router, data).headline
  const exits = encodeFunctionData({ abi, functionName: 'updateTpSl', args: ['pos_7', 9_850_050_000_000n, 0n] })
  expect(headline(exits)).toEqual(['Set the exits of a position', 'Take profit 98,500.50', 'Stop loss None'])
  expect(card(router, exits).fields).toContainEqual({ name: 'argument positionId', raw: 'pos_7', text: 'pos_7' })
  const margin = encodeFunctionData({ abi, functionName: 'reduceMargin', args: ['pos_7', 12_345_678n] })
  expect(headline(margin)).toEqual(['Take margin from a position', '12.345678 USDC'])
  const leverage = encodeFunctionData({ abi, functionName: 'changeLeverage', args: ['pos_7', 7n] })
  expect(headline(leverage)).toEqual(['Change the leverage of a position', '7×'])
  expect(headline(encodeFunctionData({ abi, functionName: 'cancelOrder', args: ['ord_9'] }))).toEqual(['Cancel an order', 'ord_9'])
  const replaced = encodeFunctionData({ abi, functionName: 'replaceOrder', args: ['ord_9', 700_000_000n, 140_000_000_000n, 0n, 0n, 90_000_000_000n] })
  expect(headline(replaced)).toEqual(['Change an order', 'ord_9', '700.00 USDC'])
  expect(card(router, replaced).fields).toContainEqual({ name: 'argument limitPrice', raw: '140000000000', text: '1,400.00' })
})

test('the practice phone’s card shows an amount of the exchange’s own token with that token’s decimals and name', () => {
  expect(card(svc, approve(router, 1_500_000_000_000_000_000n)).headline).toEqual(['Let the exchange take your SVC', '1.50 SVC'])
  const withdrawal = card(router, encodeFunctionData({ abi, functionName: 'withdrawToken', args: [svc, 2n * 10n ** 18n] }))
  expect(withdrawal.headline).toEqual(['Withdraw from the exchange', '2.00 SVC'])
  expect(withdrawal.fields).toContainEqual({ name: 'argument token', raw: svc, text: 'the SVC contract' })
})
