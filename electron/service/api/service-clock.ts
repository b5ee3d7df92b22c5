import type { Clock } from '../../../shared/time.ts'
import type { VitalSigns } from './vital-signs.ts'

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
