import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openJournal, type SqliteJournal } from '../../../electron/store/journal/tables/sqlite-journal.ts'
import { systemClock } from '../../../shared/time.ts'
import { anIntent } from '../../support/journal/an-intent.ts'
import { startTrader } from '../../support/main/trader.ts'
import { value } from '../../support/main/workspace.ts'
import { compare, type Measured } from '../metric.ts'
import { interleave, type Rounds } from '../rounds.ts'

const sizes = { few: 1_000, many: 1_000_000 } as const
type Size = keyof typeof sizes
const together = 20_000

const timed = (work: () => void): number => {
  const started = performance.now()
  work()
  return performance.now() - started
}

/**
 * Measures a journal of a million intents: opening it, reading a page of 200 and writing an intent. Compares it with a journal of 1,000. `folder` must
 * be on a real disk.
 */
export async function measureMillionIntents(rounds: Rounds, folder: string): Promise<Measured[]> {
  const home = mkdtempSync(join(folder, 'bench-million-'))
  const fileOf = (size: Size) => join(home, `journal-${size}.db`)
  const open = (size: Size) => openJournal({ file: fileOf(size), clock: systemClock })
  const journals = new Map<Size, SqliteJournal>()
  let count = 0
  const plan = (journal: SqliteJournal) => {
    count += 1
    journal.intents.plan(anIntent(`bench-${String(count).padStart(8, '0')}`))
  }
  const close = (size: Size) => {
    journals.get(size)?.close()
    journals.delete(size)
  }
  const of = (size: Size): SqliteJournal => {
    const opened = journals.get(size) ?? open(size)
    journals.set(size, opened)
    return opened
  }
  const sides = (work: (size: Size) => number) => ({ few: () => work('few'), many: () => work('many') })
  try {
    for (const size of ['few', 'many'] as const) {
      const journal = of(size)
      for (let written = 0; written < sizes[size]; written += together)
        journal.together(() => {
          for (let row = 0; row < Math.min(together, sizes[size]); row += 1) plan(journal)
        })
    }
    const page = { wallet: anIntent('').wallet, beforeMs: null, limit: 200 }
    const read = await interleave(
      sides((size) => timed(() => of(size).intents.list('practice', page))),
      { ...rounds, turns: 20 },
    )
    const written = await interleave(
      sides((size) => timed(() => plan(of(size)))),
      { ...rounds, turns: 20 },
    )
    const opened = await interleave(
      sides((size) => {
        close(size)
        return timed(() => of(size))
      }),
      { ...rounds, rounds: Math.min(rounds.rounds, 3), turns: 1 },
    )
    if ([...journals.values()].some((journal) => journal.state() !== 'ready')) throw new Error('A journal is not on disk')
    const row = (what: string, { few, many }: Record<Size, number[]>) =>
      compare(`Journal of 1,000,000 intents: ${what}, ms, against 1,000 intents`, { ours: many, against: few, target: 1.5 })
    return [row('opening', opened), row('reading a page of 200', read), row('appending an intent', written)]
  } finally {
    for (const size of ['few', 'many'] as const) close(size)
    rmSync(home, { recursive: true, force: true })
  }
}

const openOrders = 40

/**
 * Counts the app’s requests to the service in each turn of its timers while 40 orders wait for the chain. A turn comes at most once a second. Compares
 * the count with one request for each order.
 */
export async function measureOpenOrders({ rounds }: Pick<Rounds, 'rounds'>): Promise<Measured[]> {
  const trader = await startTrader()
  try {
    for (let order = 0; order < openOrders; order += 1) {
      const { ref, signature } = await trader.asked({ orderValueUsdc: '50' })
      const { state } = value(await trader.handlers()['intents.answered']({ ref, answer: signature }))
      if (state !== 'SUBMITTED') throw new Error(`An order is ${state}`)
    }
    const requests: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const before = trader.sent.length
      await trader.tick()
      if (round > 0) requests.push(trader.sent.length - before)
    }
    return [compare('Requests in a second with 40 open orders, against one for each order', { ours: requests, against: openOrders, target: 0.25 })]
  } finally {
    await trader.stop()
  }
}
