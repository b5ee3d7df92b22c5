import type { IncomingHttpHeaders } from 'node:http'
import { type Clock, minute } from '../../../shared/time.ts'
import type { ServiceHealth } from '../transport/api-client.ts'
import { headerText } from '../transport/request-headers.ts'

/** The versions that the API document names (API document: Versioning 2). */
const documentedVersion = 'v1'
const documentedSchema = 'svc-dex-api-v1.1'

const slowMs = 2_000
/** Two failed requests within this time are more than a chance failure: the service works only in part. */
const failingMs = minute / 2
const offsetSamples = 8
/** Minimum change of the clock offset to report. Smaller changes come from the varying delays of responses. */
const reportedFromMs = 250

/** The range of clock offsets (service minus local time, in ms) that one response allows. */
interface OffsetRange {
  readonly least: number
  readonly most: number
}

export interface ServiceChange {
  readonly apiVersion: string | null
  readonly schema: string | null
}

/** Facts about the service that its responses show: clock, health and versions. */
export interface VitalSigns {
  answered(
    headers: IncomingHttpHeaders,
    timing: { readonly receivedAtMs: number; readonly tookMs: number; readonly versioned: boolean; readonly healthy: boolean; readonly succeeded?: boolean },
  ): void
  unanswered(): void
  /** How many milliseconds the service's clock is ahead of this computer's clock; `null` before the first response. */
  clockOffsetMs(): number | null
  health(): ServiceHealth
  serviceChange(): ServiceChange | null
}

/**
 * Measures the service's clock, health and versions. `clock` is this computer's own clock. Calls `onOffset` when the clock offset becomes known, and
 * whenever it changes.
 */
export function createVitalSigns(clock: Clock, onOffset: () => void = () => {}): VitalSigns {
  const ranges: OffsetRange[] = []
  let lastAnswerAtMs: number | null = null
  let state: ServiceHealth['state'] = 'unknown'
  let down: { readonly sinceMs: number; readonly how: 'no_response' | 'errors' } | null = null
  /** When the last two requests failed, on the monotonic clock. */
  let troubles: readonly number[] = []
  let drift: ServiceChange | null = null
  let toldMs: number | null = null

  let lastDate = { text: '', ms: Number.NaN }
  /** Parses a `Date` header. Remembers the last one, because the header changes only once a second, and parsing costs more than comparing. */
  const dateOf = (text: string): number => {
    if (text !== lastDate.text) lastDate = { text, ms: Date.parse(text) }
    return lastDate.ms
  }

  /** The clock offset in ms. It is stored, because every call reads it several times, but only a response can change it. */
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
      // The ranges contradict each other, so one of the clocks was changed in the meantime. Only the latest measurement is still valid.
      ranges.splice(0, ranges.length - 1)
      least = range.least
      most = range.most
    }
    // If the responses allow an offset of zero, use zero. Otherwise use the middle of the range.
    offsetMs = least <= 0 && most >= 0 ? 0 : Math.round((least + most) / 2)
    if (toldMs !== null && Math.abs(offsetMs - toldMs) < reportedFromMs) return
    toldMs = offsetMs
    onOffset()
  }

  return {
    answered(headers, { receivedAtMs, tookMs, versioned, healthy, succeeded = true }) {
      lastAnswerAtMs = receivedAtMs
      state = healthy ? (tookMs > slowMs ? 'slow' : 'up') : 'down'
      if (!healthy) troubles = [...troubles.slice(-1), clock.monotonic()]
      down = healthy ? null : { sinceMs: down?.sinceMs ?? clock.monotonic(), how: 'errors' }
      const date = typeof headers.date === 'string' ? dateOf(headers.date) : Number.NaN
      // A response from a cache contains the time of its creation, not the current time.
      const cached = Number(headers.age ?? 0) > 0
      if (!Number.isNaN(date) && !cached) {
        // The service wrote `Date` after the app sent the request and before the app received the response. `Date` has only whole seconds.
        measure({ least: date - receivedAtMs, most: date + 1_000 - (receivedAtMs - tookMs) })
      }
      if (versioned && healthy) {
        const apiVersion = headerText(headers['x-svc-api-version'])
        const schema = headerText(headers['x-svc-api-schema'])
        // A failed response without any header of the service comes from a gateway, so it shows nothing about the versions.
        const own = succeeded || apiVersion !== null || schema !== null || headerText(headers['x-request-id']) !== null
        if (own) drift = apiVersion === documentedVersion && schema === documentedSchema ? null : { apiVersion, schema }
      }
    },
    unanswered() {
      state = 'down'
      troubles = [...troubles.slice(-1), clock.monotonic()]
      down = { sinceMs: down?.sinceMs ?? clock.monotonic(), how: 'no_response' }
    },
    clockOffsetMs: () => offsetMs,
    health() {
      const lastAnswerAgeMs = lastAnswerAtMs === null ? null : Math.max(0, clock.now() - lastAnswerAtMs)
      const stale = lastAnswerAgeMs !== null && lastAnswerAgeMs > 2 * minute
      const outage = down === null ? null : { forMs: clock.monotonic() - down.sinceMs, how: down.how }
      const [earlier, later] = troubles
      const failing = later !== undefined && earlier !== undefined && clock.monotonic() - earlier < failingMs
      return { state: state === 'down' ? state : stale ? 'unknown' : failing ? 'failing' : state, lastAnswerAgeMs, outage }
    },
    serviceChange: () => drift,
  }
}

export interface ServiceClock extends Clock {
  /** Returns `false` until the service has sent its time. Until then, `now` returns this computer's time. */
  known(): boolean
}

/**
 * The service's time, derived from its `Date` headers (ORD-12). A profile uses no other clock: journal, requests, decisions and messages to windows
 * all use the service's time. The windows' own clock uses the same offset (`app.clock`).
 * Therefore no time needs conversion, and the app's times agree with the service's records. If the offset changes, it changes in the windows too.
 * Only the API client and `createVitalSigns` use this computer's clock, because they measure the offset. Code that outlives a profile uses durations,
 * or the clock of the open profile.
 */
export const createServiceClock = (clock: Clock, vitalSigns: Pick<VitalSigns, 'clockOffsetMs'>): ServiceClock => ({
  now: () => clock.now() + (vitalSigns.clockOffsetMs() ?? 0),
  monotonic: () => clock.monotonic(),
  known: () => vitalSigns.clockOffsetMs() !== null,
})

/** The queries whose results depend on the service’s time. The windows read them again whenever the offset changes. */
export const judgedByTime = ['app.clock', 'app.attention', 'session.status', 'keys.draft'] as const
