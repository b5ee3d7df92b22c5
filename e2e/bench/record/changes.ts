import type { Machine, Recorded } from './recorded.ts'

/** How a row differs between two runs. `within noise`: the ratios differ by no more than one of the two spreads. */
export type Change = 'faster' | 'slower' | 'within noise' | 'new' | 'gone'

interface Changed {
  readonly metric: string
  readonly change: Change
  readonly before: Recorded | null
  readonly after: Recorded | null
}

/**
 * Compares two runs row by row. A row counts as changed only if its ratios differ by more than both spreads. The ratio is compared, because each run
 * measured its own reference under the same load. Rows that only one run has are listed too, but a run of some parts leaves out no other part.
 */
export function changesOf(before: readonly Recorded[], after: readonly Recorded[]): readonly Changed[] {
  const parts = new Set(after.map(({ part }) => part))
  const old = new Map(before.map((row) => [row.metric, row]))
  const now = new Set(after.map(({ metric }) => metric))
  return [
    ...after.map((row): Changed => {
      const was = old.get(row.metric) ?? null
      return { metric: row.metric, change: was === null ? 'new' : changeOf(was, row), before: was, after: row }
    }),
    ...before
      .filter(({ metric, part }) => parts.has(part) && !now.has(metric))
      .map((row): Changed => ({ metric: row.metric, change: 'gone', before: row, after: null })),
  ]
}

function changeOf(before: Recorded, after: Recorded): Change {
  const difference = after.ratio - before.ratio
  if (Math.abs(difference) <= Math.max(before.spread.ratio, after.spread.ratio)) return 'within noise'
  return difference < 0 ? 'faster' : 'slower'
}

const shown = (row: Recorded | null): string => (row === null ? 'none' : `${row.ratio.toFixed(2)} ± ${row.spread.ratio.toFixed(2)}`)

/** The lines that `--compare` prints: every row beyond noise, then a count of the others. Says if the machines differ. */
export function changeLines(before: readonly Recorded[], after: readonly Recorded[]): readonly string[] {
  const all = changesOf(before, after)
  const beyond = all.filter(({ change }) => change !== 'within noise')
  const changed = all.filter(({ change }) => change === 'faster' || change === 'slower')
  const machines = new Set([...before, ...after].map(({ machine }) => machineLine(machine)))
  return [
    ...(machines.size > 1 ? [`The runs come from different machines: ${[...machines].join('; ')}`] : []),
    ...beyond.map(({ metric, change, before: was, after: now }) => `${change.padEnd(7)} ${metric}: ratio ${shown(was)} → ${shown(now)}`),
    `${changed.length} of ${all.length} rows changed beyond noise (ratio ± interquartile range over the rounds)`,
  ]
}

export const machineLine = ({ processor, cores, memoryGiB, system, node, host }: Machine): string =>
  `${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}, Node ${node}, ${host === 'electron' ? 'Electron' : 'the stand-in for Electron'}`
