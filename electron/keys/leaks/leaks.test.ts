import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import { parsingHere } from '../../../e2e/support/parsing/parsing-here.ts'
import type { LeakFinding, LeakScan } from '../../../shared/ipc/keys/leaks.ts'
import { fail, ok } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import { raw } from '../../store/records/raw.ts'
import { createLeaks, type Leaks, type LeaksDeps } from './leaks.ts'
import { pieceBytes } from './scan.ts'

let workspace: Workspace
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-desk-leaks-'))
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(async () => {
  await workspace.stop()
  await rm(folder, { recursive: true, force: true })
})

const write = async (name: string, content: string | Buffer) => {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), content)
}

async function ended(handlers: Leaks['handlers']): Promise<LeakScan> {
  for (;;) {
    const { scan } = value(await handlers['leaks.state']({}))
    if (scan !== null && scan.state !== 'running') return scan
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function scanned(ignoredToo = false, handlers: Leaks['handlers'] = workspace.handlers()): Promise<{ scan: LeakScan; findings: LeakFinding[] }> {
  value(await handlers['leaks.start']({ ignoredToo }))
  const scan = await ended(handlers)
  return { scan, findings: value(await handlers['leaks.findings']({})) }
}

const choose = async (path = folder) => {
  workspace.chosenFiles.push(path)
  value(await workspace.handlers()['leaks.addFolder']({}))
}
const secretOf = (keyId: string): string =>
  [...workspace.secrets.entries].find(([account]) => account.includes(keyId))?.[1].reveal() ?? expect.fail(`no secret of ${keyId}`)

test('the leak scan names the API key of a found secret, and marks the key as revoked after the key’s revocation', async () => {
  const keyId = await workspace.createKey('grid')
  const secret = secretOf(keyId)
  await write('bot/.env', `A=1\nSVC_API_KEY=${secret}\n`)
  await choose()
  const { scan, findings } = await scanned()
  expect(scan).toMatchObject({ state: 'done', files: 1, found: 1, keys: { compared: 1, missing: 0 }, unreadTotal: 0 })
  expect(findings).toMatchObject([
    {
      name: 'bot/.env',
      path: join(folder, 'bot/.env'),
      line: 2,
      column: 13,
      kind: 'api_key',
      form: 'plain',
      owner: 'key',
      key: { id: keyId, label: 'grid', status: 'active' },
      current: true,
      sure: 'certain',
      ignored: false,
    },
  ])
  value(await workspace.handlers()['keys.revoke']({ keyId, confirmLabel: 'grid' }))
  value(await workspace.handlers()['keys.list']({}))
  expect(value(await workspace.handlers()['leaks.findings']({}))).toMatchObject([{ key: { id: keyId, status: 'revoked' } }])
  expect((await scanned()).findings).toMatchObject([{ owner: 'key', key: { id: keyId, label: 'grid', status: 'revoked' }, current: false, sure: 'certain' }])
})

test('the leak scan distinguishes a key’s current secret from an earlier secret that a rotation replaced', async () => {
  const keyId = await workspace.createKey('grid')
  await write('old', secretOf(keyId))
  await choose()
  expect((await scanned()).findings).toMatchObject([{ current: true }])
  value(await workspace.handlers()['keys.rotate']({ keyId, confirmLabel: 'grid' }))
  expect(value(await workspace.handlers()['leaks.findings']({}))).toMatchObject([{ current: false, key: { id: keyId, status: 'active' } }])
  await write('young', [...workspace.secrets.entries.values()].map((kept) => kept.reveal()).join('\n'))
  expect((await scanned()).findings.map(({ name, current, key }) => [name, current, key?.id])).toEqual([
    ['old', false, keyId],
    ['young', true, keyId],
  ])
})

test('a leak scan exposes no part of a found secret in responses, events, logs or stored values, and sends and writes nothing [AUTH-09]', async () => {
  const keyId = await workspace.createKey('grid')
  const { secret: strange } = await elsewhere(workspace).create()
  const [own, foreign] = [secretOf(keyId), strange.reveal()]
  await write(`dir-${own}/${foreign}.txt`, `${own}\n${foreign}\n${Buffer.from(own).toString('base64')}\n`)
  const sent = workspace.sent.length
  const before = await stat(join(folder, `dir-${own}`, `${foreign}.txt`))
  await choose()
  await choose(join(folder, `dir-${own}`))
  const { scan, findings } = await scanned(true)
  expect(findings.map(({ owner, form, where }) => `${owner} ${form} ${where}`)).toEqual([
    'key plain name',
    'unknown plain name',
    'key plain file',
    'unknown plain file',
    'key base64 file',
  ])
  const state = value(await workspace.handlers()['leaks.state']({}))
  const told = JSON.stringify([scan, findings, state, workspace.events])
  const kept = JSON.stringify(
    workspace
      .journal()
      [raw].values.withPrefix('')
      .filter(({ name }) => !name.startsWith('leaks/')),
  )
  for (const body of [own, foreign].map((secret) => secret.slice(3)))
    for (let at = 0; at + 8 <= body.length; at += 1) {
      expect(told.includes(body.slice(at, at + 8))).toBe(false)
      expect(kept.includes(body.slice(at, at + 8))).toBe(false)
    }
  for (const finding of findings) expect(finding.mask).toBe('SVC••••••••')
  expect(workspace.sent).toHaveLength(sent)
  const after = await stat(join(folder, `dir-${own}`, `${foreign}.txt`))
  expect([after.mtimeMs, after.size]).toEqual([before.mtimeMs, before.size])
})

test('if a found secret belongs to another wallet, the leak scan names no API key for it and offers no action [AUTH-03]', async () => {
  const keyId = await workspace.createKey('grid')
  await write('.env', secretOf(keyId))
  await choose()
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  const { findings } = await scanned()
  expect(findings).toMatchObject([{ owner: 'other_wallet', key: null, sure: 'certain' }])
  expect(JSON.stringify(findings)).not.toContain(keyId)
  await workspace.connect()
  expect(value(await workspace.handlers()['leaks.findings']({}))).toMatchObject([{ owner: 'key', key: { id: keyId } }])
})

test('the leak scan reads files that git ignores only on request, and marks secrets in those files as ignored', async () => {
  const keyId = await workspace.createKey('grid')
  await write('.gitignore', '.env\nlogs/\n')
  await write('.env', secretOf(keyId))
  await write('logs/today.log', `key ${secretOf(keyId)}`)
  await choose()
  const without = await scanned()
  expect([without.findings, without.scan.skipped.ignored, without.scan.files]).toEqual([[], 2, 1])
  expect((await scanned(true)).findings.map(({ name, ignored }) => [name, ignored])).toEqual([
    ['.env', true],
    ['logs/today.log', true],
  ])
})

test('the leak scan reads UTF 16 text, and counts binary files, links and git’s own folder as skipped', async () => {
  const keyId = await workspace.createKey('grid')
  const line = `SVC_API_KEY=${secretOf(keyId)}\r\n`
  await write('windows.env', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`ñ\r\n${line}`, 'utf16le')]))
  await write('big-endian.env', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(line, 'utf16le').swap16()]))
  await write('program', Buffer.concat([Buffer.from([0x7f, 0x45, 0]), Buffer.from(line)]))
  await write('.git/config', line)
  await symlink(join(folder, 'program'), join(folder, 'link'))
  await choose()
  const { scan, findings } = await scanned()
  expect(findings.map(({ name, line: at, column }) => [name, at, column])).toEqual([
    ['big-endian.env', 1, 13],
    ['windows.env', 2, 13],
  ])
  expect(scan.skipped).toEqual({ binary: 1, ignored: 0, link: 1, git: 1, special: 0 })
})

