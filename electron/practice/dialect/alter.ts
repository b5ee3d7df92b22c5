import { type Address, decodeFunctionData, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { ownCalls } from './call-layout.ts'

/**
 * Ways in which the practice exchange can alter the data that the wallet signs or sends, to test whether the app detects the difference.
 * Each works in any signing format. It leaves an action unchanged if it does not apply to that action.
 */
export const alterations = [
  'amount_doubled',
  /** Multiplies the amount by a million, as if it had another scale. */
  'amount_scaled',
  'side_flipped',
  /** Adds 1 to the id of the market. */
  'other_market',
  /** Adds 1 to the number at the end of the id of the order or position. */
  'other_id',
  /** Raises every non-zero price by a fifth. */
  'price_moved',
  /** Raises a max slippage to 50 %. */
  'slippage_raised',
  /** Raises the leverage by 10, for example from 5 to 15. */
  'leverage_raised',
  /** Moves the deadline to a year later. */
  'deadline_far',
  /** Replaces the verifying contract, or the contract to call. */
  'other_router',
  /** Replaces the trader in an intent, or the spender in a permit or approval. */
  'other_recipient',
  /** Makes an approval or permit unlimited. If the action contains no approval or permit, adds an unlimited approval. */
  'unlimited_approval',
  /** Sends one ETH with the transaction. */
  'value_added',
  /** Adds a stranger's address: as a field of typed data, or as a word of calldata. */
  'extra_address',
  /** Adds an amount: as a field of typed data, or as a word of calldata. */
  'extra_amount',
  /** Multiplies the size of a close by ten, so that it exceeds the position. */
  'size_above_position',
  'field_moved',
  'chain_id',
  'permit_owner',
  /** Raises the amount of a permit by one unit. */
  'permit_value',
] as const
export type Alteration = (typeof alterations)[number]

interface Message {
  readonly [name: string]: string | boolean | Message
}

interface Document {
  readonly domain: { readonly chainId: number; readonly verifyingContract: Address }
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly message: Message
}

interface Transaction {
  readonly kind: 'approval' | 'action'
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: Hex
  readonly deadline: number
}

const stranger: Address = '0x000000000000000000000000000000000000dEaD'
const everything = 2n ** 256n - 1n
const year = 31_536_000
const oneEther: Hex = '0xde0b6b3a7640000'

const amounts = ['orderValue', 'size', 'value', 'amount']
const prices = ['referencePrice', 'limitPrice', 'triggerPrice', 'takeProfit', 'stopLoss']
const ids = ['positionId', 'orderId']

const times = (factor: bigint) => (value: bigint) => value * factor
const nextId = (id: string): string => id.replace(/\d+$/, (digits) => (BigInt(digits) + 1n).toString())

/**
 * Returns the change that an alteration makes to numbers, and the exchange’s own names of the affected fields. Returns null if the alteration changes
 * no numbers.
 */
function numberChange(alteration: Alteration): { readonly names: readonly string[]; readonly change: (value: bigint) => bigint } | null {
  switch (alteration) {
    case 'amount_doubled':
      return { names: amounts, change: times(2n) }
    case 'amount_scaled':
      return { names: amounts, change: times(1_000_000n) }
    case 'other_market':
      return { names: ['pairId'], change: (value) => value + 1n }
    case 'price_moved':
      return { names: prices, change: (value) => (value * 6n) / 5n }
    case 'slippage_raised':
      return { names: ['maxSlippageBps'], change: (value) => (value === 0n ? 0n : 5_000n) }
    case 'leverage_raised':
      return { names: ['leverage'], change: (value) => value + 10n }
    case 'deadline_far':
      return { names: ['deadline'], change: (value) => value + BigInt(year) }
    case 'size_above_position':
      return { names: ['size'], change: times(10n) }
    default:
      return null
  }
}

/**
 * Alters data to sign. Returns null if the alteration does not apply to it.
 * @param own data in the exchange's own signing format
 * @param layOut converts the data to the signing format that the wallet receives
 */
export function alterTypedData<D extends Document>(own: D, alteration: Alteration, layOut: (data: D) => D): D | null {
  const { message, primaryType } = own
  const isPermit = primaryType === 'Permit'
  const saying = (changed: Message): D | null => {
    const fitting = Object.entries(changed).filter(([name, value]) => name in message && message[name] !== value)
    return fitting.length === 0 ? null : layOut({ ...own, message: { ...message, ...Object.fromEntries(fitting) } })
  }
  const numbers = numberChange(alteration)
  if (numbers !== null) {
    const changed = numbers.names.flatMap((name) => {
      const value = message[name]
      return typeof value === 'string' && /^\d+$/.test(value) ? [[name, numbers.change(BigInt(value)).toString()] as const] : []
    })
    return saying(Object.fromEntries(changed))
  }
  const laidOut = () => layOut(own)
  switch (alteration) {
    case 'side_flipped':
      return saying({ side: message.side === 'long' ? 'short' : 'long' })
    case 'other_id':
      return saying({ positionId: nextId(String(message.positionId ?? '')) })
    case 'other_recipient':
      return saying(isPermit ? { spender: stranger } : { trader: stranger })
    case 'permit_owner':
      return isPermit ? saying({ owner: stranger }) : null
    case 'permit_value':
      return isPermit ? saying({ value: (BigInt(String(message.value)) + 1n).toString() }) : null
    case 'unlimited_approval':
      return isPermit ? saying({ value: everything.toString() }) : null
    case 'other_router':
      return { ...laidOut(), domain: { ...own.domain, verifyingContract: stranger } }
    case 'chain_id':
      return { ...laidOut(), domain: { ...own.domain, chainId: 1 } }
    case 'extra_address':
      return withField(laidOut(), 'feeRecipient', 'address', stranger)
    case 'extra_amount':
      return withField(laidOut(), 'tip', 'uint256', '1000000')
    case 'field_moved':
      return withFieldsMoved(laidOut())
    default:
      return null
  }
}

const withField = <D extends Document>(data: D, name: string, type: string, value: string): D => ({
  ...data,
  types: { ...data.types, [data.primaryType]: [...(data.types[data.primaryType] ?? []), { name, type }] },
  message: { ...data.message, [name]: value },
})

function withFieldsMoved<D extends Document>(data: D): D | null {
  const fields = (data.types[data.primaryType] ?? []).filter(({ type }) => /^(uint|string|bool)/.test(type))
  for (const first of fields)
    for (const second of fields) {
      const [a, b] = [data.message[first.name], data.message[second.name]]
      if (first.type === second.type && a !== b && a !== undefined && b !== undefined)
        return { ...data, message: { ...data.message, [first.name]: b, [second.name]: a } }
    }
  return null
}

const tokenCalls = parseAbi(['function approve(address spender, uint256 value)'])
const called = new Map([...ownCalls, ...tokenCalls].map((each) => [toFunctionSelector(each) as string, each] as const))
const selectorLength = 10

/**
 * Alters the transactions that the wallet sends, as `alterTypedData` alters the data that it signs. `usdc` is the address of the token in an approval
 * that an alteration adds.
 */
export function alterTransactions<T extends Transaction>(
  own: readonly T[],
  alteration: Alteration,
  { layOut, router, usdc }: { readonly layOut: (transaction: T) => T; readonly router: Address; readonly usdc: Address },
): readonly T[] | null {
  const [first] = own
  const last = own.at(-1)
  if (first === undefined || last === undefined) return null
  const lastAs = (change: (transaction: T) => T): readonly T[] => [...own.slice(0, -1).map(layOut), change(layOut(last))]
  const numbers = numberChange(alteration)
  if (numbers !== null && alteration !== 'deadline_far') {
    const changed = own.map((each) =>
      withArguments(each, (name, value) => (typeof value === 'bigint' && numbers.names.includes(name) ? numbers.change(value) : value)),
    )
    return changed.some((each, index) => each.data !== own[index]?.data) ? changed.map(layOut) : null
  }
  const approval = (spender: Address, amount: bigint): T => ({
    ...{ ...first, kind: 'approval', to: usdc, value: '0x0' },
    data: encodeFunctionData({ abi: tokenCalls, functionName: 'approve', args: [spender, amount] }),
  })
  switch (alteration) {
    case 'deadline_far':
      return lastAs((each) => ({ ...each, deadline: each.deadline + year }))
    case 'other_id': {
      const changed = own.map((each) => withArguments(each, (name, value) => (ids.includes(name) ? nextId(String(value)) : value)))
      return changed.some((each, index) => each.data !== own[index]?.data) ? changed.map(layOut) : null
    }
    case 'other_router':
      return lastAs((each) => ({ ...each, to: stranger }))
    case 'other_recipient':
      return first.kind === 'approval'
        ? own.map((each) => layOut(withArguments(each, (name, value) => (name === 'spender' ? stranger : value))))
        : [approval(stranger, 1_000_000n), ...own.map(layOut)]
    case 'unlimited_approval':
      return first.kind === 'approval'
        ? own.map((each) => layOut(withArguments(each, (name, value, isToken) => (isToken && name === 'value' ? everything : value))))
        : [approval(router, everything), ...own.map(layOut)]
    case 'value_added':
      return lastAs((each) => ({ ...each, value: oneEther }))
    case 'extra_address':
      return lastAs((each) => ({ ...each, data: `${each.data}${stranger.slice(2).toLowerCase().padStart(64, '0')}` }))
    case 'extra_amount':
      return lastAs((each) => ({ ...each, data: `${each.data}${1_000_000n.toString(16).padStart(64, '0')}` }))
    case 'field_moved': {
      const changed = own.map(withArgumentsMoved)
      return changed.some((each, index) => each.data !== own[index]?.data) ? changed.map(layOut) : null
    }
    default:
      return null
  }
}

function callOf({ data }: Transaction) {
  const item = called.get(data.slice(0, selectorLength))
  if (item === undefined) return null
  const { args = [] } = decodeFunctionData({ abi: [item], data })
  const values: readonly unknown[] = args
  return { item, values }
}

const encoded = (item: (typeof ownCalls)[number] | (typeof tokenCalls)[number], args: readonly unknown[]): Hex =>
  // The cast is safe: the arguments were decoded with the same ABI item.
  encodeFunctionData({ abi: [item], functionName: item.name, args } as Parameters<typeof encodeFunctionData>[0])

function withArguments<T extends Transaction>(transaction: T, change: (name: string, value: unknown, isToken: boolean) => unknown): T {
  const call = callOf(transaction)
  if (call === null) return transaction
  const isToken = call.item.name === 'approve'
  const args = call.values.map((value, index) => change(call.item.inputs[index]?.name ?? '', value, isToken))
  return { ...transaction, data: encoded(call.item, args) }
}

/** In the calldata, swaps the first two numeric arguments that differ from each other. */
function withArgumentsMoved<T extends Transaction>(transaction: T): T {
  const call = callOf(transaction)
  if (call === null) return transaction
  const numbers = call.values.flatMap((value, index) => (typeof value === 'bigint' ? [{ value, index }] : []))
  const [one] = numbers
  const other = numbers.find(({ value }) => value !== one?.value)
  if (one === undefined || other === undefined) return transaction
  const args = call.values.map((value, index) => (index === one.index ? other.value : index === other.index ? one.value : value))
  return { ...transaction, data: encoded(call.item, args) }
}
