import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Scope } from '../../shared/api/scopes.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { BotPolicy, GatewayStatus, Paused } from '../../shared/ipc/keys/gateway.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import { type Clock, second } from '../../shared/time.ts'
import { createRiskLimits } from '../intents/risk-limits/risk-limits.ts'
import { sleep } from '../kernel/deadline.ts'
import type { Every } from '../kernel/events.ts'
import { ExpectedFailure, errnoOf } from '../kernel/failures.ts'
import { createPermit } from '../kernel/files/permit.ts'
import type { Secret } from '../kernel/secret.ts'
import { createApiClient } from '../service/api/client.ts'
import { createServiceClock, createVitalSigns } from '../service/api/vital-signs.ts'
import { createCredentials } from '../service/credentials/credentials.ts'
import { createDispatchers } from '../service/transport/dispatcher.ts'
import { createLimiter } from '../service/transport/limiter.ts'
import { createBreaker, createRetryBudget } from '../service/transport/retry.ts'
import type { ProxyEnvironment } from '../service/transport/system-proxy.ts'
import type { SqliteJournal } from '../store/journal/tables/sqlite-journal.ts'
import { openJournal } from '../store/journal/tables/sqlite-journal.ts'
import type { SecretStore } from '../store/secrets/secret-store.ts'
import type { BotFigures } from './bots/bots.ts'
import { createGateway, type GatewayAccess } from './gateway.ts'
import { createLocalPages, type ListenerPlace, type LocalPage, type LocalPages, shownCode } from './http/listener.ts'
import { embeddedState, type GatewayState, type StateTrouble } from './state/gateway-state.ts'
import { createPostgresState, type PostgresStateDeps } from './state/postgres-state.ts'

export interface HeadlessKey {
  readonly id: string
  readonly label: string
  readonly wallet: string
  readonly scopes: readonly Scope[]
  readonly secret: Secret
}

/** A bot as the configuration declares it. `id` and `tokenHash` (SHA-256 of the secret part, in hex) are those of its token. */
export interface HeadlessBot {
  readonly id: string
  readonly label: string
  readonly tokenHash: string
  readonly keyId: string
  readonly wallet: string
  readonly scopes: readonly Scope[]
  readonly expiresAtMs: number | null
  readonly policy: BotPolicy
  readonly isPaused: boolean
}

export interface HeadlessSettings {
  readonly hostUrl: string
  /** The folder for the journal, the permit and the socket. */
  readonly folder: string
  /** The database that several gateways share; null: this gateway serves its accounts alone. */
  readonly state: PostgresStateDeps['server'] | null
  readonly port: number
  /** Where to listen; undefined for 127.0.0.1 without TLS. */
  readonly place: ListenerPlace | undefined
  /** null: no metrics. */
  readonly metricsPort: number | null
  readonly callsPerSecond: number
  readonly keys: readonly HeadlessKey[]
  readonly bots: readonly HeadlessBot[]
}

/** The folder of a gateway is another user's, or others may enter it. They could pause and resume its bots, or read its orders. */
type FolderProblem = 'owner' | 'mode'

/** Why a gateway could not start. `taken`: another process uses its folder. */
export type HeadlessFailure =
  | { readonly code: 'port'; readonly port: number; readonly detail: string }
  | { readonly code: 'taken' }
  | { readonly code: 'journal'; readonly detail: string }
  | { readonly code: 'state'; readonly trouble: StateTrouble }
  | { readonly code: 'folder'; readonly why: FolderProblem }

export interface HeadlessGateway {
  readonly hostUrl: string
  readonly socket: string | null
  readonly metricsUrl: string | null
  /** `away`: the database could not be reached yet, so new risk waits. */
  readonly state: 'own' | 'joined' | 'away'
  /** Takes no more calls, waits up to `ms` for those under way, and returns those whose outcome is still open. */
  stop(ms: number): Promise<Paused['underWay']>
}

function openRecords(file: string, clock: Clock): Result<SqliteJournal, HeadlessFailure> {
  try {
    const journal = openJournal({ file, clock })
    const trouble = journal.trouble()
    if (trouble === null) return ok(journal)
    journal.close()
    return fail({ code: 'journal', detail: trouble })
  } catch (error) {
    if (error instanceof ExpectedFailure && isTaken(error.failure)) return fail({ code: 'taken' })
    throw error
  }
}

function folderProblem(folder: string): FolderProblem | null {
  // Windows has neither; there, the folder inherits the rights of the one around it.
  if (process.getuid === undefined) return null
  const { uid, mode } = statSync(folder)
  return uid !== process.getuid() ? 'owner' : (mode & 0o077) !== 0 ? 'mode' : null
}

const isTaken = (failure: Failure): boolean => failure.kind === 'journal' && failure.issue === 'taken'

const longestSocketPath = 100
/** How long a gateway waits for its database before it listens. */
const joinMs = 5 * second
/** How often it looks for the files that pause and resume. A pause must reach all gateways within a second of its file. */
const tickMs = second / 4
const profile = 'gateway'

