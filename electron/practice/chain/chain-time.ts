import type { PracticeClock } from '../base/practice-clock.ts'
import type { ChainClient } from './chain-client.ts'

export interface ChainTime {
  /** Resolves when the next block's timestamp agrees with the practice clock. */
  settled(): Promise<void>
  /** Moves the chain's time forward to the practice clock if the chain is behind, for example after a reorganisation. */
  align(): Promise<void>
  stop(): void
}

/**
 * Moves the chain's time forward when a test advances the practice clock. Otherwise, anvil's timestamps follow real time.
 * The chain is never ahead of the clock, at most one second behind, and never goes backwards.
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
