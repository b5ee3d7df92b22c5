import { parseArgs } from 'node:util'
import { type Address, getAddress, isAddress } from 'viem'
import { type PracticeMessage, PracticeOptions } from '../../shared/practice.ts'
import { second, systemClock } from '../../shared/time.ts'
import { createPracticeClock, type PracticeClock } from './base/practice-clock.ts'
import { type Practice, type PracticeFailure, startPractice } from './practice.ts'

/** Calls `gone` once the parent process has ended for any reason. Polls, because a parent that is killed sends no message. */
function whenParentIsGone(gone: () => void): void {
  const parent = process.ppid
  const check = () => {
    if (process.ppid === parent && isAlive(parent)) return
    clearInterval(timer)
    gone()
  }
  const timer = setInterval(check, second / 2).unref()
  process.once('disconnect', gone)
}

/** Sends signal 0 to test whether the process exists. `process.ppid` does not help: on Windows it still names a parent that has ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The error EPERM means that the process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Electron’s channel from a utility process to its parent process. In plain Node there is no such channel. */
interface ParentPort {
  postMessage(message: PracticeMessage): void
}

interface Launch {
  readonly options: PracticeOptions
  readonly hooks: boolean
  readonly dialect: number | null
  readonly funded: readonly Address[]
  readonly clock: PracticeClock
  ready(practice: Practice): void
  failed(failure: PracticeFailure): void
}

declare const __HOOKS__: boolean

const usage = `Usage: npm run sandbox -- [options]

  --port N        port of the exchange (default: any free one)
  --seed N        seed of the markets' movement (default: 1)
  --data-dir DIR  keeps wallet, chain and account there (default: memory)
  --dialect N     speaks another exchange's dialect where the document leaves a shape open
  --fund ADDRESS  gives another wallet play money too: USDC, collateral and ETH for gas; may be repeated
  --hooks         opens the test hooks (clock, faults, phone, chain)
  --ahead MS      with --hooks: begins so far ahead of this computer's clock, or behind it
  --json          prints one line of JSON instead of text, with the practice wallet's key and the pid to stop
`

function launchFromParent(port: ParentPort): Launch {
  return {
    options: PracticeOptions.parse(JSON.parse(process.argv[2] ?? 'null')),
    hooks: typeof __HOOKS__ !== 'undefined' && __HOOKS__,
    dialect: null,
    funded: [],
    clock: createPracticeClock(systemClock),
    ready: ({ descriptor }) => port.postMessage({ type: 'ready', descriptor }),
    failed: (failure) => port.postMessage({ type: 'failed', ...failure }),
  }
}

function wholeNumber(option: string, written: string): number {
  if (!/^-?\d{1,15}$/.test(written)) throw new Error(`--${option} takes a whole number, not "${written}".`)
  return Number(written)
}

function addressOf(written: string): Address {
  if (!isAddress(written)) throw new Error(`--fund takes the address of a wallet, not "${written}".`)
  return getAddress(written)
}

function launchFromTerminal(): Launch {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      'data-dir': { type: 'string' },
      dialect: { type: 'string' },
      fund: { type: 'string', multiple: true, default: [] },
      hooks: { type: 'boolean', default: false },
      ahead: { type: 'string', default: '0' },
      json: { type: 'boolean', default: false },
    },
  })
  const port = wholeNumber('port', values.port)
  if (port < 0 || port > 65_535) throw new Error('--port takes a number from 0 to 65535.')
  const options = PracticeOptions.parse({ port, seed: wholeNumber('seed', values.seed), dataDir: values['data-dir'] ?? null })
  const dialect = values.dialect === undefined ? null : wholeNumber('dialect', values.dialect)
  const aheadMs = values.hooks ? wholeNumber('ahead', values.ahead) : 0
  const clock = createPracticeClock({ now: () => systemClock.now() + aheadMs, monotonic: systemClock.monotonic })
  return {
    options,
    hooks: values.hooks,
    dialect,
    funded: values.fund.map(addressOf),
    clock,
    ready: (practice) => process.stdout.write(values.json ? announcedAsJson(practice) : announcedAsText(practice)),
    failed: ({ detail }) => process.stderr.write(`${detail}\n`),
  }
}

function readLaunch(): Launch {
  // Node's types lack `parentPort`, which exists only in Electron's utility processes.
  const { parentPort } = process as { parentPort?: ParentPort }
  try {
    return parentPort === undefined ? launchFromTerminal() : launchFromParent(parentPort)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}

const patience = 8 * second

const { options, ready, failed, ...launch } = readLaunch()
const starting = startPractice({ ...options, ...launch })
let ending = false

async function end(code: number): Promise<void> {
  if (ending) return
  ending = true
  setTimeout(() => process.exit(1), patience).unref()
  const practice = await starting
  if (practice.ok) await practice.value.stop()
  process.exit(code)
}

/**
 * Stops practice after an unexpected error, because its state can no longer be trusted. The parent process may start practice again. A second error
 * ends the process at once.
 */
function endAfter(error: unknown): void {
  if (ending) process.exit(1)
  failed({ part: 'process', detail: error instanceof Error ? error.message : String(error) })
  void end(1)
}

// Without this handler, Electron would continue after an unhandled rejection.
process.on('uncaughtException', endAfter)
process.on('unhandledRejection', endAfter)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
whenParentIsGone(() => void end(0))

const practice = await starting
if (practice.ok) {
  if (!ending) ready(practice.value)
  const failure = await practice.value.broken
  if (!ending) {
    failed(failure)
    await end(1)
  }
} else {
  failed(practice.failure)
  await end(1)
}

type Announced = Pick<Practice, 'descriptor' | 'bots'>

/**
 * Formats the result for programs, as one line of JSON. The `walletKey` in it controls only play money. To stop practice, send SIGTERM to the process
 * `pid`.
 */
function announcedAsJson({ descriptor, bots }: Announced): string {
  return `${JSON.stringify({ ...descriptor, ...bots, pid: process.pid })}\n`
}

/** Formats the result for people: all addresses, and what a bot needs. */
function announcedAsText({ descriptor, bots }: Announced): string {
  const { hostUrl, secondHostUrl, rpcUrl, relayUrl, walletAddress, hooksUrl } = descriptor
  const lines: [name: string, value: string][] = [
    ['Host URL', hostUrl],
    ['Base URL', `${hostUrl}/api/dex/v1`],
    ['Second host', secondHostUrl],
    ['Base RPC', rpcUrl],
    ['WalletConnect', relayUrl],
    ['Practice wallet', walletAddress],
    ...bots.funded.map((owner): [string, string] => ['Funded wallet', owner]),
    ['Executor', bots.executor],
    ...(hooksUrl === null ? [] : [['Test hooks', hooksUrl] as [string, string]]),
  ]
  const table = lines.map(([name, value]) => `  ${name.padEnd(17)}${value}`).join('\n')
  return `Practice mode is running, on this computer only and with play money.

${table}

For a bot, paste these lines into its terminal. The key signs for the practice wallet.
It is PLAY MONEY: a random key, made here and worth nothing anywhere else.

export SVC_HOST_URL=${hostUrl}
export SVC_WALLET_KEY=${bots.walletKey}

Ctrl-C stops it. So does closing this terminal, or: kill ${process.pid}
`
}
