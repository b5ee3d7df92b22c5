import { isLoopback } from '../../../shared/api/host-url.ts'
import type { Answer, Post } from '../subscriptions/post.ts'
import { type Delivery, deliveryHeaders, headerOf, signedHeaders, type ToSign } from '../verifier/delivery.ts'

/**
 * What became of a delivery at the user's own endpoint. redirected: it answered 3xx, which is not followed and counts as failed. skipped: too
 * many waited already. `ms` is how long it took, `code` the system's, empty where it named none.
 */
export type Forwarded =
  | { readonly outcome: 'answered' | 'redirected'; readonly status: number; readonly ms: number }
  | { readonly outcome: Exclude<Answer['outcome'], 'answered'> | 'skipped'; readonly code: string; readonly ms: number }

export interface ForwarderDeps {
  /** The user's own endpoint, `http:` or `https:`. */
  readonly to: URL
  /** Waits for as long as the service does, and follows no redirect (Delivery rule 5). */
  readonly post: Post
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
export function createForwarder({ to, post, mostWaiting = 64 * 2 ** 20 }: ForwarderDeps): Forwarder {
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
    if (!(await turn(body.length))) return { outcome: 'skipped', code: '', ms: 0 }
    try {
      return readAnswer(await post(to.href, { headers, body }))
    } catch (error) {
      return { outcome: 'unreachable', code: error instanceof Error ? error.message : String(error), ms: 0 }
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

/** Without what the endpoint said besides. */
function readAnswer(answer: Answer): Forwarded {
  const { outcome, ms } = answer
  if (outcome !== 'answered') return { outcome, code: 'code' in answer ? answer.code : '', ms }
  const { status } = answer
  return { outcome: status >= 300 && status < 400 ? 'redirected' : 'answered', status, ms }
}

/** Where deliveries are received when nobody says otherwise, so that a webhook or a tunnel can be pointed there before. */
export const usualPlace = { port: 4807, path: '/deliveries' } as const

/** Of this computer, over HTTP or HTTPS, without a name and a password. */
export const isOwn = ({ protocol, hostname, username, password }: URL): boolean =>
  (protocol === 'http:' || protocol === 'https:') && isLoopback(hostname) && username === '' && password === ''

export const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

/** A URL of this computer as people type it, `http://` left out or not; null: it is none. */
export function readOwn(typed: string): URL | null {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`)
  return url !== null && isOwn(url) ? url : null
}
