import { type Clock, second } from '../../../../shared/time.ts'

/** So many requests within any second. Requests that were refused do not count. */
export interface Limiter {
  /** null: go ahead. Otherwise the whole seconds after which one is free again, for `Retry-After`. */
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
