import { type ClientRequest, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isLoopback } from '../../../shared/api/host-url.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { Clock } from '../../../shared/time.ts'
import { isPublicAddress } from '../../../shared/webhooks/public-address.ts'
import type { createDeadline } from '../../kernel/deadline.ts'
import { type LookUp, systemLookUp } from './webhook-parts.ts'

/** The outcome of one attempt, within 4 s. `ms`: time until the status arrived or the attempt ended. */
export type Answer =
  | { readonly outcome: 'answered'; readonly status: number; readonly ms: number; readonly excerpt: string }
  | { readonly outcome: 'late' | 'stopped'; readonly ms: number }
  /**
   * `unreachable`: no connection, an untrusted certificate, or a name with an address that is not public (`ENOTPUBLIC`). `cut`: the connection ended
   * without an answer.
   */
  | { readonly outcome: 'cut' | 'unreachable'; readonly ms: number; readonly code: string }

export interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Sends one POST to a checked address, follows no redirect and never rejects (HOOK-08). */
export type Post = (url: string, posted: Posted, signal?: AbortSignal) => Promise<Answer>

/** Maximum bytes of the answer to read. More than the window shows, because secrets are masked before the text is shortened. */
const excerptLength = 4_096

const readable = (bytes: Buffer) =>
  bytes
    .toString()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()

export interface PostParts {
  readonly clock: Clock
  readonly startDeadline: typeof createDeadline
  readonly lookUp?: LookUp
}

export function createPost({ clock, startDeadline, lookUp = systemLookUp }: PostParts): Post {
  return (url, { headers, body }, signal) => {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const begun = clock.monotonic()
    const ms = () => Math.round(clock.monotonic() - begun)
    const secure = url.startsWith('https:')
    const options = { method: 'POST', agent: false, lookup: judgedLookup(lookUp), headers: { ...headers, 'Content-Length': String(body.length) } }
    const request: ClientRequest = (secure ? overHttps : overHttp)(url, options)
    let reached = false
    let answered: Extract<Answer, { outcome: 'answered' }> | null = null
    const end = (answer: Answer) => {
      deadline.cancel()
      signal?.removeEventListener('abort', stop)
      resolve(answer)
      request.destroy()
    }
    const stop = () => end({ outcome: 'stopped', ms: ms() })
    const deadline = startDeadline(clock, begun + limits.webhookDelivery.answerMs, () => end(answered ?? { outcome: 'late', ms: ms() }))
    signal?.addEventListener('abort', stop, { once: true })
    request.on('socket', (socket) =>
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        reached = true
      }),
    )
    request.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : ''
      end(answered ?? { outcome: reached ? 'cut' : 'unreachable', ms: ms(), code })
    })
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      const heard = { outcome: 'answered', status: response.statusCode ?? 0, ms: ms(), excerpt: '' } as const
      answered = heard
      const whole = () => end({ ...heard, excerpt: readable(Buffer.concat(chunks).subarray(0, excerptLength)) })
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length >= excerptLength) whole()
      })
      response.on('end', whole)
      response.on('error', whole)
    })
    if (signal?.aborted) stop()
    else request.end(body)
    return promise
  }
}

const thisComputer = ['127.0.0.1', '::1']

/**
 * Resolves a host at the moment of the connection, and returns exactly the addresses that it checked. So a name can't change its address after the
 * check. A name of this computer resolves to this computer, any other name only to public addresses. Not called if the host is an IP address.
 */
export const judgedLookup =
  (lookUp: LookUp): LookupFunction =>
  (host, options, done) => {
    const judge = async () => {
      const addresses = isLoopback(host) ? thisComputer : await lookUp(host)
      if (!isLoopback(host) && !(addresses.length > 0 && addresses.every(isPublicAddress)))
        throw Object.assign(new Error(`${host} is not public`), { code: 'ENOTPUBLIC' })
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    }
    judge().then(
      (all) => (options.all === true ? done(null, all) : done(null, all[0]?.address ?? '', all[0]?.family)),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), []),
    )
  }
