import type { IncomingHttpHeaders } from 'node:http'
import { type Clock, minute } from '../../../shared/time.ts'
import { headerText } from '../transport/request-headers.ts'

/** Versioning 2. */
const documentedVersion = 'v1'
const documentedSchema = 'svc-dex-api-v1.1'

const slowMs = 2_000
const offsetSamples = 8
/** Smaller changes of the offset are noise between responses and are not reported. */
const reportedFromMs = 250

/** Bounds on the clock offset (service − local, ms) from one response. */
interface OffsetRange {
  readonly least: number
  readonly most: number
}

export interface ServiceChange {
  readonly apiVersion: string | null
  readonly schema: string | null
}

/** What responses reveal about the service: clock, health and versions. */
export interface VitalSigns {
  answered(
    headers: IncomingHttpHeaders,
    timing: { readonly receivedAtMs: number; readonly tookMs: number; readonly versioned: boolean; readonly healthy: boolean; readonly succeeded?: boolean },
  ): void
  unanswered(): void
  /** Milliseconds the service's clock is ahead of this computer's; `null` before the first response. */
  clockOffsetMs(): number | null
  health(): { readonly state: 'up' | 'slow' | 'down' | 'unknown'; readonly lastAnswerAgeMs: number | null }
  serviceChange(): ServiceChange | null
}

/** `clock` is this computer's own. `onOffset` runs when the offset is first known and when it changes. */
export function createVitalSigns(clock: Clock, onOffset: () => void = () => {}): VitalSigns {
  const ranges: OffsetRange[] = []
  let lastAnswerAtMs: number | null = null
  let state: 'up' | 'slow' | 'down' | 'unknown' = 'unknown'
  let drift: ServiceChange | null = null
  let toldMs: number | null = null

  let lastDate = { text: '', ms: Number.NaN }
  /** Caches the parsed header: it changes once a second, and parsing costs more than comparing. */
  const dateOf = (text: string): number => {
    if (text !== lastDate.text) lastDate = { text, ms: Date.parse(text) }
    return lastDate.ms
  }

  /** Cached, because every call reads it several times and only a response changes it. */
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
      // The ranges contradict each other: a clock was changed, so earlier measurements are invalid.
      ranges.splice(0, ranges.length - 1)
      least = range.least
      most = range.most
    }
    // Zero unless the responses prove a difference.
    offsetMs = least <= 0 && most >= 0 ? 0 : Math.round((least + most) / 2)
    if (toldMs !== null && Math.abs(offsetMs - toldMs) < reportedFromMs) return
    toldMs = offsetMs
    onOffset()
  }

  return {
    answered(headers, { receivedAtMs, tookMs, versioned, healthy, succeeded = true }) {
      lastAnswerAtMs = receivedAtMs
      state = healthy ? (tookMs > slowMs ? 'slow' : 'up') : 'down'
      const date = typeof headers.date === 'string' ? dateOf(headers.date) : Number.NaN
      // A cached response carries the time it was created.
      const cached = Number(headers.age ?? 0) > 0
      if (!Number.isNaN(date) && !cached) {
        // `Date` is cut to whole seconds and was written between our sending and receiving.
        measure({ least: date - receivedAtMs, most: date + 1_000 - (receivedAtMs - tookMs) })
      }
      if (versioned && healthy) {
        const apiVersion = headerText(headers['x-svc-api-version'])
        const schema = headerText(headers['x-svc-api-schema'])
        // A refusal without the service's own headers comes from a gateway.
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
    serviceChange: () => drift,
  }
}

export interface ServiceClock extends Clock {
  /** `false` until the service has reported its time. Until then, `now` returns this computer’s time. */
  known(): boolean
}

/**
 * The service’s time, derived from its `Date` headers (ORD-12). A profile uses no other clock: its journal, requests, decisions and
 * messages to windows use this time. The windows’ clock uses the same offset (`app.clock`).
 * So no time needs converting, the app agrees with the service’s records, and a changed offset also updates the screen.
 * Only the client and the vital signs get this computer’s clock, because they measure the offset. Anything that outlives a profile
 * uses durations, or the open profile’s clock.
 */
export const createServiceClock = (clock: Clock, vitalSigns: Pick<VitalSigns, 'clockOffsetMs'>): ServiceClock => ({
  now: () => clock.now() + (vitalSigns.clockOffsetMs() ?? 0),
  monotonic: () => clock.monotonic(),
  known: () => vitalSigns.clockOffsetMs() !== null,
})

/** Queries that depend on the service’s time or its offset. Read again whenever the offset changes. */
export const judgedByTime = ['app.clock', 'app.attention', 'session.status', 'keys.draft'] as const
