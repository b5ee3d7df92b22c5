import type { PracticeClock } from '../../practice-clock.ts'

/** What is to happen later, by the practice clock: in real time for users, at once when a test moves time on. */
export interface Waits {
  after(ms: number, act: () => void): void
  /** Forgets all that waits. */
  stop(): void
}

export function createWaits(clock: PracticeClock): Waits {
  let waiting: { readonly atMs: number; readonly act: () => void }[] = []
  let timer: NodeJS.Timeout | null = null
  const look = () => {
    const nowMs = clock.monotonic()
    const due = waiting.filter(({ atMs }) => atMs <= nowMs).toSorted((a, b) => a.atMs - b.atMs)
    waiting = waiting.filter(({ atMs }) => atMs > nowMs)
    for (const { act } of due) act()
    arm()
  }
  const arm = () => {
    if (timer !== null) clearTimeout(timer)
    // A clock that stands still is asked again after the same time.
    const leftMs = Math.min(...waiting.map(({ atMs }) => atMs)) - clock.monotonic()
    timer = waiting.length === 0 ? null : setTimeout(look, Math.max(1, leftMs)).unref()
  }
  const unsubscribe = clock.onAdvance(look)
  return {
    after: (ms, act) => {
      waiting.push({ atMs: clock.monotonic() + ms, act })
      arm()
    },
    stop: () => {
      unsubscribe()
      waiting = []
      arm()
    },
  }
}