/** Runs the gateway of the app without the app: its keys and bots are those of a configuration. */
export async function startHeadlessGateway(
  settings: HeadlessSettings,
  parts: {
    readonly version: string
    readonly proxy: ProxyEnvironment
    readonly clock: Clock
    readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void
  },
): Promise<Result<HeadlessGateway, HeadlessFailure>> {
  const { hostUrl, folder, keys, port, place, metricsPort, callsPerSecond } = settings
  const vitalSigns = createVitalSigns(parts.clock)
  const clock = createServiceClock(parts.clock, vitalSigns)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    return fail({ code: 'journal', detail: errnoOf(error) })
  }
  const unsafe = folderProblem(folder)
  if (unsafe !== null) return fail({ code: 'folder', why: unsafe })
  const opened = openRecords(join(folder, 'journal.sqlite'), clock)
  if (!opened.ok) return opened
  const journal = opened.value
  const facts = { id: profile, kind: 'live' as const, hostUrl, practiceWallet: null }
  const credentials = createCredentials({ profile: facts, journal, secrets: createKeySecrets(keys), clock })
  const api = createApiClient({
    ...{ hostUrl, version: parts.version, clock: parts.clock },
    ...createDispatchers(new URL(hostUrl), parts.proxy),
    ...{ limiter: createLimiter({ clock: parts.clock, sleep }), breaker: createBreaker(parts.clock), budget: createRetryBudget() },
    ...{ vitalSigns, sleep, random: Math.random },
    onExchange: (record, wallet, note) => journal.requests.add(profile, record, wallet, note),
  })
  const shown = { shown: () => ok(keys[0]?.wallet ?? null) }
  const permit = join(folder, 'gateway.permit')
  const every: Every = (ms, work) => {
    const timer = setInterval(() => void Promise.try(work).catch((error: unknown) => parts.log('gateway', { error: String(error) })), ms)
    return () => clearInterval(timer)
  }
  const forgotten = () => api.close().then(() => journal.close())
  try {
    // A folder without bots misses no decision. In any other one, bots without a permit stay paused: a full disk may have lost a pause.
    const given = createPermit(permit, (error) => parts.log('gateway', { error: String(error) }))
    // A damaged journal was set aside, and the pauses with it.
    if (journal.setAside() !== null) given.withdraw()
    else if (journal.records.bots.list({ profile }).length === 0) given.give()
    declare(settings, journal, credentials, clock)
  } catch (error) {
    await forgotten()
    return fail({ code: 'journal', detail: error instanceof ExpectedFailure ? error.failure.kind : String(error) })
  }
  const state = settings.state === null ? embeddedState() : await createPostgresState({ server: settings.state, clock, log: parts.log })
  const gateway = createGateway({
    state,
    ...{ profile: facts, api, journal, credentials, clock, wallet: shown, permit },
    socket: socketIn(folder),
    riskLimits: createRiskLimits({
      ...{ profile: facts, profileName: profile, records: journal.records, wallet: shown, markets: { known: () => null }, api, credentials, clock },
    }),
    fieldMap: { names: () => ({}), answers: () => undefined },
    // No page asks this gateway to show a secret.
    outlets: { reveal: () => ({ closesInMs: 0 }) },
    every,
    emit: () => undefined,
    onInvalidate: () => undefined,
    log: parts.log,
    ...(place !== undefined && { place }),
    onCall: (id, call) => metrics.called(id, call),
  })
  const labels = new Map(settings.bots.map(({ id, label }) => [id, label]))
  const metrics = createMetrics({ labels, status: gateway.access.status, trouble: journal.trouble, budgetLeft: gateway.budgetLeft, state, clock })
  const stop = async (ms: number) => {
    const atFirst = gateway.underWay()
    unfollow()
    gateway.stop(ms)
    await Promise.race([gateway.settled(), sleep(ms + second)])
    const lost = atFirst.filter(({ botId: bot, key }) => journal.records.botCalls.read({ profile, bot, key })?.state === 'sent')
    await metrics.close()
    await forgotten()
    return lost
  }
  const follow = () => {
    try {
      followFiles(folder, settings.bots, gateway.access, { canStore: () => journal.trouble() === null, isReachable: state.isReachable })
    } catch (error) {
      parts.log('gateway', { error: String(error) })
    }
  }
  await gateway.start()
  follow()
  const unfollow = every(tickMs, follow)
  const trouble = await Promise.race([gateway.joined(), sleep(joinMs).then(() => null)])
  if (trouble !== null) {
    await stop(0)
    return fail({ code: 'state', trouble })
  }
  const measured = metricsPort === null ? ok(null) : await metrics.open(metricsPort)
  if (!measured.ok) {
    await stop(second)
    return fail({ code: 'port', port: metricsPort ?? 0, detail: measured.failure })
  }
  const { hostUrl: address, socket, trouble: busy } = await gateway.access.set({ isOn: true, port, callsPerSecond })
  if (address === null) {
    await stop(second)
    return fail({ code: 'port', port, detail: busy?.detail ?? '' })
  }
  return ok({
    hostUrl: address,
    socket,
    metricsUrl: measured.value === null ? null : `http://127.0.0.1:${measured.value.port}`,
    state: stateOf(state),
    stop,
  })
}

