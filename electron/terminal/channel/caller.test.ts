import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { whoHolds } from './address-file.ts'

let folder: string
let mark: string
const running: (() => Promise<unknown>)[] = []
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-desk-caller-')))
  mark = join(folder, 'mark')
  writeFileSync(mark, '')
})
afterEach(async () => {
  for (const stop of running.splice(0)) await stop()
  rmSync(folder, { recursive: true, force: true })
})

async function hold() {
  const words = ['-e', `require('node:fs').openSync(${JSON.stringify(mark)}); console.log('open'); setInterval(() => {}, 1000)`, 'a word']
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const stop = () => {
    child.kill('SIGKILL')
    return ended
  }
  running.push(stop)
  await once(child.stdout, 'data')
  return { pid: child.pid, words, stop }
}

// Windows does not say which process holds a file open.
const knowsHolders = process.platform !== 'win32'

test.skipIf(!knowsHolders)('the app finds the process that holds a file open, with the process’s program, arguments, folder and parent [V9]', async () => {
  const { pid, words } = await hold()
  const node = realpathSync(process.execPath)
  expect(await whoHolds(mark)).toEqual({ pid, program: node, words: [process.execPath, ...words], folder, startedBy: node })
})

test.skipIf(!knowsHolders)('the app names no process as the holder of an open file if none or several hold the file open [V9]', async () => {
  expect(await whoHolds(mark)).toBeNull()
  const first = await hold()
  const second = await hold()
  expect(await whoHolds(mark)).toBeNull()
  await first.stop()
  expect(await whoHolds(mark)).toMatchObject({ pid: second.pid })
  await second.stop()
  expect(await whoHolds(mark)).toBeNull()
})
