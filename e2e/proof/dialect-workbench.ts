import type { Workbench } from '../../build/scripts/prove/proof.ts'
import { createPracticeClock } from '../../electron/practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../../electron/practice/chain/start-chain.ts'
import { systemClock } from '../../shared/time.ts'
import { trySeed } from './seed.ts'

/** After this many dialects, a worker starts a new chain. Each exchange reads its chain from the first block, so a long chain makes it slow. */
const seedsOfChain = 20

async function newChain(): Promise<RunningChain> {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: false })
  if (!started.ok) throw new Error(`The practice chain did not start: ${JSON.stringify(started.failure)}`)
  return started.value
}

export async function open(): Promise<Workbench> {
  let chain = await newChain()
  let tried = 0
  return {
    run: async (item) => {
      if (tried >= seedsOfChain) {
        await chain.stop()
        chain = await newChain()
        tried = 0
      }
      tried += 1
      return trySeed(chain, Number(item))
    },
    close: () => chain.stop(),
  }
}
