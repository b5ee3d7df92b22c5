import { request as requestPlain } from 'node:http'
import { request as requestSecurely } from 'node:https'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { second, systemClock } from '../../../../shared/time.ts'
import { type CallbackUrl, isLoopback, isPublic, type Resolve } from './callback-url.ts'

/** Delivery rules 5: any `2xx` within 4 seconds. In real time, since it is somebody else's server that has them. */
const answerWithinMs = 4 * second
/** Of the answer's body, which says nothing: read so that the receiver can finish, and no further. */
const answerCap = 16 * 1024

/** What became of one attempt. `status` null: there was no answer, and `failure` says why. */
export interface Outcome {
  readonly status: number | null
  readonly failure: string | null
  /** Until the head of the answer, or until it was given up; real milliseconds. */
  readonly latencyMs: number
}

export interface Post {
  /** One POST on a connection of its own. Follows no redirect, and never fails but by its outcome. */
  send(callback: CallbackUrl, headers: Readonly<Record<string, string>>, body: Buffer): Promise<Outcome>
  /** Cuts what is under way. Resolves when no connection is left. */
  stop(): Promise<void>
}

/** @param authority of receivers' certificates besides the usual ones, PEM */
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
 * Where a delivery connects to: the addresses that the host has by now, under the rule that held at the subscription. A name that has come to
 * stand for an address of another kind is refused. Asked for names only; addresses in the URL were looked at then.
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
