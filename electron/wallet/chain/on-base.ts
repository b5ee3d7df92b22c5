import { z } from 'zod'
import { readJson } from '../../../shared/foreign/read-json.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { baseChainId } from '../../kernel/profile-facts.ts'
import type { PostJson } from './rpc.ts'

/** Thrown in place of an answer: the RPC leads to another chain than Base. */
export class OtherChain extends Error {
  readonly chainId: number

  constructor(chainId: number) {
    super(`The RPC answers for chain ${chainId}`)
    this.chainId = chainId
  }
}

export interface OnBase {
  /** The same, once the RPC said that it is Base. Throws `OtherChain` where it is not; then nothing else was sent to it. */
  readonly post: PostJson
  /** `rpc_wrong_chain`, or null: it is Base, or did not answer. */
  mismatch(): Promise<Failure | null>
}

const question = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
const limits = { maxBytes: 4_096, deadlineMs: 8_000 }
const ChainIdAnswer = z.object({ result: z.string().regex(/^0x[0-9a-fA-F]{1,12}$/) })

export const otherChainFailure = ({ chainId }: OtherChain): Failure => ({ kind: 'rpc_wrong_chain', chainId, expected: baseChainId })

/**
 * Asks each RPC for its chain before anything that it says is believed: once for an address, and again after a silence, since another node
 * may answer then. One on another chain is asked each time, until it is mended.
 */
export function onBase({ rpcUrl, post }: { readonly rpcUrl: () => Promise<string>; readonly post: PostJson }): OnBase {
  let known: { readonly url: string; readonly chainId: Promise<number> } | null = null

  const ask = async (url: string): Promise<number> => {
    const { text } = await post(url, question, limits)
    return Number(ChainIdAnswer.parse(readJson(text)).result)
  }
  const chainOf = async (url: string): Promise<void> => {
    const mine = known?.url === url ? known : { url, chainId: ask(url) }
    known = mine
    const forget = () => {
      if (known === mine) known = null
    }
    const chainId = await mine.chainId.catch((error: unknown) => {
      forget()
      throw error
    })
    if (chainId === baseChainId) return
    forget()
    throw new OtherChain(chainId)
  }

  return {
    post: async (url, body, bounds) => {
      await chainOf(url)
      try {
        return await post(url, body, bounds)
      } catch (error) {
        if (known?.url === url) known = null
        throw error
      }
    },
    mismatch: async () => {
      try {
        await chainOf(await rpcUrl())
        return null
      } catch (error) {
        return error instanceof OtherChain ? otherChainFailure(error) : null
      }
    },
  }
}
