import { type Dispatcher, request } from 'undici'
import { z } from 'zod'
import { type Foreign, foreign } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { baseChainId } from '../../kernel/profile-facts.ts'

/** Posts JSON to a URL and returns status and text, at most `maxBytes`. Throws if no answer arrives within `deadlineMs`. */
export type PostJson = (url: string, body: string, limits: { readonly maxBytes: number; readonly deadlineMs: number }) => Promise<PostedAnswer>

export interface PostedAnswer {
  readonly status: number
  readonly text: Foreign<string>
}

const RpcAnswer = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).nullish(),
})

export interface RpcOutcome {
  readonly result: unknown
  readonly error: { readonly code: number; readonly message: string; readonly data: unknown } | null
}

/** The most bytes of an answer that the app reads. A block's logs fit into this size. It also stops an endless answer from a hostile server. */
const maxBytes = 4 * 1_048_576
const deadlineMs = 8_000

export function createRpc({ rpcUrl, post }: { readonly rpcUrl: () => Promise<string>; readonly post: PostJson }) {
  let id = 0
  /** Makes one JSON-RPC call. The URL may contain a key, so no failure names the URL. */
  return async (method: string, params: unknown): Promise<Result<RpcOutcome, Failure>> => {
    id += 1
    const silent = (reason: 'connect' | 'malformed' | 'server_error', status: number | null): Failure => ({
      kind: 'unreachable',
      reason,
      status,
      requestId: null,
      route: `rpc ${method}`,
    })
    let answer: PostedAnswer
    try {
      answer = await post(await rpcUrl(), JSON.stringify({ jsonrpc: '2.0', id, method, params }), { maxBytes, deadlineMs })
    } catch (error) {
      return fail(error instanceof OtherChain ? otherChainFailure(error) : silent('connect', null))
    }
    const body = readJson(answer.text)
    if (body === undefined) return fail(silent(answer.status >= 500 ? 'server_error' : 'malformed', answer.status))
    const parsed = RpcAnswer.safeParse(body)
    if (!parsed.success) return fail(silent('malformed', answer.status))
    const { error } = parsed.data
    return ok({ result: parsed.data.result ?? null, error: error == null ? null : { code: error.code, message: error.message, data: error.data } })
  }
}

/** Posts JSON with undici: no redirects, no cookies, and a limit on the answer's size. `dispatcher` applies the system's proxy and certificates. */
export function createPostJson(dispatcher?: Dispatcher): PostJson {
  return async (url, body, { maxBytes, deadlineMs }) => {
    const signal = AbortSignal.timeout(deadlineMs)
    // The signal doesn't abort a request that still waits for its connection. This promise enforces the deadline in that case too.
    const overdue = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    const asked = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal,
      ...(dispatcher === undefined ? {} : { dispatcher }),
    })
    const answer = await Promise.race([asked, overdue])
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer.body) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > maxBytes) {
        answer.body.destroy()
        throw new Error(`answer above ${maxBytes} bytes`)
      }
      chunks.push(bytes)
    }
    return { status: answer.statusCode, text: foreign(Buffer.concat(chunks).toString('utf8')) }
  }
}

/** Thrown instead of an answer if the RPC leads to a chain other than Base. */
class OtherChain extends Error {
  readonly chainId: number

  constructor(chainId: number) {
    super(`The RPC answers for chain ${chainId}`)
    this.chainId = chainId
  }
}

interface OnBase {
  /** Posts a call once the RPC has confirmed that it serves Base. Otherwise throws `OtherChain` and doesn't send the call. */
  readonly post: PostJson
  /** Returns `rpc_wrong_chain` if the RPC serves another chain; null if the RPC serves Base or didn't answer. */
  mismatch(): Promise<Failure | null>
}

const question = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
const limits = { maxBytes: 4_096, deadlineMs: 8_000 }
const ChainIdAnswer = z.object({ result: z.string().regex(/^0x[0-9a-fA-F]{1,12}$/) })

const otherChainFailure = ({ chainId }: OtherChain): Failure => ({ kind: 'rpc_wrong_chain', chainId, expected: baseChainId })

/**
 * Asks each RPC for its chain ID before trusting its answers: once per URL, and again after a failed call, because another node may answer then. An
 * RPC on another chain is asked before every call, until it serves Base.
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
