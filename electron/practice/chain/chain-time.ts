import type { PracticeClock } from '../base/practice-clock.ts'
import type { ChainClient } from './chain-client.ts'

export interface ChainTime {
  /** Resolves once the timestamp of the next block agrees with the practice clock. */
  settled(): Promise<void>
  /** Moves the chain's time forward to the practice clock if the chain is behind, for example after a reorganisation. */
  align(): Promise<void>
  stop(): void
}

/**
 * When a test advances the practice clock, moves the chain's time forward to that clock. At other times, anvil's timestamps follow real time.
 * The chain's time is never ahead of the practice clock and at most one second behind it, and it never goes backwards.
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
