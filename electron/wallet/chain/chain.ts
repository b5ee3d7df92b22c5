import {
  type Address,
  compactSignatureToSignature,
  createPublicClient,
  custom,
  type Hex,
  hexToBigInt,
  isAddress,
  numberToHex,
  parseCompactSignature,
  parseSignature,
  recoverAddress,
  type Signature,
  serializeSignature,
} from 'viem'
import { base } from 'viem/chains'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import { createRpc, type PostJson } from './rpc.ts'

export interface ChainDeps {
  /**
   * Returns the profile's RPC URL: that of the practice chain, the one that the user stored, or Base's public one. The app never uses an RPC that
   * the service offers.
   */
  readonly rpcUrl: () => Promise<string>
  readonly post: PostJson
  /** Returns the failure `rpc_wrong_chain` if the RPC serves another chain than Base, else null. Leave this out if `rpcUrl` certainly serves Base. */
  readonly mismatch?: () => Promise<Failure | null>
}

export type SignatureVerdict =
  /**
   * The signature to send to the service. A plain account's signature is in canonical form, which every verifier accepts; a contract wallet's
   * signature is unchanged.
   */
  | { readonly valid: true; readonly signature: string }
  /** `recovered`: the plain account that signed. null if the signature isn't from a plain account, or if a contract rejected it. */
  | { readonly valid: false; readonly recovered: string | null }

export interface Chain {
  /** Returns `rpc_wrong_chain` if the RPC serves another chain; null if the RPC serves Base or didn't answer. */
  mismatch(): Promise<Failure | null>
  /** Number of the newest block; null if the RPC didn't answer. */
  blockNumber(): Promise<number | null>
  /** Whether the address has a contract; null if the RPC didn't answer. */
  hasCode(address: string): Promise<boolean | null>
  /**
   * Checks whether `wallet` signed `hash`. Recovers the signer of a plain account's signature; asks the RPC about a contract wallet's (ERC-1271 or
   * ERC-6492). Fails with `unreachable` if only the chain can decide and the RPC doesn't answer, or with `rpc_wrong_chain`.
   */
  verify(wallet: string, hash: Hex, signature: string): Promise<Result<SignatureVerdict, Failure>>
  readonly handlers: HandlersOf<'chain'>
}

/** The RPC for profiles that don't set their own. */
export const publicBaseRpc = 'https://mainnet.base.org'

const anySignature = /^0x(?:[0-9a-fA-F]{2})+$/

/** Reads Base through the profile's own RPC. Never sends a transaction. */
export function createChain({ rpcUrl, post, mismatch = async () => null }: ChainDeps): Chain {
  const rpc = createRpc({ rpcUrl, post })
  /**
   * Creates a reader of the chain that calls `onSilence` when the RPC doesn't answer. Needed because viem may report a missing answer as a
   * rejection by the contract.
   */
  const createReader = (onSilence: () => void) =>
    createPublicClient({
      chain: base,
      transport: custom(
        {
          request: async ({ method, params }: { method: string; params?: unknown }) => {
            const answer = await rpc(method, params ?? [])
            if (!answer.ok) {
              onSilence()
              throw new Error(`${method}: the RPC did not answer`)
            }
            if (answer.value.error !== null)
              throw Object.assign(new Error(answer.value.error.message), { code: answer.value.error.code, data: answer.value.error.data })
            return answer.value.result
          },
        },
        { retryCount: 0 },
      ),
    })
  const client = createReader(() => {})

  const quietly = async <T>(read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read()
    } catch {
      return null
    }
  }

  const hasCode = (address: string): Promise<boolean | null> => {
    if (!isAddress(address, { strict: false })) return Promise.resolve(false)
    return quietly(async () => {
      const code = await client.getCode({ address: address as Address })
      return code !== undefined && code !== '0x'
    })
  }

  return {
    mismatch,
    blockNumber: () => quietly(async () => Number(await client.getBlockNumber({ cacheTime: 0 }))),
    hasCode,
    verify: async (wallet, hash, signature) => {
      if (!anySignature.test(signature)) return ok({ valid: false, recovered: null })
      const plain = canonicalSignature(signature)
      const recovered = plain === null ? null : await quietly(() => recoverAddress({ hash, signature: plain }))
      if (plain !== null && recovered === wallet) return ok({ valid: true, signature: plain })
      // Only an ERC-6492 signature may come from a contract wallet that is not deployed yet. For any other signature, the address must have code.
      const counterfactual = signature.endsWith('6492'.repeat(16))
      if (!counterfactual) {
        const code = await hasCode(wallet)
        if (code === null) return fail((await mismatch()) ?? rpcSilent)
        if (!code) return ok({ valid: false, recovered })
      }
      let silent = false
      const reader = createReader(() => {
        silent = true
      })
      const valid = await quietly(() => reader.verifyHash({ address: wallet as Address, hash, signature: signature as Hex }))
      if (valid === true) return ok({ valid: true, signature })
      return valid === null || silent ? fail(rpcSilent) : ok({ valid: false, recovered: null })
    },
    handlers: {
      'chain.rpc': async ({ method, params }) => {
        if (!isReadingMethod(method)) return fail({ kind: 'bad_input', field: 'method', issue: 'not_a_reading_method' })
        let parsed: unknown
        try {
          parsed = JSON.parse(params)
        } catch {
          return fail({ kind: 'bad_input', field: 'params', issue: 'not_json' })
        }
        const answer = await rpc(method, parsed)
        if (!answer.ok) return answer
        if (answer.value.error !== null) {
          const { code, message } = answer.value.error
          return fail({ kind: 'refused', status: 200, code: String(code), message, raw: null, requestId: null, route: `rpc ${method}` })
        }
        return ok({ result: JSON.stringify(answer.value.result ?? null) })
      },
    },
  }
}

const rpcSilent: Failure = { kind: 'unreachable', reason: 'connect', status: null, requestId: null, route: 'rpc' }

/** The JSON-RPC methods that the app may call. They only read; none of them sends or signs. */
const reading: readonly string[] = [
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'net_version',
]

const allowed = new Set(reading)

const isReadingMethod = (method: string): boolean => allowed.has(method)

/** The order of the curve secp256k1. A signature whose `s` is above half of this order is equally valid, but OpenZeppelin's contracts refuse it. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const plain = /^0x[0-9a-fA-F]{130}$/
const compact = /^0x[0-9a-fA-F]{128}$/

/**
 * Returns a plain account's signature in the one form that every verifier accepts: 65 bytes, `s` in the lower half, `v` 27 or 28. Accepts 65 bytes
 * with any `s` and `v` 0, 1, 27 or 28, or the 64 bytes of EIP-2098. Returns null for anything else, such as a contract wallet's signature.
 */
export function canonicalSignature(signature: string): Hex | null {
  try {
    if (compact.test(signature)) return low(compactSignatureToSignature(parseCompactSignature(signature as Hex)))
    if (!plain.test(signature)) return null
    return low(parseSignature(signature as Hex))
  } catch {
    return null
  }
}

function low({ r, s, v, yParity = v === 28n ? 1 : 0 }: Signature): Hex {
  const value = hexToBigInt(s)
  const isHigh = value > order / 2n
  return serializeSignature({ r, s: numberToHex(isHigh ? order - value : value, { size: 32 }), yParity: isHigh ? 1 - yParity : yParity })
}
