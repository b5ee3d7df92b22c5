import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readHistory } from './git-history.ts'
import { applyDelta, type GitObject } from './git-pack.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-desk-history-'))
  git('init', '--quiet')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const git = (...words: string[]): string =>
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example', '-c', 'gc.auto=0', ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: join(root, 'none') },
  }).trim()

const commit = (name: string, text: string) => {
  writeFileSync(join(root, name), text)
  git('add', '-A')
  git('commit', '--quiet', '-m', `about ${name}`)
}

const commitVersions = () => {
  const lines = Array.from({ length: 400 }, (_, index) => `line ${index} ${createHash('sha1').update(String(index)).digest('hex')}`)
  for (let version = 0; version < 8; version += 1) {
    lines[version * 40] = `changed in version ${version}`
    commit('bot.py', lines.join('\n'))
  }
}

const limits = { objectBytes: 1_048_576, bytes: 64 * 1_048_576 }
async function read(change: Partial<typeof limits> = {}, stops = () => false) {
  const objects: GitObject[] = []
  const outcome = await readHistory({ store: join(root, '.git'), limits: { ...limits, ...change }, onObject: (object) => void objects.push(object), stops })
  return { outcome, objects }
}

const expectAll = ({ outcome, objects }: Awaited<ReturnType<typeof read>>) => {
  expect(outcome).toBe('whole')
  const ids = objects.map(({ kind, content }) => createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest('hex'))
  expect(objects.map(({ id }) => id)).toEqual(ids)
  expect([...new Set(ids)].sort()).toEqual(git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n').sort())
}
const packs = () => readdirSync(join(root, '.git/objects/pack')).filter((name) => name.endsWith('.pack'))

test('the leak scan reads git objects of every kind: loose, packed, and stored as a delta by offset or by id', async () => {
  commitVersions()
  git('tag', '-a', 'v1', '-m', 'a tag')
  expectAll(await read())
  git('repack', '-adfq')
  expect([packs().length, git('verify-pack', '-v', join(root, '.git/objects/pack', packs()[0] ?? '')).includes('chain length = ')]).toEqual([1, true])
  expectAll(await read())
  git('-c', 'repack.useDeltaBaseOffset=false', 'repack', '-adfq')
  expectAll(await read())
  commit('late', 'not packed yet')
  expectAll(await read())
})

test('the leak scan skips too large git objects, stops at its limits, and reports if it read only part of the git history', async () => {
  commitVersions()
  git('repack', '-adfq')
  const small = await read({ objectBytes: 1_000 })
  expect(small.outcome).toBe('in_part')
  expect(small.objects.length).toBeGreaterThan(8)
  expect(small.objects.every(({ content }) => content.length <= 1_000)).toBe(true)
  const short = await read({ bytes: 50_000 })
  expect(short.outcome).toBe('in_part')
  expect(short.objects.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(50_000)
  let asked = 0
  const stops = () => {
    asked += 1
    return asked > 3
  }
  expect((await read({}, stops)).objects).toHaveLength(3)
})

test('the leak scan reads as much of a damaged git repository as possible, and finds no history in an empty repository', async () => {
  expect(await read()).toEqual({ outcome: 'none', objects: [] })
  commitVersions()
  git('repack', '-adfq')
  const pack = join(root, '.git/objects/pack', packs()[0] ?? '')
  chmodSync(pack, 0o600)
  truncateSync(pack, Math.floor(readFileSync(pack).length / 2))
  const half = await read()
  expect(half.outcome).toBe('in_part')
  const list = pack.replace('.pack', '.idx')
  chmodSync(list, 0o600)
  writeFileSync(list, 'not a list')
  expect(await read()).toEqual({ outcome: 'in_part', objects: [] })
})

test('the leak scan’s git reader produces no object from a delta that does not fit its base object', () => {
  const base = Buffer.from('0123456789')
  expect(applyDelta(base, Buffer.from([10, 4, 0x91, 2, 3, 1, 0x41]), 100)?.toString()).toBe('234A')
  for (const wrong of [[], [10], [9, 4, 0x91, 2, 3, 1, 0x41], [10, 5, 0x91, 2, 3, 1, 0x41], [10, 4, 0x91, 8, 3, 1, 0x41], [10, 4, 0], [10, 1, 5, 0x41]])
    expect(applyDelta(base, Buffer.from(wrong), 100)).toBeNull()
  expect(applyDelta(base, Buffer.from([10, 4, 0x91, 2, 3, 1, 0x41]), 3)).toBeNull()
})