test('the leak scan reads UTF 16 text without a byte order mark', async () => {
  const keyId = await workspace.createKey('grid')
  const text = `# ключ\r\nSVC_API_KEY=${secretOf(keyId)}\r\n`
  await write('little', Buffer.from(text, 'utf16le'))
  await write('big', Buffer.from(text, 'utf16le').swap16())
  await write('program', Buffer.concat([Buffer.from('ELF\0\0\0\0\0'), Buffer.from(text, 'utf16le')]))
  await choose()
  const { scan, findings } = await scanned()
  expect(findings.map(({ name, line, column }) => [name, line, column])).toEqual([
    ['big', 2, 13],
    ['little', 2, 13],
  ])
  expect(scan.skipped.binary).toBe(1)
})

test('the leak scan masks a key, in any form, in a file or folder name and in all paths below that folder [AUTH-09]', async () => {
  const keyId = await workspace.createKey('grid')
  const coded = Buffer.from(secretOf(keyId)).toString('hex')
  await write(`${coded}/deep/.env`, secretOf(keyId))
  await symlink(join(folder, 'gone'), join(folder, `link-${secretOf(keyId)}`))
  await choose()
  await choose(join(folder, coded))
  const { scan, findings } = await scanned()
  expect(findings.map(({ where, name, form, key }) => [where, name, form, key?.label])).toEqual(
    expect.arrayContaining([
      ['name', '[redacted]', 'hex', 'grid'],
      ['file', '[redacted]/deep/.env', 'plain', 'grid'],
      ['name', '[redacted]', 'plain', 'grid'],
    ]),
  )
  expect(findings).toHaveLength(3)
  const told = JSON.stringify([scan, findings, value(await workspace.handlers()['leaks.state']({}))])
  expect(told).not.toContain(coded.slice(8, 24))
  expect(told).not.toContain(secretOf(keyId).slice(3, 11))
})

