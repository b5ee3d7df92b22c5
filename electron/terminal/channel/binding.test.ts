import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bind, type ClaimedCommand, isInterpreter } from '../terminal.ts'
import type { Caller } from './address-file.ts'

let folder: string
let bot: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-binding-'))
  bot = join(folder, 'bot')
  writeFileSync(bot, 'ELF of a bot', { mode: 0o755 })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const own = '/opt/svc-desk/svc-desk'
const command = (change: Partial<ClaimedCommand> = {}): ClaimedCommand => ({
  kind: 'run',
  words: ['bot', '--fast'],
  program: bot,
  folder: '/home/me',
  ...change,
})
const caller = (change: Partial<Caller> = {}): Caller => ({
  ...{ pid: 7, program: own, words: [own, 'run', '--key', 'k', '--', 'bot', '--fast'], folder: '/home/me', startedBy: '/usr/bin/bash' },
  ...change,
})

test('the app remembers an approved svc-desk command only for the exact bytes of the program that gets the key [V9]', async () => {
  const first = await bind(command(), caller(), own)
  expect(first).toEqual({ each: null, print: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(await bind(command(), caller(), own)).toEqual(first)
  writeFileSync(bot, 'ELF of another bot')
  const other = await bind(command(), caller(), own)
  expect(other.each).toBeNull()
  expect(other.print).not.toBe(first.print)
})

test.each([
  ['a system that does not say who asks', null],
  ['another program than svc-desk', caller({ program: '/home/me/evil' })],
  ['svc-desk with other words', caller({ words: [own, 'run', '--key', 'k', '--', 'evil', '--fast'] })],
  ['svc-desk without words', caller({ words: [] })],
  ['svc-desk in another folder', caller({ folder: '/tmp' })],
] as const)('the app asks the user for each terminal command that comes from %s [V9] [35]', async (_what, who) => {
  expect(await bind(command(), who, own)).toEqual({ each: 'caller', print: null })
})

test('the app asks the user each time while svc-desk itself runs in an interpreter, because any script could use that interpreter [V9]', async () => {
  expect(await bind(command(), caller({ program: '/usr/bin/node' }), '/usr/bin/node')).toEqual({ each: 'caller', print: null })
})

test('the app asks the user about every revocation and plan by svc-desk, and every run of an interpreter, a script or an unreadable program [V9]', async () => {
  for (const program of ['/usr/bin/python3.12', '/bin/sh', null])
    expect(await bind(command({ program }), caller(), own)).toEqual({ each: 'interpreter', print: null })
  writeFileSync(bot, '#!/usr/bin/env python3\n')
  expect(await bind(command(), caller(), own)).toEqual({ each: 'interpreter', print: null })
  expect(await bind(command({ program: join(folder, 'gone') }), caller(), own)).toEqual({ each: 'interpreter', print: null })
  for (const kind of ['revoke', 'fleet'] as const) expect(await bind(command({ kind }), caller(), own)).toEqual({ each: 'once', print: null })
})

test.each([
  'node',
  'nodejs',
  'node22',
  'Node.exe',
  'python',
  'python3',
  'python3.12',
  'pypy3.10',
  'ruby2.7',
  'perl5.36.0',
  'sh',
  'bash',
  'dash',
  'deno',
  'bun',
  'env',
  'pwsh-7.4',
  'busybox',
])('the app recognises %s as an interpreter, which can run any script', (name) => expect(isInterpreter(`/usr/bin/${name}`)).toBe(true))

test.each(['svc-desk', 'bot', 'freqtrade-rs', 'nodebot', 'my-python-bot', 'bot2'])(
  'the app does not mistake the program %s for an interpreter of scripts',
  (name) => expect(isInterpreter(`/opt/${name}`)).toBe(false),
)
