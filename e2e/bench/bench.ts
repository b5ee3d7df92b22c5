import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outOf, root } from '../support/project.ts'
import { measureApiCall } from './api-call.ts'
import { measureFirstLoad } from './first-load.ts'
import { measureGateway, measureSharing } from './gateway/gateway.ts'
import { measureJournalGrowth } from './growth.ts'
import { measureJournalAppend } from './journal-append.ts'
import { hasRipgrep, measureLeakScan } from './leak-scan.ts'
import { lineOf, type Measured } from './metric.ts'
import { measureWebhookVerification } from './webhook-verification.ts'
import { buildPage, prepareWindows } from './windows.ts'

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

/**
 * Runs all selected measurements and writes their results to `file`. Returns 0 if every metric could be measured, even if its target was missed;
 * otherwise 1.
 */
export async function runBench({
  rounds,
  seed = randomInt(2 ** 32),
  only = '',
  windows = true,
  file = join(root, 'out/bench.json'),
  renderer = join(outOf('hooks'), 'renderer'),
  print = console.log,
}: BenchOptions): Promise<number> {
  mkdirSync(dirname(file), { recursive: true })
  // This folder is next to the result file, because it must be on disk: the system’s temporary folder may be in memory, where a sync writes nothing.
  const work = mkdtempSync(join(dirname(file), 'bench-work-'))
  const reference = join(work, 'react-viem')
  const built = once(() => buildPage('react-viem', reference))
  const opened = once(prepareWindows)
  const parts: Part[] = [
    { name: 'API call', measure: () => measureApiCall({ rounds, turns: 300, seed }) },
    { name: 'Journal append', measure: () => measureJournalAppend({ rounds, turns: 100, seed }, work) },
    { name: 'Webhook verification', measure: () => measureWebhookVerification({ rounds, turns: 20, seed }) },
    { name: 'Gateway', measure: () => measureGateway({ rounds, turns: 300, seed }, work) },
    { name: 'First-load JavaScript', measure: async () => built().then(() => measureFirstLoad({ renderer, reference })) },
  ]
  const longParts: Part[] = [
    { name: 'First screen', measure: async () => built().then(async () => (await opened()).firstScreen(reference)) },
    { name: 'Gateway sharing', measure: () => measureSharing({ rounds }, work) },
    { name: 'IPC query', measure: async () => (await opened()).ipcQuery({ rounds, turns: 15, seed }) },
    { name: 'Long lists', measure: async () => (await opened()).longLists({ rounds, turns: 1, seed }) },
    { name: 'Account tables', measure: async () => (await opened()).accountTables({ rounds, turns: 1, seed }) },
    { name: 'Captured events', measure: async () => (await opened()).capturedEvents({ rounds, turns: 1, seed }) },
    { name: 'Market', measure: async () => (await opened()).market({ rounds, turns: 1, seed }) },
    { name: 'Growth of tables', measure: async () => (await opened()).tableGrowth({ rounds, turns: 1, seed }) },
    ...(hasRipgrep() ? [{ name: 'Leak scan', measure: () => measureLeakScan({ rounds, turns: 2, seed }, work) }] : []),
    { name: 'Growth of the journal', measure: () => measureJournalGrowth({ rounds, turns: 1, seed }, work) },
    { name: 'Growth of candles', measure: async () => (await opened()).candleGrowth({ rounds, turns: 1, seed }) },
    { name: 'Ticket to wallet', measure: async () => (await opened()).ticketToWallet({ rounds, turns: 1, seed }, work) },
    { name: 'Memory', measure: async () => (await opened()).memory() },
    { name: 'Start', measure: async () => (await opened()).start({ rounds, turns: 1, seed }) },
  ]
  const wanted = [...parts, ...(windows ? longParts : [])].filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()))
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
function once<T>(make: () => Promise<T>): (() => Promise<T>) & { made(): boolean } {
  let made: Promise<T> | null = null
  const get = () => {
    made ??= make()
    return made
  }
  return Object.assign(get, { made: () => made !== null })
}

/** Measures the parts one after the other. If a part fails, reports the failure and still records the other parts. */
export async function measureAll(parts: readonly Part[], file: string, print: (line: string) => void): Promise<number> {
  const rows: Measured[] = []
  let failed = 0
  for (const { name, measure } of parts) {
    try {
      const measured = await measure()
      rows.push(...measured)
      for (const row of measured) print(lineOf(row))
    } catch (error) {
      failed += 1
      print(`FAILED  ${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  writeFileSync(file, `${JSON.stringify(rows, null, 2)}\n`)
  return failed === 0 ? 0 : 1
}
