import { request as requestPlain } from 'node:http'
import { request as requestSecurely } from 'node:https'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { second, systemClock } from '../../../../shared/time.ts'
import { type CallbackUrl, isLoopback, isPublic, type Resolve } from './callback-url.ts'

/**
 * How long a receiver may take to answer with `2xx` (API document: Delivery rules 5). The limit is in real time, because the receiver is an external
 * server.
 */
const answerWithinMs = 4 * second
/** How many bytes of a response body to read. The exchange ignores the content, but some receivers finish only if their response is read. */
const answerCap = 16 * 1024

/** The result of one attempt. If the receiver did not respond, `status` is `null` and `failure` says why. */
export interface Outcome {
  readonly status: number | null
  readonly failure: string | null
  /** How long, in real milliseconds, the attempt took until the response headers arrived or it was given up. */
  readonly latencyMs: number
}

export interface Post {
  /** Sends one POST request on a new connection. Follows no redirects. Never throws: a failure is part of the outcome. */
  send(callback: CallbackUrl, headers: Readonly<Record<string, string>>, body: Buffer): Promise<Outcome>
  /** Aborts pending requests. Resolves when no connection is left. */
  stop(): Promise<void>
}

/**
 * Creates the client that posts deliveries.
 * @param authority an additional certificate authority to trust for receivers, as PEM
 */
export function createPost({ resolve, authority }: { readonly resolve: Resolve; readonly authority: string | null }): Post {
  const underWay = new Map<() => void, Promise<Outcome>>()

  const send: Post['send'] = (callback, headers, body) => {
    const beganMs = systemClock.monotonic()
    const url = new URL(callback.url)
    const options = { method: 'POST', agent: false, headers, lookup: lookupFor(callback, resolve) } as const
    const request =
      url.protocol === 'https:'
        ? requestSecurely(url, authority === null ? options : { ...options, ca: [...rootCertificates, authority] })
        : requestPlain(url, options)
    const cut = () => void request.destroy(new Error('practice has stopped'))
    const done = new Promise<Outcome>((settle) => {
      let answered: Outcome | null = null
      let failure = 'the connection was closed without an answer'
      const elapsed = () => Math.round(systemClock.monotonic() - beganMs)
      const limit = setTimeout(() => request.destroy(new Error(`no answer within ${answerWithinMs / second} s`)), answerWithinMs)
      request.on('response', (response) => {
        answered = { status: response.statusCode ?? null, failure: null, latencyMs: elapsed() }
        let read = 0
        response.on('error', () => {})
        response.on('data', (chunk: Buffer) => {
          read += chunk.length
          if (read > answerCap) request.destroy()
        })
      })
      request.on('error', (error) => {
        failure = 'code' in error && typeof error.code === 'string' ? error.code : error.message
      })
      request.on('close', () => {
        clearTimeout(limit)
        underWay.delete(cut)
        settle(answered ?? { status: null, failure, latencyMs: elapsed() })
      })
      request.end(body)
    })
    underWay.set(cut, done)
    return done
  }

  return {
    send,
    stop: async () => {
      const all = [...underWay]
      for (const [cut] of all) cut()
      await Promise.all(all.map(([, done]) => done))
    },
  }
}

const thisComputer = ['127.0.0.1', '::1']

/**
 * Resolves the callback's host name for each delivery, because the name may point to another address than before. A public callback must still
 * resolve only to public addresses, and a loopback callback only to loopback.
 * Node calls this only for host names. An IP address in a URL was already checked when the webhook was created.
 */
const lookupFor =
  ({ loopback }: Pick<CallbackUrl, 'loopback'>, resolve: Resolve): LookupFunction =>
  (host, options, done) => {
    const found = async () => {
      const addresses = loopback ? thisComputer : await resolve(host)
      const wrong = addresses.find((address) => !(loopback ? isLoopback : isPublic)(address))
      if (addresses.length === 0) throw new Error(`${host} has no address`)
      if (wrong !== undefined) throw new Error(`${host} resolves to ${wrong}, which is not a public address`)
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    }
    found().then(
      (all) => (options.all === true ? done(null, all) : done(null, all[0]?.address ?? '', all[0]?.family ?? 4)),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), []),
    )
  }