const stateOf = (state: Pick<GatewayState, 'isShared' | 'isReachable'>) => (state.isShared ? (state.isReachable() ? 'joined' : 'away') : 'own')

interface CanFollow {
  readonly canStore: () => boolean
  /** Whether the shared state can take the decision; always true for a gateway that is alone. */
  readonly isReachable: () => boolean
}

/**
 * This gateway has no page, so the user pauses and resumes bots with files in its folder. `pause` pauses all of them, on every gateway that shares the
 * state. `resume` resumes those that the configuration does not pause; it waits until the disk and the database take the decision.
 */
function followFiles(folder: string, bots: readonly HeadlessBot[], access: GatewayAccess, { canStore, isReachable }: CanFollow): void {
  const [pause, resume] = [join(folder, 'pause'), join(folder, 'resume')]
  if (existsSync(pause)) {
    rmSync(resume, { force: true })
    try {
      access.pause(null)
    } finally {
      // The file stays until the other gateways can learn of the pause, also over a restart.
      if (isReachable()) rmSync(pause, { force: true })
    }
  } else if (existsSync(resume) && canStore() && bots.every(({ id, isPaused }) => isPaused || access.resume(id).ok)) rmSync(resume, { force: true })
}

/** Writes what the configuration declares into the records. A bot keeps its history and a pause; a bot that is no longer declared ends. */
function declare({ keys, bots }: HeadlessSettings, journal: SqliteJournal, credentials: ReturnType<typeof createCredentials>, clock: Clock): void {
  const { records } = journal
  for (const { id, label, wallet, scopes } of keys) {
    journal.secretIndex.remember({ profileId: profile, wallet, keyId: id, account: id, label })
    credentials.made({ keyId: id, wallet, label, agent: null, askedScopes: scopes, allowlist: [] })
  }
  for (const { record } of records.bots.list({ profile })) if (!bots.some(({ id }) => id === record.id)) records.bots.delete({ profile, id: record.id })
  for (const bot of bots) {
    const before = records.bots.read({ profile, id: bot.id })
    const { createdAtMs = clock.now(), lastUsedAtMs = null, isWatched = false, openedIn = [] } = before ?? {}
    const isPaused = bot.isPaused || before?.isPaused === true
    records.bots.write({ profile, id: bot.id }, { ...bot, isPaused, scopes: [...bot.scopes], createdAtMs, lastUsedAtMs, isWatched, openedIn })
  }
  // The port is set once the gateway runs, so that a taken port is an error and not a state.
  records.gatewaySettings.delete({ profile })
}

/** The secrets of the keys, in memory only. Nothing writes them. */
const createKeySecrets = (keys: readonly HeadlessKey[]): SecretStore => ({
  get: async (account) => ok(keys.find(({ id }) => id === account)?.secret ?? null),
  set: async () => ok(undefined),
  delete: async () => ok(false),
  probe: async () => ok(undefined),
  close: async () => undefined,
})

function socketIn(folder: string): string | null {
  const path = join(folder, 'gateway.sock')
  return process.platform === 'win32' || Buffer.byteLength(path) > longestSocketPath ? null : path
}

interface MetricsDeps {
  /** The names of the bots by id. */
  readonly labels: ReadonlyMap<string, string>
  readonly status: () => GatewayStatus
  /** Why the journal takes nothing now; null if it does. */
  readonly trouble: () => string | null
  /** The part of a second's calls that bots may still send now, from 0 to 1. */
  readonly budgetLeft: () => number
  readonly state: Pick<GatewayState, 'isShared' | 'isReachable'>
  readonly clock: Pick<Clock, 'monotonic'>
}

/** Serves `/healthz` and `/metrics`. */
interface Metrics extends LocalPages {
  readonly called: BotFigures['called']
}

const labelNames = ['bot', 'label'] as const
const states = ['running', 'paused', 'expired', 'no_key'] as const
/** Seconds. The gateway itself adds under a millisecond; the last bucket is the longest deadline. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Measures the gateway for Prometheus. Its labels are the ids and names of bots, never a token or a key. */
function createMetrics({ labels, status, trouble, budgetLeft, state, clock }: MetricsDeps): Metrics {
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

  const reachable = new Gauge({ name: 'svc_gateway_state_reachable', help: '1 if new risk may leave: the database that gateways share is there', registers })

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
    reachable.set(state.isReachable() ? 1 : 0)
  }

  const answer = async (path: string): Promise<LocalPage> => {
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
      body: `${JSON.stringify({ ok: isWell, listening: isListening, journal: journal ?? 'ok', state: stateOf(state) })}\n`,
    }
  }

  return {
    called: (id, call) => {
      const bot = { bot: id, label: labels.get(id) ?? '' }
      calls.inc(bot)
      latency.observe(bot, call.ms / second)
      if (call.status >= 400) errors.inc(bot)
      if (call.code !== null) refused.inc({ ...bot, code: shownCode(call.code) })
    },
    ...createLocalPages(answer, clock),
  }
}
