import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { Agent, request } from 'undici'
import { newConfiguredToken } from '../../../electron/terminal/commands/gateway-config.ts'
import { freePort } from '../../support/free-port.ts'
import { startPostgres, type TestPostgres } from '../../support/gateway/postgres.ts'
import { type StartedCommand, startCommand } from '../../support/terminal/command.ts'
import type { Asks, ExchangeKey } from './exchange-child.ts'

/** A bot of the configuration: the number of its wallet, and the further lines of its table. */
export interface SiteBot {
  readonly name: string
  readonly wallet: number
  readonly token: string
}

export interface Answer {
  /** 0 if the connection broke. */
  readonly status: number
  /** The header `X-Svc-Gateway`; null without one. */
  readonly gateway: string | null
  readonly code: string | null
  readonly text: string
  readonly ms: number
}

export interface SiteGateway {
  readonly hostUrl: string
  /** The folder with its files `pause` and `resume`. */
  readonly data: string
  health(): Promise<string>
  kill(): Promise<void>
  start(): Promise<void>
}

/** Gateways that share one database, each a process as a user starts it. */
export interface Fleet {
  readonly gateways: readonly SiteGateway[]
  readonly bots: readonly SiteBot[]
  call(gateway: number, bot: SiteBot, path: string, body?: unknown): Promise<Answer>
  execute(gateway: number, bot: SiteBot, action: string, payload: object): Promise<Answer>
  /** Waits until every gateway has the given state in `/healthz`. */
  all(state: string, withinMs?: number): Promise<void>
  stop(): Promise<void>
}

export interface FleetOptions {
  readonly gateways: number
  readonly callsPerSecond: number
  readonly bots: readonly { readonly name: string; readonly wallet: number; readonly lines?: string }[]
}

/** An exchange, a database server and the gateways of an item of the proof. */
export interface Site {
  readonly database: TestPostgres
  readonly hostUrl: string
  readonly wallets: number
  ask<Name extends keyof Asks>(name: Name, of?: string | number | null): Promise<Asks[Name]>
  /** The price of market 1, for a market order or a close. */
  price(): Promise<string>
  fleet(options: FleetOptions): Promise<Fleet>
  /** Ends the gateways that an item has left. */
  clear(): Promise<void>
  stop(): Promise<void>
}

const wallets = 50
export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export async function until(holds: () => Promise<boolean>, withinMs: number, what: string): Promise<number> {
  const started = performance.now()
  while (!(await holds())) {
    if (performance.now() - started > withinMs) throw new Error(`${what}: not within ${withinMs} ms`)
    await wait(20)
  }
  return performance.now() - started
}

