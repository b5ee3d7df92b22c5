import { join } from 'node:path'
import { root } from '../../support/project.ts'
import { figure } from '../metric.ts'
import { machineLine } from './changes.ts'
import { type Recorded, readRows } from './recorded.ts'

/** The figures that the README shows. `npm run bench -- --readme` updates the file and the table. */
export const recordedFile = join(root, 'build/bench.json')

const day = 'yyyy-mm-dd'.length

const two = (value: number): string => String(Number(value.toFixed(2)))

/**
 * The README’s table: one row for each part of the benchmark, with its metric that is furthest beyond the target or closest to it. Below the table:
 * the machines and days.
 */
export function benchTable(rows: readonly Recorded[] = readRows(recordedFile)): string {
  const parts = [...new Set(rows.map(({ part }) => part))]
  const lines = parts.map((name) => {
    const own = rows.filter(({ part }) => part === name)
    const beyond = (row: Recorded) => (row.target > 0 ? row.ratio / row.target : row.ratio > 0 ? Number.POSITIVE_INFINITY : 0)
    const [worst] = [...own].sort((a, b) => Number(a.met) - Number(b.met) || beyond(b) - beyond(a))
    if (worst === undefined) throw new Error(`${name} has no rows`)
    const { metric, ours, against, ratio, spread, target } = worst
    const met = own.filter((row) => row.met).length
    return `| ${metric} | ${figure(ours)} | ${figure(against)} | ${two(ratio)} ± ${two(spread.ratio)} | ≤ ${two(target)} | ${met === own.length ? 'yes' : 'no'}, ${met} of ${own.length} |`
  })
  const days = [...new Set(rows.map(({ measuredAt }) => measuredAt.slice(0, day)))].sort()
  const loads = rows.map(({ load }) => load)
  const machines = [...new Set(rows.map(({ machine }) => machineLine(machine)))]
  return [
    '| the metric of each part that is closest to its target or misses it | ours | reference | ratio | target | met |',
    '|---|---|---|---|---|---|',
    ...lines,
    `| Measured ${days.length > 1 ? `${days[0]} to ${days.at(-1)}` : days[0]} on ${machines.join('; ')}. Runnable processes per core: ${Math.min(...loads)} to ${Math.max(...loads)} | | | | | |`,
    '',
  ].join('\n')
}
