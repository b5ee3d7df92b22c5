import type { Delivery } from '../verifier/delivery.ts'
import type { Failed, Verdict } from '../verifier/verify.ts'
import type { Forwarded } from './forwarder.ts'
import type { Answered } from './receiver.ts'

export interface CaptureLimits {
  readonly events: number
  readonly unverified: number
  readonly attempts: number
  /** The maximum size of all events together, in bytes. The same limit applies to all unverified deliveries together. */
  readonly bytes: number
}

const captureLimits: CaptureLimits = { events: 10_000, unverified: 1_000, attempts: 20, bytes: 64 * 2 ** 20 }

/** The facts about a delivery attempt that are known only after it was stored. */
type Later = Partial<Pick<Attempt, 'answered' | 'forwarded'>>

/** A delivery attempt that was just stored. Call `note` later to add the lab's answer and the result of forwarding. */
export interface AddedAttempt {
  readonly id: string
  /** The attempt's number; counts from 1. */
  readonly attempt: number
  note(later: Later): void
}

/** How a delivery was stored: as a new event, as a duplicate, or as unverified. */
export type Added =
  | ({ readonly kind: 'new' | 'duplicate' } & AddedAttempt)
  | { readonly kind: 'unverified'; readonly failed: Failed; note(later: Pick<Later, 'answered'>): void }

/** What the lab received in this run. The gap check compares it with the expected events. */
export interface LabRecord {
  readonly webhookId: string | null
  readonly captures: Captures
  /** Unix ms of each period in which the lab listened; `toMs` is `null` while the lab still listens. */
  readonly spans: readonly { readonly fromMs: number; readonly toMs: number | null }[]
}

export interface Captures {
  add(came: { readonly atMs: number; readonly delivery: Delivery; readonly verdict: Verdict }): Added
  /** Stores an attempt that the user sent. Returns `null` if the lab no longer keeps the event. */
  resent(id: string, atMs: number): AddedAttempt | null
  /** Returns a captured event; `null` if the lab keeps no verified delivery of the event. */
  event(id: string): CapturedEvent | null
  /** Captured events in the order in which they happened. */
  events(from?: number, to?: number): readonly CapturedEvent[]
  /** Unverified deliveries in the order in which they arrived. */
  unverified(): readonly UnverifiedDelivery[]
  counts(): CaptureCounts
  /** Drops all deliveries. The numbers of events start at 1 again. */
  clear(): void
}

interface Stored extends Omit<CapturedEvent, 'attempts' | 'attemptCount' | 'revokes' | 'revokedBy'> {
  readonly attempts: Attempt[]
  attemptCount: number
  readonly revokedId: string | null
}

const nothing = { deliveries: 0, duplicates: 0, corrections: 0, refused: 0, droppedEvents: 0, droppedUnverified: 0, events: 0 }

/**
 * Stores deliveries in memory. Groups the deliveries of one event as its attempts (Delivery rule 4). Links each correction to the event that it
 * revokes, whichever arrives first.
 * Only verified deliveries become events. Unverified ones are stored separately, with their own limits.
 * When space runs out, drops the oldest events. A later delivery of a dropped event counts as a new event.
 */
export function createCaptures(given: Partial<CaptureLimits> = {}): Captures {
  const limits = { ...captureLimits, ...given }
  const stored = new Map<string, Stored>()
  let timeline = createTimeline<Stored>()
  const corrections = new Map<string, Set<string>>()
  let unverified: { -readonly [K in keyof UnverifiedDelivery]: UnverifiedDelivery[K] }[] = []
  let held = { events: 0, unverified: 0 }
  let total = { ...nothing }

  const drop = (event: Stored) => {
    stored.delete(event.id)
    timeline.remove(event)
    held.events -= sizeOf(event.delivery)
    total.droppedEvents += 1
    const linked = event.revokedId === null ? undefined : corrections.get(event.revokedId)
    linked?.delete(event.id)
    if (event.revokedId !== null && linked?.size === 0) corrections.delete(event.revokedId)
  }
  const store = (event: Stored) => {
    stored.set(event.id, event)
    timeline.add(event)
    held.events += sizeOf(event.delivery)
    if (event.revokedId !== null) {
      total.corrections += 1
      const linked = corrections.get(event.revokedId)
      if (linked === undefined) corrections.set(event.revokedId, new Set([event.id]))
      else linked.add(event.id)
    }
    for (const oldest of stored.values()) {
      if (stored.size <= limits.events && (held.events <= limits.bytes || stored.size === 1)) break
      drop(oldest)
    }
  }
  const attemptOf = (event: Stored, by: Attempt['by'], atMs: number, same: boolean): AddedAttempt => {
    event.attemptCount += 1
    let attempt: Attempt = { number: event.attemptCount, by, atMs, answered: null, forwarded: null, same }
    event.attempts.push(attempt)
    if (event.attempts.length > limits.attempts) event.attempts.shift()
    return {
      id: event.id,
      attempt: attempt.number,
      note(later) {
        const at = event.attempts.indexOf(attempt)
        attempt = { ...attempt, ...later }
        if (at >= 0) event.attempts[at] = attempt
      },
    }
  }
  const keepApart = (atMs: number, delivery: Delivery, { step, issue }: Failed): Added => {
    const one: (typeof unverified)[number] = { atMs, delivery, failed: { step, issue }, answered: null }
    unverified.push(one)
    held.unverified += sizeOf(delivery)
    total.refused += 1
    let gone = 0
    while (unverified.length - gone > limits.unverified || (held.unverified > limits.bytes && unverified.length - gone > 1)) {
      held.unverified -= sizeOf(unverified[gone]?.delivery ?? delivery)
      gone += 1
    }
    if (gone > 0) unverified = unverified.slice(gone)
    total.droppedUnverified += gone
    return {
      kind: 'unverified',
      failed: one.failed,
      note({ answered = one.answered }) {
        one.answered = answered
      },
    }
  }
  const view = ({ revokedId, ...event }: Stored): CapturedEvent => ({
    ...event,
    attempts: [...event.attempts],
    revokes: revokedId === null ? null : { id: revokedId, captured: stored.has(revokedId) },
    revokedBy: [...(corrections.get(event.id) ?? [])],
  })

  return {
    add({ atMs, delivery, verdict }) {
      total.deliveries += 1
      if (!verdict.valid) return keepApart(atMs, delivery, verdict)
      const { id, type, createdAt, revokedEventId } = verdict.event
      const known = stored.get(id)
      if (known !== undefined) {
        total.duplicates += 1
        return { kind: 'duplicate', ...attemptOf(known, 'sender', atMs, Buffer.compare(known.delivery.body, delivery.body) === 0) }
      }
      total.events += 1
      const event: Stored = { number: total.events, id, type, createdAt, delivery, attempts: [], attemptCount: 0, revokedId: revokedEventId }
      store(event)
      return { kind: 'new', ...attemptOf(event, 'sender', atMs, true) }
    },
    resent(id, atMs) {
      const event = stored.get(id)
      return event === undefined ? null : attemptOf(event, 'resend', atMs, true)
    },
    event(id) {
      const event = stored.get(id)
      return event === undefined ? null : view(event)
    },
    events: (from = 0, to = stored.size) => timeline.slice(from, to).map(view),
    unverified: () => [...unverified],
    counts: () => ({ ...total, events: stored.size, unverified: unverified.length }),
    clear() {
      stored.clear()
      corrections.clear()
      timeline = createTimeline<Stored>()
      unverified = []
      held = { events: 0, unverified: 0 }
      total = { ...nothing }
    },
  }
}

