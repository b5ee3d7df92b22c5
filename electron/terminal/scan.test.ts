import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { startCommand, svcDeskWords } from '../../e2e/support/terminal/command.ts'
import { apiKey, startOpenApp, webhookSecret } from '../../e2e/support/terminal/open-app.ts'
import type { ScanLine } from './commands/command-line.ts'
import { scanCommand } from './commands/scan-command.ts'
import { explained } from './completion.ts'

const key = 'SVC9b1f6a0c3e7d52884af0c6b1e93d7250ce81fa4467b09d3e'
const other = 'SVCq7Rf2mZx9Lw4Tb8Vn3Kc6Hy1Dg5Js0PaQe'
const signingSecret = 'svc_whsec_3f9a1c7be2d84560f1a9c3e7b5d20846ac91fe73'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-desk-scan-command-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const env = () => ({
  PATH: process.env.PATH,
  HOME: root,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: join(root, '../none'),
  XDG_CONFIG_HOME: join(root, '../none'),
})
const write = (name: string, text: string | Buffer) => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}
const git = (...words: string[]): string =>
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@example', '-c', 'gc.auto=0', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: env(),
  }).trim()
const commit = (message: string, ...words: string[]) => {
  git('add', '-A')
  git('commit', '--quiet', '-m', message, ...words)
  return git('rev-parse', 'HEAD')
}

/** Runs `svc-desk scan` and checks that no secret is in what it prints. */
async function scan(...words: string[]) {
  const said = explained(['scan', ...words], '1.2.3')
  if (!('line' in said)) return said
  let [stdout, stderr] = ['', '']
  const out = new PassThrough().on('data', (text) => {
    stdout += text
  })
  const say = (sentence: string) => {
    stderr += `svc-desk: ${sentence}\n`
  }
  const ask = () => Promise.reject(new Error('asked'))
  const ended = await scanCommand(said.line as ScanLine, { version: '1.2.3', folder: root, platform: process.platform, env: {}, stdout: out, say, ask })
  if (typeof ended !== 'number') say(ended.sentence)
  const code = typeof ended === 'number' ? ended : ended.exitCode
  for (const secret of [key, other, signingSecret, apiKey, webhookSecret])
    for (const part of [secret.slice(4, 16), secret.slice(-12)]) expect(`${stdout}${stderr}`).not.toContain(part)
  return { code, stdout, stderr }
}
const Shown = z.object({
  findings: z.array(
    z.object({
      path: z.string(),
      line: z.number(),
      column: z.number(),
      kind: z.string(),
      form: z.string(),
      where: z.string(),
      commit: z.string().nullable(),
      key: z.object({ id: z.string(), label: z.string() }).nullable(),
    }),
  ),
  unread: z.array(z.object({ path: z.string(), why: z.string() })),
  skipped: z.record(z.string(), z.number()),
  files: z.number(),
  commits: z.number(),
})
async function scanned(...words: string[]) {
  const { code, stdout } = await scan(...words, '--format', 'json')
  return { code, ...Shown.parse(JSON.parse(stdout)) }
}

const Sarif = z.object({
  runs: z.array(
    z.object({
      results: z.array(
        z.object({
          ruleId: z.string(),
          locations: z.array(z.object({ physicalLocation: z.unknown() })),
          properties: z.object({ commit: z.string().optional() }),
        }),
      ),
      invocations: z.array(z.unknown()),
    }),
  ),
})
// The schema that Microsoft ships in @microsoft/sarif-multitool-linux 5.7.0, under the MIT licence.
// Its definitions get the name that newer drafts of JSON Schema, and Zod, use for them. Zod takes a reference to a URI for a whole URI.
const schemaText = readFileSync(join(import.meta.dirname, '../../e2e/support/leaks/sarif-2.1.0.json'), 'utf8')
const schemaOfSarif = z.fromJSONSchema(
  JSON.parse(schemaText.replaceAll('#/definitions/', '#/$defs/').replace('"definitions":', '"$defs":').replaceAll('"format": "uri-reference"', '"title": ""')),
)
const schemaProblems = (log: unknown) => schemaOfSarif.safeParse(log).error?.issues ?? []

// Each test starts git many times, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

