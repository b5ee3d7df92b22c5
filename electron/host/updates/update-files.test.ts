import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Agent } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { commonBytes, newSigningKey, startUpdateServer, type UpdateServer, writeImage } from '../../../e2e/support/updates/update-server.ts'
import { Release, type ReleaseFile } from './release-statement.ts'
import { createFeed, download, type Feed, install, isDownloaded, isReplaceable, nextOf, previousOf } from './update-files.ts'

let folder: string
let server: UpdateServer
let feed: Feed
let wanted: ReleaseFile
let app: string
let file: string
const key = newSigningKey()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-update-'))
  const common = commonBytes()
  await writeImage(join(folder, 'old'), 'old', common)
  await writeImage(join(folder, 'Svc-Desk-0.2.0.AppImage'), 'new', common)
  server = await startUpdateServer(join(folder, 'served'))
  feed = createFeed(server.address, new Agent(), '0.1.0')
})
afterAll(async () => {
  await feed.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  app = mkdtempSync(join(folder, 'app-'))
  file = join(app, 'Svc Desk.AppImage')
  copyFileSync(join(folder, 'old'), file)
  chmodSync(file, 0o755)
  server.fault = {}
  publish()
  server.sent = 0
})
afterEach(() => rmSync(app, { recursive: true, force: true }))

function publish(): void {
  server.publish({ installers: [server.put(join(folder, 'Svc-Desk-0.2.0.AppImage'))], keys: [key.key] })
  const { signed } = JSON.parse(readFileSync(join(server.folder, 'release.json'), 'utf8')) as { signed: string }
  const [only] = Release.parse(JSON.parse(signed)).files
  if (only === undefined) throw new Error('a release has a file')
  wanted = only
}

const get = () => download({ feed, file, wanted, progress: () => undefined })
/** Starts the test’s AppImage. Returns the text that it wrote: `old` or `new`. */
function started(): string {
  execFileSync(file)
  const said = readFileSync(join(app, 'ran'), 'utf8').trim().split('\n').at(-1)
  rmSync(join(app, 'ran'))
  return said?.trim() ?? ''
}
const same = (one: string, other: string): boolean => readFileSync(one).equals(readFileSync(other))

test('an update with a small change downloads at most 10 % of the new app file, installs it, and keeps the old version as a copy', async () => {
  const seen: number[] = []
  expect(await download({ feed, file, wanted, progress: (bytes) => seen.push(bytes) })).toEqual({ ok: true, value: undefined })
  expect(server.sent).toBeLessThan(0.1 * wanted.size)
  expect(seen.at(-1)).toBe(wanted.size)
  expect(started()).toBe('old')
  expect(await install(file, wanted)).toEqual({ ok: true, value: undefined })
  expect([started(), same(file, join(folder, 'Svc-Desk-0.2.0.AppImage'))]).toEqual(['new', true])
  expect([same(previousOf(file), join(folder, 'old')), statSync(previousOf(file)).mode & 0o777]).toEqual([true, 0o755])
  expect(readdirSync(app).toSorted()).toEqual(['Svc Desk.AppImage', 'Svc Desk.AppImage.previous'])
})

test('an update downloads the whole app file if the old version has no block map, or if the server does not support range requests', async () => {
  writeFileSync(file, '#!/bin/sh\nexit 0\n')
  expect((await get()).ok).toBe(true)
  expect(server.sent).toBe(wanted.size)
  rmSync(nextOf(file))
  copyFileSync(join(folder, 'old'), file)
  server.fault = { withoutRanges: true }
  expect((await get()).ok).toBe(true)
  expect(await isDownloaded(file, wanted)).toBe(true)
})

test('a repeated update downloads nothing if an earlier attempt has already downloaded the new app file', async () => {
  await get()
  server.sent = 0
  expect((await get()).ok).toBe(true)
  expect(server.sent).toBe(0)
})

describe('the app refuses an update whose downloaded files are wrong, incomplete or missing, and stays unchanged', () => {
  const untouched = () => {
    expect(readdirSync(app)).toEqual([basename(file)])
    expect(started()).toBe('old')
  }

  test('the app refuses an update whose download has wrong bytes', async () => {
    const path = join(server.folder, wanted.name)
    const bytes = readFileSync(path)
    bytes[20] = (bytes[20] ?? 0) ^ 1
    bytes[bytes.length - 150_000] = (bytes[bytes.length - 150_000] ?? 0) ^ 1
    writeFileSync(path, bytes)
    expect(await get()).toEqual({ ok: false, failure: 'changed' })
    untouched()
  })

  test.each([0, 1, 100_000])('the app refuses an update whose download breaks off after %d bytes', async (cutAt) => {
    server.fault = { cutAt }
    expect(await get()).toEqual({ ok: false, failure: 'incomplete' })
    untouched()
  })

  test('the app refuses an update file that is shorter or longer than the signed release.json says', async () => {
    const path = join(server.folder, wanted.name)
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.subarray(0, -1))
    expect(await get()).toEqual({ ok: false, failure: 'incomplete' })
    writeFileSync(path, Buffer.concat([bytes, Buffer.from('x')]))
    expect(await get()).toEqual({ ok: false, failure: 'incomplete' })
    untouched()
  })

  test('the app refuses an update whose file is missing on the server', async () => {
    rmSync(join(server.folder, wanted.name))
    expect(await get()).toEqual({ ok: false, failure: 'incomplete' })
    untouched()
  })

  test('the app refuses to install an update file that was changed on this computer after its download', async () => {
    await get()
    const bytes = readFileSync(nextOf(file))
    bytes[100] = (bytes[100] ?? 0) ^ 1
    writeFileSync(nextOf(file), bytes)
    expect(await install(file, wanted)).toEqual({ ok: false, failure: 'changed' })
    untouched()
  })

  test('the app refuses to install an update file that it did not download', async () => {
    expect(await install(file, wanted)).toEqual({ ok: false, failure: 'changed' })
    untouched()
  })
})