/** The approximate size of a delivery in bytes. */
const sizeOf = ({ headers, body }: Delivery): number =>
  Object.values(headers).reduce((sum, value) => sum + (value === undefined ? 0 : typeof value === 'string' ? value.length : value.join().length), body.length)

interface Placed {
  /** The event's creation time in Unix seconds. */
  readonly createdAt: number
  /** The item's position in the order of arrival. */
  readonly number: number
}

/** Items sorted by `created_at`, then by arrival, because several events may share a second (Delivery rule 7). */
interface Timeline<T extends Placed> {
  /** Inserts an item. Finds its position in O(log n). */
  add(item: T): void
  remove(item: T): void
  slice(from: number, to: number): readonly T[]
}

function createTimeline<T extends Placed>(): Timeline<T> {
  const items: T[] = []
  const placeOf = (item: T): number => {
    let [low, high] = [0, items.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = items[middle]
      if (other !== undefined && (other.createdAt - item.createdAt || other.number - item.number) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    add: (item) => void items.splice(placeOf(item), 0, item),
    remove(item) {
      const place = placeOf(item)
      if (items[place] === item) items.splice(place, 1)
    },
    slice: (from, to) => items.slice(from, to),
  }
}

/** One delivery of an event, either by the service or sent again by the user. */
export interface Attempt {
  /** The attempt's number; counts from 1 for each event. */
  readonly number: number
  readonly by: 'sender' | 'resend'
  /** When the attempt was made, in Unix ms. */
  readonly atMs: number
  /** The lab's answer. `null` until the lab has answered, and for attempts that the user sent. */
  readonly answered: Answered | null
  /** The endpoint's answer. `null` until the endpoint has answered, and when nothing is forwarded. */
  readonly forwarded: Forwarded | null
  /** Whether the attempt's bytes equal those of the event's first attempt. */
  readonly same: boolean
}

/** One event of the service, however often it was delivered. */
export interface CapturedEvent {
  /** The event's number; counts from 1 in the order of arrival. */
  readonly number: number
  readonly id: string
  readonly type: string
  /** The event's creation time in Unix seconds. */
  readonly createdAt: number
  /** The event's first verified attempt, as it was received. */
  readonly delivery: Delivery
  /** The latest attempts; `attemptCount` also counts those no longer kept. */
  readonly attempts: readonly Attempt[]
  readonly attemptCount: number
  /** For a correction: the id of the event that it revokes, and whether the lab captured that event. */
  readonly revokes: { readonly id: string; readonly captured: boolean } | null
  /** Ids of the corrections that revoke this event, in the order in which they arrived. */
  readonly revokedBy: readonly string[]
}

/** A delivery that failed verification. Anyone may have sent it, so it is stored separately from events, whichever event id it claims. */
export interface UnverifiedDelivery {
  readonly atMs: number
  readonly delivery: Delivery
  readonly failed: Failed
  readonly answered: Answered | null
}

interface CaptureCounts {
  /** How many events the lab keeps now. */
  readonly events: number
  readonly unverified: number
  /** How many deliveries the lab has received since its start. */
  readonly deliveries: number
  readonly duplicates: number
  readonly corrections: number
  readonly refused: number
  /** How many events the lab has dropped to make room; it drops the oldest first. */
  readonly droppedEvents: number
  readonly droppedUnverified: number
}
