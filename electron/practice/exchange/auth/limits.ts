import { type Clock, second } from '../../../../shared/time.ts'

/** Limits the requests in any period of one second, not only in each calendar second. Refused requests do not count towards the limit. */
export interface Limiter {
  /** Counts a request. Returns null if the request may proceed; otherwise the number of whole seconds to wait, for `Retry-After`. */
  take(bucket: string, perSecond: number): number | null
}

export function createLimiter({ clock }: { clock: Clock }): Limiter {
  const taken = new Map<string, number[]>()
  return {
    take: (bucket, perSecond) => {
      const now = clock.monotonic()
      const recent = (taken.get(bucket) ?? []).filter((at) => now - at < second)
      taken.set(bucket, recent)
      if (recent.length < perSecond) {
        recent.push(now)
        return null
      }
      const oldest = recent[0] ?? now
      return Math.max(1, Math.ceil((oldest + second - now) / second))
    },
  }
}
