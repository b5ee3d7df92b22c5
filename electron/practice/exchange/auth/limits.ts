import { type Clock, second } from '../../../../shared/time.ts'

/** A rate limiter over any period of one second, not per calendar second. Refused requests do not count. */
export interface Limiter {
  /** Counts a request. null if it may proceed; otherwise the whole seconds until it may, for `Retry-After`. */
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
