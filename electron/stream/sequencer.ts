/** Events in their order, each once. */
export interface Sequencer<E> {
  /** The sequence up to which everything is known; null before the first snapshot. */
  reached(): number | null
  /** Everything up to here is known by other means: what waited for it, and no more, is given in order. */
  snapshot(sequence: number | null): E[]
  /**
   * What may be acted on now, in order: nothing for what is known already, the event itself and all that waited for it otherwise.
   * Before the first snapshot everything waits.
   */
  take(sequence: number, event: E): E[]
  /** Whether something waits for an event that has not come: a snapshot closes the gap. */
  hasGap(): boolean
}

/** Events that wait for an earlier one. With more of them a snapshot is needed anyway, and the newest are dropped: the service sends them again, or a snapshot has them. */
export const mostWaiting = 512

export function createSequencer<E>(): Sequencer<E> {
  const waiting = new Map<number, E>()
  let reached: number | null = null

  const release = (): E[] => {
    const ready: E[] = []
    if (reached === null) return ready
    for (let next = waiting.get(reached + 1); next !== undefined; next = waiting.get(reached + 1)) {
      reached += 1
      waiting.delete(reached)
      ready.push(next)
    }
    return ready
  }

  return {
    reached: () => reached,
    snapshot(sequence) {
      // A service that tells no sequence: what waits is as old as the snapshot at most, so it starts from the oldest that waits.
      const from = sequence ?? Math.max(reached ?? 0, Math.min(...waiting.keys(), Number.MAX_SAFE_INTEGER) - 1)
      if (sequence === null && waiting.size === 0) return []
      if (reached === null || from > reached) reached = from
      for (const known of [...waiting.keys()]) if (known <= from) waiting.delete(known)
      return release()
    },
    take(sequence, event) {
      if (reached !== null && sequence <= reached) return []
      if (waiting.size < mostWaiting || waiting.has(sequence) || sequence === (reached ?? Number.NaN) + 1) waiting.set(sequence, event)
      return release()
    },
    hasGap: () => waiting.size > 0,
  }
}