export async function openSite(): Promise<Site> {
  const home = mkdtempSync(join(tmpdir(), 'svc-desk-gateways-'))
  const child = fork(join(import.meta.dirname, 'exchange-child.ts'), [String(wallets)], { execArgv: ['--disable-warning=ExperimentalWarning'] })
  let asked = 0
  const waiting = new Map<number, (answer: ChildAnswer) => void>()
  child.on('message', (answer: ChildAnswer & { readonly number: number }) => waiting.get(answer.number)?.(answer))
  child.once('exit', () => {
    for (const settle of waiting.values()) settle({ error: 'The exchange has ended' })
  })
  const ask: Site['ask'] = (name, of = null) =>
    new Promise((resolve, reject) => {
      asked += 1
      const number = asked
      waiting.set(number, ({ value, error }) => {
        waiting.delete(number)
        if (error === undefined)
          resolve(value as Asks[typeof name]) // safe cast: the child answers each question with its own type
        else reject(new Error(error))
      })
      child.send({ number, ask: name, of })
    })
  const { hostUrl, keys } = await ask('keys')
  await ask('guard', home)
  const guard = async (server: TestPostgres) => {
    await ask('guard', server.pid())
    await ask('guard', server.folder)
  }
  const database = await startPostgres({ max_connections: '120' })
  await guard(database)
  const credentials = join(home, 'credentials')
  mkdirSync(credentials, { mode: 0o700 })
  for (const { id, secret } of keys) writeFileSync(join(credentials, id), secret, { mode: 0o600 })
  const fleets = new Set<Fleet>()
  let made = 0
  const fleet = async ({ gateways: count, callsPerSecond, bots: wanted }: FleetOptions): Promise<Fleet> => {
    made += 1
    const name = `fleet_${made}`
    const client = new pg.Client({ host: database.folder, user: 'gateway', database: 'postgres' })
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    const folder = join(home, name)
    mkdirSync(folder)
    const tokens = wanted.map(() => newConfiguredToken())
    const bots = wanted.map(({ name: label, wallet }, at): SiteBot => ({ name: label, wallet, token: tokens[at]?.token.reveal() ?? '' }))
    const declared = wanted.map(
      ({ name: label, wallet, lines = '' }, at) =>
        `[[bots]]\nname = "${label}"\nkey = "${keys[wallet]?.id}"\ntoken = "${tokens[at]?.line}"\nmode = "live"\n${lines}\n`,
    )
    const url = database.url.replace('/postgres?', `/${name}?`)
    const agent = new Agent({ connections: 400, pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 })
    const gateways = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        startGateway({ at, folder, credentials, hostUrl, keys, url, callsPerSecond, declared, guard: (pid) => ask('guard', pid) }),
      ),
    )
    const call: Fleet['call'] = async (at, bot, path, body) => {
      const started = performance.now()
      const ended = (answer: Omit<Answer, 'ms'>): Answer => ({ ...answer, ms: performance.now() - started })
      try {
        const {
          statusCode,
          headers,
          body: sent,
        } = await request(`${gateways[at]?.hostUrl}${path}`, {
          dispatcher: agent,
          method: body === undefined ? 'GET' : 'POST',
          headers: { 'x-svc-api-key': bot.token, ...(body !== undefined && { 'content-type': 'application/json' }) },
          body: body === undefined ? null : JSON.stringify(body),
        })
        const text = await sent.text()
        const header = headers['x-svc-gateway']
        return ended({ status: statusCode, gateway: typeof header === 'string' ? header : null, code: statusCode < 400 ? null : codeOf(text), text })
      } catch (error) {
        return ended({ status: 0, gateway: null, code: error instanceof Error && 'code' in error ? String(error.code) : String(error), text: '' })
      }
    }
    const own: Fleet = {
      ...{ gateways, bots, call },
      execute: (at, bot, action, payload) => call(at, bot, '/api/dex/v1/orders/execute', { action, payload }),
      all: async (state, withinMs = 60_000) => {
        await until(async () => (await Promise.all(gateways.map((one) => one.health()))).every((one) => one === state), withinMs, `all gateways ${state}`)
      },
      stop: async () => {
        fleets.delete(own)
        await Promise.all(gateways.map((one) => one.kill()))
        await agent.destroy()
        rmSync(folder, { recursive: true, force: true })
      },
    }
    fleets.add(own)
    await own.all('joined')
    return own
  }
  const clear = async () => {
    await Promise.all([...fleets].map((one) => one.stop()))
  }
  return {
    ...{ hostUrl, wallets, ask, fleet, clear },
    database: {
      ...database,
      start: async () => {
        await database.start()
        await guard(database)
      },
    },
    price: async () => {
      const { body } = await request(`${hostUrl}/api/dex/summary?pair_id=1`)
      const price = /"mark(?:_price)?":"?([\d.]+)/.exec(await body.text())?.[1]
      if (price === undefined) throw new Error('The exchange shows no price of market 1')
      return price
    },
    stop: async () => {
      await clear()
      await database.stop()
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
      rmSync(home, { recursive: true, force: true })
    },
  }
}

interface ChildAnswer {
  readonly value?: unknown
  readonly error?: string
}

const codeOf = (text: string): string | null => /"code":"([A-Za-z_]+)"/.exec(text)?.[1] ?? null

interface GatewayOptions extends Pick<FleetOptions, 'callsPerSecond'> {
  readonly at: number
  readonly folder: string
  readonly credentials: string
  readonly hostUrl: string
  readonly keys: readonly ExchangeKey[]
  readonly url: string
  readonly declared: readonly string[]
  readonly guard: (pid: number) => Promise<unknown>
}

async function startGateway({ at, folder, credentials, hostUrl, keys, url, callsPerSecond, declared, guard }: GatewayOptions): Promise<SiteGateway> {
  const [port, metrics] = [await freePort(), await freePort()]
  const data = join(folder, `data-${at}`)
  const tables = keys.map(
    ({ id, wallet }) =>
      `[[keys]]\nname = "${id}"\nid = "${id}"\nwallet = "${wallet}"\nscopes = ["account:read", "market:read", "trade:execute", "orders:manage"]\nfrom = "credential:${id}"\n`,
  )
  const top = `exchange = "${hostUrl}"\ndata = "${data}"\nport = ${port}\nmetrics_port = ${metrics}\ncalls_per_second = ${callsPerSecond}\n[state]\nurl = "${url}"\n`
  const config = `gateway-${at}.toml`
  writeFileSync(join(folder, config), [top, ...tables, ...declared].join('\n'))
  let running: StartedCommand | null = null
  const start = async () => {
    running = startCommand(['gateway', '--config', config], { folder, env: { DISPLAY: '', WAYLAND_DISPLAY: '', CREDENTIALS_DIRECTORY: credentials } })
    await guard(running.process.pid ?? 0)
    await running.says('Metrics are at')
  }
  await start()
  return {
    ...{ hostUrl: `http://127.0.0.1:${port}`, data, start },
    health: async () => {
      try {
        const { body } = await request(`http://127.0.0.1:${metrics}/healthz`)
        return /"state":"(\w+)"/.exec(await body.text())?.[1] ?? 'unread'
      } catch {
        return 'down'
      }
    },
    kill: async () => {
      running?.process.kill('SIGKILL')
      await running?.ended
    },
  }
}
