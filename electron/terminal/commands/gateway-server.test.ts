import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { botOf, callAt, type Served, startServed } from '../../../e2e/support/gateway/bot.ts'
import { type StartedCommand, startCommand } from '../../../e2e/support/terminal/command.ts'

let served: Served
let key = ''
beforeAll(async () => {
  served = await startServed()
  key = [...served.secrets.entries].find(([name]) => name.includes(served.keyId))?.[1].reveal() ?? ''
})
afterAll(() => served.stop())

/** A folder for one gateway, with its credential in `credentials`. */
function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('mkdir', ['-m', '700', join(folder, 'credentials')])
  writeFileSync(join(folder, 'credentials', 'hedger'), `${key}\n`, { mode: 0o600 })
  return folder
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // safe cast: a port, not a pipe
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface Change {
  readonly top?: string
  readonly key?: string
  readonly bot?: string
  readonly from?: string
  readonly exchange?: string
}

const newToken = async () => {
  const { stdout, stderr } = await startCommand(['gateway', 'token']).ended
  return { token: stdout.trim(), line: /token = "(.+)"/.exec(stderr)?.[1] ?? '' }
}

const configOf = (
  folder: string,
  port: number,
  line: string,
  { top = '', key: more = '', bot = '', from = 'credential:hedger', exchange = served.hostUrl }: Change = {},
) =>
  `exchange = "${exchange}"
data = "${folder}/state"
port = ${port}
${top}
[[keys]]
name = "hedger"
id = "${served.keyId}"
wallet = "${served.account.address}"
scopes = ["account:read", "trade:execute", "orders:manage"]
from = "${from}"
${more}
[[bots]]
name = "grid"
key = "hedger"
token = "${line}"
mode = "live"
${bot}
`

const start = (folder: string, config: string, env: NodeJS.ProcessEnv = {}): StartedCommand => {
  writeFileSync(join(folder, 'gateway.toml'), config)
  const command = startCommand(['gateway', '--config', 'gateway.toml'], {
    folder,
    env: { DISPLAY: '', WAYLAND_DISPLAY: '', CREDENTIALS_DIRECTORY: join(folder, 'credentials'), ...env },
  })
  onTestFinished(() => void command.process.kill('SIGKILL'))
  return command
}

const end = (command: StartedCommand) => {
  command.process.kill('SIGTERM')
  return command.ended
}

test('svc-desk gateway --config serves a bot without a display, answers a repeated order from its record after a restart, and ends on SIGTERM', async () => {
  const folder = folderOf()
  const port = await freePort()
  const { token, line } = await newToken()
  const config = configOf(folder, port, line, { bot: 'max_order = 50' })
  const hostUrl = `http://127.0.0.1:${port}`
  const bot = botOf('grid', token, async () => hostUrl)
  const first = start(folder, config)
  await first.says(`The gateway listens on ${hostUrl}`)
  expect((await bot.call('/api/dex/v1/account')).status).toBe(200)
  const order = { ...(await served.marketOrder({ order_value_usdc: '10' })), idempotency_key: 'order-one-1' }
  const before = served.commands()
  const done = await bot.execute('open_market', order)
  expect([done.status, served.commands()]).toEqual([202, before + 1])
  const tooLarge = await bot.execute('open_market', { ...order, order_value_usdc: '60', idempotency_key: 'order-two-2' })
  expect(tooLarge.json.error?.code).toBe('GATEWAY_LIMIT')
  expect((await callAt(hostUrl, '/api/dex/v1/account', { token: `${token.slice(0, -1)}!` })).status).toBe(401)
  expect(await end(first)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('The gateway has ended.\n') })

  const second = start(folder, config)
  await second.says('listens on')
  const again = await bot.execute('open_market', order)
  expect([again.text, again.headers['x-svc-gateway'], served.commands()]).toEqual([done.text, 'replay', before + 1])
  second.process.kill('SIGINT')
  expect(await second.ended).toMatchObject({ code: 0 })

  // A bot that the configuration no longer names ends; the key is in no file of the gateway.
  const other = await newToken()
  const third = start(folder, configOf(folder, port, other.line))
  await third.says('listens on')
  expect((await bot.call('/api/dex/v1/account')).json.error?.code).toBe('GATEWAY_TOKEN_UNKNOWN')
  await end(third)
  expect(execFileSync('grep', ['-rlaF', '-e', key, '-e', token, folder]).toString()).toBe(`${folder}/credentials/hedger\n`)
}, 120_000)

