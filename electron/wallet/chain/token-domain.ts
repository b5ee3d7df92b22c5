import { decodeFunctionResult, encodeFunctionData, type Hex, isHex } from 'viem'

/** What a token calls itself where permits for it are signed; null: it does not say. */
export interface TokenDomain {
  readonly name: string | null
  readonly version: string | null
}

/** EIP-5267, and what EIP-2612 tokens had before it. */
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

/** The answer of one call; null: the function is missing, or the RPC did not answer. */
export type ReadCall = (to: string, data: Hex) => Promise<string | null>

const longest = 256
const plain = (text: string): string | null => (text !== '' && text.length <= longest ? text : null)

function decoded<Value>(answer: string | null, decode: (data: Hex) => Value): Value | null {
  if (answer === null || !isHex(answer) || answer === '0x') return null
  try {
    return decode(answer)
  } catch {
    // Another function, or a token of another form.
    return null
  }
}

/** Reads the domain of a token's permits from the token itself. Null: nobody answered. */
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
