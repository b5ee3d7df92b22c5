import { isLoopback } from '../../../shared/api/host-url.ts'
import type { Answer, Post } from '../subscriptions/post.ts'
import { type Delivery, deliveryHeaders, headerOf, signedHeaders, type ToSign } from '../verifier/delivery.ts'

/**
 * How the user's own endpoint answered a delivery. `ms`: how long the answer took. `code`: the system's error code, empty if unknown.
 * `redirected`: a 3xx, which the lab does not follow and counts as failed. `skipped`: not sent, because too many deliveries were waiting.
 */
export type Forwarded =
  | { readonly outcome: 'answered' | 'redirected'; readonly status: number; readonly ms: number }
  | { readonly outcome: Exclude<Answer['outcome'], 'answered'> | 'skipped'; readonly code: string; readonly ms: number }

export interface ForwarderDeps {
  /** The URL of the user's own endpoint, which starts with `http:` or `https:`. */
  readonly to: URL
  /** Sends the POST. Waits as long as the service does, and follows no redirect (Delivery rule 5). */
  readonly post: Post
  /** The most bytes that may wait in the queue. */
  readonly mostWaiting?: number
}

export interface Forwarder {
  /** Forwards a delivery unchanged: the same bytes and the original headers. */
  forward(delivery: Delivery): Promise<Forwarded>
  /** Signs the event again, with the time in `toSign`, and sends it to the endpoint. */
  resend(toSign: ToSign): Promise<Forwarded>
}

/** Whether the service would count the delivery as successful (Delivery rule 5). */
export const isTaken = (forwarded: Forwarded): boolean => forwarded.outcome === 'answered' && forwarded.status >= 200 && forwarded.status < 300

const atOnce = 16
const passedOn = { ...deliveryHeaders, contentType: 'content-type' } as const

/** Forwards deliveries to the user's own endpoint as the service would. Never retries, because the original sender retries. */
export function createForwarder({ to, post, mostWaiting = 64 * 2 ** 20 }: ForwarderDeps): Forwarder {
  const waiting: (() => void)[] = []
  let [running, bytes] = [0, 0]

  const turn = async (size: number): Promise<boolean> => {
    if (running >= atOnce) {
      if (bytes + size > mostWaiting) return false
      bytes += size
      // When a request ends, it starts the request that has waited longest. So waiting requests start in order.
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

function readAnswer(answer: Answer): Forwarded {
  const { outcome, ms } = answer
  if (outcome !== 'answered') return { outcome, code: 'code' in answer ? answer.code : '', ms }
  const { status } = answer
  return { outcome: status >= 300 && status < 400 ? 'redirected' : 'answered', status, ms }
}

/** The port and path at which the lab receives deliveries by default. Fixed, so that a webhook or tunnel can point there in advance. */
export const usualPlace = { port: 4807, path: '/deliveries' } as const

/** True for an HTTP or HTTPS address of this computer without user name and password. */
export const isOwn = ({ protocol, hostname, username, password }: URL): boolean =>
  (protocol === 'http:' || protocol === 'https:') && isLoopback(hostname) && username === '' && password === ''

export const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

/** Parses a typed URL that points to this computer, with or without `http://`; `null` for any other text. */
export function readOwn(typed: string): URL | null {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`)
  return url !== null && isOwn(url) ? url : null
}
