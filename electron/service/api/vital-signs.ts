import type { IncomingHttpHeaders } from 'node:http'
import { type Clock, minute } from '../../../shared/time.ts'
import { headerText } from '../transport/request-headers.ts'

/** Versioning 2. */
const documentedVersion = 'v1'
const documentedSchema = 'svc-dex-api-v1.1'

const slowMs = 2_000
const offsetSamples = 8
/** The measurement wanders by less than this from answer to answer; nobody is told of that. */
const toldFromMs = 250

/** What one answer says of the offset: the service's clock minus ours lies between, in ms. */
interface OffsetRange {
  readonly least: number
  readonly most: number
}

export interface Drift {
  readonly apiVersion: string | null
  readonly schema: string | null
}

/** What the answers say about the service beside their content: its clock, its health, its versions. */
export interface VitalSigns {
  answered(
    headers: IncomingHttpHeaders,
    timing: { readonly receivedAtMs: number; readonly tookMs: number; readonly versioned: boolean; readonly healthy: boolean; readonly succeeded?: boolean },
  ): void
  unanswered(): void
  /** Milliseconds by which the service's clock is ahead of this computer's; null before the first answer. */
  clockOffsetMs(): number | null
  health(): { readonly state: 'up' | 'slow' | 'down' | 'unknown'; readonly lastAnswerAgeMs: number | null }
  drift(): Drift | null
}

/** `clock` is this computer's own. `onOffset` is told when the offset is known first, and when it is another one. */
export function createVitalSigns(clock: Clock, onOffset: () => void = () => {}): VitalSigns {
  const ranges: OffsetRange[] = []
  let lastAnswerAtMs: number | null = null
  let state: 'up' | 'slow' | 'down' | 'unknown' = 'unknown'
  let drift: Drift | null = null
  let toldMs: number | null = null

  let lastDate = { text: '', ms: Number.NaN }
  /** The header changes once a second, and reading it costs more than comparing it. */
  const dateOf = (text: string): number => {
    if (text !== lastDate.text) lastDate = { text, ms: Date.parse(text) }
    return lastDate.ms
  }

  /** Asked for several times in every call, and changed by none but an answer. */
  let offsetMs: number | null = null

  const measure = (range: OffsetRange) => {
    ranges.push(range)
    if (ranges.length > offsetSamples) ranges.shift()
    let { least, most } = range
    for (const other of ranges) {
      if (other.least > least) least = other.least
      if (other.most < most) most = other.most
    }
    if (least > most) {
      // They contradict each other: a clock was set, and what was measured before counts no more.
      ranges.splice(0, ranges.length - 1)
      least = range.least
      most = range.most
    }
    // No difference is claimed where the answers prove none.
    offsetMs = least <= 0 && most >= 0 ? 0 : Math.round((least + most) / 2)
    if (toldMs !== null && Math.abs(offsetMs - toldMs) < toldFromMs) return
    toldMs = offsetMs
    onOffset()
  }

  return {
    answered(headers, { receivedAtMs, tookMs, versioned, healthy, succeeded = true }) {
      lastAnswerAtMs = receivedAtMs
      state = healthy ? (tookMs > slowMs ? 'slow' : 'up') : 'down'
      const date = typeof headers.date === 'string' ? dateOf(headers.date) : Number.NaN
      // What a cache on the way kept has the time at which it was made.
      const cached = Number(headers.age ?? 0) > 0
      if (!Number.isNaN(date) && !cached) {
        // `Date` counts whole seconds, cut off, and was written some time between our sending and receiving.
        measure({ least: date - receivedAtMs, most: date + 1_000 - (receivedAtMs - tookMs) })
      }
      if (versioned && healthy) {
        const apiVersion = headerText(headers['x-svc-api-version'])
        const schema = headerText(headers['x-svc-api-schema'])
        // A refusal that carries nothing of the service's own is a gateway's.
        const own = succeeded || apiVersion !== null || schema !== null || headerText(headers['x-request-id']) !== null
        if (own) drift = apiVersion === documentedVersion && schema === documentedSchema ? null : { apiVersion, schema }
      }
    },
    unanswered() {
      state = 'down'
    },
    clockOffsetMs: () => offsetMs,
    health() {
      const lastAnswerAgeMs = lastAnswerAtMs === null ? null : Math.max(0, clock.now() - lastAnswerAtMs)
      const stale = lastAnswerAgeMs !== null && lastAnswerAgeMs > 2 * minute
      return { state: stale && state !== 'down' ? 'unknown' : state, lastAnswerAgeMs }
    },
    drift: () => drift,
  }
}

export interface ServiceClock extends Clock {
  /** False until the service has told its time; `now` is this computer's until then. */
  known(): boolean
}

/**
 * The service's time as far as its `Date` headers tell it (ORD-12). A profile has no other: its journal, its requests, everything that it
 * judges or tells the windows is dated by it, and the windows' one clock goes by the same offset (`app.clock`). So there is no instant
 * that somebody could forget to convert, what is shown agrees with the service's own records, and an offset that changes moves what is
 * on screen too. Only the client and the vital signs, which measure it, are given this computer's clock. What outlives a profile tells
 * lengths of time, or goes by the open profile's.
 */
export const createServiceClock = (clock: Clock, vitalSigns: Pick<VitalSigns, 'clockOffsetMs'>): ServiceClock => ({
  now: () => clock.now() + (vitalSigns.clockOffsetMs() ?? 0),
  monotonic: () => clock.monotonic(),
  known: () => vitalSigns.clockOffsetMs() !== null,
})

/** What main judges by that time, and the offset itself: old as soon as another offset was measured. */
export const judgedByTime = ['app.clock', 'app.attention', 'session.status', 'keys.draft'] as const
