/** When something that has no time of its own was seen, from one check to the next. In memory. */
export interface Sightings {
  /**
   * What is known of when it ended. `openMs`: the last time it had not yet; null: nobody looked before. `seenMs`: the first time it had, or now.
   */
  ended(
    name: string,
    hasEnded: boolean,
    read: { readonly askedMs: number; readonly readMs: number },
  ): { readonly openMs: number | null; readonly seenMs: number }
}

/** The oldest go. */
const most = 20_000

export function createSightings(): Sightings {
  const seen = new Map<string, { readonly openMs: number | null; readonly seenMs: number | null }>()
  return {
    ended: (name, hasEnded, { askedMs, readMs }) => {
      const before = seen.get(name) ?? { openMs: null, seenMs: null }
      // What ended and is open again was taken back by a reorganisation.
      const now = hasEnded ? { openMs: before.openMs, seenMs: before.seenMs ?? readMs } : { openMs: askedMs, seenMs: null }
      seen.delete(name)
      seen.set(name, now)
      const [oldest] = seen.keys()
      if (seen.size > most && oldest !== undefined) seen.delete(oldest)
      return { openMs: now.openMs, seenMs: now.seenMs ?? readMs }
    },
  }
}
