import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../e2e/support/free-port.ts'

const at = (file: string) => join(import.meta.dirname, '../..', file)
const secret = 'SVCplanted0123456789abcdef0123456789'

/** Returns code that throws or rejects once the process runs, with a secret in the error message. */
const plant = (how: string) => `
  const timer = setInterval(() => {
    if (process.listenerCount('SIGUSR1') + process.listenerCount('SIGTERM') === 0) return
    clearInterval(timer)
    const error = new Error('planted ${secret}')
    if (${JSON.stringify(how)} === 'rejects') void Promise.reject(error)
    else throw error
  }, 20)`

/** Starts the process as Electron does: an unhandled rejection only prints a warning. */
function run(how: string, words: readonly string[]): ChildProcess {
  const planted = `data:text/javascript,${encodeURIComponent(plant(how))}`
  const child = spawn(process.execPath, ['--unhandled-rejections=warn', '--disable-warning=ExperimentalWarning', '--import', planted, ...words], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, HOOK: `whsec_${'a'.repeat(40)}` },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const entries = [
  ['the keychain’s worker', 1, async () => [at('electron/store/keychain/keychain-worker.ts')]],
  ['svc-desk', 70, async () => [at('e2e/support/terminal/svc-desk.ts'), 'listen', '--secret-env', 'HOOK', '--port', String(await freePort())]],
  ['practice', 1, async () => [at('electron/practice/sandbox.ts')]],
] as const

test.each(entries.flatMap(([name, code, words]) => ['throws', 'rejects'].map((how) => ({ name, how, code, words }))))(
  'the process $name ends with a failure when something in it $how and no code catches the error',
  { timeout: 30_000 },
  async ({ name, how, code, words }) => {
    const child = run(how, await words())
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    expect(await once(child, 'exit')).toEqual([code, null])
    // The practice process handles only play money, so its output may contain the secret.
    if (name !== 'practice') expect(printed).not.toContain(secret)
  },
)
