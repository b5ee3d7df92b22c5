import type { PracticeClock } from '../base/practice-clock.ts'
import type { ChainClient } from './chain-client.ts'

export interface ChainTime {
  /** Resolves when the next block's timestamp agrees with the practice clock. */
  settled(): Promise<void>
  /** Catches up with the practice clock when the chain has fallen behind it, as a reorganisation makes it. */
  align(): Promise<void>
  stop(): void
}

/**
 * Lets the chain follow the practice clock when a test moves it. Without that anvil's timestamps are real time.
 * Never ahead of the clock, at most a second behind, and never backwards.
 */
export function followClock(client: ChainClient, clock: PracticeClock): ChainTime {
  let pending: Promise<void> = Promise.resolve()
  let owedMs = 0
  const catchUp = async () => {
    const seconds = Math.floor(owedMs / 1_000)
    if (seconds <= 0) return
    owedMs -= seconds * 1_000
    await client.increaseTime({ seconds })
  }
  const queue = (step: () => Promise<void>): Promise<void> => {
    const done = pending.then(step)
    pending = done.catch(() => undefined)
    return done
  }
  const unsubscribe = clock.onAdvance((ms) => {
    owedMs += ms
    queue(catchUp).catch(() => undefined)
  })
  return {
    settled: () => pending,
    align: () =>
      queue(async () => {
        const { timestamp } = await client.getBlock({ blockTag: 'pending' })
        const behind = Math.floor(clock.now() / 1_000) - Number(timestamp)
        if (behind > 1) await client.increaseTime({ seconds: behind })
      }),
    stop: unsubscribe,
  }
}