test('the leak scan finds the bearer token of the app’s sign-in, and marks the token as no longer in use once that sign-in has ended', async () => {
  const bearer = [...workspace.vault].find(([name]) => name.startsWith('session/'))?.[1].reveal() ?? expect.fail('no sign-in')
  await write('curl.sh', `curl -H 'Authorization: Bearer ${(JSON.parse(bearer) as { bearer: string }).bearer}'\n`) // the bearer token as the vault stores it
  await choose()
  const { scan, findings } = await scanned()
  expect(findings).toMatchObject([{ owner: 'sign_in', key: null, kind: 'sign_in', sure: 'certain', current: true }])
  expect(scan.keys).toEqual({ compared: 0, missing: 0 })
  value(await workspace.handlers()['session.end']({}))
  expect(value(await workspace.handlers()['leaks.findings']({}))).toMatchObject([{ owner: 'sign_in', current: false }])
  await workspace.signIn()
  expect((await scanned()).findings).toMatchObject([{ owner: 'sign_in', current: false, sure: 'certain' }])
})

test('the leak scan finds a key in loose and packed objects of the git history, and names the git object that contains the key', async () => {
  const keyId = await workspace.createKey('grid')
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example', ...words], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: join(folder, 'none') },
    }).trim()
  const commit = () => [git('add', '-A'), git('commit', '--quiet', '-m', 'work')]
  git('init', '--quiet')
  for (const version of [1, 2]) {
    await write('bot/.env', `SVC_API_KEY=${secretOf(keyId)}\nVERSION=${version}\n`)
    commit()
  }
  await write('bot/.env', 'SVC_API_KEY=\n')
  await write('sample.env', `SVC_API_KEY=${own}\n`)
  commit()
  await rm(join(folder, 'sample.env'))
  commit()
  const held = ['HEAD~3', 'HEAD~2'].map((name) => git('rev-parse', `${name}:bot/.env`))
  await choose()
  for (const packed of [false, true]) {
    if (packed) git('repack', '-adfq')
    const { scan, findings } = await scanned()
    expect(findings).toMatchObject([{ where: 'history', name: '.git', key: { label: 'grid' }, current: true, sure: 'certain', line: 1, column: 13 }])
    expect(held).toContain(findings[0]?.object)
    expect(scan).toMatchObject({ state: 'done', objects: Number(git('rev-list', '--all', '--objects', '--count')), unreadTotal: 0, skipped: { git: 0 } })
  }
  const short = await scanned(false, alone({ limits: { fileBytes: 10_000, historyBytes: 300, files: 100, found: 100 } }).handlers)
  expect(short.scan.unread).toEqual([{ path: join(folder, '.git'), why: 'history_in_part' }])
})

