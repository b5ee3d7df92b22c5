import { ok, type Result } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { createDeadline } from '../../kernel/deadline.ts'
import type { Secret } from '../../kernel/secret.ts'
import { createPost } from '../subscriptions/post.ts'
import { type Delivery, deliveryHeaders, headerOf } from '../verifier/delivery.ts'
import { type Failed, type Verdict, verifyDelivery } from '../verifier/verify.ts'
import { type CapturedEvent, type Captures, createCaptures } from './captures.ts'
import { createForwarder, type Forwarded } from './forwarder.ts'
import { openReceiver, type Received, type ReceiverAnswer, type ReceiverDeps } from './receiver.ts'

export interface LabDeps extends Pick<ReceiverDeps, 'astray' | 'hosts'> {
  /** The signing secret of the webhook whose deliveries the lab receives. */
  readonly secret: Secret
  /** The port to listen on; 0 picks any free port. */
  readonly port: number
  readonly path: string
  /** The user's own endpoint, to which verified deliveries go; `null`: forward nothing. */
  readonly to: URL | null
  /**
   * Returns the answer to verified deliveries. `forwarded`: answer as the user's endpoint did, so that the sender retries what the endpoint refused.
   */
  readonly answer: () => ReceiverAnswer | 'forwarded'
  /** Where to store captures. The store may already contain some. */
  readonly captures?: Captures
  /** Called once per delivery, after it was captured and, if an endpoint is set, forwarded. */
  readonly heard: (heard: Heard) => void
  /** Called whenever a delivery arrived, was answered or was forwarded. */
  readonly changed?: () => void
  readonly clock: Clock
}

/** One delivery, in the form that `svc-desk listen` or the window shows. */
export type Heard =
  | {
      readonly kind: 'new' | 'duplicate' | 'resent'
      readonly atMs: number
      readonly event: CapturedEvent
      /** The attempt's number; counts from 1 for each event. */
      readonly attempt: number
      readonly forwarded: Forwarded | null
    }
  | {
      readonly kind: 'unverified'
      readonly atMs: number
      readonly failed: Failed
      /** The event id and type that the headers claim. Anyone may have written these headers. */
      readonly claims: { readonly id: string | null; readonly type: string | null }
    }

export interface Lab {
  /** The lab's address, to which deliveries go. */
  readonly url: string
  readonly captures: Captures
  /**
   * Signs the event again with the present time and sends it to the user's endpoint. `false` if the lab no longer keeps the event, or if no endpoint
   * is set.
   */
  resend(id: string): Promise<boolean>
  close(): Promise<void>
}

/** The results that the lab computes once per delivery: whether it is verified, and if so, how forwarding ended. */
interface Looked {
  readonly verdict: Verdict
  readonly forwarding: Promise<Forwarded> | null
}

const taken: ReceiverAnswer = { status: 200, delayMs: 0 }
/** How a receiver should answer an unverified delivery. */
const refusal: ReceiverAnswer = { status: 401, delayMs: 0 }

/** The status that the lab returns to the sender if the user's endpoint fails. A gateway would use the same status. */
const gateway = { late: 504, skipped: 503, cut: 502, unreachable: 502, stopped: 502 } as const
const passedOn = (forwarded: Forwarded): ReceiverAnswer => ({ status: 'status' in forwarded ? forwarded.status : gateway[forwarded.outcome], delayMs: 0 })

/**
 * Opens a port that receives, verifies and keeps deliveries. Forwards verified ones, including duplicates, because the user's endpoint must handle
 * duplicates. Fails with the system's error code if the port is unavailable.
 */
export async function openLab({ captures = createCaptures(), ...deps }: LabDeps): Promise<Result<Lab, string>> {
  const { secret, port, path, to, answer, heard, clock } = deps
  const forwarder = to === null ? null : createForwarder({ to, post: createPost({ clock, startDeadline: createDeadline }) })

  const looked = new WeakMap<Delivery, Looked>()
  const look = (delivery: Delivery, atMs: number): Looked => {
    const known = looked.get(delivery)
    if (known !== undefined) return known
    const verdict = verifyDelivery(delivery, { secret: secret.reveal(), nowMs: atMs })
    const one = { verdict, forwarding: verdict.valid && forwarder !== null ? forwarder.forward(delivery) : null }
    looked.set(delivery, one)
    return one
  }
  const answerTo = ({ atMs, delivery }: Omit<Received, 'answered'>): ReceiverAnswer | Promise<ReceiverAnswer> => {
    const { verdict, forwarding } = look(delivery, atMs)
    const chosen = verdict.valid ? answer() : refusal
    if (chosen !== 'forwarded') return chosen
    return forwarding === null ? taken : forwarding.then(passedOn)
  }

  const received = async ({ atMs, delivery, answered }: Received): Promise<void> => {
    const { verdict, forwarding } = look(delivery, atMs)
    const added = captures.add({ atMs, delivery, verdict })
    // If the connection breaks before the answer is sent, the attempt has no answer.
    answered
      .then((one) => {
        added.note({ answered: one })
        deps.changed?.()
      })
      .catch(() => undefined)
    if (added.kind === 'unverified') {
      const claims = { id: headerOf(delivery, deliveryHeaders.eventId), type: headerOf(delivery, deliveryHeaders.event) }
      return heard({ kind: 'unverified', atMs, failed: added.failed, claims })
    }
    // Keep a copy for the report: the store may drop the event while it is being forwarded.
    const before = captures.event(added.id)
    deps.changed?.()
    const forwarded = await forwarding
    if (forwarded !== null) added.note({ forwarded })
    const event = captures.event(added.id) ?? before
    if (event !== null) heard({ kind: added.kind, atMs, event, attempt: added.attempt, forwarded })
  }
  const receiver = await openReceiver({
    port,
    path,
    answer: answerTo,
    // Anyone can send to this port. If processing fails, drop the delivery, so that it can't crash the app.
    received: (one) => void received(one).catch(() => undefined),
    clock,
    ...(deps.astray && { astray: deps.astray }),
    hosts: deps.hosts ?? null,
  })
  if (!receiver.ok) return receiver
  return ok({
    url: receiver.value.url,
    captures,
    async resend(id) {
      const event = captures.event(id)
      const atMs = clock.now()
      const added = forwarder === null ? null : captures.resent(id, atMs)
      if (event === null || forwarder === null || added === null) return false
      const { type, delivery } = event
      const forwarded = await forwarder.resend({ id, type, body: delivery.body, secret: secret.reveal(), timestampS: Math.floor(atMs / second) })
      added.note({ forwarded })
      heard({ kind: 'resent', atMs, event: captures.event(id) ?? event, attempt: added.attempt, forwarded })
      return true
    },
    close: receiver.value.close,
  })
}
