import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PracticeUnavailable } from '../../../shared/ipc/failure.ts'
import type { PracticeDescriptor, PracticeOptions } from '../../../shared/practice.ts'
import { createPracticeProcess, type PracticeChild } from './practice-process.ts'

const descriptor: PracticeDescriptor = {
  hostUrl: 'http://127.0.0.1:1001',
  secondHostUrl: 'http://127.0.0.1:1002',
  rpcUrl: 'http://127.0.0.1:1003',
  relayUrl: 'ws://127.0.0.1:1004',
  phoneUrl: 'http://127.0.0.1:1005',
  token: 't',
  walletAddress: '0xaa',
  router: '0xcc',
  usdc: '0xbb',
  svc: '0xdd',
  hooksUrl: null,
}
const options: PracticeOptions = { dataDir: null, seed: 1, port: 0 }

interface FakeChild extends PracticeChild {
  say(message: unknown): void
  end(how: string): void
  killed: boolean
}

function setUp(attachTo: string | null = null, unavailable: PracticeUnavailable | null = null) {
  const children: FakeChild[] = []
  let lost = 0
  const practice = createPracticeProcess({
    options,
    unavailable: () => unavailable,
    attachTo,
    onLost: () => {
      lost += 1
    },
    fork: () => {
      let onMessage: (message: unknown) => void = () => {}
      let onExit: (how: string) => void = () => {}
      const child: FakeChild = {
        killed: false,
        onMessage: (listener) => {
          onMessage = listener
        },
        onExit: (listener) => {
          onExit = listener
        },
        kill() {
          child.killed = true
          queueMicrotask(() => onExit('SIGTERM'))
        },
        say: (message) => onMessage(message),
        end: (how) => onExit(how),
      }
      children.push(child)
      return child
    },
  })
  const child = (index = 0): Promise<FakeChild> =>
    vi.waitFor(() => {
      const found = children[index]
      if (found === undefined) throw new Error('not forked')
      return found
    })
  return { practice, children, child, lost: () => lost }
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-practice-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the app counts practice mode as started once all its parts listen, and starts it only once if several starts are requested', async () => {
  const { practice, children, child } = setUp()
  const both = [practice.start(), practice.start()]
  expect(practice.state()).toEqual({ state: 'starting' })
  ;(await child()).say({ type: 'something else' })
  ;(await child()).say({ type: 'ready', descriptor })
  expect(await Promise.all(both)).toEqual([
    { ok: true, value: descriptor },
    { ok: true, value: descriptor },
  ])
  expect(await practice.start()).toEqual({ ok: true, value: descriptor })
  expect(children).toHaveLength(1)
  expect(practice.state()).toEqual({ state: 'running', descriptor })
})

test('the app reports which part of practice mode failed to start, and can start practice mode again', async () => {
  const { practice, child } = setUp()
  const first = practice.start()
  ;(await child()).say({ type: 'failed', part: 'chain', detail: 'anvil is missing' })
  expect(await first).toEqual({ ok: false, failure: { kind: 'practice_failed', part: 'chain', detail: 'anvil is missing' } })
  expect(practice.state()).toEqual({ state: 'failed', part: 'chain', detail: 'anvil is missing' })
  expect((await child()).killed).toBe(true)

  const second = practice.start()
  ;(await child(1)).end('1')
  expect(await second).toMatchObject({ ok: false, failure: { part: 'process', detail: 'ended (1)' } })

  const third = practice.start()
  ;(await child(2)).say({ type: 'ready', descriptor })
  expect((await third).ok).toBe(true)
})

test('the app reports an unexpected exit of the practice process, but not an exit that the app requested', async () => {
  const { practice, child, lost } = setUp()
  const first = practice.start()
  ;(await child()).say({ type: 'ready', descriptor })
  await first
  ;(await child()).end('SIGSEGV')
  expect(lost()).toBe(1)
  expect(practice.state()).toMatchObject({ state: 'failed', part: 'process' })

  const second = practice.start()
  ;(await child(1)).say({ type: 'ready', descriptor })
  await second
  await practice.stop()
  expect((await child(1)).killed).toBe(true)
  expect(lost()).toBe(1)
  expect(practice.state()).toEqual({ state: 'off' })
})

test('the app starts a practice process only after the previous one has ended, because the processes use the same folder', async () => {
  const { practice, children, child } = setUp()
  const first = practice.start()
  const old = await child()
  old.say({ type: 'ready', descriptor })
  await first
  old.kill = () => {
    old.killed = true
  }
  const stopped = practice.stop()
  const second = practice.start()
  expect(old.killed).toBe(true)
  await new Promise((resolve) => setImmediate(resolve))
  expect(children).toHaveLength(1)
  old.end('0')
  await stopped
  ;(await child(1)).say({ type: 'ready', descriptor })
  expect((await second).ok).toBe(true)
})

test('if practice mode fails after its start, the app reports which part failed', async () => {
  const { practice, child, lost } = setUp()
  const first = practice.start()
  const running = await child()
  running.say({ type: 'ready', descriptor })
  await first
  running.say({ type: 'failed', part: 'chain', detail: 'anvil ended' })
  await expect.poll(lost).toBe(1)
  expect(practice.state()).toEqual({ state: 'failed', part: 'chain', detail: 'anvil ended' })
})

test('if a file names a running practice process, the app connects to that process and starts no other', async () => {
  const file = join(folder, 'descriptor.json')
  writeFileSync(file, JSON.stringify(descriptor))
  const { practice, children } = setUp(file)
  expect(await practice.start()).toEqual({ ok: true, value: descriptor })
  expect(children).toHaveLength(0)

  writeFileSync(file, '{"hostUrl":1}')
  expect(await setUp(file).practice.start()).toMatchObject({ ok: false, failure: { kind: 'practice_failed', part: 'process' } })
})

test('if this computer cannot run the chain, practice mode reports that before a start, and starts no process', async () => {
  const missing = { kind: 'practice_unavailable', why: 'anvil_missing', system: 'darwin-arm64', npmPackage: '@foundry-rs/anvil-darwin-arm64' } as const
  const { practice, children } = setUp(null, missing)
  expect(practice.unavailable()).toEqual(missing)
  expect(await practice.start()).toEqual({ ok: false, failure: missing })
  expect([practice.state(), children.length]).toEqual([{ state: 'off' }, 0])
})
