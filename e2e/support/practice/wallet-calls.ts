import { type Address, decodeFunctionData, getAbiItem, type Hex, isAddressEqual } from 'viem'
import { routerArtifact, tokenArtifact } from '../../../electron/practice/chain/contracts.ts'
import type { RouterEvent } from '../../../electron/practice/chain/router-events.ts'

export type Fact = Pick<RouterEvent, 'name' | 'args'>

/** A call to a contract, in a transaction that the wallet sends itself. */
export interface WalletCall {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
}

export interface Allowance {
  readonly owner: Address
  readonly token: Address
  /** The amount in the token’s smallest unit. */
  readonly amount: bigint
}

/** The effect of a call to a contract: events if the contract is the router, an allowance if it is a token. */
export interface CallEffect {
  readonly facts: readonly Fact[]
  readonly allows: Allowance | null
}

interface Tokens {
  readonly router: Address
  readonly usdc: Address
  readonly svc: Address
  holding(token: Address, owner: Address): { readonly wallet: bigint; readonly allowance: bigint }
}

/** The event of each router function. Contains only functions whose event has no data besides the function’s own arguments and the trader. */
const reported: Readonly<Record<string, RouterEvent['name']>> = {
  updateTpSl: 'TpSlUpdated',
  addMargin: 'MarginAdded',
  reduceMargin: 'MarginReduced',
  changeLeverage: 'LeverageChanged',
  cancelOrder: 'OrderCancelled',
  replaceOrder: 'OrderReplaced',
}
const nothing: CallEffect = { facts: [], allows: null }

/**
 * The effect of a call to the router or a token in the chain’s current state; `null` if the call reverts. Assumes that the positions and orders in
 * the call exist.
 */
export function effectOf({ from, to, data }: WalletCall, { router, usdc, svc, holding }: Tokens): CallEffect | null {
  const isRouter = isAddressEqual(to, router)
  if (!isRouter && !isAddressEqual(to, usdc) && !isAddressEqual(to, svc)) return nothing
  const abi = isRouter ? routerArtifact.abi : tokenArtifact.abi
  const { functionName, args = [] } = decodeFunctionData({ abi, data })
  const moved = (name: 'Deposited' | 'Withdrawn', token: Address, amount: unknown): CallEffect | null => {
    const { wallet, allowance } = holding(token, from)
    const units = BigInt(String(amount))
    if (name === 'Deposited' && (wallet < units || allowance < units)) return null
    return { facts: [{ name, args: { trader: from, token, amount: units } }], allows: null }
  }
  switch (functionName) {
    case 'approve':
      return { facts: [], allows: { owner: from, token: to, amount: BigInt(String(args[1])) } }
    case 'deposit':
      return moved('Deposited', usdc, args[0])
    case 'depositToken':
      return moved('Deposited', svc, args[1])
    case 'withdraw':
      return moved('Withdrawn', usdc, args[0])
    case 'withdrawToken':
      return moved('Withdrawn', svc, args[1])
  }
  const name = reported[functionName]
  const item = getAbiItem({ abi, name: functionName })
  if (name === undefined || item?.type !== 'function') return null
  const named = Object.fromEntries(item.inputs.map((input, index) => [input.name, args[index]]))
  return { facts: [{ name, args: { trader: from, ...named } } as unknown as Fact], allows: null }
}
