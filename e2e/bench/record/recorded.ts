import { readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os'
import { z } from 'zod'
import { findHost } from '../../../build/scripts/electron-binary.ts'
import type { Measured } from '../metric.ts'

const Machine = z.object({
  processor: z.string(),
  /** Number of cores that Node may use. */
  cores: z.number(),
  memoryGiB: z.number(),
  /** Operating system and architecture, such as `linux x64`. */
  system: z.string(),
  node: z.string(),
  /** What runs the windows. */
  host: z.enum(['electron', 'stand-in']),
})
export type Machine = z.infer<typeof Machine>

const Sided = z.object({ ours: z.number(), against: z.number(), ratio: z.number() })

const Recorded = z.object({
  metric: z.string(),
  ours: z.number(),
  against: z.number(),
  ratio: z.number(),
  target: z.number(),
  met: z.boolean(),
  spread: Sided,
  rounds: z.object({ ours: z.array(z.number()), against: z.array(z.number()) }),
  /** Name of the part that measured it; `--only` selects parts by name. */
  part: z.string(),
  /** ISO date and time. */
  measuredAt: z.string(),
  /** Runnable processes per core in the last minute; above 1, processes wait for each other. 0 where the system does not count them. */
  load: z.number(),
  machine: Machine,
})
/** One row of `out/bench.json`. */
export type Recorded = Readonly<z.infer<typeof Recorded>>

const tenths = (value: number): number => Math.round(value * 10) / 10

export const machineFacts = (): Machine => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGiB: tenths(totalmem() / 2 ** 30),
  system: `${platform()} ${arch()}`,
  node: process.versions.node,
  host: findHost().kind,
})

export const record = (part: string, row: Measured): Recorded => ({
  ...{ ...row, rounds: { ours: [...row.rounds.ours], against: [...row.rounds.against] }, part },
  ...{ measuredAt: new Date().toISOString(), load: tenths((loadavg()[0] ?? 0) / availableParallelism()), machine: machineFacts() },
})

/** Writes an array with one row on each line, so that a diff names the rows that changed. */
export const writeRows = (file: string, rows: readonly Recorded[]): void => writeFileSync(file, `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`)

/** Reads what `writeRows` wrote. Throws if the file is missing or has another form. */
export function readRows(file: string): Recorded[] {
  const { success, data, error } = z.array(Recorded).safeParse(JSON.parse(readFileSync(file, 'utf8')))
  if (!success) throw new Error(`${file} is no record of the benchmark: ${error.issues[0]?.path.join('.')} ${error.issues[0]?.message}`)
  return data
}

/**
 * The rows of `kept` with those of `fresh` in place of the same parts, in the order of `parts`. Drops rows of parts that the benchmark no longer has.
 */
export const mergeRows = (kept: readonly Recorded[], fresh: readonly Recorded[], parts: readonly string[]): Recorded[] => {
  const again = new Set(fresh.map(({ part }) => part))
  const all = [...kept.filter(({ part }) => !again.has(part)), ...fresh]
  return parts.flatMap((name) => all.filter(({ part }) => part === name))
}
