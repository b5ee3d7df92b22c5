import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { expectMode } from '../../../e2e/support/main/expect-mode.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import { parsingHere } from '../../../e2e/support/parsing/parsing-here.ts'
import { ok } from '../../../shared/result.ts'
import { Secret } from '../../kernel/secret.ts'
import { LeavingSecret } from '../../store/secrets/leaving-secret.ts'
import type { SecretUse } from '../../store/secrets/secret-store.ts'
import { isTracked } from '../leaks/files/work-tree.ts'
import { createAskGit, createEnvSave, findFile, replaceFile } from './secret-handlers.ts'

const key = 'SVC_live_Zq8fW3nT0vRk51LmXy7PdG2h'
const signing = 'svc_whsec_7Tq2vN9xLb4RkZ0sWm8HdYc3'
const lines = `SVC_API_KEY=${key}\nSVC_BASE_URL=https://dex.example/api/dex/v1\n`

let folder: string
let now: number
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-desk-env-')))
  now = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (name = '.env') => join(folder, name)
const names = () => readdirSync(folder).sort()

function setUp(chosen: string | null, unlocked = () => true) {
  const uses: SecretUse[] = []
  let id = 0
  const handlers = createEnvSave({
    profileId: 'p1',
    baseUrl: 'https://dex.example/api/dex/v1',
    holds: {
      key: async (keyId) => ok({ keyId, label: 'hedger', secret: new LeavingSecret(new Secret(key), unlocked) }),
      webhook: async (keyId) => ok({ keyId, label: 'https://bots.example/in', secret: new LeavingSecret(new Secret(signing), unlocked) }),
    },
    chooseToSave: async () => chosen,
    askGit: createAskGit(parsingHere, process.env),
    note: (use) => uses.push(use),
    folder,
    clock: { now: () => now, monotonic: () => now },
    newId: () => `id-${++id}`,
  })
  return {
    uses,
    save: () => handlers['secrets.saveEnv']({ keyId: 'k1' }),
    saveWebhook: () => handlers['webhooks.saveEnv']({ webhookId: 'w1' }),
    answer: (what: 'write' | 'ignore' | 'cancel', ofId = `id-${id}`) => handlers['secrets.answerEnv']({ id: ofId, answer: what }),
  }
}

const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words], { stdio: 'pipe' })

test('the app writes a new .env file that only the current user can read, and records that the secret was used [AUTH-09]', async () => {
  const { save, uses } = setUp(at())
  const answer = value(await save())
  expect(answer).toEqual({ state: 'saved', path: at(), kept: 0, replaced: [] })
  expect(readFileSync(at(), 'utf8')).toBe(lines)
  expectMode(at(), 0o600)
  expect(names()).toEqual(['.env'])
  expect(uses).toEqual([{ use: 'saved', profileId: 'p1', keyId: 'k1', label: 'hedger', to: at(), by: 'app', outcome: 'done' }])
  expect(JSON.stringify([answer, uses])).not.toContain(key)
})

test('the app saves a webhook’s signing secret under a variable name of its own, beside an API key that the .env file already has [HOOK-03]', async () => {
  writeFileSync(at(), lines, { mode: 0o600 })
  const { saveWebhook, uses } = setUp(at())
  expect(value(await saveWebhook())).toEqual({ state: 'saved', path: at(), kept: 2, replaced: [] })
  expect(readFileSync(at(), 'utf8')).toBe(`${lines}SVC_WEBHOOK_SECRET=${signing}\n`)
  expect(uses).toMatchObject([{ use: 'saved', of: 'webhook', keyId: 'w1', label: 'https://bots.example/in' }])
})

test('when it saves a key, the app keeps the other lines of an existing .env file, and makes a public file private', async () => {
  writeFileSync(at(), '# bot\nA=1\nSVC_API_KEY=old\n', { mode: 0o644 })
  expect(value(await setUp(at()).save())).toEqual({ state: 'saved', path: at(), kept: 2, replaced: ['SVC_API_KEY'] })
  expect(readFileSync(at(), 'utf8')).toBe(`# bot\nA=1\nSVC_API_KEY=${key}\nSVC_BASE_URL=https://dex.example/api/dex/v1\n`)
  expectMode(at(), 0o600)
})

test.each([
  ['before the file is written', 1],
  ['while the file is written, before it takes its name', 2],
])('the app writes no .env file once it is locked: %s [V8]', async (_when, asks) => {
  let left = asks
  const { save, uses } = setUp(at(), () => --left > 0)
  expect(failure(await save())).toEqual({ kind: 'locked' })
  expect(left).toBe(0)
  expect(names()).toEqual([])
  expect(uses.filter(({ outcome }) => outcome === 'done')).toEqual([])
})

