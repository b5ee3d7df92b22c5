import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { noFaults } from '../../electron/practice/base/faults.ts'
import { createPracticeClock } from '../../electron/practice/base/practice-clock.ts'
import { type Practice, startPractice } from '../../electron/practice/practice.ts'
import { systemClock } from '../../shared/time.ts'
import { inRoot, root } from '../scripts/project.ts'

/** The shell commands in build/docs/bots.md, in page order. */
const commands = [...readFileSync(inRoot('build/docs/bots.md'), 'utf8').matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, command = '']) => command)
const [startCommand = '', typescript = '', python = '', inBackground = ''] = commands

const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }

/** Runs a command as if a user had pasted it into a terminal. */
const shell = (command: string, over: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn('bash', ['-c', command], { cwd: root, env: { ...env, ...over }, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })

async function interrupt(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return
  process.kill(-child.pid, 'SIGINT')
  await once(child, 'exit')
}

interface Ran {
  readonly code: number
  readonly lines: readonly string[]
  readonly complaint: string
}

const runBot = (command: string, settings: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  new Promise((resolve) => {
    execFile('bash', ['-c', command], { cwd: root, env: { ...env, ...settings } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), lines: stdout.trim().split('\n'), complaint: stderr }),
    )
  })

async function positions(hostUrl: string, wallet: string): Promise<unknown[]> {
  const answer = await fetch(`${hostUrl}/api/dex/positions?wallet=${wallet}`)
  return ((await answer.json()) as { positions: unknown[] }).positions
}

const hasEthAccount = spawnSync('python3', ['-c', 'import eth_account']).status === 0
const bots = [
  ['TypeScript', typescript, true],
  ['Python', python, hasEthAccount],
] as const

let practice: Practice
beforeAll(async () => {
  const started = await startPractice({ dataDir: null, seed: 1, port: 0, clock: createPracticeClock(systemClock), hooks: true })
  if (!started.ok) throw new Error(started.failure.detail)
  practice = started.value
}, 60_000)
afterEach(() => void Object.assign(practice.faults, noFaults()))
afterAll(() => practice.stop())

const prepare = 'POST /api/dex/v1/orders/prepare'
const relay = 'POST /api/dex/actions/relay'
const callsSince = (count: number, route: string) =>
  practice.exchange
    .calls()
    .slice(count)
    .filter((call) => `${call.method} ${call.route}` === route)

const settings = () => ({ SVC_HOST_URL: practice.descriptor.hostUrl, SVC_WALLET_KEY: practice.bots.walletKey })

