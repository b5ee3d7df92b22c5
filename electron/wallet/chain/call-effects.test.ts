import { encodeAbiParameters, encodeFunctionData, pad, parseAbi, toEventSelector } from 'viem'
import { expect, test } from 'vitest'
import { isEffectOf, topicOf } from './transactions.ts'

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const router = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const other = '0x1111111111111111111111111111111111111111'
const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function deposit(uint256 amount)',
  'function withdraw(uint256 amount)',
  'function cancelOrder(string orderId)',
])
const amount = pad('0x05f5e100', { size: 32 })
const approval = toEventSelector('Approval(address,address,uint256)')
const transfer = toEventSelector('Transfer(address,address,uint256)')

const calls = {
  approve: { from: wallet, to: usdc, value: '0x0', data: encodeFunctionData({ abi, functionName: 'approve', args: [router, 100_000_000n] }) },
  deposit: { from: wallet, to: router, value: '0x0', data: encodeFunctionData({ abi, functionName: 'deposit', args: [100_000_000n] }) },
  withdraw: { from: wallet, to: router, value: '0x0', data: encodeFunctionData({ abi, functionName: 'withdraw', args: [100_000_000n] }) },
  cancel: { from: wallet, to: router, value: '0x0', data: encodeFunctionData({ abi, functionName: 'cancelOrder', args: ['ord_7'] }) },
} as const
const cancelled = encodeAbiParameters([{ type: 'string' }], ['ord_7'])
const effects = {
  approve: { address: usdc, topics: [approval, topicOf(wallet), topicOf(router)], data: amount },
  deposit: { address: usdc, topics: [transfer, topicOf(wallet), topicOf(router)], data: amount },
  withdraw: { address: usdc, topics: [transfer, topicOf(router), topicOf(wallet)], data: amount },
  cancel: { address: router, topics: [toEventSelector('OrderCancelled(address,string)'), topicOf(wallet)], data: cancelled },
} as const
type Name = keyof typeof calls
const names = Object.keys(calls) as Name[]

test.each(names)('the app recognises an executed call to %s by the event of that call, and not by the events of other calls', (name) => {
  expect(names.filter((each) => isEffectOf(calls[name], [usdc], effects[each]))).toEqual([name])
})

test.each(names)('an event on the chain does not prove an executed call to %s if the wallet, contract or amount differs', (name) => {
  const { address, topics, data } = effects[name]
  const swapped = topics.map((topic) => (topic === topicOf(wallet) ? topicOf(other) : topic))
  expect(isEffectOf(calls[name], [usdc], { address, topics: swapped, data })).toBe(false)
  expect(isEffectOf(calls[name], [usdc], { address: other, topics, data })).toBe(false)
  expect(isEffectOf(calls[name], [usdc], { address, topics, data: data.replace(/[1-9a-f](?=0*$)/, '0') })).toBe(false)
})

test('the app counts no transfer as the effect of a call unless a trusted token emitted the transfer’s event', () => {
  expect(isEffectOf(calls.deposit, [], effects.deposit)).toBe(false)
})
