import { decodeFunctionResult, encodeFunctionData, type Hex, hexToBigInt, isAddress, isHex } from 'viem'
import { fromUnits } from '../../../shared/decimal.ts'
import { createRpc, type PostJson } from './rpc.ts'

export interface TokenBalance {
  /** The balance in whole tokens, not in the token's smallest unit. */
  readonly balance: string
  readonly decimals: number
}

/** Reads a wallet's balances on the chain. A result is null if the RPC doesn't answer or the address is not a token. */
export interface ChainBalances {
  /** The wallet's balance in ETH. */
  eth(wallet: string): Promise<string | null>
  token(contract: string, wallet: string): Promise<TokenBalance | null>
  /** The decimals of a token contract. */
  decimals(contract: string): Promise<number | null>
}

const etherDecimals = 18
/** No token in use has more decimals than this. A larger number means that the contract is not a token. */
const mostDecimals = 36

const erc20 = [
  { type: 'function', name: 'balanceOf', stateMutability: 'view', inputs: [{ name: 'owner', type: 'address' }], outputs: [{ type: 'uint256' }] },
  { type: 'function', name: 'decimals', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint8' }] },
] as const

export function createChainBalances({ rpcUrl, post }: { readonly rpcUrl: () => Promise<string>; readonly post: PostJson }): ChainBalances {
  const rpc = createRpc({ rpcUrl, post })

  const read = async (method: string, params: readonly unknown[]): Promise<Hex | null> => {
    const answer = await rpc(method, params)
    if (!answer.ok || answer.value.error !== null) return null
    const { result } = answer.value
    return isHex(result) && result !== '0x' ? result : null
  }
  /** Calls `balanceOf` or `decimals` of the contract; null if it doesn't return a number as ERC-20 requires. */
  const number = async (contract: string, data: Hex, name: 'balanceOf' | 'decimals'): Promise<bigint | null> => {
    const result = await read('eth_call', [{ to: contract, data }, 'latest'])
    if (result === null) return null
    try {
      return BigInt(decodeFunctionResult({ abi: erc20, functionName: name, data: result }))
    } catch {
      return null
    }
  }

  const decimalsOf = async (contract: string): Promise<number | null> => {
    if (!isAddress(contract, { strict: false })) return null
    const decimals = await number(contract, encodeFunctionData({ abi: erc20, functionName: 'decimals' }), 'decimals')
    return decimals === null || decimals > BigInt(mostDecimals) ? null : Number(decimals)
  }

  return {
    decimals: decimalsOf,
    eth: async (wallet) => {
      const wei = await read('eth_getBalance', [wallet, 'latest'])
      return wei === null ? null : fromUnits(hexToBigInt(wei), etherDecimals)
    },
    token: async (contract, wallet) => {
      if (!isAddress(contract, { strict: false }) || !isAddress(wallet, { strict: false })) return null
      const [units, decimals] = await Promise.all([
        number(contract, encodeFunctionData({ abi: erc20, functionName: 'balanceOf', args: [wallet] }), 'balanceOf'),
        decimalsOf(contract),
      ])
      return units === null || decimals === null ? null : { balance: fromUnits(units, decimals), decimals }
    },
  }
}

/** The name and version that a token uses in the signing domain of its permits. A field is null if the token doesn't state it. */
export interface TokenDomain {
  readonly name: string | null
  readonly version: string | null
}

/** The contract functions that return the signing domain of a token's permits: `eip712Domain` (EIP-5267), and those of older EIP-2612 tokens. */
const abi = [
  {
    type: 'function',
    name: 'eip712Domain',
    stateMutability: 'view',
    inputs: [],
    outputs: [
      { name: 'fields', type: 'bytes1' },
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
      { name: 'salt', type: 'bytes32' },
      { name: 'extensions', type: 'uint256[]' },
    ],
  },
  { type: 'function', name: 'name', stateMutability: 'view', inputs: [], outputs: [{ name: 'name', type: 'string' }] },
  { type: 'function', name: 'version', stateMutability: 'view', inputs: [], outputs: [{ name: 'version', type: 'string' }] },
] as const

/** Calls a contract function; returns null if the function is missing or the RPC didn't answer. */
export type ReadCall = (to: string, data: Hex) => Promise<string | null>

const longest = 256
const plain = (text: string): string | null => (text !== '' && text.length <= longest ? text : null)

function decoded<Value>(answer: string | null, decode: (data: Hex) => Value): Value | null {
  if (answer === null || !isHex(answer) || answer === '0x') return null
  try {
    return decode(answer)
  } catch {
    // The contract lacks this function, or its result has another format.
    return null
  }
}

/** Reads the domain of a token's permits from the token itself. null if no call returned a name. */
export async function readTokenDomain(call: ReadCall, token: string): Promise<TokenDomain | null> {
  const ask = (functionName: 'eip712Domain' | 'name' | 'version') => call(token, encodeFunctionData({ abi, functionName }))
  const whole = decoded(await ask('eip712Domain'), (data) => decodeFunctionResult({ abi, functionName: 'eip712Domain', data }))
  if (whole !== null) return { name: plain(whole[1]), version: plain(whole[2]) }
  const [name, version] = await Promise.all([ask('name'), ask('version')])
  const said = {
    name: decoded(name, (data) => plain(decodeFunctionResult({ abi, functionName: 'name', data }))),
    version: decoded(version, (data) => plain(decodeFunctionResult({ abi, functionName: 'version', data }))),
  }
  return said.name === null ? null : said
}
