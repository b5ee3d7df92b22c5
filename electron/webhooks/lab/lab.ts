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
  /** The signing secret of the webhook. */
  readonly secret: Secret
  /** 0 takes any that is free. */
  readonly port: number
  readonly path: string
  /** The user's own endpoint. null: nothing is forwarded. */
  readonly to: URL | null
  /** For what is verified. `forwarded`: what the user's endpoint answers, so that its failures are tried again by the sender. */
  readonly answer: () => ReceiverAnswer | 'forwarded'
  /** Where to keep what comes, with what is there already. */
  readonly captures?: Captures
  /** After a delivery was captured, and forwarded where it is. */
  readonly heard: (heard: Heard) => void
  /** After anything of it changed: one came, was answered, or was forwarded. */
  readonly changed?: () => void
  readonly clock: Clock
}

/** One delivery, for people who watch. */
export type Heard =
  | {
      readonly kind: 'new' | 'duplicate' | 'resent'
      readonly atMs: number
      readonly event: CapturedEvent
      /** From 1, of this event. */
      readonly attempt: number
      readonly forwarded: Forwarded | null
    }
  | {
      readonly kind: 'unverified'
      readonly atMs: number
      readonly failed: Failed
      /** As its headers say, which anybody may have written. */
      readonly claims: { readonly id: string | null; readonly type: string | null }
    }

export interface Lab {
  /** Where deliveries go. */
  readonly url: string
  readonly captures: Captures
  /** Sends it to the user's endpoint again, signed anew with the present time. False where it is not here, or nothing is forwarded. */
  resend(id: string): Promise<boolean>
  close(): Promise<void>
}

/** What is found out about a delivery, once. */
interface Looked {
  readonly verdict: Verdict
  readonly forwarding: Promise<Forwarded> | null
}

const taken: ReceiverAnswer = { status: 200, delayMs: 0 }
/** As a receiver should answer what it cannot verify. */
const refusal: ReceiverAnswer = { status: 401, delayMs: 0 }

/** As a gateway answers where nobody behind it does. */
const gateway = { late: 504, skipped: 503, cut: 502, unreachable: 502, stopped: 502 } as const
const passedOn = (forwarded: Forwarded): ReceiverAnswer => ({ status: 'status' in forwarded ? forwarded.status : gateway[forwarded.outcome], delayMs: 0 })

/**
 * Receives deliveries, verifies them, keeps them, and hands on what is verified: a duplicate too, since the user's endpoint has to know what
 * to do with one. Fails with the system's code where the port cannot be had.
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
    // A sender whose connection fails meanwhile stays unanswered.
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
    // Where it may have to make room for others while it is forwarded, it is told as it was.
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
    // Anyone can send here: what cannot be taken in is dropped, and ends neither the app nor the command.
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
