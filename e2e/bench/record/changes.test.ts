import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { measureAll } from '../bench.ts'
import { compare, type Series } from '../metric.ts'
import { changeLines, changesOf } from './changes.ts'
import { benchTable } from './readme-table.ts'
import { mergeRows, type Recorded, readRows } from './recorded.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-bench-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Has the benchmark itself write these figures of parts and metrics, and reads the file again. */
async function run(parts: Readonly<Record<string, Readonly<Record<string, Series>>>>, against: Series = 10): Promise<Recorded[]> {
  const file = join(folder, 'run.json')
  const all = Object.entries(parts).map(([name, metrics]) => ({
    name,
    measure: () => Object.entries(metrics).map(([metric, ours]) => compare(metric, { ours, against, target: 1.5 })),
  }))
  expect(await measureAll(all, file, () => {})).toBe(0)
  return readRows(file)
}

const changes = (before: readonly Recorded[], after: readonly Recorded[]) => Object.fromEntries(changesOf(before, after).map((row) => [row.metric, row.change]))

test('the benchmark’s comparison names only rows whose ratios differ by more than both spreads', async () => {
  const before = await run({ Part: { 'a, ms': [10, 11, 12], 'b, ms': [10, 14, 18], 'c, ms': [10, 10, 10], 'd, ms': [20, 20, 20] } })
  const after = await run({ Part: { 'a, ms': [13, 13, 13], 'b, ms': [17, 17, 17], 'c, ms': [10, 14, 18], 'd, ms': [15, 15, 15] } })
  expect(changes(before, after)).toEqual({ 'a, ms': 'slower', 'b, ms': 'within noise', 'c, ms': 'within noise', 'd, ms': 'faster' })
  expect(changeLines(before, after)).toEqual([
    'slower  a, ms: ratio 1.10 ± 0.10 → 1.30 ± 0.00',
    'faster  d, ms: ratio 2.00 ± 0.00 → 1.50 ± 0.00',
    '2 of 4 rows changed beyond noise (ratio ± interquartile range over the rounds)',
  ])
})

test('in the benchmark’s comparison, a slower machine that slows both sides alike changes nothing', async () => {
  const before = await run({ Part: { 'a, ms': [10, 11, 12] } }, [5, 5, 5])
  const after = await run({ Part: { 'a, ms': [100, 110, 120] } }, [50, 50, 50])
  expect(changes(before, after)).toEqual({ 'a, ms': 'within noise' })
})

test('the benchmark’s comparison lists new and missing rows of the parts that the later run measured, and no row of other parts', async () => {
  const before = await run({ One: { 'old, ms': 10, 'kept, ms': 10 }, Two: { 'other, ms': 10 } })
  const after = await run({ One: { 'kept, ms': 10, 'added, ms': 10 } })
  expect(changes(before, after)).toEqual({ 'kept, ms': 'within noise', 'added, ms': 'new', 'old, ms': 'gone' })
  expect(changeLines(before, after)).toContain('new     added, ms: ratio none → 1.00 ± 0.00')
  expect(changeLines(before, after).at(-1)).toMatch(/^0 of 3 rows changed/)
})

test('the benchmark’s comparison says that two runs come from different machines', async () => {
  const before = await run({ Part: { 'a, ms': 10 } })
  const after = before.map((row) => ({ ...row, machine: { ...row.machine, processor: 'Another processor' } }))
  expect(changeLines(before, before).join()).not.toContain('different machines')
  expect(changeLines(before, after)[0]).toContain('The runs come from different machines')
  expect(changeLines(before, after)[0]).toContain('Another processor')
})

test('the benchmark reads no file of another form', async () => {
  await run({ Part: { 'a, ms': 10 } })
  const file = join(folder, 'run.json')
  const [row] = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>[]
  writeFileSync(file, JSON.stringify([{ ...row, ratio: 'fast' }]))
  expect(() => readRows(file)).toThrow('0.ratio')
})

test('a benchmark’s record takes the rows of measured parts from the later run, keeps other parts, and drops parts that no longer exist', async () => {
  const kept = await run({ One: { 'a, ms': 10, 'b, ms': 10 }, Two: { 'c, ms': 10 }, Removed: { 'd, ms': 10 } })
  const fresh = await run({ One: { 'a, ms': 20 }, Three: { 'e, ms': 10 } })
  const merged = mergeRows(kept, fresh, ['Three', 'One', 'Two'])
  expect(merged.map(({ part, metric, ours }) => [part, metric, ours])).toEqual([
    ['Three', 'e, ms', 10],
    ['One', 'a, ms', 20],
    ['Two', 'c, ms', 10],
  ])
})

test('the README’s table of speeds shows for each part the metric that misses its target most, or is closest to it', async () => {
  const rows = await run({ One: { 'a, ms': [10, 11, 12], 'b, ms': 14 }, Two: { 'c, ms': [20, 30, 40], 'd, ms': 16, 'e, ms': 1 } })
  const lines = benchTable(rows).split('\n')
  expect(lines.slice(2, 4)).toEqual(['| b, ms | 14.0 | 10.0 | 1.4 ± 0 | ≤ 1.5 | yes, 2 of 2 |', '| c, ms | 30.0 | 10.0 | 3 ± 1 | ≤ 1.5 | no, 1 of 3 |'])
  expect(lines[4]).toContain(rows[0]?.machine.processor)
})
