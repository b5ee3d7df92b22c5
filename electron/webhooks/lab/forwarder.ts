import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { type Clock, second } from '../../../shared/time.ts'
import { type Delivery, deliveryHeaders, headerOf } from '../verifier/delivery.ts'
import { signedHeaders, type ToSign } from '../verifier/sign.ts'

/**
 * What became of a delivery at the user's own endpoint. redirected: it answered 3xx, which is not followed and counts as failed. skipped: too
 * many waited already. `ms` is how long it took.
 */
export type Forwarded =
  | { readonly outcome: 'answered' | 'redirected'; readonly status: number; readonly ms: number }
  | { readonly outcome: 'timeout' | 'unreachable' | 'skipped'; readonly detail: string; readonly ms: number }

export interface ForwarderDeps {
  /** The user's own endpoint, `http:` or `https:`. */
  readonly to: URL
  readonly clock: Clock
  /** As long as the service waits: 4 s (Delivery rule 5). */
  readonly timeoutMs?: number
  /** So many bytes may wait for their turn. */
  readonly mostWaiting?: number
}

export interface Forwarder {
  /** The same bytes, and the headers of the delivery as they came. */
  forward(delivery: Delivery): Promise<Forwarded>
  /** Signs it anew, with the time that `toSign` says. */
  resend(toSign: ToSign): Promise<Forwarded>
}

/** What the service would call answered well (Delivery rule 5). */
export const isTaken = (forwarded: Forwarded): boolean => forwarded.outcome === 'answered' && forwarded.status >= 200 && forwarded.status < 300

const atOnce = 16
const passedOn = { ...deliveryHeaders, contentType: 'content-type' } as const

/** Hands deliveries on to the user's own endpoint, as the service would. Nothing is tried twice: that is the sender's to do. */
export function createForwarder({ to, clock, timeoutMs = 4 * second, mostWaiting = 64 * 2 ** 20 }: ForwarderDeps): Forwarder {
  const waiting: (() => void)[] = []
  let [running, bytes] = [0, 0]

  const turn = async (size: number): Promise<boolean> => {
    if (running >= atOnce) {
      if (bytes + size > mostWaiting) return false
      bytes += size
      // Whoever ends hands its place on.
      await new Promise<void>((resolve) => waiting.push(resolve))
      bytes -= size
      return true
    }
    running += 1
    return true
  }
  const send = async (headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<Forwarded> => {
    if (!(await turn(body.length))) return { outcome: 'skipped', detail: 'too many wait already', ms: 0 }
    try {
      return await post(to, headers, body, timeoutMs, clock)
    } catch (error) {
      return { outcome: 'unreachable', detail: error instanceof Error ? error.message : String(error), ms: 0 }
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
  return {
    forward: (delivery) =>
      send(
        Object.fromEntries(
          Object.values(passedOn).flatMap((name) => {
            const value = headerOf(delivery, name)
            return value === null ? [] : [[name, value]]
          }),
        ),
        delivery.body,
      ),
    resend: (toSign) => send(signedHeaders(toSign), toSign.body),
  }
}

function post(to: URL, headers: Readonly<Record<string, string>>, body: Uint8Array, timeoutMs: number, clock: Clock): Promise<Forwarded> {
  const from = clock.monotonic()
  return new Promise((resolve) => {
    const took = () => Math.round(clock.monotonic() - from)
    const start = to.protocol === 'https:' ? secureRequest : plainRequest
    // A connection of its own: one that is kept may be gone before its next use.
    const request = start(to, { method: 'POST', agent: false, headers: { ...headers, 'content-length': body.length } })
    const timer = setTimeout(() => {
      resolve({ outcome: 'timeout', detail: `no answer within ${timeoutMs / second} s`, ms: took() })
      request.destroy()
    }, timeoutMs)
    request.once('close', () => clearTimeout(timer))
    request.on('error', (error: NodeJS.ErrnoException) => resolve({ outcome: 'unreachable', detail: error.code ?? error.message, ms: took() }))
    request.once('response', (response) => {
      const status = response.statusCode ?? 0
      resolve({ outcome: status >= 300 && status < 400 ? 'redirected' : 'answered', status, ms: took() })
      response.on('error', () => undefined)
      // What it says besides is not read, however long.
      response.resume()
    })
    request.end(body)
  })
}
