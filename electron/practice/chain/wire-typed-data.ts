import { type Address, getAddress, type Hex, hashStruct, recoverTypedDataAddress } from 'viem'

/** A message to sign: its fields by name. A struct may contain other structs. */
export interface TypedMessage {
  readonly [name: string]: string | boolean | TypedMessage
}

interface Field {
  readonly name: string
  readonly type: string
}

/** EIP-712 data as JSON, with every uint256 as decimal text. */
export interface WireTypedData {
  readonly domain: { readonly name: string; readonly version: string; readonly chainId: number; readonly verifyingContract: Address }
  readonly types: Readonly<Record<string, readonly Field[]>>
  readonly primaryType: string
  readonly message: TypedMessage
}

export const domainFields: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** The EIP-712 domain of a prepared action: name `SvcDEX`, version `1`, chain ID `8453`. The verifying contract is the DEX router. */
export const routerDomain = (router: Address): WireTypedData['domain'] => ({ name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: router })

function native(data: WireTypedData) {
  const { EIP712Domain: _, ...types } = data.types
  return { domain: data.domain, types, primaryType: data.primaryType, message: nativeMessage(data) }
}

/** Returns the EIP-712 hash of the message alone, without its domain. */
export const structHashOf = (data: WireTypedData): Hex => {
  const { types, primaryType, message } = native(data)
  return hashStruct({ types, primaryType, data: message })
}

/** Converts the text values of the message to native values, for example decimal text to bigint. */
export const nativeMessage = (data: WireTypedData): NativeMessage => nativeStruct(data, data.primaryType, data.message)

export interface NativeMessage {
  readonly [name: string]: string | boolean | bigint | NativeMessage | undefined
}

function nativeStruct(data: WireTypedData, struct: string, values: TypedMessage): NativeMessage {
  const fields = (data.types[struct] ?? []).map(({ name, type }) => {
    const value = values[name]
    if (typeof value === 'object') return [name, nativeStruct(data, type, value)] as const
    return [name, /^u?int\d+$/.test(type) && typeof value === 'string' ? BigInt(value) : value] as const
  })
  return Object.fromEntries(fields)
}

/** True if the wallet signed exactly this data. Never throws: a malformed signature counts as invalid. */
export async function isSignedBy(wallet: Address, data: WireTypedData, signature: unknown): Promise<boolean> {
  if (!isSignature(signature)) return false
  try {
    return (await recoverTypedDataAddress({ ...native(data), signature })) === getAddress(wallet)
  } catch {
    return false
  }
}

/** True if the value has the form of a signature: 65 bytes in hex. */
export const isSignature = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-fA-F]{130}$/.test(value)
