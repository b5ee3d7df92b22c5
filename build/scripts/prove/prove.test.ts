import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { codeTree } from './progress.ts'
import type { Proof } from './proof.ts'
import { prove } from './prove.ts'

interface Doubled {
  readonly pid: number
  readonly value: number
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-prove-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const doubling = (items: readonly string[], { bar = 1_000, limitMs = 20_000, workbench = 'workbench.ts' } = {}): Proof<Doubled> => ({
  name: 'doubling',
  workbench: join(import.meta.dirname, 'testing', workbench),
  workers: 2,
  limitMs,
  items: (chosen) => items.filter((item) => chosen.length === 0 || chosen.includes(item)),
  line: (item, { value }) => `${item} is ${value}`,
  sum: (results) => ({
    line: `${results.size} doubled`,
    misses: [...results].filter(([, { value }]) => value > bar).map(([item]) => `${item} is above ${bar}`),
  }),
})

async function run(proof: Proof<Doubled>, { tree = 'tree', chosen = [] as string[], onLine = (_line: string, _stop: () => void) => {} } = {}) {
  const stopper = new AbortController()
  const lines: string[] = []
  const print = (line: string) => {
    lines.push(line.replace(/\d+ s\b/, 'N s'))
    onLine(line, () => stopper.abort())
  }
  const proven = await prove(proof, { chosen, file: join(folder, 'doubling.json'), tree, signal: stopper.signal, print })
  return { proven, lines }
}
const kept = () => JSON.parse(readFileSync(join(folder, 'doubling.json'), 'utf8')) as { results: Record<string, Doubled> }

describe('a long proof runs its items in worker processes and stores their results', () => {
  test('a proof run tries every item of the proof, and reports the number of items at the end', async () => {
    const { proven, lines } = await run(doubling(['double 1', 'double 2', 'double 3']))
    expect(proven).toBe(true)
    expect(lines.slice(0, 3).toSorted()).toEqual(['double 1 is 2', 'double 2 is 4', 'double 3 is 6'])
    expect(lines.at(-1)).toBe('doubling: 3 doubled (N s)')
  })

  test('a proof run fails if an item’s result exceeds the proof’s limit, and names that result', async () => {
    const { proven, lines } = await run(doubling(['double 1', 'double 9'], { bar: 10 }))
    expect(proven).toBe(false)
    expect(lines).toContain('double 9 is above 10')
  })

  test('a proof run continues after the last stored result of the previous run', async () => {
    const items = ['double 1', 'hang', 'double 2', 'double 3']
    const first = await run(doubling(items), { onLine: (line, stop) => line.startsWith('double 3') && stop() })
    expect(first.proven).toBe(false)
    expect(first.lines.at(-1)).toMatch(/^doubling: stopped after 3 of 4/)
    const before = kept().results
    const second = await run(doubling(['double 1', 'double 2', 'double 3', 'double 4']))
    expect(second.proven).toBe(true)
    expect(second.lines[0]).toBe('doubling: 3 of 4 are done from before')
    expect(kept().results).toMatchObject(before)
  })

  test('a proof run discards stored results that were made from other code', async () => {
    await run(doubling(['double 1']))
    const { lines } = await run(doubling(['double 1']), { tree: 'another tree' })
    expect(lines).toEqual(['double 1 is 2', 'doubling: 1 doubled (N s)'])
  })

  test('a proof run starts over when the stored results are damaged', async () => {
    writeFileSync(join(folder, 'doubling.json'), '{"tree":"tree","results":{"double 1"')
    expect(await run(doubling(['double 1']))).toMatchObject({ proven: true })
  })

  test.each(['throw', 'die', 'hang'])('a proof run counts an item as failed if its worker fails (%s), and still tries the other items', async (trouble) => {
    const { proven, lines } = await run(doubling(['double 1', trouble, 'double 2', 'double 3'], { limitMs: trouble === 'hang' ? 3_000 : 20_000 }))
    expect(proven).toBe(false)
    expect(lines.at(-1)).toBe('doubling: 3 doubled, 1 not tried to the end (N s)')
    expect(Object.keys(kept().results)).toHaveLength(3)
  })

  test('a proof run gives up when no worker can start', async () => {
    await expect(run(doubling(['double 1', 'double 2'], { workbench: 'closed-workbench.ts' }))).rejects.toThrow('before it could begin')
  })

  test('a proof run leaves no worker process running', async () => {
    await run(doubling(['double 1', 'double 2']))
    for (const { pid } of Object.values(kept().results)) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('a proof run fails if no item matches the words on the command line', async () => {
    expect(await run(doubling(['double 1']), { chosen: ['double 7'] })).toEqual({ proven: false, lines: ['doubling: there is nothing like double 7'] })
  })
})

test('the hash of the source tree changes when an uncommitted file changes, but not when an ignored file does', () => {
  execFileSync('git', ['init', '-q', folder])
  writeFileSync(join(folder, '.gitignore'), 'out/\n')
  const before = codeTree(folder)
  writeFileSync(join(folder, 'new.ts'), 'export {}\n')
  const after = codeTree(folder)
  expect(after).not.toBe(before)
  execFileSync('mkdir', [join(folder, 'out')])
  writeFileSync(join(folder, 'out', 'x'), '1')
  expect(codeTree(folder)).toBe(after)
})
