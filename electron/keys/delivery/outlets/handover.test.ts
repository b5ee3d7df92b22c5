import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isRunning } from '../../../../e2e/host/process-tree.ts'
import type { Handover } from '../../../../shared/ipc/keys/secrets.ts'
import { ok, type Result } from '../../../../shared/result.ts'
import { systemClock } from '../../../../shared/time.ts'
import { Secret } from '../../../kernel/secret.ts'
import { LeavingSecret } from '../../../store/secrets/leaving-secret.ts'
import { maskText } from '../../../store/secrets/mask.ts'
import type { SecretUse } from '../../../store/secrets/secret-store.ts'
import type { StoredKey } from '../../../store/secrets/stored-secrets.ts'
import { createHandover } from './handover.ts'
import { runCommand } from './run-command.ts'

const value = 'SVC_live_Zq8fW3nT0vRk51LmXy7PdG2h'
const secret = new Secret(value)

let home: string
let record: string
let unlocked: boolean
beforeEach(() => {
  unlocked = true
  home = mkdtempSync(join(tmpdir(), 'svc-desk-handover-'))
  record = join(home, 'record')
  mkdirSync(join(home, 'bin'))
  mkdirSync(record)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function program(name: string, more = '') {
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${record}/words'\ncat > '${record}/input'\nenv > '${record}/env'\n${more}\n`
  writeFileSync(join(home, 'bin', name), script, { mode: 0o755 })
}
const recorded = (what: 'words' | 'input' | 'env') => readFileSync(join(record, what), 'utf8')

function setUp(agrees = true, env: NodeJS.ProcessEnv = {}, meanwhile = () => {}) {
  const uses: SecretUse[] = []
  const asked: string[] = []
  const handlers = createHandover({
    profileId: 'p1',
    baseUrl: 'https://dex.example/api/dex/v1',
    holdKey: async (keyId) => ok({ keyId, label: 'hedger', secret: new LeavingSecret(secret, () => unlocked) }),
    confirm: async ({ message, detail }) => {
      asked.push(`${message}\n${detail}`)
      meanwhile()
      return agrees
    },
    note: (use) => uses.push(use),
    env: { PATH: `${join(home, 'bin')}:/usr/bin:/bin`, ...env },
    folder: home,
    clock: systemClock,
  })
  return { uses, asked, run: (handover: Handover) => handlers['handover.run']({ keyId: 'k1', ...handover }), preview: handlers['handover.preview'] }
}

const report = <T, F>(answer: Result<T, F>): T => {
  if (!answer.ok) throw new Error(JSON.stringify(answer.failure))
  return answer.value
}

const docker: Handover = { target: 'docker', options: { name: 'svc_key', context: null, content: 'key' } }
const targets: readonly (readonly [string, Handover, string])[] = [
  ['docker', docker, 'secret\ncreate\nsvc_key\n-\n'],
  [
    'kubectl',
    {
      target: 'kubernetes',
      options: { name: 'svc-key', entry: 'SVC_API_KEY', namespace: 'bots', context: null, how: 'replace', content: 'key' },
    },
    '--namespace=bots\napply\n--server-side\n--force-conflicts\n--filename=-\n',
  ],
  [
    'gh',
    { target: 'github', options: { name: 'SVC_API_KEY', repo: 'acme/bots', environment: null, content: 'env' } },
    'secret\nset\nSVC_API_KEY\n--repo=acme/bots\n',
  ],
  [
    'systemd-creds',
    { target: 'systemd', options: { name: 'svc-key', output: '/run/x.cred', seal: 'auto', content: 'key' } },
    'encrypt\n--name=svc-key\n--with-key=auto\n-\n/run/x.cred\n',
  ],
  ['glab', { target: 'command', options: { words: ['glab', 'variable', 'set', '$HOME *'], content: 'key' } }, 'variable\nset\n$HOME *\n'],
]

test.each(targets)(
  'when the app passes a key to %s, the secret appears only in the program’s input, not in its arguments or environment [AUTH-09]',
  async (name, handover, words) => {
    program(name, 'echo done')
    const { run, preview, uses } = setUp()
    const picture = report(await preview(handover))
    expect(JSON.stringify(picture)).not.toContain(value)
    expect(picture.input).toContain('••••')
    expect(picture.program).toBe(join(home, 'bin', name))

    expect(report(await run(handover))).toMatchObject({ outcome: 'done', exitCode: 0, signal: null, output: 'done\n', outputCut: false })
    expect(recorded('words')).toBe(words)
    expect(recorded('words')).toBe(`${picture.words.slice(1).join('\n')}\n`)
    expect(recorded('input')).toBe(picture.input.replace('••••••••••••', value))
    expect(recorded('env')).not.toContain(value)
    expect(uses).toMatchObject([{ use: 'handed_over', keyId: 'k1', label: 'hedger', by: 'app', outcome: 'done' }])
    expect(JSON.stringify(uses)).not.toContain(value)
  },
)

test('the app starts no command that would get a key once the app is locked, even if the user agreed before [V8]', async () => {
  program('docker')
  const { run, uses } = setUp(true, {}, () => {
    unlocked = false
  })
  expect(await run(docker)).toEqual({ ok: false, failure: { kind: 'locked' } })
  expect(existsSync(join(record, 'input'))).toBe(false)
  expect(uses).toMatchObject([{ outcome: 'denied' }])
})

test('when the app sends a key to another computer, it passes the secret to ssh as input and the file path as one argument', async () => {
  program('ssh')
  const { run } = setUp()
  report(await run({ target: 'ssh', options: { host: 'me@bots.example', port: 2_222, path: 'bot/.env', content: 'env' } }))
  expect(recorded('input')).toBe(`SVC_API_KEY=${value}\nSVC_BASE_URL=https://dex.example/api/dex/v1\n`)
  expect(recorded('words').split('\n').slice(-4, -2)).toEqual(['--', 'me@bots.example'])
  expect(recorded('words')).not.toContain(value)
})

test('the app masks a key in the output of a command that got the key, in plain and encoded form, on both stdout and stderr [AUTH-09]', async () => {
  program(
    'docker',
    `echo "got $(cat '${record}/input')"; cat '${record}/input' | base64; cat '${record}/input' | od -An -tx1 | tr -d ' \\n' >&2; echo "Error: $(cat '${record}/input')" >&2; exit 3`,
  )
  const { run, uses } = setUp()
  const answer = report(await run(docker))
  expect(answer).toMatchObject({ outcome: 'failed', exitCode: 3 })
  // The command may have stored the key before it failed, so the audit log does not say that the key stayed here.
  expect(uses).toMatchObject([{ outcome: 'unknown' }])
  expect(answer.output.split(maskText).length - 1).toBe(4)
  for (const form of [value, Buffer.from(value).toString('base64').slice(0, 20), Buffer.from(value).toString('hex').slice(0, 20)])
    expect(answer.output).not.toContain(form)
})

test('before the app runs a command that gets a key, a system dialog shows every argument, and the user must agree', async () => {
  program('docker')
  const { run, asked, uses } = setUp(false)
  expect(report(await run(docker))).toMatchObject({ outcome: 'declined', exitCode: null })
  expect(existsSync(join(record, 'words'))).toBe(false)
  expect(asked).toHaveLength(1)
  for (const shown of ['hedger', 'docker', 'secret', 'create', 'svc_key', join(home, 'bin/docker')]) expect(asked[0]).toContain(shown)
  expect(asked[0]).not.toContain(value)
  expect(uses).toMatchObject([{ outcome: 'denied' }])
})

test('the app does not pass a key to a program that is not installed, or to one of the same name in the current folder', async () => {
  const { run, preview, asked } = setUp()
  writeFileSync(join(home, 'docker'), '#!/bin/sh\n', { mode: 0o755 })
  const at = setUp(true, { PATH: `.:${home}/none` })
  const absent: Handover = { target: 'command', options: { words: ['no-such-program-here'], content: 'key' } }
  expect(report(await preview(absent)).program).toBeNull()
  expect(report(await run(absent))).toMatchObject({ outcome: 'missing' })
  expect(report(await at.preview({ target: 'command', options: { words: ['./docker'], content: 'key' } })).program).toBeNull()
  expect(asked).toEqual([])
})

test('if the key for a command cannot be read, the app reports the reason and runs no command', async () => {
  program('docker')
  const handlers = createHandover({
    profileId: 'p1',
    baseUrl: '',
    holdKey: async (): Promise<Result<StoredKey, { kind: 'no_wallet' }>> => ({ ok: false, failure: { kind: 'no_wallet' } }),
    confirm: async () => true,
    note: () => undefined,
    env: {},
    folder: home,
    clock: systemClock,
  })
  expect(await handlers['handover.run']({ keyId: 'k1', ...docker })).toEqual({ ok: false, failure: { kind: 'no_wallet' } })
})

const command = (script: string, timeoutMs = 20_000, signal?: AbortSignal) =>
  runCommand({
    ...{ program: '/bin/sh', words: ['sh', '-c', script], input: value, secret, env: {}, folder: home, timeoutMs, clock: systemClock },
    ...(signal !== undefined && { signal }),
  })

test('the app ends a command that got a key but takes too long, together with its child processes', async () => {
  const pids = join(home, 'pids')
  const ran = await command(`sleep 600 & echo $! > '${pids}'; echo $$ >> '${pids}'; wait`, 300)
  expect(ran.outcome).toBe('timed_out')
  // A process that ends closes its pipes a moment before it is gone.
  for (const pid of readFileSync(pids, 'utf8').trim().split('\n')) await expect.poll(() => isRunning(Number(pid)), { message: pid }).toBe(false)
})

test('the app finishes passing a key to a command even if the command reads no input, leaves a process running or dies from a signal', async () => {
  expect(await command('exit 0')).toMatchObject({ outcome: 'done' })
  expect(await command('sleep 5 & echo started')).toMatchObject({ outcome: 'done', output: 'started\n' })
  expect(await command('kill -TERM $$')).toMatchObject({ outcome: 'failed', exitCode: null, signal: 'SIGTERM' })
})

test('a command that gets a key finds its helpers only in absolute folders, never in the folder in which it starts', async () => {
  writeFileSync(join(home, 'cat'), `#!/bin/sh\ntouch '${record}/stolen'\n`, { mode: 0o755 })
  program('docker')
  for (const PATH of [`:${join(home, 'bin')}:.:/usr/bin:/bin`, `${join(home, 'bin')}:`]) {
    report(await setUp(true, { PATH }).run(docker))
    expect(existsSync(join(record, 'stolen'))).toBe(false)
  }
})

test('a command that the app ends counts as stopped even if it chooses its exit code, and its child processes end although they ignore the request', async () => {
  expect(await command("trap 'exit 1' TERM; sleep 600 & wait", 300)).toMatchObject({ outcome: 'timed_out', exitCode: 1 })
  const stop = new AbortController()
  const pid = join(record, 'pid')
  const ending = command(`(trap '' TERM; exec sh -c 'echo $$ > ${pid}; while :; do sleep 0.1; done') & wait`, 60_000, stop.signal)
  await expect.poll(() => existsSync(pid) && readFileSync(pid, 'utf8')).toMatch(/^\d+\n$/)
  stop.abort()
  expect((await ending).outcome).toBe('timed_out')
  await expect.poll(() => isRunning(Number(readFileSync(pid, 'utf8')))).toBe(false)
})

test('the app keeps at most 32 KiB of the output of a command that got a key', async () => {
  const ran = await command('head -c 200000 /dev/zero | tr "\\0" x')
  expect(ran).toMatchObject({ outcome: 'done', outputCut: true })
  expect(ran.output).toHaveLength(32_768)
})

test.runIf(existsSync('/usr/bin/systemd-creds'))('systemd can decrypt the key that the app handed over to it as a credential', async () => {
  const env = { PATH: '/usr/bin:/bin', SYSTEMD_CREDENTIAL_SECRET: join(home, 'host-key') }
  const output = join(home, 'svc-key.cred')
  const answer = report(await setUp(true, env).run({ target: 'systemd', options: { name: 'svc-key', output, seal: 'host', content: 'key' } }))
  expect(answer).toMatchObject({ outcome: 'done' })
  expect(readFileSync(output, 'latin1')).not.toContain(value)
  expect(execFileSync('systemd-creds', ['decrypt', '--name=svc-key', output, '-'], { env, stdio: ['ignore', 'pipe', 'ignore'] }).toString()).toBe(value)
})

test('a command has its whole input if the app dies directly after it has started the command', async () => {
  const kept = join(home, 'kept')
  const own = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const script = `
    const { runCommand } = await import(${own('./run-command.ts')})
    const { Secret } = await import(${own('../../../kernel/secret.ts')})
    const { systemClock: clock } = await import(${own('../../../../shared/time.ts')})
    const words = ['sh', '-c', 'cat > "$0.new" && mv "$0.new" "$0"', ${JSON.stringify(kept)}]
    const rest = { env: process.env, folder: ${JSON.stringify(home)}, timeoutMs: 10_000, clock }
    void runCommand({ program: '/bin/sh', words, input: 'whole', secret: new Secret('whole'), ...rest })
    process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['--input-type=module', '--eval', script])
  await expect.poll(() => existsSync(kept), { timeout: 20_000 }).toBe(true)
  expect(readFileSync(kept, 'utf8')).toBe('whole')
}, 30_000)
