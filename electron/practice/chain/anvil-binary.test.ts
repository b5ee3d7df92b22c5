import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../../shared/time.ts'
import { createPracticeClock } from '../base/practice-clock.ts'
import { findAnvil } from './anvil-binary.ts'
import { startChain } from './start-chain.ts'

let resources: string
beforeEach(() => {
  resources = mkdtempSync(join(tmpdir(), 'svc-desk-resources-'))
  mkdirSync(join(resources, 'anvil'))
})
afterEach(() => rmSync(resources, { recursive: true, force: true }))

const everything = () => true
const place = (name: string) => join(resources, 'anvil', name)

test.for([
  ['linux', 'x64', 'anvil'],
  ['linux', 'arm64', 'anvil'],
  ['darwin', 'x64', 'anvil'],
  ['darwin', 'arm64', 'anvil'],
  ['win32', 'x64', 'anvil.exe'],
] as const)('on %s-%s, practice mode uses the chain’s program of the package', ([platform, arch, name]) => {
  writeFileSync(place(name), '', { mode: 0o755 })
  expect(findAnvil({ platform, arch, resources, exists: everything })).toEqual({ ok: true, value: place(name) })
})

test.for([
  ['darwin', 'x64', 'anvil_missing', '@foundry-rs/anvil-darwin-amd64'],
  ['darwin', 'arm64', 'anvil_missing', '@foundry-rs/anvil-darwin-arm64'],
  ['win32', 'x64', 'anvil_missing', '@foundry-rs/anvil-win32-amd64'],
  ['linux', 'arm64', 'anvil_missing', '@foundry-rs/anvil-linux-arm64'],
  ['win32', 'arm64', 'unsupported_platform', null],
  ['linux', 'riscv64', 'unsupported_platform', null],
] as const)('on %s-%s without the chain’s program, practice mode names why it cannot start: %s', ([platform, arch, kind, npmPackage]) => {
  expect(findAnvil({ platform, arch, resources, exists: everything })).toMatchObject({
    ok: false,
    failure: { kind, system: `${platform}-${arch}`, npmPackage, detail: expect.stringContaining(npmPackage ?? `${platform} on ${arch}`) },
  })
})

test.for(['x64', 'arm64'])('on Linux %s with musl, practice mode says that its chain needs glibc, although the chain’s program is there', (arch) => {
  writeFileSync(place('anvil'), '', { mode: 0o755 })
  const alpine = (path: string) => path.startsWith('/lib/ld-musl')
  expect(findAnvil({ platform: 'linux', arch, resources, exists: alpine })).toMatchObject({ ok: false, failure: { kind: 'no_glibc', system: `linux-${arch}` } })
})

// The fakes need this system's own program and its shell.
describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('with another platform faked on Linux', () => {
  const own = findAnvil({ platform: 'linux', arch: 'x64', resources: null })
  const program = own.ok ? own.value : 'missing'
  const start = (platform: string, arch: string) =>
    startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: false, platform, arch, resources })
  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  test.for([
    ['darwin', 'arm64'],
    ['darwin', 'x64'],
  ] as const)('practice mode starts and stops its chain the way of %s-%s', { timeout: 30_000 }, async ([platform, arch]) => {
    symlinkSync(program, place('anvil'))
    const started = await start(platform, arch)
    if (!started.ok) throw new Error(started.failure.detail)
    expect(await started.value.timestamp()).toBeGreaterThan(0)
    await started.value.stop()
    await expect.poll(() => isRunning(started.value.pid)).toBe(false)
  })

  /** A PowerShell that knows only the command of practice mode’s watcher: it waits until its input ends, then ends one process. */
  const watcher = `#!/bin/sh
pid=$(printf '%s' "$*" | sed -n 's/.*ReadToEnd.*Stop-Process -Id \\([0-9]*\\) -Force.*/\\1/p')
cat >/dev/null
kill -9 "$pid"
`
  const onPath = (folder: string) => {
    vi.stubEnv('PATH', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
  }

  test('practice mode starts its chain the way of win32-x64, and a separate PowerShell ends it', { timeout: 30_000 }, async () => {
    symlinkSync(program, place('anvil.exe'))
    writeFileSync(join(resources, 'powershell.exe'), watcher)
    chmodSync(join(resources, 'powershell.exe'), 0o755)
    onPath([resources, process.env.PATH].join(delimiter))
    const started = await start('win32', 'x64')
    if (!started.ok) throw new Error(started.failure.detail)
    expect(await started.value.timestamp()).toBeGreaterThan(0)
    await started.value.stop()
    await expect.poll(() => isRunning(started.value.pid)).toBe(false)
  })

  test('on Windows without PowerShell, practice mode does not leave its chain unwatched: it ends the chain and says why', { timeout: 30_000 }, async () => {
    symlinkSync(program, place('anvil.exe'))
    onPath(resources)
    const started = await start('win32', 'x64')
    expect(started).toMatchObject({ ok: false, failure: { kind: 'anvil_failed', detail: expect.stringContaining('its watcher did not start') } })
  })

  test('on Windows without PowerShell, a chain that listens before its watcher fails is refused for the watcher, too', { timeout: 30_000 }, async () => {
    writeFileSync(place('anvil.exe'), '#!/bin/sh\necho Listening on 127.0.0.1:1\nexec /bin/sleep 20\n', { mode: 0o755 })
    // So many folders to look for PowerShell in that the chain listens first.
    onPath('a:'.repeat(60_000))
    expect(await start('win32', 'x64')).toMatchObject({
      ok: false,
      failure: { kind: 'anvil_failed', detail: expect.stringContaining('its watcher did not start') },
    })
  })
})
