import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outOf, root } from '../support/project.ts'
import { measureApiCall } from './api-call.ts'
import { measureFirstLoad } from './first-load.ts'
import { measureGateway, measureSharing } from './gateway/gateway.ts'
import { measureJournalGrowth } from './growth.ts'
import { measureJournalAppend } from './journal-append.ts'
import { hasRipgrep, measureLeakScan } from './leak-scan.ts'
import { measureMillionIntents, measureOpenOrders } from './main/intents.ts'
import { measureDialectReading, measureLongestTurn } from './main/reading.ts'
import { lineOf, type Measured } from './metric.ts'
import { type Recorded, record, writeRows } from './record/recorded.ts'
import type { Rounds } from './rounds.ts'
import { measureWebhookVerification } from './webhook-verification.ts'
import { hasProcesses } from './whole/whole-app.ts'
import { buildPage, prepareWindows, type WindowBench } from './windows.ts'

export const resultsFile = join(root, 'out/bench.json')

export interface BenchOptions {
  /** Number of measured rounds. An additional first round only warms up and is not measured. */
  readonly rounds: number
  /** Seed for the order in which the product and its references are measured. Without one, a random seed is chosen and printed. */
  readonly seed?: number
  /** Measures only the parts whose name contains this text. */
  readonly only?: string
  /** Whether to run the slow measurements too, such as those that open app windows. */
  readonly windows?: boolean
  /** The JSON file to which the results are written. */
  readonly file?: string
  /** Folder of the built renderer to measure. */
  readonly renderer?: string
  readonly print?: (line: string) => void
}

/** Metrics that are measured together. If one of them fails, none of them has a result. */
interface Part {
  readonly name: string
  measure(): Promise<Measured[]> | Measured[]
}

/** What the parts share. `built` and `opened` exist from the first time that a part asks for them. */
interface Bench extends Rounds {
  readonly work: string
  readonly renderer: string
  readonly reference: string
  built(): Promise<void>
  opened(): Promise<WindowBench>
}

interface PlannedPart {
  readonly name: string
  /** Slow, for example because it opens the app’s windows. A short run leaves it out. */
  readonly isSlow: boolean
  /** Whether this computer has what the part needs; if absent, every computer has it. */
  isPossible?(): boolean
  measure(bench: Bench): Promise<Measured[]> | Measured[]
}

const quick = (name: string, measure: PlannedPart['measure']): PlannedPart => ({ name, isSlow: false, measure })
const slow = (name: string, measure: PlannedPart['measure']): PlannedPart => ({ name, isSlow: true, measure })
const once = ({ rounds, seed }: Rounds): Rounds => ({ rounds, turns: 1, seed })

const planned: readonly PlannedPart[] = [
  quick('API call', (bench) => measureApiCall({ ...bench, turns: 300 })),
  quick('Journal append', (bench) => measureJournalAppend({ ...bench, turns: 100 }, bench.work)),
  quick('Webhook verification', (bench) => measureWebhookVerification({ ...bench, turns: 20 })),
  quick('Gateway', (bench) => measureGateway({ ...bench, turns: 300 }, bench.work)),
  quick('First-load JavaScript', async (bench) => bench.built().then(() => measureFirstLoad(bench))),
  slow('First screen', async (bench) => bench.built().then(async () => (await bench.opened()).firstScreen(bench.reference))),
  slow('Gateway sharing', (bench) => measureSharing(bench, bench.work)),
  slow('IPC query', async (bench) => (await bench.opened()).ipcQuery({ ...bench, turns: 15 })),
  slow('Long lists', async (bench) => (await bench.opened()).longLists(once(bench))),
  slow('Account tables', async (bench) => (await bench.opened()).accountTables(once(bench))),
  slow('Captured events', async (bench) => (await bench.opened()).capturedEvents(once(bench))),
  slow('Market', async (bench) => (await bench.opened()).market(once(bench))),
  slow('Growth of tables', async (bench) => (await bench.opened()).tableGrowth(once(bench))),
  { ...slow('Leak scan', (bench) => measureLeakScan({ ...bench, turns: 2 }, bench.work)), isPossible: hasRipgrep },
  slow('Growth of the journal', (bench) => measureJournalGrowth(once(bench), bench.work)),
  slow('Journal of a million intents', (bench) => measureMillionIntents(once(bench), bench.work)),
  slow('Unknown dialect', (bench) => measureDialectReading(bench)),
  slow('Hostile answers', (bench) => measureLongestTurn(bench)),
  slow('Open orders', (bench) => measureOpenOrders(bench)),
  slow('Growth of candles', async (bench) => (await bench.opened()).candleGrowth(once(bench))),
  slow('Ticket to wallet', async (bench) => (await bench.opened()).ticketToWallet(once(bench), bench.work)),
  slow('Memory', async (bench) => (await bench.opened()).memory()),
  { ...slow('Whole app', async (bench) => (await bench.opened()).wholeApp(bench)), isPossible: hasProcesses },
  slow('Start', async (bench) => (await bench.opened()).start(once(bench))),
]

/** The names of all parts, in the order in which they are measured. */
export const partNames: readonly string[] = planned.map(({ name }) => name)

/**
 * Runs all selected measurements and writes their results to `file`. Returns 0 if every metric could be measured, even if its target was missed;
 * otherwise 1.
 */
export async function runBench({
  rounds,
  seed = randomInt(2 ** 32),
  only = '',
  windows = true,
  file = resultsFile,
  renderer = join(outOf('hooks'), 'renderer'),
  print = console.log,
}: BenchOptions): Promise<number> {
  mkdirSync(dirname(file), { recursive: true })
  // This folder is next to the result file, because it must be on disk: the system’s temporary folder may be in memory, where a sync writes nothing.
  const work = mkdtempSync(join(dirname(file), 'bench-work-'))
  const reference = join(work, 'react-viem')
  const opened = shared(prepareWindows)
  const bench: Bench = { rounds, turns: 1, seed, work, renderer, reference, built: shared(() => buildPage('react-viem', reference)), opened }
  const wanted = planned
    .filter(({ name, isSlow, isPossible }) => (windows || !isSlow) && name.toLowerCase().includes(only.toLowerCase()) && isPossible?.() !== false)
    .map(({ name, measure }): Part => ({ name, measure: () => measure(bench) }))
  try {
    if (wanted.length === 0) throw new Error(`No metric is called ${only}`)
    print(`order of the sides: seed ${seed}`)
    return await measureAll(wanted, file, print)
  } finally {
    if (opened.made()) (await opened()).close()
    rmSync(work, { recursive: true, force: true })
  }
}

/**
 * Returns a function that calls `make` the first time and returns the same result every time. So all measurements share one resource. `made`:
 * whether the resource exists.
 */
function shared<T>(make: () => Promise<T>): (() => Promise<T>) & { made(): boolean } {
  let made: Promise<T> | null = null
  const get = () => {
    made ??= make()
    return made
  }
  return Object.assign(get, { made: () => made !== null })
}

/** Measures the parts one after the other. If a part fails, reports the failure and still records the other parts. */
export async function measureAll(parts: readonly Part[], file: string, print: (line: string) => void): Promise<number> {
  const rows: Recorded[] = []
  let failed = 0
  for (const { name, measure } of parts) {
    try {
      const measured = await measure()
      rows.push(...measured.map((row) => record(name, row)))
      for (const row of measured) print(lineOf(row))
    } catch (error) {
      failed += 1
      print(`FAILED  ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  writeRows(file, rows)
  return failed === 0 ? 0 : 1
}
