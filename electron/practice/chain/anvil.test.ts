import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { runGuarded } from './anvil.ts'

const patience = { timeout: 8_000 }

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !existsSync('/proc/self/status') || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  const [line] = await once(createInterface({ input: stream }), 'line')
  return String(line)
}

const platform = process.platform
const sayHomeAndWait = ['-c', 'echo "$HOME"; exec sleep 300']

test('practice mode stops its chain’s program on request, and removes the program’s home folder', async () => {
  const guarded = runGuarded('/bin/sh', sayHomeAndWait, platform)
  const home = await firstLine(guarded.stdout)
  expect(existsSync(home)).toBe(true)
  await guarded.stop()
  expect(isRunning(guarded.pid)).toBe(false)
  await expect.poll(() => existsSync(home), patience).toBe(false)
})

test('practice mode kills its chain’s program if the program ignores the request to stop', { timeout: 30_000 }, async () => {
  const guarded = runGuarded('/bin/sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 1; done'], platform)
  await firstLine(guarded.stdout)
  await guarded.stop()
  expect(await guarded.ended).toBe('it was ended by SIGKILL')
})

test('practice mode reports the exit code of its chain’s program if the program ends without a request to stop', async () => {
  expect(await runGuarded('/bin/sh', ['-c', 'exit 3'], platform).ended).toBe('it ended with code 3')
})

const deaths: [string, (parent: number) => void][] = [
  ['a parent that was killed with SIGKILL', (parent) => process.kill(parent, 'SIGKILL')],
  ['a parent whose whole group was killed with SIGKILL', (parent) => process.kill(-parent, 'SIGKILL')],
]
test.for(deaths)('the practice chain’s program and its home folder do not outlive %s', async ([_name, kill]) => {
  const source = `
    const { runGuarded } = await import(${JSON.stringify(join(import.meta.dirname, 'anvil.ts'))})
    const guarded = runGuarded('/bin/sh', ${JSON.stringify(sayHomeAndWait)}, process.platform)
    guarded.stdout.once('data', (home) => console.log(JSON.stringify({ pid: guarded.pid, home: String(home).trim() })))
  `
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const { pid, home } = JSON.parse(await firstLine(parent.stdout)) as { pid: number; home: string }
  expect(isRunning(pid)).toBe(true)
  kill(parent.pid ?? 0)
  await once(parent, 'exit')
  await expect.poll(() => isRunning(pid), { timeout: 8_000 }).toBe(false)
  await expect.poll(() => existsSync(home), { timeout: 8_000 }).toBe(false)
})
