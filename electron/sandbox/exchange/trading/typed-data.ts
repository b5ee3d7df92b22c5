import { type Address, getAddress, type Hex, recoverTypedDataAddress } from 'viem'

interface Field {
  readonly name: string
  readonly type: string
}

/** EIP-712 as it stands in JSON: every uint256 as decimal text. */
export interface WireTypedData {
  readonly domain: { readonly name: string; readonly version: string; readonly chainId: number; readonly verifyingContract: Address }
  readonly types: Readonly<Record<string, readonly Field[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, string | boolean>>
}

export const domainFields: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/** Prepared action: name `SvcDEX`, version `1`, chain ID `8453`, verifying contract is the DEX router. */
export const routerDomain = (router: Address): WireTypedData['domain'] => ({ name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: router })

function native(data: WireTypedData) {
  const fields = data.types[data.primaryType] ?? []
  return { domain: data.domain, types: { [data.primaryType]: fields }, primaryType: data.primaryType, message: nativeMessage(data) }
}

/** The message with its numbers as numbers. */
export function nativeMessage(data: WireTypedData): Record<string, string | boolean | bigint | undefined> {
  const message: Record<string, string | boolean | bigint | undefined> = {}
  for (const { name, type } of data.types[data.primaryType] ?? []) {
    const value = data.message[name]
    message[name] = type === 'uint256' && typeof value === 'string' ? BigInt(value) : value
  }
  return message
}

/** Whether the signature is the wallet's, over exactly this data. Malformed signatures are nobody's. */
export async function isSignedBy(wallet: Address, data: WireTypedData, signature: unknown): Promise<boolean> {
  if (!isSignature(signature)) return false
  try {
    return (await recoverTypedDataAddress({ ...native(data), signature })) === getAddress(wallet)
  } catch {
    return false
  }
}

/** 65 bytes in hex. */
export const isSignature = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-fA-F]{130}$/.test(value)