test('when the user closes the file dialog without choosing a .env file, the app writes nothing', async () => {
  expect(value(await setUp(null).save())).toEqual({ state: 'cancelled' })
  expect(names()).toEqual([])
})

test('if the chosen .env file is a symbolic link, the app asks, then replaces the link with a file and leaves the link’s target untouched', async () => {
  writeFileSync(at('shared'), 'A=1\n', { mode: 0o640 })
  symlinkSync('shared', at())
  const { save, answer } = setUp(at())
  expect(value(await save())).toEqual({ state: 'asks', id: 'id-1', path: at(), questions: [{ about: 'link', target: at('shared') }] })
  expect(lstatSync(at()).isSymbolicLink()).toBe(true)
  expect(value(await answer('write'))).toMatchObject({ state: 'saved', kept: 1 })
  expect(lstatSync(at()).isSymbolicLink()).toBe(false)
  expect(readFileSync(at(), 'utf8')).toBe(`A=1\n${lines}`)
  expect(readFileSync(at('shared'), 'utf8')).toBe('A=1\n')
  expectMode(at('shared'), 0o640)
})

test('if the chosen .env file is a symbolic link to a missing file, the app asks, and does not create the missing file', async () => {
  symlinkSync(at('nowhere'), at())
  const { save, answer } = setUp(at())
  expect(value(await save())).toMatchObject({ state: 'asks' })
  value(await answer('write'))
  expect(names()).toEqual(['.env'])
})

test('before saving a key to a .env file that git does not ignore, the app asks, and can add an ignore rule', async () => {
  git('init', '--quiet')
  mkdirSync(at('bot'))
  const { save, answer } = setUp(at('bot/.env'))
  expect(value(await save())).toEqual({ state: 'asks', id: 'id-1', path: at('bot/.env'), questions: [{ about: 'not_ignored', workTree: folder }] })
  expect(existsSync(at('bot/.env'))).toBe(false)
  expect(value(await answer('ignore'))).toMatchObject({ state: 'saved' })
  expect(readFileSync(at('bot/.gitignore'), 'utf8')).toBe('/.env\n')
  expect(git('status', '--porcelain', '--untracked-files=all').toString()).toBe('?? bot/.gitignore\n')
  expect(value(await save())).toMatchObject({ state: 'saved' })
})

test('the app asks before it writes a key to a file that git tracks, even if an ignore rule matches the file', async () => {
  git('init', '--quiet')
  writeFileSync(at(), 'A=1\n')
  git('add', '.env')
  writeFileSync(at('.gitignore'), 'x')
  const { save, answer } = setUp(at())
  expect(value(await save())).toMatchObject({ state: 'asks' })
  expect(value(await answer('ignore'))).toMatchObject({ state: 'asks', id: 'id-2', questions: [{ about: 'not_ignored' }] })
  expect(readFileSync(at('.gitignore'), 'utf8')).toBe('x\n/.env\n')
  expect(value(await answer('cancel'))).toEqual({ state: 'cancelled' })
  expect(readFileSync(at(), 'utf8')).toBe('A=1\n')
})

test('if the app cannot find out whether git ignores the chosen .env file, it asks before it saves a key', async () => {
  writeFileSync(at('.git'), 'gitdir: /nowhere\n')
  expect(value(await setUp(at()).save())).toMatchObject({ state: 'asks', questions: [{ about: 'git_unknown', workTree: folder }] })
})

