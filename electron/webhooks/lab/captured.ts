import type { Delivery } from '../verifier/delivery.ts'
import type { Failed } from '../verifier/verify.ts'
import type { Forwarded } from './forwarder.ts'
import type { Answered } from './receiver.ts'

/** One delivery of an event, or one that was sent again from here. */
export interface Attempt {
  /** From 1, of this event. */
  readonly number: number
  readonly by: 'sender' | 'resend'
  /** Unix milliseconds. */
  readonly atMs: number
  /** null while it is not answered yet, and for what was sent again from here. */
  readonly answered: Answered | null
  /** null while it is on its way, and where nothing is forwarded. */
  readonly forwarded: Forwarded | null
  /** Whether its bytes are those of the first attempt. */
  readonly same: boolean
}

/** What the service sent, once, however often it came. */
export interface CapturedEvent {
  /** From 1, in the order of arrival. */
  readonly number: number
  readonly id: string
  readonly type: string
  /** Unix seconds. */
  readonly createdAt: number
  /** Of its first attempt that was verified. */
  readonly delivery: Delivery
  /** The latest; `attemptCount` counts those that are not kept, too. */
  readonly attempts: readonly Attempt[]
  readonly attemptCount: number
  /** Of a correction: what it takes back, and whether that is captured. */
  readonly revokes: { readonly id: string; readonly captured: boolean } | null
  /** Corrections that take this one back, in the order of their arrival. */
  readonly revokedBy: readonly string[]
}

/** Stands by itself whatever it claims: somebody else may have made it. */
export interface UnverifiedDelivery {
  readonly atMs: number
  readonly delivery: Delivery
  readonly failed: Failed
  readonly answered: Answered | null
}

export interface CaptureCounts {
  /** Kept now. */
  readonly events: number
  readonly unverified: number
  /** Of all since the beginning. */
  readonly deliveries: number
  readonly duplicates: number
  readonly corrections: number
  readonly refused: number
  /** Oldest ones that had to go. */
  readonly droppedEvents: number
  readonly droppedUnverified: number
}
