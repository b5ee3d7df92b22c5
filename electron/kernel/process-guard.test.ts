import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { refusedSwitch } from './process-guard.ts'

const running: (() => void)[] = []
afterEach(() => {
  for (const stop of running.splice(0)) stop()
})

/** Starts a process and sends it SIGUSR1, which opens Node’s debugger unless the process is guarded. */
async function start(guarded: boolean) {
  const guard = guarded ? `(await import(${JSON.stringify(join(import.meta.dirname, 'process-guard.ts'))})).guardMemory()` : ''
  const script = `
    import { readFileSync } from 'node:fs'
    import { url } from 'node:inspector'
    const { emit } = process
    process.emit = (...event) => {
      const heard = emit.apply(process, event)
      if (event[0] === 'SIGUSR1') console.log('heard', url() ?? 'closed')
      return heard
    }
    ${guard}
    console.log('ready', readFileSync('/proc/self/coredump_filter', 'utf8').trim())
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(() => void child.kill('SIGKILL'))
  const next = async (stream: typeof child.stdout) => String((await once(stream, 'data'))[0])
  const ready = await next(child.stdout)
  return { ready, stdout: () => next(child.stdout), stderr: () => next(child.stderr), signal: () => child.kill('SIGUSR1') }
}

// Windows has no signals, and no file that says what a memory dump contains.
const hasSignals = process.platform !== 'win32'

test.skipIf(!hasSignals)('a guarded process of the app does not open a debugger on the debug signal, unlike an unguarded process [section 6]', async () => {
  const open = await start(false)
  const said = open.stderr()
  open.signal()
  expect(await said).toContain('Debugger listening')

  const guarded = await start(true)
  const heard = guarded.stdout()
  guarded.signal()
  expect(await heard).toBe('heard closed\n')
})

test.skipIf(!hasSignals)('a memory dump after a crash of a guarded process of the app does not contain the process’s memory [section 6]', async () => {
  expect((await start(true)).ready).toBe('ready 00000000\n')
})

test.each([
  '--inspect',
  '--inspect=0.0.0.0:9229',
  '--inspect-brk',
  '--inspect_brk',
  '-inspect',
  '/inspect',
  '--Inspect',
  '--remote-debugging-port=9222',
  '--remote-debugging-pipe',
  '--remote-allow-origins=*',
  '--js-flags=--expose-gc',
  '--load-extension=/tmp/x',
  '--renderer-cmd-prefix=gdb',
  '--proxy-server=127.0.0.1:8080',
  '--proxy-pac-url=data:,x',
  '--PROXY_BYPASS_LIST=*',
  '--no-proxy-server',
  '--host-resolver-rules=MAP',
  '--ignore-certificate-errors',
  '--ssl-key-log-file=/tmp/keys',
  '--log-net-log=/tmp/net.json',
  '--disable-web-security',
  '--enable-blink-features=FencedFrames',
])('the app refuses to start with %s [section 6]', (given) => {
  expect(refusedSwitch(['/opt/svc-desk', given], {})).toBe(given)
  expect(refusedSwitch(['/opt/svc-desk'], { NODE_OPTIONS: `--no-warnings ${given}` })).toBe(given)
})

test('the packaged app starts with arguments after --, and with switches whose names only resemble those of forbidden switches', () => {
  expect(refusedSwitch(['/opt/svc-desk', '--hidden', '--', 'svcdesk://open/keys', '--inspect'], {})).toBeNull()
  expect(
    refusedSwitch(
      [
        '/opt/svc-desk',
        '--user-data-dir=/x',
        '--inspection',
        '--proxying',
        '--ozone-platform=wayland',
        '--no-sandbox',
        '--enable-features=WaylandWindowDecorations',
      ],
      { NODE_OPTIONS: '' },
    ),
  ).toBeNull()
})
