import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createPracticeClock } from '../../../electron/practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../../../electron/practice/chain/start-chain.ts'
import { systemClock } from '../../../shared/time.ts'
import { newTrader, type Trader } from './chain/trader.ts'
import { allScopes, type Client, openClient } from './orders.ts'
import { type Answer, at, type Bench, start } from './start.ts'

/** The practice exchange with a real chain. The test mines the blocks. Everything except the chain is new for each test. */
export interface OnChain {
  readonly chain: RunningChain
  readonly bench: Bench<RunningChain>
  readonly client: Client
  /** A wallet with 500 USDC. */
  readonly trader: Trader
  /** Mines blocks and waits until the exchange has processed them. */
  mine(blocks?: number): Promise<void>
  /** Sends the prepared transactions from the wallet in order, each in its own block. Returns the hashes. */
  broadcast(prepared: Answer): Promise<readonly Hex[]>
}

/**
 * Starts the chain and the exchange for the tests of the calling file, and stops them afterwards. The returned properties can be read only inside a
 * test, because the chain starts in `beforeAll`.
 */
export function benchOnChain(): OnChain {
  const clock = createPracticeClock(systemClock)
  let chain: RunningChain
  let bench: Bench<RunningChain>
  let client: Client
  let trader: Trader

  beforeAll(async () => {
    const started = await startChain({ clock, dataDir: null, firstHolder: null, history: true })
    if (!started.ok) throw new Error(started.failure.detail)
    chain = started.value
  })
  afterAll(() => chain.stop())
  beforeEach(async () => {
    await chain.pauseMining(false)
    trader = await newTrader(chain, 500_000_000n, generatePrivateKey())
    await chain.pauseMining(true)
    bench = await start({ chain, clock, wallet: trader.account })
    client = await openClient(bench, allScopes)
  })
  afterEach(() => bench.stop())

  const mine = async (blocks = 1): Promise<void> => {
    await chain.mine(blocks)
    await bench.exchange.settle()
  }
  return {
    get chain() {
      return chain
    },
    get bench() {
      return bench
    },
    get client() {
      return client
    },
    get trader() {
      return trader
    },
    mine,
    async broadcast(prepared) {
      const listed = at(prepared, 'execution.transactions')
      const hashes: Hex[] = []
      for (const each of Array.isArray(listed) ? listed : []) {
        hashes.push(await trader.send(each.to, each.data))
        await mine()
      }
      return hashes
    },
  }
}