const isRoot = process.getuid?.() === 0

/**
 * Mounts a file system of 9 MB, which holds the old version and only a part of the new one. Only root may mount it. Returns whether mounting
 * succeeded.
 */
function mountSmallDisk(at: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=9m,mode=700', 'tmpfs', at], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.runIf(isRoot)('an update fails if the disk is full, and the app removes the partial file', async ({ skip }) => {
  const disk = join(app, 'disk')
  mkdirSync(disk)
  if (!mountSmallDisk(disk)) skip('this computer allows no mounts')
  try {
    file = join(disk, 'Svc Desk.AppImage')
    copyFileSync(join(folder, 'old'), file)
    expect(await get()).toEqual({ ok: false, failure: 'no_space' })
    expect([readdirSync(disk), same(file, join(folder, 'old'))]).toEqual([[basename(file)], true])
  } finally {
    execFileSync('umount', ['-l', disk])
  }
})

test('an update may replace the app’s file only if it is an existing regular file, not if it is missing or a folder', async () => {
  expect(await isReplaceable(file)).toBe(true)
  expect(await isReplaceable(join(app, 'none'))).toBe(false)
  expect(await isReplaceable(app)).toBe(false)
})

/** Starts a process that downloads and installs. `line`: resolves once the process has printed a line that begins with `start`, or has ended. */
function startChild(...more: readonly string[]): { readonly child: ChildProcess; readonly lines: string[]; readonly line: (start: string) => Promise<void> } {
  const script = new URL('../../../e2e/support/updates/update-child.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, file, server.address, JSON.stringify(wanted), ...more], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  child.stdout.on('data', (chunk: Buffer) => lines.push(...chunk.toString().trim().split('\n')))
  const line = async (start: string): Promise<void> => {
    while (!lines.some((one) => one.startsWith(start)) && child.exitCode === null) await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  }
  return { child, lines, line }
}

/** Kills the update process `afterMs` after it has printed `start`. Returns whether the process was still running. */
async function killAfter(start: string, afterMs: number): Promise<boolean> {
  const { child, line } = startChild()
  await line(start)
  await wait(afterMs)
  const runs = child.exitCode === null
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return runs
}

test('after kill -9 at any of 20 moments of an update, the installed app still starts, and a later update succeeds', { timeout: 120_000 }, async () => {
  // First, the test measures how long a complete download and installation take.
  server.fault = { pieceMs: 20 }
  const whole = startChild()
  await whole.line('downloads')
  const begin = performance.now()
  await whole.line('installs')
  const installing = performance.now()
  await whole.line('done')
  const end = performance.now()
  await once(whole.child, 'exit')
  expect(whole.lines).toEqual(['downloads', 'installs it', 'done well'])
  const periodMs = { downloads: installing - begin, installs: end - installing }
  const results: string[] = []
  for (let killed = 0; killed < 20; ) {
    const start = killed < 8 ? 'downloads' : 'installs'
    copyFileSync(join(folder, 'old'), `${file}.copy`)
    execFileSync('mv', [`${file}.copy`, file])
    if (start === 'downloads') rmSync(nextOf(file), { force: true })
    if (await killAfter(start, Math.random() * periodMs[start])) killed += 1
    // This process was faster than the measured one and has ended. It proves nothing about kills.
    else periodMs[start] *= 0.8
    const said = started()
    results.push(said)
    expect(same(file, join(folder, said === 'new' ? 'Svc-Desk-0.2.0.AppImage' : 'old'))).toBe(true)
    if (existsSync(previousOf(file))) expect(same(previousOf(file), join(folder, 'old'))).toBe(true)
  }
  expect(results.filter((said) => said !== 'old' && said !== 'new')).toEqual([])

  server.fault = {}
  copyFileSync(join(folder, 'old'), `${file}.copy`)
  execFileSync('mv', [`${file}.copy`, file])
  expect((await get()).ok).toBe(true)
  expect((await install(file, wanted)).ok).toBe(true)
  expect(started()).toBe('new')
  expect(readdirSync(app).toSorted()).toEqual([basename(file), `${basename(file)}.previous`])
})

test('after kill -9 just before any file operation of an installation, the installed app still starts', { timeout: 120_000 }, async () => {
  const results: string[] = []
  for (let operation = 1, ended = false; !ended; operation += 1) {
    copyFileSync(join(folder, 'old'), file)
    const { child, lines } = startChild(String(operation))
    await once(child, 'close')
    ended = lines.includes('done well')
    results.push(started())
    expect(existsSync(previousOf(file)) ? same(previousOf(file), join(folder, 'old')) : true).toBe(true)
  }
  // Replacing the file is one step. A process killed before that step leaves the old version; a process killed after it leaves the new version.
  expect(results.length).toBeGreaterThan(5)
  expect(results.toSorted((a, b) => (a === b ? 0 : a === 'old' ? -1 : 1))).toEqual(results)
  expect(new Set(results)).toEqual(new Set(['old', 'new']))
})
