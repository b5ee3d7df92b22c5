import { type Abi, decodeFunctionData, encodeFunctionData, getAbiItem, isHex, keccak256, parseAbi, stringToHex, toFunctionSignature } from 'viem'
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

/** Decoded calldata. */
export interface DecodedCall {
  readonly name: RouterFunction | 'approve'
  /** Signature of the called function, for example `updateTpSl(string,uint256,uint256)`. */
  readonly signature: string
  /** The arguments of the call, by name. */
  readonly leaves: readonly TypedLeaf[]
  readonly formatHash: `0x${string}`
}

/** Identifies the format of a contract call, as `TypedData.formatHash` does for a message. */
const callFormat = (signature: string): `0x${string}` => keccak256(stringToHex(`calldata ${signature}`))

/** The format of an ERC-20 approval. It is standard, so the user need not confirm it. */
export const approveFormat = {
  hash: callFormat('approve(address,uint256)'),
  usdcScale: null,
  priceScale: null,
  leverageScale: null,
  sizeScale: null,
  format: null,
}

const isArgument = (value: unknown): value is string | bigint => typeof value === 'string' || typeof value === 'bigint'

/**
 * Decodes calldata, but only as a function of the given contract. null: the function is unknown, or encoding the decoded call again yields other
 * bytes.
 */
export function decodeCall(contract: 'router' | 'token', data: string): DecodedCall | null {
  if (!isHex(data)) return null
  const abi: Abi = contract === 'router' ? routerAbi : tokenAbi
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi, data })
    // Extra bytes after the arguments, or nonzero padding of an address, would not show in the decoded call. Refuse them.
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
    // The calldata has another selector, or too few bytes for the arguments.
    return null
  }
}
