import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Address, createPublicClient, getAddress, type Hex, http, parseAbi } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { PracticeDescriptor, PracticeMessage } from '../../shared/practice.ts'

const main = join(import.meta.dirname, 'sandbox.ts')

function run(args: string[], stdio: 'pipe' | 'inherit' = 'pipe'): ChildProcess {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', stdio] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return child
}

async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  if (stream === null) throw new Error('The pipe was asked for')
  const [line] = await once(createInterface({ input: stream }), 'line')
  return String(line)
}

async function text(stream: NodeJS.ReadableStream | null): Promise<string> {
  let all = ''
  for await (const chunk of stream ?? []) all += String(chunk)
  return all
}

async function listens(url: string): Promise<boolean> {
  try {
    await fetch(url.replace(/^ws:/, 'http:'))
    return true
  } catch {
    return false
  }
}

const urls = ({ hostUrl, secondHostUrl, rpcUrl, relayUrl, phoneUrl }: PracticeDescriptor) => [hostUrl, secondHostUrl, rpcUrl, relayUrl, phoneUrl]
const listening = (descriptor: PracticeDescriptor) => Promise.all(urls(descriptor).map(listens))
const nothing = [false, false, false, false, false]

async function saysThatThePortIsTaken(port: string): Promise<void> {
  const second = run(['--port', port])
  const said = text(second.stderr)
  expect(await once(second, 'exit')).toEqual([1, null])
  expect(await said).toContain('EADDRINUSE')
}

test('the sandbox prints its addresses as one JSON line, reports a port that is in use, and listens nowhere after SIGINT', {
  timeout: 60_000,
}, async () => {
  const child = run(['--json', '--hooks', '--seed', '7'])
  const descriptor = PracticeDescriptor.parse(JSON.parse(await firstLine(child.stdout)))
  expect(descriptor.hooksUrl).toMatch(/^http:\/\/127\.0\.0\.1:/)
  expect(await listening(descriptor)).toEqual([true, true, true, true, true])
  await saysThatThePortIsTaken(new URL(descriptor.hostUrl).port)
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await listening(descriptor)).toEqual(nothing)
})

test('the sandbox prints all its addresses as readable text when started without options', { timeout: 60_000 }, async () => {
  const child = run([])
  if (child.stdout === null) throw new Error('The pipe was asked for')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.startsWith('Ctrl-C')) break
  }
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(lines.join('\n')).toMatch(
    /Host URL +(http:\/\/127\.0\.0\.1:\d+)\n +Base URL +\1\/api\/dex\/v1\n +Second host +http:\S+\n +Base RPC +http:\S+\n +WalletConnect +ws:\S+\n +Practice wallet +0x[0-9a-fA-F]{40}\n +Executor +exec-practice-1\n/,
  )
})

const erc20 = parseAbi(['function balanceOf(address owner) view returns (uint256)'])
const strangers = ['0x52908400098527886E0F7030069857D2E4169EE7', '0x8617e340b3d01fa5f11f306f4090fd50e238070d'] as const

test('the sandbox prints the practice wallet’s play-money key, its executor and the funded wallets, so that a bot can trade [F7]', {
  timeout: 60_000,
}, async () => {
  const child = run(['--json', ...strangers.flatMap((owner) => ['--fund', owner])])
  const said = JSON.parse(await firstLine(child.stdout)) as PracticeDescriptor & Record<string, unknown> // The assertions below check that the parsed value has this type.
  const { hostUrl, rpcUrl, usdc, walletAddress, walletKey, executor, funded, pid } = said
  expect(privateKeyToAddress(walletKey as Hex)).toBe(walletAddress)
  expect(pid).toBe(child.pid)
  expect(funded).toEqual(strangers.map((owner) => getAddress(owner)))
  const config = (await (await fetch(`${hostUrl}/api/dex/config`)).json()) as { developer_api: { executors: unknown } }
  expect(config.developer_api.executors).toEqual([executor])
  const chain = createPublicClient({ transport: http(rpcUrl) })
  for (const owner of strangers) {
    expect(await chain.readContract({ address: usdc as Address, abi: erc20, functionName: 'balanceOf', args: [owner] })).toBe(5_000_000_000n)
    expect(await chain.getBalance({ address: owner })).toBe(50_000_000_000_000_000n)
    expect(await (await fetch(`${hostUrl}/api/dex/account?wallet=${owner}`)).json()).toMatchObject({ collateral_usdc: '10000.00' })
  }
})

test('practice mode leaves no chain process behind when it is killed with SIGKILL', { timeout: 60_000 }, async () => {
  const child = run(['--json'])
  const descriptor = PracticeDescriptor.parse(JSON.parse(await firstLine(child.stdout)))
  child.kill('SIGKILL')
  await once(child, 'exit')
  await expect.poll(() => listening(descriptor), { timeout: 8_000 }).toEqual(nothing)
})

test('practice mode ends when its parent process is killed', { timeout: 60_000 }, async () => {
  const source = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([main, '--json'])}, { stdio: ['ignore', 'inherit', 'inherit'] })`
  const parent = spawn(process.execPath, ['--input-type=commonjs', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    parent.kill('SIGKILL')
  })
  const descriptor = PracticeDescriptor.parse(JSON.parse(await firstLine(parent.stdout)))
  parent.kill('SIGKILL')
  await expect.poll(() => listening(descriptor), { timeout: 8_000 }).toEqual(nothing)
})

test('practice mode reports its addresses to its parent process, and uses the options that the parent process passes', { timeout: 60_000 }, async () => {
  const preload = `data:text/javascript,${encodeURIComponent('process.parentPort = { postMessage: (message) => process.send(message) }')}`
  const options = JSON.stringify({ dataDir: null, seed: 3, port: 0 })
  const child = spawn(process.execPath, ['--import', preload, main, options], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [message] = await once(child, 'message')
  const ready = PracticeMessage.parse(message)
  if (ready.type !== 'ready') throw new Error(ready.detail)
  expect(ready.descriptor.hooksUrl).toBeNull()
  // The message must contain only the descriptor, with which the app connects. The app does not need the wallet's private key and must not receive
  // it.
  expect(message).toEqual(ready)
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await listening(ready.descriptor)).toEqual(nothing)
})

test.each([
  ['--port', '70000', '--port takes a number from 0 to 65535.'],
  ['--fund', '0x12', '--fund takes the address of a wallet, not "0x12".'],
  ['--dialect', 'french', '--dialect takes a whole number, not "french".'],
  ['--dialect', '', '--dialect takes a whole number, not "".'],
])('the practice exchange in a terminal refuses the option %s=%s, prints the reason and the usage, and exits', async (option, value, sentence) => {
  const child = run([`${option}=${value}`])
  const said = text(child.stderr)
  expect(await once(child, 'exit')).toEqual([2, null])
  expect((await said).startsWith(`${sentence}\n\nUsage: npm run sandbox`)).toBe(true)
})
