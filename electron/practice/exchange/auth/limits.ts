import { type Clock, second } from '../../../../shared/time.ts'

/** Limits the requests within any second. Does not count refused requests. */
export interface Limiter {
  /** null if the request may proceed. Otherwise the whole seconds until the next free slot, for `Retry-After`. */
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
