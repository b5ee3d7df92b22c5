import { type Address, type Hex, hexToString, isAddress, isHex } from 'viem'
import { z } from 'zod'
import { fail, ok, type Result } from '../../../shared/result.ts'

export const TypedData = z.object({
  domain: z.record(z.string(), z.unknown()),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
})
export type TypedData = z.infer<typeof TypedData>

const AddressText = z.custom<Address>((value) => typeof value === 'string' && isAddress(value, { strict: false }))
const HexText = z.custom<Hex>((value) => isHex(value))

export const TransactionRequest = z.object({
  from: AddressText,
  to: AddressText,
  data: HexText.optional(),
  value: HexText.optional(),
  gas: HexText.optional(),
})
export type TransactionRequest = z.infer<typeof TransactionRequest>

export type WalletRequest =
  | { readonly kind: 'message'; readonly account: Address; readonly bytes: Hex; readonly text: string }
  | { readonly kind: 'typed_data'; readonly account: Address; readonly typedData: TypedData }
  | { readonly kind: 'transaction'; readonly account: Address; readonly transaction: TransactionRequest }
  | { readonly kind: 'switch_chain'; readonly chainId: number }

export type RequestRefusal = { readonly code: number; readonly message: string }

const invalidParams: RequestRefusal = { code: -32_602, message: 'Invalid params' }

/** Parses a WalletConnect session request. If the wallet cannot handle the request, returns the JSON-RPC error to send to the app. */
export function readWalletRequest(method: string, params: unknown): Result<WalletRequest, RequestRefusal> {
  switch (method) {
    case 'personal_sign': {
      const read = z.tuple([z.string(), AddressText], z.unknown()).safeParse(params)
      if (!read.success) return fail(invalidParams)
      const [message, account] = read.data
      const bytes = isHex(message) ? message : (`0x${Buffer.from(message, 'utf8').toString('hex')}` as const)
      return ok({ kind: 'message', account, bytes, text: hexToString(bytes) })
    }
    case 'eth_signTypedData_v4': {
      const read = z.tuple([AddressText, z.union([z.string(), TypedData])], z.unknown()).safeParse(params)
      if (!read.success) return fail(invalidParams)
      const [account, data] = read.data
      const typedData = TypedData.safeParse(typeof data === 'string' ? parseJson(data) : data)
      return typedData.success ? ok({ kind: 'typed_data', account, typedData: typedData.data }) : fail(invalidParams)
    }
    case 'eth_sendTransaction': {
      const read = z.tuple([TransactionRequest], z.unknown()).safeParse(params)
      return read.success ? ok({ kind: 'transaction', account: read.data[0].from, transaction: read.data[0] }) : fail(invalidParams)
    }
    case 'wallet_switchEthereumChain': {
      const read = z.tuple([z.object({ chainId: HexText })], z.unknown()).safeParse(params)
      return read.success ? ok({ kind: 'switch_chain', chainId: Number(read.data[0].chainId) }) : fail(invalidParams)
    }
    default:
      return fail({ code: -32_601, message: `The practice wallet does not know ${method}` })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
