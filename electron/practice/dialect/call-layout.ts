import { type Address, decodeFunctionData, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import type { Dialect } from './draw.ts'
import { bigIntegerOffset, hexOf, type IdFamily, idNumber } from './ids.ts'
import { functionNames, signingNames } from './signing-words.ts'

/** The router functions that traders call, in the router's own format. A dialect uses other function names, argument orders and number formats. */
export const ownCalls = parseAbi([
  'function updateTpSl(string positionId, uint256 takeProfit, uint256 stopLoss)',
  'function addMargin(string positionId, uint256 amount)',
  'function reduceMargin(string positionId, uint256 amount)',
  'function changeLeverage(string positionId, uint256 leverage)',
  'function cancelOrder(string orderId)',
  'function replaceOrder(string orderId, uint256 orderValue, uint256 limitPrice, uint256 triggerPrice, uint256 takeProfit, uint256 stopLoss)',
  'function deposit(uint256 amount)',
  'function depositToken(address token, uint256 amount)',
  'function withdraw(uint256 amount)',
  'function withdrawToken(address token, uint256 amount)',
])

type Own = (typeof ownCalls)[number]
const ownSelectors: ReadonlyMap<string, Own> = new Map(ownCalls.map((own) => [toFunctionSelector(own), own]))

/** How many implied decimals the router's whole numbers have. Token amounts are an exception: they have the decimals of their token. */
const ownDecimals: Readonly<Record<string, number>> = { takeProfit: 8, stopLoss: 8, limitPrice: 8, triggerPrice: 8, orderValue: 6 }
const idFamilies: Readonly<Record<string, IdFamily>> = { positionId: 'position', orderId: 'order' }
const prefixes: Readonly<Record<string, string>> = { positionId: 'pos_', orderId: 'ord_' }

/**
 * How the router converts one argument of a call in a dialect's format to the argument of its own function. The contract's enum has the same numbers.
 */
export const sources = { number: 0, idNumber: 1, idText: 2, idDigits: 3, idCharacters: 4 } as const

interface Argument {
  /** The argument's name in the router's own call format; null if only the dialect has this argument. */
  readonly key: string | null
  readonly name: string
  readonly type: string
  readonly source: (typeof sources)[keyof typeof sources]
  /** For a number, the factor by which the dialect multiplies it. For an id, the offset that the dialect adds to its number. */
  readonly change: bigint
  write(value: unknown): unknown
}

export interface CallLayout {
  readonly name: string
  readonly selector: Hex
  readonly args: readonly Argument[]
  readonly isStruct: boolean
  /** The dialect's format for the call, encoded as the contract's struct. It is the argument of the router's `teach` function. */
  readonly taught: Hex
}

const selectorLength = 10

const exact = (value: unknown): unknown => value

/** Builds the call format that a dialect uses for one of the router functions: function name, argument order and number formats. */
function callLayout(dialect: Dialect, own: Own): CallLayout {
  const { draw } = dialect
  const arg = ({ name: key = '', type }: { readonly name?: string; readonly type: string }): Argument => {
    const base = { key, name: draw.pick(`called name:${key}`, signingNames[key] ?? [key]), type, source: sources.number, change: 1n, write: exact }
    const family = idFamilies[key]
    if (family !== undefined) return { ...base, ...idArgument(dialect, family) }
    const decimals = ownDecimals[key]
    const isMargin = key === 'amount' && own.name.endsWith('Margin')
    if (decimals !== undefined || isMargin) {
      const kept = decimals ?? 6
      const scale = draw.pick<number>(`called scale:${isMargin ? 'margin' : kept}`, [kept, kept, 18])
      const change = 10n ** BigInt(scale - kept)
      return { ...base, change, write: (value) => BigInt(String(value)) * change }
    }
    return key === 'leverage' ? { ...base, type: draw.pick('called width:leverage', ['uint256', 'uint32', 'uint8']) } : base
  }
  const extras: Argument[] = [
    { name: 'deadline', type: 'uint256', value: 2n ** 40n },
    { name: 'referralCode', type: 'uint16', value: 0n },
  ]
    .filter(({ name }) => draw.chance(`called extra:${name}:${own.name}`, 0.15))
    .map(({ name, type, value }) => ({ key: null, name, type, source: sources.number, change: 1n, write: () => value }))
  const mine = own.inputs.map(arg)
  const args = [...(draw.chance(`called order:${own.name}`, 0.4) ? draw.shuffled(`called args:${own.name}`, mine) : mine), ...extras]
  const isStruct = args.length > 1 && draw.chance(`called struct:${own.name}`, 0.3)
  const types = args.map(({ type }) => type).join(',')
  const signature = (name: string) => `${name}(${isStruct ? `(${types})` : types})`
  const drawn = draw.pick(`called:${own.name}`, functionNames[own.name] ?? [own.name])
  const name = ownSelectors.has(toFunctionSelector(signature(drawn))) ? `${drawn}V2` : drawn
  const isDynamic = args.some(({ type }) => type === 'string')
  // If a struct contains dynamic data, the calldata starts with one more word: the offset of the struct. All arguments then move by one word.
  const shift = isStruct && isDynamic ? 1n : 0n
  const familyKey = own.inputs.find((input) => prefixes[input.name ?? ''] !== undefined)?.name ?? ''
  const taught = {
    target: toFunctionSelector(own),
    base: 32n * shift,
    prefix: prefixes[familyKey] ?? '',
    arguments: own.inputs.map(({ name: key }) => {
      const index = args.findIndex((each) => each.key === key)
      const { source = sources.number, change = 1n } = args[index] ?? {}
      return { source: BigInt(source), word: BigInt(index) + shift, change }
    }),
  }
  return { name, selector: toFunctionSelector(signature(name)), args, isStruct, taught: encodeAbiParameters(layoutParameter, [taught]) }
}

const layoutParameter = [
  {
    type: 'tuple',
    components: [
      { name: 'target', type: 'bytes4' },
      { name: 'base', type: 'uint256' },
      { name: 'prefix', type: 'string' },
      {
        name: 'arguments',
        type: 'tuple[]',
        components: [
          { name: 'source', type: 'uint256' },
          { name: 'word', type: 'uint256' },
          { name: 'change', type: 'uint256' },
        ],
      },
    ],
  },
] as const

const longestWord = 31

function idArgument({ draw, ids }: Dialect, family: IdFamily): Pick<Argument, 'type' | 'source' | 'change' | 'write'> {
  const form = ids[family]
  const number = (value: unknown) => idNumber(family, form, String(value)) ?? 0n
  const change = form === 'big_integer' ? bigIntegerOffset : 0n
  const asNumber = (type: string) => ({ type, source: sources.idNumber, change, write: number })
  switch (form) {
    case 'text':
      return draw.chance(`called id:${family}`, 0.3)
        ? {
            ...{ type: 'bytes32', source: sources.idCharacters, change: 0n },
            write: (value) => `0x${Buffer.from(String(value).slice(0, longestWord)).toString('hex').padEnd(64, '0')}`,
          }
        : { type: 'string', source: sources.idText, change: 0n, write: exact }
    case 'digits':
      return draw.chance(`called id:${family}`, 0.5)
        ? asNumber('uint256')
        : { type: 'string', source: sources.idDigits, change: 0n, write: (value) => number(value).toString() }
    case 'hex':
      return draw.chance(`called id:${family}`, 0.3)
        ? asNumber('uint256')
        : { type: 'bytes32', source: sources.idNumber, change, write: (value) => hexOf(number(value)) }
    default:
      return asNumber(draw.pick(`called id:${family}`, ['uint256', 'uint64', 'uint128']))
  }
}

const drawnLayouts = new WeakMap<Dialect, ReadonlyMap<Own, CallLayout>>()

function layoutsOf(dialect: Dialect): ReadonlyMap<Own, CallLayout> {
  const known = drawnLayouts.get(dialect)
  if (known !== undefined) return known
  const made = new Map(ownCalls.map((own) => [own, callLayout(dialect, own)]))
  drawnLayouts.set(dialect, made)
  return made
}

export const callLayouts = (dialect: Dialect): readonly CallLayout[] => [...layoutsOf(dialect).values()]

/** Converts calldata from the router's own call format to the dialect's. Leaves calldata for other functions unchanged. */
export function layOutCall(dialect: Dialect, data: Hex): Hex {
  const own = ownSelectors.get(data.slice(0, selectorLength))
  const layout = own === undefined ? undefined : layoutsOf(dialect).get(own)
  if (own === undefined || layout === undefined) return data
  const { args = [] } = decodeFunctionData({ abi: [own], data })
  const values = new Map<string | undefined, unknown>(own.inputs.map(({ name }, index) => [name, args[index]]))
  const inputs = layout.args.map(({ name, type }) => ({ name, type }))
  const written = layout.args.map(({ key, write }) => write(values.get(key ?? undefined)))
  const abi = [
    {
      ...{ type: 'function', name: layout.name, stateMutability: 'nonpayable', outputs: [] },
      inputs: layout.isStruct ? [{ name: 'request', type: 'tuple', components: inputs }] : inputs,
    },
  ] as const
  return encodeFunctionData({
    abi,
    functionName: layout.name,
    args: layout.isStruct ? [Object.fromEntries(layout.args.map(({ name }, index) => [name, written[index]]))] : written,
  } as Parameters<typeof encodeFunctionData>[0])
}

/**
 * Converts the calldata of a transaction to the router from the router's own call format to the dialect's. Leaves the called contract and the value
 * unchanged.
 */
export const layOutTransaction = <T extends { readonly to: Address; readonly data: Hex }>(dialect: Dialect, router: Address, transaction: T): T =>
  transaction.to === router ? { ...transaction, data: layOutCall(dialect, transaction.data) } : transaction
