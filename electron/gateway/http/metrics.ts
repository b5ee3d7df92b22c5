import { createServer, type Server } from 'node:http'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { GatewayStatus } from '../../../shared/ipc/keys/gateway.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import { errnoOf } from '../../kernel/failures.ts'
import type { BotFigures } from '../bots/bots.ts'

export interface MetricsDeps {
  readonly status: () => GatewayStatus
  /** Why the journal takes nothing now; null if it does. */
  readonly trouble: () => string | null
  /** The part of a second's calls that bots may still send now, from 0 to 1. */
  readonly budgetLeft: () => number
}

export interface Metrics {
  readonly called: BotFigures['called']
  /** Serves `/healthz` and `/metrics` on 127.0.0.1. Fails with the system's error code. */
  open(port: number): Promise<Result<{ readonly port: number }, string>>
  close(): Promise<void>
}

const labelNames = ['bot', 'label'] as const
const states = ['running', 'paused', 'expired', 'no_key'] as const
/** Seconds. The gateway itself adds under a millisecond; the last bucket is the longest deadline. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Measures the gateway for Prometheus. Its labels are the ids and names of bots, never a token or a key. */
export function createMetrics({ status, trouble, budgetLeft }: MetricsDeps): Metrics {
  const registers = [new Registry()]
  const counter = (name: string, help: string, more: readonly string[] = []) => new Counter({ name, help, labelNames: [...labelNames, ...more], registers })
  const gauge = (name: string, help: string, more: readonly string[] = []) => new Gauge({ name, help, labelNames: [...labelNames, ...more], registers })
  const calls = counter('svc_gateway_calls_total', 'Calls that were answered')
  const errors = counter('svc_gateway_errors_total', 'Calls that were answered with a status of 400 or above')
  const refused = counter('svc_gateway_refused_total', 'Calls that the gateway itself refused, by code', ['code'])
  const latency = new Histogram({
    ...{ name: 'svc_gateway_call_seconds', help: 'Seconds from a call to its answer', labelNames: [...labelNames], buckets, registers },
  })
  const orders = gauge('svc_gateway_orders', 'Orders sent since the gateway started')
  const unknown = gauge('svc_gateway_unknown_outcomes', 'Executions whose outcome is still unknown')
  const inState = gauge('svc_gateway_bot_state', '1 for the state of the bot', ['state'])
  const ends = gauge('svc_gateway_token_ends_seconds', 'When the token ends, in Unix seconds')
  const budget = new Gauge({ name: 'svc_gateway_budget_left_ratio', help: 'Part of the calls of a second that bots may still send', registers })
  const rate = new Gauge({ name: 'svc_gateway_budget_calls_per_second', help: 'Calls a second that all bots share', registers })
  const writable = new Gauge({ name: 'svc_gateway_journal_writable', help: '1 if the journal takes records', registers })

  const read = () => {
    for (const one of [orders, unknown, inState, ends]) one.reset()
    const now = status()
    for (const bot of now.bots) {
      const named = { bot: bot.id, label: bot.label }
      orders.set(named, bot.orders)
      unknown.set(named, bot.unknown)
      for (const state of states) inState.set({ ...named, state }, bot.state === state ? 1 : 0)
      if (bot.expiresAtMs !== null) ends.set(named, bot.expiresAtMs / second)
    }
    budget.set(budgetLeft())
    rate.set(now.callsPerSecond)
    writable.set(trouble() === null ? 1 : 0)
  }

  const answer = async (path: string): Promise<{ readonly status: number; readonly type: string; readonly body: string }> => {
    if (path === '/metrics') {
      read()
      const [registry] = registers
      return { status: 200, type: registry?.contentType ?? 'text/plain', body: (await registry?.metrics()) ?? '' }
    }
    if (path !== '/healthz') return { status: 404, type: 'text/plain', body: '' }
    const isListening = status().hostUrl !== null
    const journal = trouble()
    const isWell = isListening && journal === null
    return {
      status: isWell ? 200 : 503,
      type: 'application/json',
      body: `${JSON.stringify({ ok: isWell, listening: isListening, journal: journal ?? 'ok' })}\n`,
    }
  }

  let server: Server | null = null
  return {
    called: (id, call) => {
      const bot = { bot: id, label: status().bots.find((one) => one.id === id)?.label ?? '' }
      calls.inc(bot)
      latency.observe(bot, call.ms / second)
      if (call.status >= 400) errors.inc(bot)
      if (call.code !== null) refused.inc({ ...bot, code: call.code })
    },
    open: (port) => {
      const made = createServer((request, response) => {
        const opened = made.address()
        const own = typeof opened === 'object' && opened !== null ? [`127.0.0.1:${opened.port}`, `localhost:${opened.port}`] : []
        // A web page could point a name of its own at this computer.
        const isOwn = own.includes(request.headers.host ?? '') && request.headers.origin === undefined
        const isRead = request.method === 'GET' || request.method === 'HEAD'
        void (isOwn && isRead ? answer(request.url ?? '') : Promise.resolve({ status: isOwn ? 405 : 421, type: 'text/plain', body: '' }))
          .catch(() => ({ status: 500, type: 'text/plain', body: '' }))
          .then(({ status: code, type, body }) => {
            response.writeHead(code, { 'content-type': type, 'content-length': Buffer.byteLength(body), 'cache-control': 'no-store' })
            response.end(request.method === 'HEAD' ? '' : body)
          })
      })
      made.requestTimeout = 10 * second
      return new Promise((resolve) => {
        made.once('error', (error) => resolve(fail(errnoOf(error) || String(error))))
        made.listen({ port, host: '127.0.0.1' }, () => {
          server = made
          const opened = made.address()
          resolve(ok({ port: typeof opened === 'object' && opened !== null ? opened.port : port }))
        })
      })
    },
    close: async () => {
      const last = server
      server = null
      if (last === null) return
      const closed = new Promise<void>((resolve) => last.close(() => resolve()))
      last.closeAllConnections()
      await closed
    },
  }
}