test('svc-desk gateway shows calls, refusals, states and the budget to Prometheus, without a token or key', async () => {
  const folder = folderOf()
  const [port, metricsPort, { token, line }] = [await freePort(), await freePort(), await newToken()]
  const command = start(folder, configOf(folder, port, line, { top: `metrics_port = ${metricsPort}`, bot: 'max_order = 50' }))
  await command.says('The gateway listens')
  const bot = botOf('grid', token, async () => `http://127.0.0.1:${port}`)
  await bot.call('/api/dex/v1/account')
  await bot.execute('open_market', await served.marketOrder({ order_value_usdc: '60' }))
  const metrics = `http://127.0.0.1:${metricsPort}`
  const text = await (await fetch(`${metrics}/metrics`)).text()
  const id = line.slice(0, 12)
  for (const sample of [
    `svc_gateway_calls_total{bot="${id}",label="grid"} 2`,
    `svc_gateway_errors_total{bot="${id}",label="grid"} 1`,
    `svc_gateway_refused_total{bot="${id}",label="grid",code="LIMIT"} 1`,
    `svc_gateway_call_seconds_count{bot="${id}",label="grid"} 2`,
    `svc_gateway_bot_state{bot="${id}",label="grid",state="running"} 1`,
    `svc_gateway_bot_state{bot="${id}",label="grid",state="paused"} 0`,
    'svc_gateway_journal_writable 1',
    'svc_gateway_budget_calls_per_second 40',
  ])
    expect(text).toContain(`${sample}\n`)
  expect(text).toMatch(/^svc_gateway_budget_left_ratio (0\.\d+|1)$/m)
  // The text format: comments, samples, and nothing else.
  for (const row of text.split('\n'))
    expect(row).toMatch(/^(|# (HELP|TYPE) .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [-+]?(\d+(\.\d+)?(e[-+]?\d+)?|Inf|NaN))$/)
  for (const secret of [key, token, token.split('.')[2] ?? '', line.slice(13)]) expect(text).not.toContain(secret)
  expect(await (await fetch(`${metrics}/healthz`)).json()).toEqual({ ok: true, listening: true, journal: 'ok' })
  expect((await callAt(metrics, '/metrics', { headers: { host: `attacker.example:${metricsPort}` } })).status).toBe(421)
  expect((await fetch(`${metrics}/metrics`, { method: 'POST' })).status).toBe(405)
  await end(command)
}, 120_000)

test('svc-desk gateway listens on another address only with TLS and client certificates', async () => {
  const folder = folderOf()
  const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' })
  const self = (name: string, more: readonly string[] = []) =>
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`, ...more)
  self('server', ['-addext', 'subjectAltName=DNS:gateway.internal,IP:127.0.0.1'])
  self('authority')
  self('stranger')
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=bot', '-keyout', 'bot.key', '-out', 'bot.csr')
  openssl('x509', '-req', '-in', 'bot.csr', '-CA', 'authority.pem', '-CAkey', 'authority.key', '-days', '2', '-out', 'bot.pem')
  const [port, { token, line }] = [await freePort(), await newToken()]
  const bare = configOf(folder, port, line, { top: 'address = "0.0.0.0"' })
  expect(await start(folder, bare).ended).toMatchObject({ code: 64, stderr: expect.stringContaining('Line 4: other computers can reach 0.0.0.0. Add [tls]') })
  const top = 'address = "0.0.0.0"\nnames = ["gateway.internal"]\n[tls]\ncertificate = "server.pem"\nkey = "file:server.key"\nclients = "authority.pem"'
  const wrongKey = configOf(folder, port, line, { top: top.replace('file:server.key', 'file:bot.key') })
  expect(await start(folder, wrongKey).ended).toMatchObject({ code: 66, stderr: 'svc-desk: bot.key is not the key of server.pem.\n' })
  const command = start(folder, configOf(folder, port, line, { top }))
  await command.says('listens on https://')
  const call = (client: string | null, host = 'gateway.internal') =>
    new Promise<number | 'refused'>((resolve) => {
      const read = (name: string) => readFileSync(join(folder, name))
      const own = client === null ? {} : { cert: read(`${client}.pem`), key: read(`${client}.key`) }
      const sent = request(
        { host: '127.0.0.1', port, path: '/api/dex/v1/account', servername: 'gateway.internal', ca: read('server.pem'), agent: false, ...own },
        (answer) => {
          answer.resume()
          resolve(answer.statusCode ?? 0)
        },
      )
      sent.setHeader('host', `${host}:${port}`)
      sent.setHeader('x-svc-api-key', token)
      sent.on('error', () => resolve('refused'))
      sent.end()
    })
  expect([await call('bot'), await call(null), await call('stranger'), await call('bot', 'attacker.example')]).toEqual([200, 'refused', 'refused', 421])
  await expect(callAt(`http://127.0.0.1:${port}`, '/api/dex/config')).rejects.toThrow()
  await end(command)
}, 120_000)

test('svc-desk gateway names a busy port, an expired key, a taken folder and a full disk, each with its exit code', async () => {
  const folder = folderOf()
  const [port, { line }] = [await freePort(), await newToken()]
  const busy = new URL(served.hostUrl).port
  expect(await start(folder, configOf(folder, Number(busy), line)).ended).toMatchObject({
    code: 69,
    stderr: `svc-desk: Another program uses port ${busy}. Choose another one with port.\n`,
  })
  expect(await start(folder, configOf(folder, port, line, { key: 'expires = 2026-01-31' })).ended).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('The key hedger expired on 2026-01-31.'),
  })
  const config = configOf(folder, port, line)
  const running = start(folder, config)
  await running.says('listens on')
  expect(await start(folder, config.replace(`port = ${port}`, `port = ${await freePort()}`)).ended).toMatchObject({
    code: 69,
    stderr: expect.stringContaining('Another gateway uses'),
  })
  await end(running)
  expect(await start(folder, config.replace('/state"', '/credentials/hedger"')).ended).toMatchObject({ code: 69, stderr: expect.stringContaining('EEXIST') })
  expect(await start(folder, `state = "postgres://db.example/gateway"\n${config}`).ended).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('not supported yet'),
  })
  const lines = startCommand(['gateway', '--config', 'none.toml'], { folder }).ended
  expect(await lines).toMatchObject({ code: 66, stderr: 'svc-desk: none.toml cannot be read (ENOENT).\n' })
}, 120_000)
