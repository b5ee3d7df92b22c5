import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as plainRequest } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../e2e/support/free-port.ts'
import { botOf, callAt, type Served, startServed } from '../../../e2e/support/gateway/bot.ts'
import { hasPostgres, startPostgres } from '../../../e2e/support/gateway/postgres.ts'
import { startKeyring } from '../../../e2e/support/keyring/keyring.ts'
import { type StartedCommand, startCommand } from '../../../e2e/support/terminal/command.ts'
import { second } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import { createKeychain } from '../../store/keychain/keychain.ts'
import { createKeychainProcess, forkKeychainWorker } from '../../store/keychain/keychain-process.ts'

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

const start = (folder: string, config: string, env: NodeJS.ProcessEnv = {}, node = process.execPath): StartedCommand => {
  writeFileSync(join(folder, 'gateway.toml'), config)
  const command = startCommand(['gateway', '--config', 'gateway.toml'], {
    ...{ folder, node },
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
  const own = `http://127.0.0.1:${port}`
  await callAt(own, '/api/dex/v1/account', { token, headers: { host: 'attacker.example' } })
  await callAt(own, '/api/dex/v1/nowhere', { token })
  await callAt(own, '/api/dex/v1/account', { token: `${token.slice(0, -1)}!` })
  const metrics = `http://127.0.0.1:${metricsPort}`
  const text = await (await fetch(`${metrics}/metrics`)).text()
  const id = line.slice(0, 12)
  for (const sample of [
    `svc_gateway_calls_total{bot="${id}",label="grid"} 2`,
    `svc_gateway_errors_total{bot="${id}",label="grid"} 1`,
    `svc_gateway_refused_total{bot="${id}",label="grid",code="GATEWAY_LIMIT"} 1`,
    'svc_gateway_refused_total{bot="public",label="",code="GATEWAY_HOST"} 1',
    'svc_gateway_refused_total{bot="public",label="",code="GATEWAY_ROUTE"} 1',
    'svc_gateway_refused_total{bot="public",label="",code="GATEWAY_TOKEN_UNKNOWN"} 1',
    `svc_gateway_call_seconds_count{bot="${id}",label="grid"} 2`,
    `svc_gateway_bot_state{bot="${id}",label="grid",state="running"} 1`,
    `svc_gateway_bot_state{bot="${id}",label="grid",state="paused"} 0`,
    'svc_gateway_journal_writable 1',
    'svc_gateway_state_reachable 1',
    'svc_gateway_budget_calls_per_second 40',
  ])
    expect(text).toContain(`${sample}\n`)
  expect(text).toMatch(/^svc_gateway_budget_left_ratio (0\.\d+|1)$/m)
  // The text format: comments, samples, and nothing else.
  for (const row of text.split('\n'))
    expect(row).toMatch(/^(|# (HELP|TYPE) .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [-+]?(\d+(\.\d+)?(e[-+]?\d+)?|Inf|NaN))$/)
  for (const secret of [key, token, token.split('.')[2] ?? '', line.slice(13)]) expect(text).not.toContain(secret)
  expect(await (await fetch(`${metrics}/healthz`)).json()).toEqual({ ok: true, listening: true, journal: 'ok', state: 'own' })
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

test('svc-desk gateway names a busy port, an expired key, a taken folder, a missing file and each mistake in the file, with its exit code', async () => {
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
  const shared = join(folder, 'open')
  mkdirSync(shared)
  chmodSync(shared, 0o755)
  const elsewhere = (data: string) => start(folder, config.replace(/data = ".*"/, `data = "${data}"`)).ended
  expect(await elsewhere(shared)).toMatchObject({ code: 66, stderr: `svc-desk: Others may enter ${shared}. Run chmod 700 on it, then try again.\n` })
  if (process.getuid?.() === 0) {
    chmodSync(shared, 0o700)
    chownSync(shared, 65_534, 65_534)
    expect(await elsewhere(shared)).toMatchObject({
      code: 66,
      stderr: `svc-desk: ${shared} belongs to another user. Name a folder of your own with data.\n`,
    })
  }
  expect(readdirSync(shared)).toEqual([])
  expect(await start(folder, config.replace('max_order', 'max_orders').replace('mode =', 'mod =')).ended).toMatchObject({
    code: 64,
    stderr: 'svc-desk: gateway.toml: Line 16: there is no field mod here. Did you mean mode?\n',
  })
  expect(await start(folder, config.replace('key = "hedger"', 'key = "nobody"')).ended).toMatchObject({
    code: 64,
    stderr: 'svc-desk: gateway.toml: Line 14: there is no key nobody.\n',
  })
  const lines = startCommand(['gateway', '--config', 'none.toml'], { folder }).ended
  expect(await lines).toMatchObject({ code: 66, stderr: 'svc-desk: none.toml cannot be read (ENOENT).\n' })
}, 120_000)

test('svc-desk gateway reads a key from a file descriptor or the keychain, and names a locked keychain', async () => {
  const folder = folderOf()
  const [port, { token, line }] = [await freePort(), await newToken()]
  const bot = botOf('grid', token, async () => `http://127.0.0.1:${port}`)
  const works = async (command: StartedCommand) => {
    await command.says('listens on')
    expect((await bot.call('/api/dex/v1/account')).status).toBe(200)
    expect(await end(command)).toMatchObject({ code: 0, stderr: '' })
  }
  const withDescriptor = join(folder, 'node')
  writeFileSync(withDescriptor, `#!/bin/sh\nexec 3<credentials/hedger\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
  const fromDescriptor = configOf(folder, port, line, { from: 'fd:3' })
  await works(start(folder, fromDescriptor, {}, withDescriptor))
  expect(await start(folder, configOf(folder, port, line, { from: 'fd:99' })).ended).toMatchObject({
    code: 66,
    stderr: 'svc-desk: file descriptor 99 for the key hedger cannot be read (EBADF).\n',
  })

  const keyring = await startKeyring()
  onTestFinished(() => keyring.stop())
  const fork = () => forkKeychainWorker(join(import.meta.dirname, '../../store/keychain/keychain-worker.ts'), keyring.env)
  const keychain = createKeychainProcess({ fork, timeoutMs: 20 * second })
  expect((await createKeychain({ process: keychain, service: 'Svc Desk' }).set('server/hedger', new Secret(key))).ok).toBe(true)
  await keychain.close()
  const fromKeychain = configOf(folder, port, line, { from: 'keychain:server/hedger' })
  await works(start(folder, fromKeychain, keyring.env))
  expect(await start(folder, configOf(folder, port, line, { from: 'keychain:server/other' }), keyring.env).ended).toMatchObject({
    code: 66,
    stderr: 'svc-desk: The keychain has no entry server/other for the key hedger.\n',
  })
  await keyring.lock()
  expect(await start(folder, fromKeychain, keyring.env).ended).toMatchObject({
    code: 69,
    stderr: 'svc-desk: The system keychain is locked. Unlock it, then try again.\n',
  })
}, 180_000)

/** An exchange that carries orders out at once, and keeps its answer to the first one back until the test decides. */
async function heldExchange() {
  const { promise: carriedOut, resolve: isCarriedOut } = Promise.withResolvers<void>()
  const { promise: decided, resolve: decide } = Promise.withResolvers<'answer' | 'cut'>()
  let isHeld = false
  const { hostname, port } = new URL(served.hostUrl)
  const server = createServer((asked, response) => {
    const sent = plainRequest(
      { hostname, port, path: asked.url, method: asked.method, headers: { ...asked.headers, host: `${hostname}:${port}` } },
      (answer) => {
        const pass = () => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))
        if (isHeld || asked.url?.endsWith('/orders/execute') !== true) return void pass()
        isHeld = true
        isCarriedOut()
        void decided.then((decision) => (decision === 'answer' ? pass() : response.destroy()))
      },
    )
    sent.on('error', () => response.destroy())
    asked.pipe(sent)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port: own } = server.address() as AddressInfo // safe cast: a port, not a pipe
  return { exchange: `http://127.0.0.1:${own}`, carriedOut, decide }
}

test.each(['answer', 'cut'] as const)(
  'SIGTERM with an order in flight (%s): its answer arrives or it is named as unknown, and it is never sent twice',
  async (how) => {
    const folder = folderOf()
    const [port, { token, line }] = [await freePort(), await newToken()]
    const hostUrl = `http://127.0.0.1:${port}`
    const bot = botOf('grid', token, async () => hostUrl)
    const { exchange, carriedOut, decide } = await heldExchange()
    const command = start(folder, configOf(folder, port, line, { exchange }))
    await command.says('listens on')
    const order = { ...(await served.marketOrder({ order_value_usdc: '10' })), idempotency_key: `flight-${how}-1` }
    const before = served.commands()
    const answer = bot.execute('open_market', order)
    await carriedOut
    command.process.kill('SIGTERM')
    const isOpen = () => callAt(hostUrl, '/api/dex/config').then(Boolean, () => false)
    await expect.poll(isOpen, { timeout: 10_000 }).toBe(false)
    decide(how)
    const { status, json } = await answer
    const { code, stderr } = await command.ended
    expect([status, code]).toEqual([202, 0])
    if (how === 'answer') expect([json.success, json.state, stderr]).toEqual([true, undefined, ''])
    else expect([json.state, stderr]).toEqual(['unknown', `svc-desk: May still take effect: open_market~flight-cut-1 of grid\n`])
    const next = start(folder, configOf(folder, port, line))
    await next.says('listens on')
    const again = await bot.execute('open_market', order)
    expect([again.status, again.json.success, again.json.state]).toEqual([202, true, undefined])
    expect(served.commands()).toBe(before + 1)
    await end(next)
  },
  120_000,
)

test('a pause holds over restarts until the file resume ends it', async () => {
  const folder = folderOf()
  const [port, { token, line }] = [await freePort(), await newToken()]
  const bot = botOf('grid', token, async () => `http://127.0.0.1:${port}`)
  const code = async () => (await bot.call('/api/dex/v1/account')).json.error?.code
  const config = configOf(folder, port, line)
  const state = join(folder, 'state')
  const first = start(folder, config)
  await first.says('listens on')
  writeFileSync(join(state, 'pause'), '')
  await expect.poll(code, { timeout: 10_000 }).toBe('GATEWAY_PAUSED')
  await expect.poll(() => existsSync(join(state, 'pause'))).toBe(false)
  await end(first)
  const second_ = start(folder, config)
  await second_.says('listens on')
  expect(await code()).toBe('GATEWAY_PAUSED')
  writeFileSync(join(state, 'resume'), '')
  await expect.poll(code, { timeout: 10_000 }).toBe(undefined)
  await end(second_)
  const third = start(folder, config)
  await third.says('listens on')
  expect(await code()).toBe(undefined)
  await end(third)
}, 120_000)

function mountSmallDisk(at: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs', at], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'on a full disk, svc-desk gateway does not start; a running one refuses new risk, and after a restart its bots stay paused until they are resumed',
  async ({ skip }) => {
    const folder = folderOf()
    const state = join(folder, 'state')
    mkdirSync(state)
    if (!mountSmallDisk(state)) skip('this computer allows no mounts')
    onTestFinished(() => void execFileSync('umount', ['-l', state]))
    const filler = join(state, 'filler')
    const fill = () => expect(() => writeFileSync(filler, Buffer.alloc(8 * 1_024 * 1_024), { flag: 'a' })).toThrow('ENOSPC')
    const [port, { token, line }] = [await freePort(), await newToken()]
    const bot = botOf('grid', token, async () => `http://127.0.0.1:${port}`)
    const code = async () => (await bot.call('/api/dex/v1/account')).json.error?.code
    const config = configOf(folder, port, line)
    fill()
    expect(await start(folder, config).ended).toMatchObject({
      code: 69,
      stderr: `svc-desk: The disk of ${state} is full. Make space, then start the gateway again. Nothing was lost.\n`,
    })
    rmSync(filler)
    const first = start(folder, config)
    await first.says('listens on')
    fill()
    const open = async () => (await bot.execute('open_market', await served.marketOrder({ order_value_usdc: '10' }))).json.error
    await expect.poll(open, { timeout: 60_000, interval: 10 }).toMatchObject({ code: 'GATEWAY_HELD_BACK', why: 'disk_full' })
    await expect.poll(() => existsSync(join(state, 'gateway.permit')), { timeout: 10_000 }).toBe(false)
    first.process.kill('SIGKILL')
    await first.ended
    rmSync(filler)
    for (const times of [1, 2]) {
      const next = start(folder, config)
      await next.says('listens on')
      expect([times, await code()]).toEqual([times, 'GATEWAY_PAUSED'])
      if (times === 2) {
        writeFileSync(join(state, 'resume'), '')
        await expect.poll(code, { timeout: 10_000 }).toBe(undefined)
        expect(await open()).toBeUndefined()
      }
      await end(next)
    }
  },
  180_000,
)

test.runIf(hasPostgres)(
  'two gateways share keys and pauses over a database whose password is in no file of theirs and in no line, and one without it takes no new risk',
  async () => {
    const database = await startPostgres()
    onTestFinished(() => database.stop())
    const admin = new pg.Client({ host: database.folder, user: 'gateway', database: 'postgres' })
    await admin.connect()
    const password = 'correct-horse-7'
    await admin.query(`create role desk login password '${password}'`)
    await admin.query('grant create on database postgres to desk')
    writeFileSync(join(database.folder, 'data/pg_hba.conf'), 'local all desk scram-sha-256\nlocal all gateway trust\n')
    await admin.query('select pg_reload_conf()')
    await admin.end()
    const [one, two, { token, line }] = [folderOf(), folderOf(), await newToken()]
    const places = await Promise.all([one, two].map(async (folder) => ({ folder, port: await freePort(), metrics: await freePort() })))
    writeFileSync(join(one, 'database'), `${password}\n`, { mode: 0o600 })
    const url = `postgres://desk@/postgres?host=${encodeURIComponent(database.folder)}`
    const configAt = (at: number, from: string) => {
      const { folder = '', port = 0, metrics = 0 } = places[at] ?? {}
      return configOf(folder, port, line, { top: `metrics_port = ${metrics}\n[state]\nurl = "${url}"\npassword = "${from}"` })
    }
    const botAt = (at: number) => botOf('grid', token, async () => `http://127.0.0.1:${places[at]?.port}`)
    const health = async (at: number): Promise<unknown> => (await fetch(`http://127.0.0.1:${places[at]?.metrics}/healthz`)).json()
    const first = start(one, configAt(0, 'file:database'))
    const second_ = start(two, configAt(1, 'env:DATABASE_PASSWORD'), { DATABASE_PASSWORD: password })
    await Promise.all([first.says('Metrics are'), second_.says('Metrics are')])
    expect([await health(0), await health(1)]).toEqual(Array(2).fill({ ok: true, listening: true, journal: 'ok', state: 'joined' }))
    const order = { ...(await served.marketOrder({ order_value_usdc: '10' })), idempotency_key: 'shared-0001' }
    const before = served.commands()
    const answers = await Promise.all([0, 1, 0, 1].map((at) => botAt(at).execute('open_market', order)))
    expect([answers.map(({ status }) => status), served.commands()]).toEqual([[202, 202, 202, 202], before + 1])
    writeFileSync(join(one, 'state/pause'), '')
    const codes = async () => Promise.all([0, 1].map(async (at) => (await botAt(at).call('/api/dex/v1/account')).json.error?.code))
    await expect.poll(codes, { timeout: 10_000 }).toEqual(['GATEWAY_PAUSED', 'GATEWAY_PAUSED'])
    writeFileSync(join(two, 'state/resume'), '')
    await expect.poll(codes, { timeout: 10_000 }).toEqual([undefined, undefined])
    const ended = [await end(first), await end(second_)]
    expect(ended.map(({ code }) => code)).toEqual([0, 0])

    writeFileSync(join(one, 'open'), password, { mode: 0o644 })
    expect(await start(one, configAt(0, 'file:open')).ended).toMatchObject({
      code: 66,
      stderr: 'svc-desk: Others may read open, the file for the password of the database. Run chmod 600 on it, then try again.\n',
    })
    const wrong = start(one, configAt(0, 'env:DATABASE_PASSWORD'), { DATABASE_PASSWORD: 'wrong-horse-7' })
    await wrong.says('Metrics are')
    expect(wrong.stderr()).toContain('svc-desk: The database cannot be reached. New risk waits for it; closes and cancels leave.\n')
    expect(await health(0)).toMatchObject({ ok: true, state: 'away' })
    const late = await botAt(0).execute('open_market', { ...order, idempotency_key: 'shared-0002' })
    expect([late.status, late.json.error?.code]).toEqual([503, 'GATEWAY_STATE_AWAY'])
    const last = await end(wrong)
    expect(last.code).toBe(0)
    const said = [...ended, last].map(({ stdout, stderr }) => `${stdout}${stderr}`).join('')
    expect(said).not.toMatch(/horse-7/)
    expect(() => execFileSync('grep', ['-rlaF', 'horse-7', join(one, 'state'), join(two, 'state')])).toThrow()
    expect(database.dump()).not.toContain(token.split('.')[2])
  },
  180_000,
)

test.runIf(hasPostgres)(
  'a database is used over TLS only if its server proves with a certificate that it is the one of the configuration',
  async () => {
    const database = await startPostgres()
    onTestFinished(() => database.stop())
    const [folder, port, metrics, serverPort, { line }] = [folderOf(), await freePort(), await freePort(), await freePort(), await newToken()]
    const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' })
    const authority = (name: string) =>
      openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`)
    authority('authority')
    authority('stranger')
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=db', '-keyout', 'db.key', '-out', 'db.csr', '-addext', 'subjectAltName=IP:127.0.0.1')
    openssl('x509', '-req', '-in', 'db.csr', '-CA', 'authority.pem', '-CAkey', 'authority.key', '-days', '2', '-copy_extensions', 'copy', '-out', 'db.pem')
    const listens = async (isTls: boolean) => {
      await database.kill()
      for (const name of ['db.pem', 'db.key']) database.write(name, readFileSync(join(folder, name), 'utf8'))
      database.write(
        'postgresql.auto.conf',
        `listen_addresses = '127.0.0.1'\nport = ${serverPort}\nssl = ${isTls}\nssl_cert_file = 'db.pem'\nssl_key_file = 'db.key'\n`,
      )
      await database.start()
    }
    const configAt = (ca: string, host = '127.0.0.1') => {
      const url = `postgres://gateway@${host}:${serverPort}/postgres?sslrootcert=${encodeURIComponent(join(folder, ca))}`
      return configOf(folder, port, line, { top: `metrics_port = ${metrics}\n[state]\nurl = "${url}"` })
    }
    await listens(true)
    const command = start(folder, configAt('authority.pem'))
    await command.says('Metrics are')
    expect(await (await fetch(`http://127.0.0.1:${metrics}/healthz`)).json()).toMatchObject({ ok: true, state: 'joined' })
    const admin = new pg.Client({ host: database.folder, port: serverPort, user: 'gateway', database: 'postgres' })
    await admin.connect()
    const { rows } = await admin.query("select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'svc-desk gateway'")
    await admin.end()
    expect(rows).toEqual([{ ssl: true }])
    expect((await end(command)).code).toBe(0)

    const untrusted = (detail: string) => ({
      code: 69,
      stdout: '',
      stderr: expect.stringContaining(`svc-desk: The certificate of the database is not to be trusted (${detail}). Check the host and sslrootcert in url.\n`),
    })
    expect(await start(folder, configAt('stranger.pem')).ended).toMatchObject(untrusted('UNABLE_TO_VERIFY_LEAF_SIGNATURE'))
    expect(await start(folder, configAt('authority.pem', 'localhost')).ended).toMatchObject(untrusted('ERR_TLS_CERT_ALTNAME_INVALID'))
    await listens(false)
    expect(await start(folder, configAt('authority.pem')).ended).toMatchObject({
      code: 69,
      stdout: '',
      stderr: expect.stringContaining('svc-desk: The database refuses TLS, so others could read the orders. Switch on ssl at its server.\n'),
    })
  },
  180_000,
)