describe('svc-desk scan searches files and folders', () => {
  test('svc-desk scan names file, line, column and kind of each secret, shows none of them, and exits with 1 [AUTH-09]', async () => {
    write('bot/.env', `DEBUG=1\nSVC_API_KEY=${key}\n`)
    write('hook.py', `secret = "${signingSecret}"\n`)
    write('clean.txt', 'SVC_API_KEY=\n')
    const { code, stdout, stderr } = await scan()
    expect(code).toBe(1)
    expect(stdout).toBe('bot/.env:2:13: likely API key SVC••••••••\nhook.py:1:11: webhook signing secret svc_whsec_••••••••\n')
    expect(stderr).toContain('svc-desk: 2 secrets found in 3 files.\n')
  })

  test('svc-desk scan exits with 0 if it finds nothing, with 2 for wrong usage and with 66 for a path that does not exist', async () => {
    write('clean.txt', 'nothing\n')
    expect(await scan()).toMatchObject({ code: 0, stdout: '', stderr: 'svc-desk: No secrets found in 1 file.\n' })
    for (const words of [['--staged', '--history'], ['--format', 'xml'], ['--nonsense'], ['--staged', 'a', 'b'], ['--profile', 'x']])
      expect(await scan(...words), words.join(' ')).toMatchObject({ code: 2, stdout: '' })
    expect(await scan('missing.txt')).toMatchObject({ code: 66, stdout: '' })
  })

  test('svc-desk scan finds secrets across the borders of pieces, in wide characters and in base64 [F8]', async () => {
    const piece = 1_048_576
    for (const before of [10, 40, 700, 1_023, 1_024, 1_030])
      write(`at-${before}.log`, `${'x '.repeat((piece - before) / 2)}\nK=${key}\n${'y\n'.repeat(2_000_000)}`)
    write('wide.txt', Buffer.from(`\ufeffSVC_API_KEY=${key}\r\n`, 'utf16le'))
    write('wide-long.txt', Buffer.from(`\ufeff${'x\n'.repeat(600_000)}SVC_API_KEY=${key}\r\n`, 'utf16le'))
    write('secret.yaml', `data:\n  key: ${Buffer.from(key).toString('base64')}\n`)
    const wrapped = Buffer.from(`some words before it\nSVC_API_KEY=${other}\nand some after it`).toString('base64').replace(/.{30}/g, '$&\n    ')
    write('wrapped.yaml', `data: |\n    ${wrapped}\n`)
    const { findings, code } = await scanned()
    expect(code).toBe(1)
    expect(findings.map(({ path, form }) => `${path} ${form}`)).toEqual([
      ...['at-10.log', 'at-1023.log', 'at-1024.log', 'at-1030.log', 'at-40.log', 'at-700.log'].map((name) => `${name} plain`),
      'secret.yaml base64',
      'wide-long.txt plain',
      'wide.txt plain',
      'wrapped.yaml base64',
    ])
    expect(findings.find(({ path }) => path === 'wide-long.txt')?.line).toBe(600_001)
  })

  test('svc-desk scan leaves out ignored and binary files and links, counts them, and reads ignored ones if asked to [F9]', async () => {
    git('init', '--quiet')
    write('.gitignore', 'build/\n')
    write('build/out.js', `x = "${key}"\n`)
    write('picture.bin', Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from(key)]))
    symlinkSync('build/out.js', join(root, 'link.js'))
    expect(await scanned()).toMatchObject({ code: 0, findings: [], skipped: { binary: 1, ignored: 1, link: 1 } })
    expect((await scan()).stderr).toContain('Left out: 1 binary file, 1 ignored file or folder, 1 link.\n')
    expect(await scanned('--ignored')).toMatchObject({ code: 1, findings: [{ path: 'build/out.js' }] })
    expect(await scanned('link.js')).toMatchObject({ code: 1, findings: [{ path: 'build/out.js' }] })
  })

  test('svc-desk scan hides a file name that contains a secret [AUTH-09]', async () => {
    write(`notes/${key}.txt`, 'nothing\n')
    const { code, stdout } = await scan()
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'notes/[redacted]: likely API key SVC••••••••, in the name\n' })
    expect(await scanned()).toMatchObject({ findings: [{ path: 'notes/[redacted]', where: 'name' }] })
  })

  test('svc-desk scan lists what it may not read, and exits with 3, not with 0', () => {
    write('clean.txt', 'nothing\n')
    write('private/key.txt', key)
    write('closed.txt', key)
    chmodSync(join(root, 'private'), 0o000)
    chmodSync(join(root, 'closed.txt'), 0o000)
    const program = svcDeskWords(['scan'])
    // Root may read everything, so the command runs without that right.
    const words = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--', ...program] : program
    const ended = spawnSync(words[0] ?? '', words.slice(1), { cwd: root, encoding: 'utf8', env: env() })
    chmodSync(join(root, 'private'), 0o700)
    expect(ended, ended.stderr).toMatchObject({ status: 3, stdout: '' })
    expect(ended.stderr).toContain('Not searched: private (no permission).')
    expect(ended.stderr).toContain('Not searched: closed.txt (no permission).')
    expect(ended.stderr).toContain('2 places were not searched.')
  })

  test('svc-desk scan reads deeply nested folders', async () => {
    const deep = Array.from({ length: 300 }, (_, index) => `d${index}`).join('/')
    write(`${deep}/key.txt`, key)
    expect(await scanned()).toMatchObject({ code: 1, findings: [{ path: `${deep}/key.txt`, line: 1, column: 1 }] })
  })
})

