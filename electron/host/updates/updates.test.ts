import { execFile, execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Agent } from 'undici'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { commonBytes, newSigningKey, startUpdateServer, type UpdateServer, writeImage } from '../../../e2e/support/updates/update-server.ts'
import type { AppEvent } from '../../../shared/ipc/contract.ts'
import { day, hour } from '../../../shared/time.ts'
import { openJournal, type SqliteJournal } from '../../store/journal/tables/sqlite-journal.ts'
import { createSettings } from '../../store/records/profile-store.ts'
import { createFeed, nextOf } from './update-files.ts'
import { commandFor, createUpdates, runningPackage, type UpdatesParts, type UpdatesWorkspace } from './updates.ts'

let folder: string
let server: UpdateServer
let journal: SqliteJournal
let file: string
const common = commonBytes(400_000)
const key = newSigningKey()
const time = { ms: Date.now() }
const clock = { now: () => time.ms, monotonic: () => time.ms }

beforeEach(async () => {
  time.ms = Date.now()
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-updates-'))
  file = join(folder, 'Svc.AppImage')
  await writeImage(file, 'old', common)
  await writeImage(join(folder, 'Svc-Desk-0.2.0.AppImage'), 'new', common)
  server = await startUpdateServer(join(folder, 'served'))
  journal = openJournal({ file: join(folder, 'desk.db'), clock })
})
afterEach(async () => {
  journal.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const publish = (more: Partial<Parameters<UpdateServer['publish']>[0]> = {}) =>
  server.publish({ installers: [server.put(join(folder, 'Svc-Desk-0.2.0.AppImage'))], keys: [key.key], nowMs: time.ms, ...more })

/** A profile whose work a restart would not interrupt. Tests change single values. */
const quiet = { bulk: 'idle', revocation: 'idle', replacement: 'created', lab: 'closed', intents: [] as { state: string; deadlineMs: number | null }[] }
const workspaceOf = ({ bulk, revocation, replacement, lab, intents }: typeof quiet) =>
  ({
    profileId: 'p1',
    journal: { intents: { open: () => intents } },
    handlers: {
      'bulkActions.state': () => ({ ok: true, value: { state: bulk } }),
      'revokeAll.state': () => ({ ok: true, value: { state: revocation } }),
      'replacements.list': async () => ({ ok: true, value: [{ now: { state: replacement } }] }),
      'lab.state': async () => ({ ok: true, value: { status: lab } }),
    },
  }) as unknown as UpdatesWorkspace // safe cast: the app reads only these fields

function setUp(more: Partial<UpdatesParts> = {}, profile = quiet) {
  const events: AppEvent[] = []
  const restarted: string[] = []
  const opened: string[] = []
  const state = { locked: false, profile }
  const updates = createUpdates({
    source: { address: server.address, keys: [key.pinned] },
    running: { platform: 'linux', arch: process.arch === 'arm64' ? 'arm64' : 'x64', kind: 'AppImage', file },
    version: '0.1.0',
    journal: 1,
    records: journal.records,
    settings: createSettings(journal.records),
    clock,
    shownTime: clock,
    hasExchange: () => true,
    openFeed: async (address) => createFeed(address, new Agent(), '0.1.0'),
    workspace: async () => workspaceOf(state.profile),
    locked: () => state.locked,
    emit: (event) => void events.push(event),
    openExternal: async (url) => void opened.push(url),
    restart: (program) => void restarted.push(program),
    ...more,
  })
  const call = async (name: 'state' | 'check' | 'download' | 'install') => {
    const answer = await updates.handlers[`updates.${name}`]({})
    if (!answer.ok) throw new Error(name)
    return answer.value
  }
  const notices = () => events.flatMap((event) => (event.type === 'notice' ? [event.notice] : []))
  const downloaded = async () => {
    await call('download')
    await vi.waitFor(async () => expect((await call('state')).download.state).not.toBe('running'), { timeout: 20_000, interval: 20 })
    return call('state')
  }
  return { updates, call, notices, restarted, opened, state, downloaded }
}

test('the app finds, downloads and installs an update, then restarts as the new version', async () => {
  publish()
  const { call, downloaded, restarted } = setUp()
  expect(await call('state')).toMatchObject({ off: null, checked: null, offer: null })
  expect(await call('check')).toMatchObject({
    checked: { atMs: time.ms, outcome: 'newer' },
    offer: { version: '0.2.0', way: 'install', command: null, newerData: false, unsupported: false },
    download: { state: 'none' },
    waits: null,
  })
  expect((await downloaded()).download).toEqual({ state: 'ready' })
  expect(restarted).toEqual([])
  await call('install')
  expect(restarted).toEqual([file])
  execFileSync(file)
  expect(readFileSync(join(folder, 'ran'), 'utf8')).toBe('new\n')
  expect(existsSync(`${file}.previous`)).toBe(true)
})

test('if the user presses Install twice at once, the app installs the update only once, even while it looks for updates', async () => {
  publish()
  const { call, downloaded, restarted } = setUp()
  await call('check')
  await downloaded()
  await Promise.all([call('install'), call('check'), call('install')])
  expect(restarted).toEqual([file])
  expect((await call('state')).download).toEqual({ state: 'ready' })
})

test('if the update server withdraws an update while the user installs it, the app installs nothing and throws no error', async () => {
  publish()
  const { call, downloaded, restarted } = setUp()
  await call('check')
  await downloaded()
  publish({ nowMs: time.ms - 1 })
  const [, installed] = await Promise.all([call('check'), call('install')])
  expect(installed).toMatchObject({ offer: null, checked: { outcome: 'rollback' } })
  expect(restarted).toEqual([])
})

test('after a restart, the app knows that it has already downloaded the update', async () => {
  publish()
  const first = setUp()
  await first.call('check')
  await first.downloaded()
  expect((await setUp().call('check')).download).toEqual({ state: 'ready' })
})

test('the app’s update offer says that older versions cannot open data of the new one, and that the running version is no longer supported', async () => {
  publish({ journal: 2, minimum: '0.1.1' })
  expect((await setUp().call('check')).offer).toMatchObject({ newerData: true, unsupported: true })
})

test('the app refuses a release with a forged signature, and offers no update', async () => {
  publish({ keys: [newSigningKey().key] })
  const { call, notices, updates } = setUp()
  expect(await call('check')).toMatchObject({ checked: { outcome: 'unsigned' }, offer: null })
  await updates.look()
  expect(notices()).toEqual([])
  expect((await call('download')).download).toEqual({ state: 'none' })
})

test('the app remembers the newest release that it has seen across restarts, and refuses an older one', async () => {
  publish({ version: '0.3.0' })
  await setUp().call('check')
  publish({ version: '0.2.0' })
  expect(await setUp().call('check')).toMatchObject({ checked: { outcome: 'rollback' }, offer: null })
})

test('if the update server still sends the same release.json after 35 days, the app reports it as out of date and offers no update', async () => {
  publish()
  const { call } = setUp()
  await call('check')
  time.ms += 35 * day + 1
  expect(await call('check')).toMatchObject({ checked: { outcome: 'stale' }, offer: null })
})

test('if the update server does not respond, the app still shows an earlier update offer, and asks the server again after an hour', async () => {
  publish()
  const { call, updates } = setUp()
  await call('check')
  rmSync(join(server.folder, 'release.json'))
  expect(await call('check')).toMatchObject({ checked: { outcome: 'unreachable' }, offer: { version: '0.2.0' } })
  publish()
  time.ms += hour - 1
  await updates.look()
  expect((await call('state')).checked?.outcome).toBe('unreachable')
  time.ms += 1
  await updates.look()
  expect((await call('state')).checked?.outcome).toBe('newer')
})

test('if a downloaded update file was changed, the app refuses to install it and keeps its current version', async () => {
  publish()
  const { call, downloaded, restarted } = setUp()
  await call('check')
  const served = join(server.folder, 'Svc-Desk-0.2.0.AppImage')
  const bytes = readFileSync(served)
  bytes.fill(0, bytes.length - 200_000, bytes.length - 199_000)
  writeFileSync(served, bytes)
  expect((await downloaded()).download).toEqual({ state: 'failed', issue: 'changed' })
  await call('install')
  expect([restarted, existsSync(nextOf(file))]).toEqual([[], false])
})

describe('the times at which the app asks the update server for an update', () => {
  test('the app looks for updates at its start and every 12 hours', async () => {
    publish()
    const { updates } = setUp()
    const asks = () => server.asked.filter((name) => name === 'release.json').length
    await updates.look()
    expect(asks()).toBe(1)
    time.ms += 12 * hour - 1
    await updates.look()
    expect(asks()).toBe(1)
    time.ms += 1
    await updates.look()
    expect(asks()).toBe(2)
    // Simulates that the user has set the clock back.
    time.ms -= 5 * day
    await updates.look()
    expect(asks()).toBe(3)
  })

  test.each([
    ['if the user has turned it off', () => createSettings(journal.records).save({ looksForUpdates: false }), {}],
    ['if there is no exchange but practice', () => undefined, { hasExchange: () => false }],
    ['if the build has no update server', () => undefined, { source: null }],
    ['if the app runs from its source', () => undefined, { running: null }],
  ])('the app never looks for updates automatically %s', async (_, before, more) => {
    publish()
    before()
    await setUp(more).updates.look()
    expect(server.asked).toEqual([])
  })

  test('the app looks for updates when the user asks, even if the user only uses practice mode', async () => {
    publish()
    expect(await setUp({ hasExchange: () => false }).call('check')).toMatchObject({ checked: { outcome: 'newer' } })
  })

  test('if the app has no update server or runs from its source, it says so when the user looks for updates', async () => {
    expect(await setUp({ source: null }).call('check')).toMatchObject({ off: 'no_address', checked: null })
    expect(await setUp({ running: null }).call('check')).toMatchObject({ off: 'source', checked: null })
    expect(server.asked).toEqual([])
  })
})

test('the app shows one update notice for each new version, even after a restart', async () => {
  publish()
  const first = setUp()
  await first.updates.look()
  await first.updates.look()
  const notice = { code: 'update_available', version: '0.2.0' }
  expect(first.notices()).toEqual([notice])
  const second = setUp()
  await second.updates.look()
  expect(second.notices()).toEqual([])
  publish({ version: '0.2.1', nowMs: time.ms + 1 })
  time.ms += 12 * hour
  await second.updates.look()
  expect(second.notices()).toEqual([{ ...notice, version: '0.2.1' }])
})

describe('an update waits for orders and other work that a restart would interrupt', () => {
  const intents = (state: string, deadlineMs: number | null = null) => ({ ...quiet, intents: [{ state, deadlineMs }] })
  test.each([
    ['order', intents('ASKED')],
    ['order', intents('SIGNED')],
    ['order', intents('SENT')],
    ['order', intents('UNKNOWN')],
    ['order', intents('PREPARED', Date.now() + day)],
    ['bulk_action', { ...quiet, bulk: 'open' }],
    ['revoke_all', { ...quiet, revocation: 'running' }],
    ['replacement', { ...quiet, replacement: 'granting' }],
    ['replacement', { ...quiet, replacement: 'revoking' }],
    ['lab', { ...quiet, lab: 'listening' }],
  ])('the app offers, downloads and installs no update while something is pending (%s), and does so once it is over', async (waits, profile) => {
    publish()
    const { call, updates, notices, downloaded, restarted, state } = setUp({}, profile)
    await updates.look()
    expect(notices()).toEqual([])
    expect(await call('download')).toMatchObject({ waits, download: { state: 'none' } })
    state.profile = quiet
    await updates.look()
    expect(notices()).toHaveLength(1)
    await downloaded()
    state.profile = profile
    expect(await call('install')).toMatchObject({ waits, download: { state: 'ready' } })
    expect(restarted).toEqual([])
    state.profile = quiet
    await call('install')
    expect(restarted).toEqual([file])
  })

  test('an update does not wait for an order that ended or expired, or that only needs the chain’s confirmation', async () => {
    for (const [state, deadlineMs] of [
      ['CONFIRMING', null],
      ['SUBMITTED', null],
      ['PLANNED', null],
      ['PREPARED', time.ms - 1],
    ] as const)
      expect((await setUp({}, intents(state, deadlineMs)).call('state')).waits).toBe(null)
  })

  test('an update waits while a page of the app has an open wallet request, until the request ends or the page is gone', async () => {
    publish()
    const { call, updates, notices } = setUp()
    updates.handlers['updates.hold']({ held: true })
    await updates.look()
    expect([(await call('state')).waits, notices()]).toEqual(['wallet', []])
    updates.pageGone()
    await updates.look()
    expect([(await call('state')).waits, notices().length]).toEqual([null, 1])
  })

  test('while the app is locked, it shows no update notice and does not read the profile', async () => {
    publish()
    const { updates, notices, state } = setUp({ workspace: async () => Promise.reject(new Error('read')) })
    state.locked = true
    await updates.look()
    expect(notices()).toEqual([])
  })
})

describe('the app leaves the update of a deb or rpm to the system’s own installer', () => {
  const running = { platform: 'linux', arch: process.arch === 'arm64' ? 'arm64' : 'x64', kind: 'deb', file: null } as const

  test('for an app installed from a deb, the app shows a command that verifies and installs the update, and opens the package’s address', async () => {
    copyFileSync(join(folder, 'Svc-Desk-0.2.0.AppImage'), join(folder, 'svc-desk_0.2.0_amd64.deb'))
    publish({ installers: [server.put(join(folder, 'svc-desk_0.2.0_amd64.deb'))] })
    const { call, updates, opened } = setUp({ running })
    const { offer, download } = await call('check')
    expect(offer).toMatchObject({ way: 'command' })
    expect((await call('download')).download).toEqual(download)
    await updates.handlers['updates.open']({})
    expect(opened).toEqual([`${server.address}svc-desk_0.2.0_amd64.deb`])
    // Runs the real command with the real tools, except the installation, which needs root.
    const [command = ''] = (offer?.command ?? '').split(' && sudo ')
    const run = () => promisify(execFile)('sh', ['-c', command], { cwd: folder })
    expect((await run()).stdout).toBe('svc-desk_0.2.0_amd64.deb: OK\n')
    writeFileSync(join(server.folder, 'svc-desk_0.2.0_amd64.deb'), 'another file')
    await expect(run()).rejects.toThrow('did NOT match')
  })

  test('the shown command for installing an update uses apt for a deb and dnf for an rpm', () => {
    const deb = { ...running, name: 'a.deb', size: 1, sha512: Buffer.alloc(64).toString('base64'), blockMapSize: null }
    expect(commandFor(deb, 'https://x.example/a.deb')).toMatch(/ && sudo apt install '\.\/a\.deb'$/)
    expect(commandFor({ ...deb, kind: 'rpm', name: 'a.rpm' }, 'https://x.example/a.rpm')).toMatch(/ && sudo dnf install '\.\/a\.rpm'$/)
  })
})

test('for an AppImage in a read-only folder, the app shows where to download the update', async () => {
  publish()
  const running = { platform: 'linux', arch: process.arch === 'arm64' ? 'arm64' : 'x64', kind: 'AppImage', file: '/nowhere/Svc.AppImage' } as const
  expect((await setUp({ running }).call('check')).offer).toMatchObject({ way: 'page' })
})

test('the app recognises whether it runs as AppImage, deb, rpm, dmg, Windows installer, zip or from its source', () => {
  const kindOf = (more: Partial<Parameters<typeof runningPackage>[0]>) => {
    const found = runningPackage({ isPackaged: true, platform: 'linux', arch: 'x64', env: {}, packageType: () => null, ...more })
    return found === null ? null : [found.kind, found.file]
  }
  expect(kindOf({ isPackaged: false })).toBe(null)
  expect(kindOf({ env: { APPIMAGE: '/a/b' }, packageType: () => 'deb' })).toEqual(['AppImage', '/a/b'])
  expect(kindOf({ packageType: () => 'deb\n' })).toEqual(['deb', null])
  expect(kindOf({ packageType: () => 'rpm' })).toEqual(['rpm', null])
  expect(kindOf({})).toEqual(['zip', null])
  expect(kindOf({ platform: 'darwin' })).toEqual(['dmg', null])
  expect(kindOf({ platform: 'win32' })).toEqual(['nsis', null])
})