test('the leak scan reads a large file in pieces, and finds a key that crosses the border between two pieces', async () => {
  const keyId = await workspace.createKey('grid')
  await write('big.log', `${'x'.repeat(pieceBytes - 20)}${secretOf(keyId)}\n${'line\n'.repeat(200_000)}${secretOf(keyId)}\n`)
  await choose()
  const { scan, findings } = await scanned()
  expect(findings.map(({ line, column }) => [line, column])).toEqual([
    [1, pieceBytes - 19],
    [200_002, 1],
  ])
  expect(scan.bytes).toBe((await readFile(join(folder, 'big.log'))).length)
})

test('the list of folders for the leak scan survives a restart, has no duplicates, lets the user remove folders, and shows missing ones', async () => {
  await choose()
  workspace.chosenFiles.push(folder)
  expect(value(await workspace.handlers()['leaks.addFolder']({}))).toEqual({ added: false })
  await choose(join(folder, 'gone'))
  expect(value(await workspace.handlers()['leaks.addFolder']({}))).toEqual({ added: false })
  await workspace.restart()
  expect(value(await workspace.handlers()['leaks.state']({})).folders).toEqual([folder, join(folder, 'gone')])
  expect((await scanned()).scan).toMatchObject({ state: 'done', unreadTotal: 1, unread: [{ path: join(folder, 'gone'), why: 'changed' }] })
  value(await workspace.handlers()['leaks.dropFolder']({ folder: join(folder, 'gone') }))
  expect((await scanned()).scan).toMatchObject({ folders: [folder], unreadTotal: 0 })
  value(await workspace.handlers()['leaks.dropFolder']({ folder }))
  expect(failure(await workspace.handlers()['leaks.start']({ ignoredToo: false }))).toEqual({ kind: 'not_found', what: 'folder' })
})

test('the app shows a file in the file manager only if the leak scan found a secret in that file', async () => {
  const keyId = await workspace.createKey('grid')
  await write('.env', secretOf(keyId))
  await choose()
  const [found] = (await scanned()).findings
  value(await workspace.handlers()['leaks.showFile']({ findingId: found?.id ?? '' }))
  expect(workspace.shownFiles).toEqual([join(folder, '.env')])
  expect(failure(await workspace.handlers()['leaks.showFile']({ findingId: join(folder, '.env') })).kind).toBe('not_found')
  await rm(join(folder, '.env'))
  expect(failure(await workspace.handlers()['leaks.showFile']({ findingId: found?.id ?? '' })).kind).toBe('not_found')
  expect(workspace.shownFiles).toHaveLength(1)
})

const own = 'SVC9b1f6a0c3e7d52884af0c6b1e93d7250ce81fa4467b09d3e'
function alone(change: Partial<LeaksDeps> = {}): Leaks {
  const journal = workspace.journal()
  return createLeaks({
    profile: { id: 'practice', kind: 'practice', hostUrl: 'http://127.0.0.1', practiceWallet: null },
    journal: {
      records: journal.records,
      secretIndex: { ...journal.secretIndex, list: () => [1, 2].map((n) => ({ wallet: '0xa', keyId: `k${n}`, account: 'a', label: 'l', atMs: 0 })) },
    },
    credentials: { facts: () => null, inMemory: () => [], secretOf: async () => ok(new Secret(own)) },
    signIns: async () => [],
    wallet: { shown: () => ok('0xa') },
    files: { chooseFolder: async () => null, showInFolder: () => {} },
    parsing: parsingHere,
    clock: { ...systemClock, known: () => true },
    emit: (event) => workspace.events.push(event),
    newId: () => crypto.randomUUID(),
    ...change,
  })
}

