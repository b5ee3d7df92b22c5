import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createSpeaker } from '../../../electron/practice/dialect/speaker.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { PositionList } from '../../../shared/api/schemas/account-resources.ts'
import { foreign } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import { hostileBodies, hostileRecords } from '../../support/api/hostile-bodies.ts'
import { productClient, tradingKey } from '../api-call.ts'
import { compare, type Measured } from '../metric.ts'
import { interleave, type Rounds } from '../rounds.ts'

const positions = 1_000
/**
 * Seeds of dialects in which the app finds the positions without help from the user. The benchmark measures one in each turn, because some are harder
 * to read than others.
 */
const dialects = [1, 2, 3, 12] as const

/** Positions as the practice exchange lists them. */
const listed = () => ({
  success: true,
  wallet: `0x${'0'.repeat(40)}`,
  positions: Array.from({ length: positions }, (_, index) => ({
    position_id: `pos_${index}`,
    pair_id: 1 + (index % 24),
    symbol: 'BTC-PERP',
    side: index % 2 === 0 ? 'long' : 'short',
    size: `0.${String(1_000 + index)}`,
    notional_usdc: `${2_500 + index}.25`,
    entry_price: `${64_000 + index}.5`,
    mark_price: `${64_100 + index}.5`,
    liquidation_price: `${32_000 + index}.5`,
    leverage: 5,
    margin_mode: 'cross',
    margin_usdc: `${500 + index}.05`,
    unrealised_pnl_usdc: `${index % 100}.12`,
    funding_usdc: '-0.31',
    take_profit: null,
    stop_loss: null,
  })),
})

/**
 * Measures reading 1,000 positions from an answer in a dialect that the reader sees for the first time in its field names and forms. Compares it with
 * `JSON.parse` of the same text.
 */
export async function measureDialectReading(rounds: Rounds): Promise<Measured[]> {
  const texts = dialects.map((seed) =>
    JSON.stringify(createSpeaker(seed).answer('GET /api/dex/v1/positions', listed(), { requestId: 'bench', nowMs: 1_790_000_000_000, action: null })),
  )
  for (const [at, text] of texts.entries()) {
    const found = PositionList.read(readJson(foreign(text)))
    if (!found.ok || found.value.positions.length !== positions) throw new Error(`Dialect ${dialects[at]} is not read`)
  }
  const timed = (work: (text: string) => unknown) => {
    let turn = 0
    return (): number => {
      const text = texts[turn % texts.length] ?? ''
      turn += 1
      const started = performance.now()
      work(text)
      return performance.now() - started
    }
  }
  const cost = await interleave(
    { ours: timed((text) => PositionList.read(readJson(foreign(text)))), bare: timed((text): unknown => JSON.parse(text)) },
    { ...rounds, turns: 4 * dialects.length },
  )
  return [compare('Reading 1,000 positions in an unknown dialect, ms, against JSON.parse', { ours: cost.ours, against: cost.bare, target: 4 })]
}

const longestTurnMs = 50
/** Reads of different resources. */
const reads = [endpoints.getAccount, endpoints.getOrders, endpoints.getMarkets] as const

/** CPU milliseconds of the longest turn of this thread’s event loop while `work` runs. Another process on the same core does not count. */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  let [longest, isOver] = [0, false]
  let before = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.threadCpuUsage()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  // One more look, because the last turn may be the longest one.
  await new Promise((resolve) => setImmediate(resolve))
  isOver = true
  return longest
}

/**
 * Measures how long hostile answers of the service hold up the main process’s event loop: the longest turn over all answers and reads. Compares it
 * with the 50 ms that a user tolerates.
 */
export async function measureLongestTurn({ rounds }: Pick<Rounds, 'rounds'>): Promise<Measured[]> {
  const service = new Worker(new URL('../api-service.ts', import.meta.url))
  const [port] = (await once(service, 'message')) as [number] // safe cast: the worker’s first message is its port
  const worst = async (inputs: Readonly<Record<string, () => string>>): Promise<number> => {
    let most = 0
    for (const [what, make] of Object.entries(inputs)) {
      service.postMessage(make())
      const [answer] = await once(service, 'message')
      if (answer !== 'set') throw new Error(`The service does not send ${what}`)
      for (const endpoint of reads) {
        // A new client, because failures would open the breaker of an old one.
        const api = productClient(`http://127.0.0.1:${port}`)
        const took = await longestTurn(async () => {
          const result = await api.call(endpoint, { params: {}, query: {}, body: undefined, credential: tradingKey, deadlineMs: 60_000 })
          if (!result.ok && result.failure.sent === 'no') throw new Error(`Nothing was sent: ${JSON.stringify(result.failure)}`)
        })
        most = Math.max(most, took)
        await api.close()
      }
    }
    return most
  }
  try {
    const records = Object.fromEntries(Object.entries(hostileRecords).map(([what, make]) => [what, () => JSON.stringify(make())]))
    const costs = { bodies: [] as number[], records: [] as number[] }
    // The first round only warms up.
    for (let round = 0; round <= Math.min(rounds, 3); round += 1) {
      const [bodies, ofRecords] = [await worst(hostileBodies), await worst(records)]
      if (round === 0) continue
      costs.bodies.push(bodies)
      costs.records.push(ofRecords)
    }
    return [
      compare(`Longest turn of main’s loop, CPU ms, reading bodies of 7 MiB that are no answers, against ${longestTurnMs} ms`, {
        ...{ ours: costs.bodies, against: longestTurnMs, target: 1 },
      }),
      compare(`Longest turn of main’s loop, CPU ms, reading answers made to be hard to read, against ${longestTurnMs} ms`, {
        ...{ ours: costs.records, against: longestTurnMs, target: 1 },
      }),
    ]
  } finally {
    await service.terminate()
  }
}