describe('svc-desk scan --staged searches what git would commit', () => {
  const hook = () => {
    write(
      '.git/hooks/pre-commit',
      `#!/bin/sh\nexec ${svcDeskWords(['scan', '--staged'])
        .map((word) => `'${word}'`)
        .join(' ')}\n`,
    )
    chmodSync(join(root, '.git/hooks/pre-commit'), 0o755)
  }
  const commits = (...words: string[]) => commitsIn(root, ...words)
  const commitsIn = (folder: string, ...words: string[]) =>
    spawnSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example', 'commit', '-m', 'work', ...words], { encoding: 'utf8', env: env() })

  test('a git pre-commit hook with svc-desk scan --staged refuses a commit with a key, names the file, and passes without the key', () => {
    git('init', '--quiet')
    write('README.md', 'bot\n')
    commit('first')
    hook()
    write('config/bot.env', `A=1\nSVC_API_KEY=${key}\n`)
    git('add', '-A')
    // The working tree is clean again, but git would commit the staged file.
    write('config/bot.env', 'A=1\n')
    const refused = commits()
    expect(refused.status).toBe(1)
    expect(`${refused.stdout}${refused.stderr}`).toContain('config/bot.env:2:13: likely API key SVC••••••••')
    expect(`${refused.stdout}${refused.stderr}`).not.toContain(key.slice(4, 16))
    expect(git('rev-list', '--count', 'HEAD')).toBe('1')
    git('add', '-A')
    // A key in the working tree alone does not matter.
    write('config/bot.env', key)
    const passed = commits()
    expect(passed.status, passed.stderr).toBe(0)
    expect(git('rev-list', '--count', 'HEAD')).toBe('2')
    // Here git writes a temporary index, which the hook must read.
    const all = commits('-a')
    expect(all.status).toBe(1)
    expect(`${all.stdout}${all.stderr}`).toContain('config/bot.env:1:1: likely API key')
    write('note.txt', 'a note\n')
    git('add', 'note.txt')
    expect(commits('note.txt').status).toBe(0)
    // In a linked work tree, git names its folders to the hook.
    git('worktree', 'add', '-q', 'linked', '-b', 'side')
    write('linked/sub/k.env', key)
    git('-C', 'linked', 'add', '-A')
    const linked = commitsIn(join(root, 'linked', 'sub'))
    expect(linked.status).toBe(1)
    expect(`${linked.stdout}${linked.stderr}`).toContain('sub/k.env:1:1: likely API key')
  }, 120_000)

  test('svc-desk scan --staged looks only at what changed, also in packed repositories, linked work trees and before the first commit', async () => {
    git('init', '--quiet')
    write('old/key.env', key)
    git('add', '-A')
    expect(await scanned('--staged')).toMatchObject({ code: 1, findings: [{ path: 'old/key.env' }] })
    for (let index = 0; index < 30; index += 1) write(`old/f${index}.txt`, `text ${index}\n`.repeat(50))
    commit('with an old key')
    git('repack', '-adfq')
    expect(await scanned('--staged')).toMatchObject({ code: 0, findings: [], files: 0 })
    write('old/f3.txt', 'changed\n')
    write('new/x.txt', `${other}\n`)
    git('add', '-A')
    expect(await scanned('--staged')).toMatchObject({ code: 1, findings: [{ path: 'new/x.txt' }], files: 2 })
    git('reset', '-q', '--hard')
    git('worktree', 'add', '-q', 'linked', '-b', 'side')
    write('linked/side.txt', signingSecret)
    git('-C', 'linked', 'add', '-A')
    expect(await scanned('--staged', 'linked')).toMatchObject({ code: 1, findings: [{ path: 'linked/side.txt', kind: 'webhook' }] })
    expect(await scanned('--staged')).toMatchObject({ code: 0, findings: [] })
  })

  test('svc-desk scan --staged reads large files in pieces, counts submodules, and does not call an unreadable index clean', async () => {
    git('init', '--quiet')
    const noise = Buffer.alloc(6_000_000)
    for (let at = 0; at < noise.length; at += 1) noise[at] = 33 + ((at * 7 + (at >> 7) * 13) % 90)
    write('large.txt', Buffer.concat([noise, Buffer.from(`\nSVC_API_KEY=${key}\n`)]))
    git('-c', 'core.compression=0', 'add', '-A')
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`)
    expect(await scanned('--staged')).toMatchObject({ code: 1, findings: [{ path: 'large.txt', line: 2, column: 13 }], skipped: { submodule: 1 } })
    write('even.txt', Buffer.concat([Buffer.alloc(70_000_000, 'the same words in every line of a log, without end.\n'), Buffer.from(`\n${other}\n`)]))
    git('add', 'even.txt')
    expect(await scanned('--staged')).toMatchObject({ code: 1, findings: [{ path: 'even.txt' }, { path: 'large.txt' }], unread: [] })
    git('rm', '-q', '--cached', 'large.txt', 'even.txt')
    write('.git/index', Buffer.concat([readFileSync(join(root, '.git/index')).subarray(0, 40)]))
    expect(await scanned('--staged')).toMatchObject({ code: 3, unread: [{ why: 'git_unread' }] })
  })

  test('svc-desk scan --staged outside of a repository exits with 66', async () => {
    expect(await scan('--staged')).toMatchObject({ code: 66, stdout: '' })
  })
})

describe('svc-desk scan --history searches every commit that git can reach', () => {
  test('svc-desk scan --history names the commit and path that brought a secret, from loose and packed objects, and ignores what nothing reaches', async () => {
    git('init', '--quiet', '-b', 'main')
    write('a/bot.env', 'X=1\n')
    commit('first')
    write('a/bot.env', `X=1\nSVC_API_KEY=${key}\n`)
    const second = commit('add the settings')
    write('a/bot.env', 'X=1\n')
    commit('take it out')
    git('checkout', '-q', '-b', 'side', 'HEAD~2')
    write('b.txt', `${signingSecret}\n`)
    const side = commit('side')
    git('checkout', '-q', 'main')
    const message = commit(`uses ${other} now`, '--allow-empty')
    const expected = [
      { path: '.git', where: 'message', commit: message, kind: 'api_key' },
      { path: 'a/bot.env', line: 2, column: 13, where: 'file', commit: second, kind: 'api_key' },
      { path: 'b.txt', line: 1, where: 'file', commit: side, kind: 'webhook' },
    ]
    expect(await scanned('--history')).toMatchObject({ code: 1, findings: expected, unread: [], commits: 5 })
    git('repack', '-adfq')
    git('pack-refs', '--all')
    expect(await scanned('--history')).toMatchObject({ code: 1, findings: expected, unread: [], commits: 5 })
    expect((await scan('--history')).stdout).toContain(`.git: likely API key SVC••••••••, in the message, in commit ${message.slice(0, 12)}\n`)
    expect((await scan('--history')).stdout).toContain(`a/bot.env:2:13: likely API key SVC••••••••, in commit ${second.slice(0, 12)}\n`)
    git('branch', '-qD', 'side')
    git('reset', '-q', '--hard', 'HEAD~1')
    expect(await scanned('--history')).toMatchObject({ code: 1, findings: [expected[1]], commits: 3 })
  })

  test('svc-desk scan --history says that a shallow clone or a damaged repository was not searched whole, and exits with 3', async () => {
    git('init', '--quiet', 'full')
    const at = (...words: string[]) => git('-C', join(root, 'full'), ...words)
    for (const version of [1, 2, 3]) {
      write('full/a.txt', `version ${version}\n`)
      at('add', '-A')
      at('commit', '-qm', `v${version}`)
    }
    git('clone', '-q', '--depth', '1', `file://${root}/full`, 'shallow')
    expect(await scanned('--history', 'full')).toMatchObject({ code: 0, commits: 3, unread: [] })
    expect(await scanned('--history', 'shallow')).toMatchObject({ code: 3, commits: 1, unread: [{ path: 'shallow/.git', why: 'shallow' }] })
    const blob = at('rev-parse', 'HEAD:a.txt')
    rmSync(join(root, 'full/.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true })
    expect(await scanned('--history', 'full')).toMatchObject({ code: 3, unread: [{ path: 'full/a.txt', why: 'missing' }] })
  })
})

describe('svc-desk scan recognises own keys by exported fingerprints', () => {
  test('svc-desk scan uses exported fingerprints on another computer, and the file contains no secret [AUTH-09]', async () => {
    const app = await startOpenApp()
    try {
      const file = join(root, '.svc-desk-fingerprints')
      const exported = await startCommand(['scan', '--export-fingerprints', file, '--data', app.userData], { folder: root }).ended
      expect(exported).toMatchObject({ code: 0, stdout: `Fingerprints of 2 secrets of Main are in ${file}.\n` })
      app.lock(true)
      expect(await startCommand(['scan', '--export-fingerprints', join(root, 'no'), '--data', app.userData], { folder: root }).ended).toMatchObject({
        code: 75,
      })
      expect(existsSync(join(root, 'no'))).toBe(false)
    } finally {
      await app.stop()
    }
    const text = readFileSync(join(root, '.svc-desk-fingerprints'), 'utf8')
    for (const secret of [apiKey, webhookSecret])
      for (let at = 0; at + 8 <= secret.length; at += 1) if (at >= 10 || secret === apiKey) expect(text).not.toContain(secret.slice(at, at + 8))
    write('bot.env', `SVC_API_KEY=${apiKey}\n`)
    write('hook.env', `S=${webhookSecret}\n`)
    write('other.env', `SVC_API_KEY=${key}\n`)
    const { code, stdout } = await scan('--fingerprints', '.svc-desk-fingerprints')
    expect(code).toBe(1)
    expect(stdout).toBe(
      [
        'bot.env:1:13: API key SVC••••••••, your key bot\n',
        'hook.env:1:3: webhook signing secret svc_whsec_••••••••, your webhook w1\n',
        'other.env:1:13: likely API key SVC••••••••\n',
      ].join(''),
    )
    expect((await scanned('--fingerprints', '.svc-desk-fingerprints')).findings.map((one) => one.key?.id ?? null)).toEqual(['k1', 'w1', null])
    write('.svc-desk-fingerprints', '{"format":"other"}')
    expect(await scan('--fingerprints', '.svc-desk-fingerprints')).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('svc-desk scan --format sarif', () => {
  test('svc-desk scan writes a SARIF 2.1.0 log that fits the schema, with every finding and everything unread, and without a secret', async () => {
    git('init', '--quiet')
    write('a b/bot#1.env', `\nSVC_API_KEY=${key}\n`)
    write(`notes/${other}.txt`, 'nothing\n')
    const id = commit('first')
    const log = async (...words: string[]) => {
      const { stdout } = await scan(...words, '--format', 'sarif')
      const parsed: unknown = JSON.parse(stdout)
      expect(schemaProblems(parsed)).toEqual([])
      return Sarif.parse(parsed).runs[0]
    }
    const run = await log()
    expect(run?.results.map(({ ruleId, locations }) => [ruleId, locations[0]?.physicalLocation])).toEqual([
      ['api_key', { artifactLocation: { uri: 'a%20b/bot%231.env', uriBaseId: 'HERE' }, region: { startLine: 2, startColumn: 13 } }],
      ['api_key', { artifactLocation: { uri: 'notes/%5Bredacted%5D', uriBaseId: 'HERE' } }],
    ])
    expect((await log('--history'))?.results[0]?.properties.commit).toBe(id)
    write('.git/shallow', `${id}\n`)
    expect((await log('--history'))?.invocations[0]).toMatchObject({ executionSuccessful: false, toolExecutionNotifications: [{ level: 'warning' }] })
    expect(schemaProblems({ version: '2.1.0', runs: [{ tool: { driver: {} } }] })).not.toEqual([])
  })
})
