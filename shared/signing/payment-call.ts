import { decodeFunctionData, encodeFunctionData, type Hex, isHex } from 'viem'
import { formatDecimal, fromUnits } from '../decimal.ts'
import type { PreparedPayment } from '../ipc/agents.ts'
import { shortAddress } from './wording.ts'

type Role = PreparedPayment['target']['role']

/** USDC counts in millionths. */
export const usdcDecimals = 6

const approve = {
  type: 'function',
  name: 'approve',
  stateMutability: 'nonpayable',
  inputs: [
    { name: 'spender', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  outputs: [{ name: '', type: 'bool' }],
} as const
const deposit = { type: 'function', name: 'deposit', stateMutability: 'nonpayable', inputs: [{ name: 'amount', type: 'uint256' }], outputs: [] } as const

export interface KnownCall {
  readonly name: 'approve' | 'deposit'
  readonly signature: string
  readonly spender: string | null
  readonly units: bigint
}

/** The calls that a payment may be made of. Whatever else stands there is not read, least of all by another function's rules. */
export function knownCall(role: Role, data: string): KnownCall | null {
  if (!isHex(data)) return null
  try {
    if (role === 'collateral_token') {
      const { args } = decodeFunctionData({ abi: [approve], data })
      // Bytes behind the arguments, or addresses that are not clean, are not what was decoded.
      if (!sameHex(encodeFunctionData({ abi: [approve], args }), data)) return null
      return { name: 'approve', signature: 'approve(address,uint256)', spender: args[0], units: args[1] }
    }
    if (role === 'router') {
      const { args } = decodeFunctionData({ abi: [deposit], data })
      if (!sameHex(encodeFunctionData({ abi: [deposit], args }), data)) return null
      return { name: 'deposit', signature: 'deposit(uint256)', spender: null, units: args[0] }
    }
  } catch {
    // Another selector, or fewer bytes than its arguments need.
  }
  return null
}

const sameHex = (a: Hex, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** For people, with two decimals at least. */
export const usdc = (units: bigint): string => formatDecimal(fromUnits(units, usdcDecimals), { minDecimals: 2 })

/** No USDC that exists comes near it: an allowance of that size has no limit. */
export const unlimitedFrom = 2n ** 96n

/** The call in words, argument by argument. */
export const callOf = (known: KnownCall, to: string): NonNullable<PreparedPayment['call']> => ({
  signature: known.signature,
  sentence:
    known.spender === null
      ? `Puts ${usdc(known.units)} USDC into your collateral at ${shortAddress(to)}.`
      : `Lets ${shortAddress(known.spender)} take up to ${known.units >= unlimitedFrom ? 'any amount of' : usdc(known.units)} USDC from your wallet, at any time, until it is used or taken back.`,
  arguments: [
    ...(known.spender === null ? [] : [{ name: 'spender', type: 'address', value: known.spender, text: shortAddress(known.spender) }]),
    { name: 'amount', type: 'uint256', value: known.units.toString(), text: known.units >= unlimitedFrom ? 'Without a limit' : `${usdc(known.units)} USDC` },
  ],
})
