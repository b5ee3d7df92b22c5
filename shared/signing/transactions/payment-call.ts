import { formatDecimal, fromUnits } from '../../decimal.ts'
import type { PreparedPayment } from '../../ipc/keys/agents.ts'
import { shortAddress } from '../wording.ts'
import { decodeCall } from './router-calls.ts'

type Role = PreparedPayment['target']['role']

/** USDC counts in millionths. */
export const usdcDecimals = 6

export interface KnownCall {
  readonly name: 'approve' | 'deposit'
  readonly signature: string
  readonly spender: string | null
  readonly units: bigint
}

/** The calls that a payment may be made of. Whatever else stands there is not read, least of all by another function's rules. */
export function knownCall(role: Role, data: string): KnownCall | null {
  const call = role === 'unknown' ? null : decodeCall(role === 'router' ? 'router' : 'token', data)
  if (call === null || (call.name !== 'approve' && call.name !== 'deposit')) return null
  const argument = (name: string) => call.leaves.find(({ path }) => path === name)?.value
  const [spender, units] = [argument('spender'), argument('amount')]
  if (typeof units !== 'bigint') return null
  return { name: call.name, signature: call.signature, spender: typeof spender === 'string' ? spender : null, units }
}

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