test('if the keychain fails during a leak scan, the scan reports the failure and reads no further secrets from the keychain', async () => {
  await write('.env', own)
  await choose()
  let asked = 0
  const refused = async () => {
    asked += 1
    return fail({ kind: 'keychain' as const, code: 'locked' as const, detail: null })
  }
  const { scan, findings } = await scanned(false, alone({ credentials: { facts: () => null, inMemory: () => [], secretOf: refused } }).handlers)
  expect([scan.keys, asked]).toEqual([{ compared: 0, missing: 2 }, 1])
  expect(findings).toMatchObject([{ owner: 'unknown', sure: 'medium' }])
})

test('if the keychain fails during a second leak scan, that scan still reports a secret found before as in use', async () => {
  await write('.env', own)
  await choose()
  let locked = false
  const secretOf: LeaksDeps['credentials']['secretOf'] = async () => (locked ? fail({ kind: 'keychain', code: 'locked', detail: null }) : ok(new Secret(own)))
  const { handlers } = alone({ credentials: { facts: () => null, inMemory: () => [], secretOf } })
  expect((await scanned(false, handlers)).findings).toMatchObject([{ owner: 'key', current: true }])
  locked = true
  expect((await scanned(false, handlers)).findings).toMatchObject([{ owner: 'key', current: true }])
})

test('a leak scan stops when it reaches one of its limits, and reports which limit', async () => {
  for (const name of ['a', 'b', 'c']) await write(name, `${own}\n`.repeat(3))
  await choose()
  const limits = { fileBytes: 10_000, historyBytes: 10_000, files: 1_000, found: 4 }
  expect((await scanned(false, alone({ limits }).handlers)).scan).toMatchObject({ state: 'too_many_found', found: 4 })
  const few = await scanned(false, alone({ limits: { ...limits, files: 1, found: 100 } }).handlers)
  expect(few.scan.state).toBe('too_many_files')
  const short = await scanned(false, alone({ limits: { ...limits, fileBytes: own.length + 1, found: 100 } }).handlers)
  expect(short.scan).toMatchObject({ state: 'done', found: 3, unreadTotal: 3, files: 3 })
  expect(short.scan.unread.map(({ why }) => why)).toEqual(['in_part', 'in_part', 'in_part'])
})

test('the main process stays responsive during a leak scan, refuses to start a second scan, and stops the scan on request', async () => {
  await write('big.log', 'line of a log, nothing in it\n'.repeat(400_000))
  await choose()
  const leaks = alone()
  value(await leaks.handlers['leaks.start']({ ignoredToo: false }))
  let turns = 0
  for (let bytes = 0; bytes < 4 * pieceBytes; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    bytes = value(await leaks.handlers['leaks.state']({})).scan?.bytes ?? 0
  }
  expect(turns).toBeGreaterThanOrEqual(4)
  expect(failure(await leaks.handlers['leaks.start']({ ignoredToo: false })).kind).toBe('wrong_state')
  value(await leaks.handlers['leaks.stop']({}))
  const scan = await ended(leaks.handlers)
  expect(scan.state).toBe('stopped')
  expect(scan.bytes).toBeLessThan(400_000 * 29)
  expect((await scanned(false, leaks.handlers)).scan).toMatchObject({ state: 'done', bytes: 400_000 * 29 })
})

test('when the profile closes, the app stops the leak scan and tells the window that the scan has ended', async () => {
  await write('big.log', 'x\n'.repeat(2_000_000))
  await choose()
  const leaks = alone()
  value(await leaks.handlers['leaks.start']({ ignoredToo: false }))
  leaks.stop()
  await leaks.settled()
  expect(value(await leaks.handlers['leaks.state']({})).scan?.state).toBe('stopped')
  expect(workspace.events.at(-1)).toEqual({ type: 'invalidate', queries: ['leaks.state', 'leaks.findings'] })
})

test.each(['["/home', '7', '[1]'])(
  'the app treats a damaged list of the leak scan’s folders (%s) as empty, and lets the user fill it again [V12]',
  async (damaged) => {
    workspace.journal()[raw].values.set('leaks/practice/folders', damaged)
    expect(value(await workspace.handlers()['leaks.state']({})).folders).toEqual([])
    await choose()
    expect(value(await workspace.handlers()['leaks.state']({})).folders).toHaveLength(1)
  },
)
