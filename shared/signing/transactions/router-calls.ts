import {
  type Abi,
  decodeFunctionData,
  encodeFunctionData,
  getAbiItem,
  isHex,
  keccak256,
  parseAbi,
  stringToHex,
  toFunctionSelector,
  toFunctionSignature,
} from 'viem'
import type { TypedLeaf } from '../message/typed-data.ts'

/**
 * Functions of the router contract, as the app assumes them (`routerCalls`). All prices in a call share one scale. Amounts have the decimals of their
 * token.
 */
const routerAbi = parseAbi([
  'function deposit(uint256 amount)',
  'function depositToken(address token, uint256 amount)',
  'function withdraw(uint256 amount)',
  'function withdrawToken(address token, uint256 amount)',
  'function updateTpSl(string positionId, uint256 takeProfit, uint256 stopLoss)',
  'function addMargin(string positionId, uint256 amount)',
  'function reduceMargin(string positionId, uint256 amount)',
  'function changeLeverage(string positionId, uint256 leverage)',
  'function cancelOrder(string orderId)',
  'function replaceOrder(string orderId, uint256 orderValue, uint256 limitPrice, uint256 triggerPrice, uint256 takeProfit, uint256 stopLoss)',
])

/** The only ERC-20 function that the app lets the wallet call. */
const tokenAbi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)'])

export type RouterFunction = (typeof routerAbi)[number]['name']

/** The function and the arguments of a contract call, decoded from its calldata. */
export interface DecodedCall {
  readonly name: RouterFunction | 'approve'
  /** Signature of the called function, for example `updateTpSl(string,uint256,uint256)`. */
  readonly signature: string
  readonly leaves: readonly TypedLeaf[]
  readonly formatHash: `0x${string}`
}

/** Hash that identifies the format of a contract call, like `TypedData.formatHash` for a message. */
const callFormat = (signature: string): `0x${string}` => keccak256(stringToHex(`calldata ${signature}`))

/** The format of an ERC-20 approval. The user need not confirm it, because ERC-20 defines it. */
export const approveFormat = {
  hash: callFormat('approve(address,uint256)'),
  usdcScale: null,
  priceScale: null,
  leverageScale: null,
  sizeScale: null,
  format: null,
}

/** Returns the router function whose selector the calldata has; null if the app knows no such function. */
export function routerFunctionOf(data: string): { readonly name: RouterFunction; readonly signature: string } | null {
  const item = routerAbi.find((each) => data.slice(0, 10).toLowerCase() === toFunctionSelector(each))
  return item === undefined ? null : { name: item.name, signature: toFunctionSignature(item) }
}

const isArgument = (value: unknown): value is string | bigint => typeof value === 'string' || typeof value === 'bigint'

/**
 * Decodes calldata as a function of the given contract. null if the function is unknown, or if encoding the decoded call does not return exactly the
 * same bytes.
 */
export function decodeCall(contract: 'router' | 'token', data: string): DecodedCall | null {
  if (!isHex(data)) return null
  const abi: Abi = contract === 'router' ? routerAbi : tokenAbi
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi, data })
    // The decoded call does not show extra bytes after the arguments, or nonzero padding of an address. So refuse such calldata.
    if (encodeFunctionData({ abi, functionName, args }).toLowerCase() !== data.toLowerCase()) return null
    const item = getAbiItem({ abi, name: functionName, args })
    if (item?.type !== 'function') return null
    const signature = toFunctionSignature(item)
    const leaves = item.inputs.flatMap(({ name = '', type }, index): TypedLeaf[] => {
      const value = args[index]
      return isArgument(value) ? [{ path: name, names: [name], type, value }] : []
    })
    const name = [...routerAbi, ...tokenAbi].find((known) => known.name === functionName)?.name
    return name === undefined ? null : { name, signature, leaves, formatHash: callFormat(signature) }
  } catch {
    // The calldata has an unknown selector, or too few bytes for the arguments.
    return null
  }
}