test('the app finds out which files git ignores without running git or a program that the folder’s git settings name [V0]', async () => {
  const ran = join(folder, 'ran')
  const program = join(folder, 'program')
  writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\nexit 1\n`, { mode: 0o755 })
  git('init', '--quiet')
  writeFileSync(at('.gitignore'), '.env\n')
  git('add', '.gitignore')
  const [, blob] = git('ls-files', '--stage', '.gitignore').toString().split(' ')
  git('update-index', '--skip-worktree', '.gitignore')
  rmSync(at('.gitignore'))
  rmSync(at(`.git/objects/${blob?.slice(0, 2)}/${blob?.slice(2)}`))
  const settings = {
    ...{ 'core.repositoryformatversion': '1', 'extensions.partialClone': 'origin', 'remote.origin.url': 'ssh://nowhere/x', 'remote.origin.promisor': 'true' },
    ...{ 'core.sshCommand': program, 'core.fsmonitor': program, 'core.pager': program, 'core.editor': program, 'core.askPass': program },
    ...{ 'core.gitProxy': program, 'credential.helper': program, 'diff.external': program, 'filter.x.process': program, 'core.hooksPath': folder },
  }
  for (const [name, setting] of Object.entries(settings)) git('config', name, setting)
  symlinkSync(program, at('git'))
  const path = process.env.PATH
  process.env.PATH = `${folder}:${path}`
  try {
    expect(value(await setUp(at()).save())).toMatchObject({ state: 'asks', questions: [{ about: 'not_ignored' }] })
  } finally {
    process.env.PATH = path
  }
  expect(existsSync(ran)).toBe(false)
})

test.each([
  [2, 'sha1'],
  [3, 'sha1'],
  [4, 'sha1'],
  [2, 'sha256'],
  [4, 'sha256'],
])('the search for files tracked by git finds the same files as git in an index of version %i with %s', async (version, hash) => {
  git('init', '--quiet', `--object-format=${hash}`)
  writeFileSync(at('.gitignore'), '*\n!kept\n')
  mkdirSync(at('a/b'), { recursive: true })
  for (const name of ['a/b/.env', 'a/b/.env.local', 'a/long-name-of-a-file', 'z']) writeFileSync(at(name), 'x')
  git('add', '--force', 'a/b/.env.local', 'a/long-name-of-a-file', 'z')
  if (version === 3) git('add', '--force', '--intent-to-add', 'a/b/.env')
  git('update-index', '--index-version', String(version))
  expect(readFileSync(at('.git/index')).readUInt32BE(4)).toBe(version)
  const ask = createAskGit(parsingHere, process.env)
  const states = new Set<string>()
  for (const name of ['a/b/.env', 'a/b/.env.local', 'a/b/.env.loca', 'a/long-name-of-a-file', 'a/other', 'z', 'zz', 'kept', '.env']) {
    const isIgnored = spawnSync('git', ['-C', folder, 'check-ignore', '--quiet', name]).status === 0
    const { state } = await ask(at(name))
    expect([name, state]).toEqual([name, isIgnored ? 'ignored' : 'not_ignored'])
    states.add(state)
  }
  expect(states.size).toBe(2)
})

test('if the file system ignores letter case, the app finds out that git tracks a .env file even if the letter case differs', () => {
  git('init', '--quiet')
  writeFileSync(at('Bot.env'), 'x')
  git('add', 'Bot.env')
  const index = readFileSync(at('.git/index'))
  expect(isTracked(index, 'bot.ENV', { hashBytes: 20, fold: true })).toBe(true)
  expect(isTracked(index, 'bot.ENV', { hashBytes: 20, fold: false })).toBe(false)
})

test('to find out whether git ignores a .env file, the app also reads the user’s global ignore file', async () => {
  git('init', '--quiet')
  mkdirSync(at('config/git'), { recursive: true })
  writeFileSync(at('config/git/ignore'), '.env\n')
  expect(await createAskGit(parsingHere, { ...process.env, XDG_CONFIG_HOME: at('config') })(at())).toEqual({ state: 'ignored' })
  expect(await createAskGit(parsingHere, { ...process.env, XDG_CONFIG_HOME: at('nothing') })(at())).toEqual({ state: 'not_ignored', workTree: folder })
})

test.each(['worktrees', 'repository'])(
  'before saving a .env file, the app does not open a git repository whose %s entry points to another computer',
  async (by) => {
    git('init', '--quiet')
    writeFileSync(at('.gitignore'), '.env\n')
    expect(await createAskGit(parsingHere, process.env)(at())).toEqual({ state: 'ignored' })
    if (by === 'worktrees') writeFileSync(at('.git/commondir'), `/${at('.git')}\n`)
    else {
      renameSync(at('.git'), at('store'))
      writeFileSync(at('.git'), `gitdir: /${at('store')}\n`)
    }
    expect(await createAskGit(parsingHere, process.env)(at())).toEqual({ state: 'unknown', workTree: folder })
  },
)

test('for a .env file in a linked git work tree, the app reads that work tree’s index and the ignore rules of the main one', async () => {
  git('init', '--quiet', 'first')
  const inFirst = (...words: string[]) => git('-C', 'first', '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words)
  inFirst('commit', '--quiet', '--allow-empty', '-m', 'x')
  inFirst('worktree', 'add', '--quiet', '../second')
  writeFileSync(at('first/.git/info/exclude'), '.env\ntracked\n')
  writeFileSync(at('second/tracked'), 'x')
  git('-C', 'second', 'add', '--force', 'tracked')
  const ask = createAskGit(parsingHere, process.env)
  expect(await ask(at('second/.env'))).toEqual({ state: 'ignored' })
  expect(await ask(at('second/tracked'))).toEqual({ state: 'not_ignored', workTree: at('second') })
  expect(await ask(at('second/other'))).toEqual({ state: 'not_ignored', workTree: at('second') })
})

test('if git’s index is truncated, split or sparse, the app reports a .env file’s git status as unknown', async () => {
  git('init', '--quiet')
  writeFileSync(at('.gitignore'), '*\n')
  for (const name of ['a', 'b']) writeFileSync(at(name), 'x')
  git('add', '--force', 'a', 'b')
  const ask = createAskGit(parsingHere, process.env)
  const whole = readFileSync(at('.git/index'))
  expect(await ask(at())).toEqual({ state: 'ignored' })
  for (let length = 0; length < whole.length; length += 7) {
    writeFileSync(at('.git/index'), whole.subarray(0, length))
    expect(await ask(at())).toEqual({ state: 'unknown', workTree: folder })
  }
  writeFileSync(at('.git/index'), whole)
  git('update-index', '--split-index')
  expect(await ask(at())).toEqual({ state: 'unknown', workTree: folder })
  git('update-index', '--no-split-index')
  expect(await ask(at())).toEqual({ state: 'ignored' })
  mkdirSync(at('left/out'), { recursive: true })
  writeFileSync(at('left/out/c'), 'x')
  git('add', '--force', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '-m', 'x')
  git('sparse-checkout', 'set', '--cone', '--sparse-index', 'elsewhere')
  expect(await ask(at())).toEqual({ state: 'unknown', workTree: folder })
})

test('if the app asks a question before saving a .env file, the user’s answer counts once, for that question only, and within five minutes', async () => {
  git('init', '--quiet')
  const { save, answer } = setUp(at())
  await save()
  symlinkSync('elsewhere', at())
  expect(value(await answer('write'))).toMatchObject({ state: 'asks', questions: [{ about: 'link' }, { about: 'not_ignored' }] })
  expect(failure(await answer('write', 'id-1'))).toEqual({ kind: 'not_found', what: 'request' })
  now += 300_001
  expect(failure(await answer('write'))).toMatchObject({ kind: 'expired', what: 'request' })
  expect(readdirSync(folder).sort()).toEqual(['.env', '.git'])
})

test.each([
  ['a folder', () => mkdirSync(at()), 'not_a_file'],
  ['a pipe', () => execFileSync('mkfifo', [at()]), 'not_a_file'],
  ['no text', () => writeFileSync(at(), Buffer.from([0x41, 0, 0x42])), 'not_text'],
  ['no UTF-8', () => writeFileSync(at(), Buffer.from([0x41, 0xff])), 'not_text'],
  ['too large', () => writeFileSync(at(), 'x'.repeat(1_048_577)), 'too_large'],
  ['a loop of links', () => symlinkSync('.env', at()), 'not_a_file'],
] as const)('the app refuses to save a key into a .env file that is %s, and does not change it', async (_what, prepare, issue) => {
  prepare()
  const before = lstatSync(at())
  expect(failure(await setUp(at()).save())).toMatchObject({ kind: 'file', issue })
  expect(lstatSync(at()).mtimeMs).toBe(before.mtimeMs)
  expect(names()).toEqual(['.env'])
})

test('the app reports an error when the folder of the chosen .env file is missing', async () => {
  expect(failure(await setUp(at('missing/.env')).save())).toMatchObject({ kind: 'file', issue: 'missing' })
})

test('if another program changed the .env file while the app was saving, the app does not overwrite the change', async () => {
  writeFileSync(at(), 'A=1\n')
  const found = value(await findFile(at()))
  writeFileSync(at(), 'A=2\n')
  expect(failure(await replaceFile(found, 'A=1\nB=1\n'))).toMatchObject({ kind: 'file', issue: 'changed' })
  expect(readFileSync(at(), 'utf8')).toBe('A=2\n')
  expect(names()).toEqual(['.env'])
})

test('if the .env file became a symbolic link while the app was saving, the app writes neither to the link nor to its target [40]', async () => {
  writeFileSync(at(), 'A=1\n')
  writeFileSync(at('elsewhere'), 'A=1\n')
  const found = value(await findFile(at()))
  rmSync(at())
  symlinkSync('elsewhere', at())
  expect(failure(await replaceFile(found, 'A=1\nB=1\n'))).toMatchObject({ kind: 'file', issue: 'changed' })
  expect(lstatSync(at()).isSymbolicLink()).toBe(true)
  expect(readFileSync(at('elsewhere'), 'utf8')).toBe('A=1\n')
})

test('the app flushes a .env file to disk before renaming it, and flushes the folder before reporting success [13]', async () => {
  const handle = await open(folder)
  const prototype = Object.getPrototypeOf(handle) as typeof handle
  await handle.close()
  const synced: string[][] = []
  const sync = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: typeof handle) {
    synced.push(names().map((name) => (name === '.env' ? name : 'fresh')))
    await this.datasync()
  })
  try {
    value(await setUp(at()).save())
  } finally {
    sync.mockRestore()
  }
  expect(synced).toEqual([['fresh'], ['.env']])
})

test('the app reports an error when the .env file cannot be written', async () => {
  writeFileSync(at(), 'A=1\n')
  const found = value(await findFile(at()))
  rmSync(folder, { recursive: true })
  expect(failure(await replaceFile(found, 'B=1\n'))).toMatchObject({ kind: 'file', issue: 'missing' })
})
