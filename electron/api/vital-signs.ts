import type { IncomingHttpHeaders } from 'node:http'
import { type Clock, minute } from '../../shared/time.ts'
import { headerText } from './header-text.ts'

/** Versioning 2. */
const documentedVersion = 'v1'
const documentedSchema = 'svc-dex-api-v1.1'

const slowMs = 2_000
const offsetSamples = 8

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
    timing: { readonly receivedAtMs: number; readonly tookMs: number; readonly versioned: boolean; readonly healthy: boolean },
  ): void
  unanswered(): void
  clockOffsetMs(): number | null
  health(): { readonly state: 'up' | 'slow' | 'down' | 'unknown'; readonly lastAnswerAtMs: number | null }
  drift(): Drift | null
}

export function createVitalSigns(clock: Clock): VitalSigns {
  const ranges: OffsetRange[] = []
  let lastAnswerAtMs: number | null = null
  let state: 'up' | 'slow' | 'down' | 'unknown' = 'unknown'
  let drift: Drift | null = null

  return {
    answered(headers, { receivedAtMs, tookMs, versioned, healthy }) {
      lastAnswerAtMs = receivedAtMs
      state = healthy ? (tookMs > slowMs ? 'slow' : 'up') : 'down'
      const date = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN
      if (!Number.isNaN(date)) {
        // `Date` counts whole seconds, cut off, and was written some time between our sending and receiving.
        ranges.push({ least: date - receivedAtMs, most: date + 1_000 - (receivedAtMs - tookMs) })
        if (ranges.length > offsetSamples) ranges.shift()
      }
      if (versioned && healthy) {
        const apiVersion = headerText(headers['x-svc-api-version'])
        const schema = headerText(headers['x-svc-api-schema'])
        drift = apiVersion === documentedVersion && schema === documentedSchema ? null : { apiVersion, schema }
      }
    },
    unanswered() {
      state = 'down'
    },
    clockOffsetMs() {
      const last = ranges.at(-1)
      if (last === undefined) return null
      const all = { least: Math.max(...ranges.map((range) => range.least)), most: Math.min(...ranges.map((range) => range.most)) }
      // They contradict each other after a clock was set: the newest counts.
      const { least, most } = all.least <= all.most ? all : last
      // No difference is claimed where the answers prove none.
      return least <= 0 && most >= 0 ? 0 : Math.round((least + most) / 2)
    },
    health() {
      const stale = lastAnswerAtMs !== null && clock.now() - lastAnswerAtMs > 2 * minute
      return { state: stale && state !== 'down' ? 'unknown' : state, lastAnswerAtMs }
    },
    drift: () => drift,
  }
}