for (const [language, command, isThere] of bots) {
  test(`the example ${language} bot starts without an API key, places an order and follows it to FINAL, using only the documented commands [F7]`, {
    timeout: 120_000,
  }, async ({ skip }) => {
    skip(!isThere, 'eth-account is not installed')
    const sandbox = shell(startCommand)
    onTestFinished(() => interrupt(sandbox))
    const said: string[] = []
    for await (const line of createInterface({ input: sandbox.stdout as NodeJS.ReadableStream })) {
      said.push(line)
      if (line.startsWith('Ctrl-C')) break
    }
    expect(said.join('\n')).toContain('PLAY MONEY')
    const exports = said.filter((line) => line.startsWith('export '))
    const ran = await runBot([...exports, command].join('\n'))
    expect(ran).toMatchObject({ code: 0, complaint: '' })
    expect(ran.lines[0]).toMatch(/^0x[0-9a-f]{64}$/)
    expect(ran.lines.at(-1)).toBe('FINAL')
    const named = (name: string) =>
      said
        .find((line) => line.includes(name))
        ?.trim()
        .split(/\s+/)
        .at(-1) ?? ''
    expect(await positions(named('Host URL'), named('Practice wallet'))).toHaveLength(1)
  })

  test(`the example ${language} bot waits as long as Retry-After says, and asks for a new price when its old price is stale [F7]`, {
    timeout: 120_000,
  }, async ({ skip }) => {
    skip(!isThere, 'eth-account is not installed')
    practice.faults.answer = [
      { route: prepare, status: 429, code: 'RATE_LIMITED', times: 1, retryAfterSeconds: 2 },
      { route: prepare, status: 400, code: 'MARKET_DATA_STALE', times: 1 },
    ]
    const asked = practice.exchange.calls().length
    expect(await runBot(command, settings())).toMatchObject({ code: 0, complaint: '' })
    const prepared = callsSince(asked, prepare)
    expect(prepared.map(({ status }) => status)).toEqual([429, 400, 200])
    const [first, second] = prepared.map(({ atMs }) => atMs)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2_000)
  })

  test(`if the exchange’s responses are lost, the example ${language} bot still sends its order exactly once and leaves no active key behind [F7]`, {
    timeout: 120_000,
  }, async ({ skip }) => {
    skip(!isThere, 'eth-account is not installed')
    const [asked, before] = [practice.exchange.calls().length, practice.exchange.effects()]
    practice.faults.dropAnswer = [prepare, relay].map((route) => ({ route, times: 1 }))
    const ran = await runBot(command, settings())
    expect(ran).toMatchObject({ code: 0, complaint: '' })
    expect(ran.lines.at(-1)).toBe('FINAL')
    expect(callsSince(asked, prepare).map(({ status }) => status)).toEqual([0, 200])
    expect(callsSince(asked, relay).map(({ status }) => status)).toEqual([0])
    const after = practice.exchange.effects()
    expect([after.prepared, after.relayed.length]).toEqual([before.prepared + 1, before.relayed.length + 1])
    expect(after.keys.filter(({ status }) => status !== 'revoked')).toEqual([])
  })

  test(`the example ${language} bot refuses to sign an altered order, or a sign-in message for another wallet [F7]`, { timeout: 120_000 }, async ({ skip }) => {
    skip(!isThere, 'eth-account is not installed')
    const asked = practice.exchange.calls().length
    const wrong = [
      ...(['amount', 'chain', 'wallet', 'extra_field', 'new_layout', 'side', 'leverage', 'deadline', 'slippage', 'router'] as const).map((typedData) => ({
        typedData,
      })),
      ...(['host', 'wallet', 'nonce'] as const).map((challenge) => ({ challenge })),
      ...(['ready_but_failed', 'not_ready_but_signable', 'unknown_status'] as const).map((prepared) => ({ prepared })),
    ]
    for (const fault of wrong) {
      Object.assign(practice.faults, noFaults(), fault)
      expect([fault, (await runBot(command, settings())).code]).toEqual([fault, 1])
    }
    expect(callsSince(asked, prepare).length).toBeGreaterThan(0)
    expect(callsSince(asked, relay)).toEqual([])
  })
}

test('the example bot in Python is valid Python code', () => {
  const compiled = spawnSync('python3', ['-c', `compile(open(${JSON.stringify(inRoot('build/examples/bot.py'))}).read(), 'bot.py', 'exec')`], {
    encoding: 'utf8',
  })
  expect(compiled.stderr).toBe('')
})

test('a practice exchange started in the background outlives its shell, and stops when the process whose id is in its file gets SIGTERM [F7]', {
  timeout: 60_000,
}, async () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-desk-bots-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  expect(await once(shell(inBackground, { HOME: home }), 'exit')).toEqual([0, null])
  const written = () => readFileSync(join(home, 'sandbox.json'), 'utf8')
  await expect.poll(written, { timeout: 30_000 }).toMatch(/}\n$/)
  const { hostUrl, pid } = JSON.parse(written()) as { hostUrl: string; pid: number }
  expect((await fetch(`${hostUrl}/api/dex/status`)).status).toBe(200)
  process.kill(pid, 'SIGTERM')
  const answers = () =>
    fetch(hostUrl).then(
      () => true,
      () => false,
    )
  await expect.poll(answers, { timeout: 10_000 }).toBe(false)
})
