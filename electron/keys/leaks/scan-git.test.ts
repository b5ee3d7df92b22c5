import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parsingHere } from '../../../e2e/support/parsing/parsing-here.ts'
import { Secret } from '../../kernel/secret.ts'
import { noSum, runScan, scanLimits } from './run-scan.ts'
import { createFingerprints } from './scan-job.ts'

const own = 'SVC9b1f6a0c3e7d52884af0c6b1e93d7250ce81fa4467b09d3e'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-desk-scan-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (name: string, text: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-C', join(root, folder), '-c', 'user.name=a', '-c', 'user.email=a@example', '-c', 'gc.auto=0', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: join(root, 'none') },
  }).trim()

const commitOnce = (folder: string) => {
  mkdirSync(join(root, folder), { recursive: true })
  git(folder, 'init', '--quiet')
  write(`${folder}/bot.env`, `SVC_API_KEY=${own}\n`)
  git(folder, 'add', '-A')
  git(folder, 'commit', '--quiet', '-m', 'first')
  write(`${folder}/bot.env`, 'SVC_API_KEY=\n')
  git(folder, 'add', '-A')
  git(folder, 'commit', '--quiet', '-m', 'second')
}

async function scanned(folder: string) {
  const fingerprints = createFingerprints()
  fingerprints.learn([{ keyId: 'k', wallet: '0xa', secret: new Secret(own) }])
  const sum = noSum()
  const folders = [join(root, folder)]
  const signal = new AbortController().signal
  await runScan({
    folders,
    ignoredToo: false,
    fingerprints,
    platform: process.platform,
    limits: scanLimits,
    sum,
    parsing: parsingHere,
    signal,
    onProgress: () => {},
  })
  const inRoot = (path: string) => path.slice(root.length + 1)
  return {
    found: sum.found.map(({ path, where, ignored }) => `${where} ${inRoot(path)}${ignored ? ' ignored' : ''}`).sort(),
    unread: sum.unread.map(({ path, why }) => `${why} ${inRoot(path)}`),
    objects: sum.objects,
    skipped: sum.skipped,
  }
}

test('the leak scan reads a file that git tracks even if an ignore rule matches it, and skips untracked files that the rule matches [F9]', async () => {
  git('.', 'init', '--quiet', 'bot')
  write('bot/.env', own)
  write('bot/made/deep/.env', own)
  git('bot', 'add', '-A')
  write('bot/.gitignore', '.env*\nmade/\n')
  write('bot/.env.local', own)
  write('bot/made/deep/other', own)
  write('bot/made/flat/other', own)
  const { found, skipped, unread } = await scanned('bot')
  expect(found.filter((one) => one.startsWith('file'))).toEqual(['file bot/.env', 'file bot/made/deep/.env'])
  expect([skipped.ignored, unread]).toEqual([3, []])
  expect((await scanned('bot/made/deep')).found).toEqual(['file bot/made/deep/.env', 'file bot/made/deep/other'])
})

test('if the leak scan cannot read git’s index, it reports this and also reads the ignored files [F9]', async () => {
  git('.', 'init', '--quiet', 'bot')
  write('bot/.gitignore', '.env\n')
  write('bot/.env', own)
  write('bot/.git/index', 'DIRC, but not really: an index of forty bytes or more')
  expect(await scanned('bot')).toMatchObject({ found: ['file bot/.env ignored'], unread: ['tracked_unknown bot/.git'] })
})

test('the leak scan reads git objects that the scanned repository borrows from another repository [F9]', async () => {
  commitOnce('origin')
  git('.', 'clone', '--quiet', '--shared', 'origin', 'clone')
  const { found, unread, objects } = await scanned('clone')
  expect([found, unread]).toEqual([['history clone/.git'], []])
  expect(objects).toBe(Number(git('clone', 'rev-list', '--all', '--objects', '--count')))
})

test('if a git repository borrows objects from a missing repository, the leak scan reports that it read only part of the history [F9]', async () => {
  commitOnce('origin')
  for (const [folder, list] of Object.entries({
    gone: join(root, 'nowhere/objects'),
    quoted: `"${join(root, 'origin/.git/objects')}"`,
    many: Array.from({ length: 17 }, () => join(root, 'origin/.git/objects')).join('\n'),
    remote: '//server/share/objects',
    chained: join(root, 'middle/.git/objects'),
  })) {
    if (folder === 'chained') git('.', 'clone', '--quiet', '--shared', 'origin', 'middle')
    commitOnce(folder)
    write(`${folder}/.git/objects/info/alternates`, `${list}\n`)
    expect((await scanned(folder)).unread, folder).toEqual([`history_in_part ${folder}/.git`])
  }
})

test('for a linked work tree, the leak scan reads the main repository’s ignore rules and history, and reads the history only once [F9]', async () => {
  commitOnce('main')
  write('main/.git/info/exclude', 'local\n')
  git('main', 'worktree', 'add', '--quiet', '../linked')
  write('linked/local', own)
  const { found, unread, objects, skipped } = await scanned('linked')
  expect([found, unread, skipped.ignored]).toEqual([['history linked/.git'], [], 1])
  expect((await scanned('.')).objects).toBe(objects)
})

test('if a git repository is missing or uses 256-bit hashes, the leak scan reports that it did not read the history [F9]', async () => {
  write('bot/.git', 'gitdir: ../nowhere\n')
  expect((await scanned('bot')).unread).toEqual(['history_unread bot/.git'])
  git('.', 'init', '--quiet', '--object-format=sha256', 'wide')
  expect((await scanned('wide')).unread).toEqual(['history_unread wide/.git'])
})
