import { type Abi, decodeFunctionData, encodeFunctionData, getAbiItem, isHex, keccak256, parseAbi, stringToHex, toFunctionSignature } from 'viem'
import type { TypedLeaf } from '../message/typed-data.ts'

/** Functions of the router as assumed (`routerCalls`). Prices have one scale, amounts the decimals of their token. */
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

/** The only function of a token that is ever called. ERC-20. */
const tokenAbi = parseAbi(['function approve(address spender, uint256 amount) returns (bool)'])

export type RouterFunction = (typeof routerAbi)[number]['name']

/** Calldata that was read. */
export interface DecodedCall {
  readonly name: RouterFunction | 'approve'
  /** For example `updateTpSl(string,uint256,uint256)`. */
  readonly signature: string
  /** Its arguments by name. */
  readonly leaves: readonly TypedLeaf[]
  readonly formatHash: `0x${string}`
}

/** Names the layout of a call, as `TypedData.formatHash` names that of a message. */
const callFormat = (signature: string): `0x${string}` => keccak256(stringToHex(`calldata ${signature}`))

/** ERC-20 shows this one: it needs nobody's word. */
export const approveFormat = {
  hash: callFormat('approve(address,uint256)'),
  usdcScale: null,
  priceScale: null,
  leverageScale: null,
  sizeScale: null,
  format: null,
}

const isArgument = (value: unknown): value is string | bigint => typeof value === 'string' || typeof value === 'bigint'

/** Reads calldata by the functions of the called contract only. Null: another selector, or bytes that are not exactly what was decoded. */
export function decodeCall(contract: 'router' | 'token', data: string): DecodedCall | null {
  if (!isHex(data)) return null
  const abi: Abi = contract === 'router' ? routerAbi : tokenAbi
  try {
    const { functionName, args = [] } = decodeFunctionData({ abi, data })
    // Bytes behind the arguments, or addresses that are not clean, are not what was decoded.
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
    // Another selector, or fewer bytes than its arguments need.
    return null
  }
}
