import { encodeFunctionData, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { describeTransaction } from './transaction-card.ts'

const usdc = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const router = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const stranger = '0x000000000000000000000000000000000000dEaD'
const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const abi = parseAbi(['function approve(address spender, uint256 value)', 'function deposit(uint256 amount)', 'function burn(uint256 value)'])
const card = (to: `0x${string}`, data: `0x${string}`) => describeTransaction({ from, to, data, value: '0x0' }, { usdc, router })
const approve = (spender: `0x${string}`, value: bigint) => encodeFunctionData({ abi, functionName: 'approve', args: [spender, value] })

test('an allowance says who may take how much', () => {
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

test('a stranger and an amount without an end are seen at once', () => {
  expect(card(usdc, approve(stranger, 2n ** 256n - 1n)).headline).toEqual(['Let 0x0000…dEaD take your USDC', 'Any amount of USDC'])
})

test('a deposit is named; what the phone does not know is said to be unreadable', () => {
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
