import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addsLetter, type CraftedEntry, craftPack } from '../../../../e2e/support/leaks/crafted-pack.ts'
import { readHistory } from './git-history.ts'
import type { GitObject } from './git-pack.ts'

const MiB = 1_048_576

let store: string
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'svc-desk-pack-'))
})
afterEach(() => rmSync(store, { recursive: true, force: true }))

/**
 * Reads a repository made of the given pack entries, as the leak scan does. `grown` is the peak growth of memory in bytes, measured every few
 * milliseconds.
 */
async function measured(entries: readonly CraftedEntry[], bytes = 512 * MiB) {
  const packBytes = craftPack(store, entries)
  const objects: GitObject[] = []
  const before = process.memoryUsage.rss()
  let most = before
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss())
  }
  const timer = setInterval(look, 5)
  const startedAt = performance.now()
  const outcome = await readHistory({ store, limits: { objectBytes: 8 * MiB, bytes }, onObject: (one) => void objects.push(one), stops: () => false })
  clearInterval(timer)
  look()
  return { outcome, objects, packBytes, grown: most - before, tookMs: performance.now() - startedAt }
}

test.each([
  { bytes: 568, deltaBytes: MiB / 2 },
  { bytes: 8_201, deltaBytes: 8 * MiB },
])('the leak scan reads a git pack of $bytes bytes with a delta that names itself as base, quickly and within 100 MiB [V4]', async ({ bytes, deltaBytes }) => {
  const { outcome, packBytes, grown, tookMs } = await measured([{ content: Buffer.alloc(deltaBytes), base: { back: 0 } }])
  expect(Math.abs(packBytes - bytes)).toBeLessThan(32)
  expect(outcome).toBe('in_part')
  expect(grown).toBeLessThan(100 * MiB)
  expect(tookMs).toBeLessThan(1_000)
})

test('the leak scan’s git reader refuses deltas that form a cycle, and still reads the other objects of the same pack file [V4]', async () => {
  for (const deltaBytes of [MiB, 8]) {
    const { outcome, objects, grown, tookMs } = await measured([
      { content: Buffer.alloc(deltaBytes), base: { named: 1 } },
      { content: Buffer.alloc(deltaBytes), base: { named: 0 } },
      { content: Buffer.from('whole'), base: null },
    ])
    expect([outcome, objects.map(({ content }) => content.toString())]).toEqual(['in_part', ['whole']])
    expect(grown).toBeLessThan(100 * MiB)
    expect(tookMs).toBeLessThan(1_000)
  }
})

const towards = (length: number, delta: (place: number) => Buffer): CraftedEntry[] => [
  ...Array.from({ length }, (_, place) => ({ content: delta(length - place), base: { named: place + 1 } })),
  { content: Buffer.from('x'), base: null },
]

test('the leak scan reads the longest delta chain that git makes, and reads only part of a longer one, in limited time [V4]', async () => {
  const longest = await measured(towards(4_095, addsLetter))
  expect([longest.outcome, longest.objects.length, longest.objects[0]?.content.length]).toEqual(['whole', 4_096, 4_096])
  const longer = await measured(towards(6_000, addsLetter))
  expect([longer.outcome, longer.objects.length]).toEqual(['in_part', 6_001 - 4_096])
  expect(longer.tookMs).toBeLessThan(20_000)
})

test('the leak scan’s git reader keeps at most 32 MiB of a delta chain in memory [V4]', async () => {
  const delta = Buffer.alloc(4 * MiB)
  const { outcome, objects, grown } = await measured(towards(200, () => delta))
  expect([outcome, objects.map(({ content }) => content.toString())]).toEqual(['in_part', ['x']])
  expect(grown).toBeLessThan(150 * MiB)
})

test('the leak scan counts failed reads of git objects towards its work limit, and stops at that limit [V4]', async () => {
  const content = Buffer.alloc(8 * MiB)
  const wrong = Array.from({ length: 2_000 }, () => ({ content, base: { named: 2_000 } }))
  const { outcome, objects, tookMs } = await measured([...wrong, { content: Buffer.from('x'), base: null }], 16 * MiB)
  expect([outcome, objects]).toEqual(['in_part', []])
  expect(tookMs).toBeLessThan(5_000)
})
