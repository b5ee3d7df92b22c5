import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { measureAll, runBench } from './bench.ts'
import { compare } from './metric.ts'
import { firstLoad } from './page-scripts.ts'
import { machineFacts, readRows } from './record/recorded.ts'
import { median } from './rounds.ts'

let folder = ''
let renderer = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-bench-test-'))
  renderer = join(folder, 'renderer')
  mkdirSync(join(renderer, 'assets'), { recursive: true })
  const asset = (name: string, code: string) => writeFileSync(join(renderer, 'assets', name), code)
  writeFileSync(
    join(renderer, 'index.html'),
    '<script type="module" crossorigin src="./assets/main.js"></script><link rel="modulepreload" href="./assets/hinted.js"><link rel="stylesheet" href="./assets/x.css">',
  )
  asset('main.js', "import { a } from './static.js'\nexport const later = () => import('./wallet.js')\nconsole.log(a)\n")
  asset('static.js', "export { a } from './deep.js'\n")
  asset('deep.js', 'export const a = 1\n')
  asset('hinted.js', 'export const b = 2\n')
  asset('wallet.js', "export const publish = 'irn_publish'\n")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const names = () => firstLoad(renderer).map((script) => script.file)

test('the benchmark’s first load consists of the scripts that a page names and all scripts that those import statically', () => {
  expect(names().sort()).toEqual(['assets/deep.js', 'assets/hinted.js', 'assets/main.js', 'assets/static.js'])
  expect(firstLoad(renderer).some((script) => script.holdsWalletConnect)).toBe(false)
})

test('the benchmark of the first load reports a static import of the wallet library', () => {
  writeFileSync(join(renderer, 'assets/deep.js'), "import { publish } from './wallet.js'\nexport const a = publish\n")
  expect(
    firstLoad(renderer)
      .filter((script) => script.holdsWalletConnect)
      .map((script) => script.file),
  ).toEqual(['assets/wallet.js'])
})

test('a short benchmark run finishes and records every metric that can be measured without a window', async () => {
  const file = join(folder, 'out/bench.json')
  const lines: string[] = []
  expect(await runBench({ rounds: 1, seed: 42, windows: false, file, renderer, print: (line) => lines.push(line) })).toBe(0)

  const rows = readRows(file)
  expect(rows.map((row) => row.metric.split(',')[0])).toEqual([
    'API call',
    'API call',
    'Journal append with its mark',
    'Webhook verification',
    'Gateway',
    'Gateway',
    'First-load JavaScript (static imports)',
    'WalletConnect before it is asked for (static imports)',
  ])
  for (const row of rows) {
    expect(Object.keys(row)).toEqual(['metric', 'ours', 'against', 'ratio', 'target', 'met', 'spread', 'rounds', 'part', 'measuredAt', 'load', 'machine'])
    expect(row.against).toBeGreaterThan(0)
    expect(row.ratio).toBeCloseTo(row.ours / row.against)
    expect(row.met).toBe(row.ratio <= row.target)
    expect([median(row.rounds.ours), median(row.rounds.against)]).toEqual([row.ours, row.against])
    expect(row.machine).toEqual(machineFacts())
    expect(lines.filter((line) => line.includes(row.metric))).toHaveLength(1)
  }
  expect(rows.slice(0, 7).every((row) => row.ours > 0)).toBe(true)
  expect(rows.at(-1)).toMatchObject({ ours: 0, met: true })
  expect(lines[0]).toBe('order of the sides: seed 42')
  expect(readdirSync(join(folder, 'out'))).toEqual(['bench.json'])
}, 120_000)

test('the benchmark measures only the metrics selected by name', async () => {
  const file = join(folder, 'bench.json')
  expect(await runBench({ rounds: 1, only: 'journal', windows: false, file, renderer, print: () => {} })).toBe(0)
  expect(readRows(file).map(({ metric }) => metric.split(',')[0])).toEqual(['Journal append with its mark'])
  await expect(runBench({ rounds: 1, only: 'nothing of the kind', windows: false, file, renderer, print: () => {} })).rejects.toThrow('No metric is called')
})

test('if a metric cannot be measured, the benchmark reports the metric, records the others, and fails', async () => {
  const file = join(folder, 'bench.json')
  const lines: string[] = []
  const row = compare('works', { ours: 1, against: 2, target: 1 })
  const parts = [
    { name: 'Broken', measure: () => Promise.reject(new Error('no window came')) },
    { name: 'Working', measure: () => [row] },
  ]
  expect(await measureAll(parts, file, (line) => lines.push(line))).toBe(1)
  expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual(['FAILED  Broken: no window came'])
  expect(readRows(file)).toEqual([expect.objectContaining({ ...row, part: 'Working' })])
})
