import { createPrivateKey, hash, randomBytes, X509Certificate } from 'node:crypto'
import { closeSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { parse, TomlError } from 'smol-toml'
import { z } from 'zod'
import { isLoopback, parseHostUrl } from '../../../shared/api/host-url.ts'
import { botTokenPrefix, secretPrefixes } from '../../../shared/api/redact.ts'
import { Scope, scopes as scopeNames } from '../../../shared/api/scopes.ts'
import { compare } from '../../../shared/decimal.ts'
import { botRanges } from '../../../shared/input-limits.ts'
import type { BotPolicy } from '../../../shared/ipc/keys/gateway.ts'
import { hoursOf, noPolicy, policyDraftOf, policyOf } from '../../../shared/limits-draft.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { typedDecimal } from '../../../shared/ticket/typed-number.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { type HeadlessFailure, type HeadlessKey, startHeadlessGateway } from '../../gateway/headless-gateway.ts'
import type { ListenerPlace } from '../../gateway/http/listener.ts'
import { readStateUrl, type StateUrlProblem } from '../../gateway/state/postgres-state.ts'
import { errnoOf } from '../../kernel/failures.ts'
import { Secret } from '../../kernel/secret.ts'
import { proxyEnvironment, proxyFor } from '../../service/transport/system-proxy.ts'
import type { SecretStore } from '../../store/secrets/secret-store.ts'
import { meant } from '../channel/choose.ts'
import { keychainRefusal, plain, type Refusal, refusal } from '../channel/refusal.ts'
import type { SignalRelay } from '../channel/run-child.ts'

/** Where a secret comes from. The configuration never holds one. */
export type SecretSource =
  /** A file in the folder that `CREDENTIALS_DIRECTORY` names, as systemd provides it. */
  | { readonly kind: 'credential'; readonly name: string }
  | { readonly kind: 'fd'; readonly fd: number }
  | { readonly kind: 'keychain'; readonly account: string }
  /** A file that only its owner may read. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'env'; readonly name: string }

export interface ConfiguredKey {
  readonly label: string
  readonly id: string
  readonly wallet: string
  readonly scopes: readonly Scope[]
  readonly from: SecretSource
  readonly expiresAtMs: number | null
}

export interface ConfiguredBot {
  readonly label: string
  readonly id: string
  readonly tokenHash: string
  /** The name of its key. */
  readonly key: string
  readonly scopes: readonly Scope[]
  readonly expiresAtMs: number | null
  readonly policy: BotPolicy
  readonly isPaused: boolean
}

export interface GatewayConfig {
  readonly hostUrl: string
  /** null: the folder that `STATE_DIRECTORY` names. */
  readonly data: string | null
  /** The database that several gateways share, and the source of its password; null: the gateway's own folder. */
  readonly state: { readonly url: string; readonly password: SecretSource | null } | null
  readonly port: number
  readonly metricsPort: number | null
  readonly callsPerSecond: number
  /** Where to listen with TLS; null for 127.0.0.1. */
  readonly tls: {
    readonly address: string
    readonly names: readonly string[]
    readonly certificate: string
    readonly clients: string
    readonly key: SecretSource
  } | null
  readonly keys: readonly ConfiguredKey[]
  readonly bots: readonly ConfiguredBot[]
}

type Read = Result<GatewayConfig, string>
type Values = Readonly<Record<string, unknown>>
type Path = readonly (string | number)[]

interface Field {
  /** Completes “port takes …”. */
  readonly takes: string
  readonly is: z.ZodType
  readonly isNeeded?: true
}

const text = z.string().trim().min(1).max(512)
const whole = (from: number, to: number): Field => ({ takes: `a whole number from ${from} to ${to}`, is: z.number().int().min(from).max(to) })
const amountText = (value: unknown): string => String(value)
const amount: Field = {
  takes: 'an amount in USDC above zero, such as "500" or 500',
  is: z
    .union([z.string(), z.number().int()])
    .refine((value) => typedDecimal(amountText(value)) !== null && compare(typedDecimal(amountText(value)) ?? '0', '0') > 0),
}
const name: Field = { takes: 'a name of at most 64 characters', is: z.string().trim().min(1).max(64), isNeeded: true }
const scopeList: Field = { takes: `a list of ${scopeNames.join(', ')}`, is: z.array(Scope).min(1) }
const date: Field = {
  takes: 'a date or a time in UTC, such as 2027-01-31 or 2027-01-31T12:00:00Z',
  is: z.date().refine((value) => !Number.isNaN(value.getTime())),
}
const sources = '"credential:NAME", "fd:N" or "keychain:ACCOUNT"'
const path: Field = { takes: 'the path of a file', is: text, isNeeded: true }

const tables = {
  '': {
    exchange: { takes: 'the address of the exchange, such as "https://exchange.example"', is: text.refine((value) => parseHostUrl(value).ok), isNeeded: true },
    data: { takes: 'an absolute path of a folder', is: text.refine((value) => value.startsWith('/') || /^[A-Za-z]:\\/.test(value)) },
    state: { takes: 'a table with the address of a database', is: z.record(z.string(), z.unknown()) },
    address: { takes: 'an IP address of this computer', is: z.union([z.ipv4(), z.ipv6()]) },
    names: { takes: 'a list of host names', is: z.array(z.string().regex(/^[A-Za-z0-9.-]{1,253}$/)) },
    port: whole(1_024, 65_535),
    metrics_port: whole(1_024, 65_535),
    calls_per_second: whole(1, 10_000),
    tls: { takes: 'a table', is: z.record(z.string(), z.unknown()) },
    keys: { takes: 'one or more tables [[keys]]', is: z.array(z.record(z.string(), z.unknown())).min(1), isNeeded: true },
    bots: { takes: 'one or more tables [[bots]]', is: z.array(z.record(z.string(), z.unknown())).min(1), isNeeded: true },
  },
  state: {
    url: { takes: 'the address of a PostgreSQL database, such as "postgres://gateway@db.example/desk"', is: text, isNeeded: true },
    password: { takes: '"credential:NAME", "env:NAME", "fd:N", "file:PATH" or "keychain:ACCOUNT"', is: text.refine((value) => sourceOf(value) !== null) },
  },
  tls: {
    certificate: path,
    clients: path,
    key: {
      takes: '"credential:NAME", "fd:N" or "file:PATH"',
      is: text.refine((value) => ['credential', 'fd', 'file'].includes(sourceOf(value)?.kind ?? '')),
      isNeeded: true,
    },
  },
  keys: {
    name,
    id: { takes: 'the key’s id at the exchange', is: text.max(256), isNeeded: true },
    wallet: { takes: 'the address of a wallet: 0x and 40 digits', is: z.string().regex(/^0x[0-9a-fA-F]{40}$/), isNeeded: true },
    scopes: { ...scopeList, isNeeded: true },
    from: { takes: sources, is: text.refine((value) => ['credential', 'fd', 'keychain'].includes(sourceOf(value)?.kind ?? '')), isNeeded: true },
    expires: date,
  },
  bots: {
    name,
    key: { takes: 'the name of one of the keys', is: text, isNeeded: true },
    token: { takes: 'the line that `svc-desk gateway token` prints', is: z.string().regex(/^[0-9a-f]{12}\.[0-9a-f]{64}$/), isNeeded: true },
    scopes: scopeList,
    mode: { takes: '"observe", "dry-run" or "live"', is: z.enum(['observe', 'dry-run', 'live']) },
    markets: { takes: 'a list of the ids of markets, such as [1, 2]', is: z.array(z.number().int().min(0)).min(1) },
    side: { takes: '"long", "short" or "both"', is: z.enum(['long', 'short', 'both']) },
    max_order: amount,
    max_leverage: whole(1, 1_000),
    max_open: amount,
    orders_per_minute: whole(...botRanges.ordersPerMinute),
    max_loss: amount,
    hours: { takes: 'two different times in UTC, such as "08:00-17:30"', is: z.string().refine((value) => hoursOf(value) !== null) },
    silence: whole(...botRanges.silenceSeconds),
    silence_closes: { takes: 'true or false', is: z.boolean() },
    expires: date,
    paused: { takes: 'true or false', is: z.boolean() },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Field>>>>

const stateProblems: Readonly<Record<StateUrlProblem, string>> = {
  no_url: `url takes ${tables.state.url.takes}.`,
  password_in_url: 'others may read this file: take the password out of url, and name its source with password.',
  unknown_option: 'url takes the options host, sslmode and sslrootcert, and sslmode is verify-full or disable.',
  no_tls: 'a database on another computer needs TLS. Leave out sslmode.',
  no_certificate: 'the file of sslrootcert cannot be read.',
}

function sourceOf(written: string): SecretSource | null {
  const [, kind, rest = ''] = /^(credential|env|fd|keychain|file):(.+)$/.exec(written) ?? []
  switch (kind) {
    case 'credential':
      return /^[A-Za-z0-9_.-]{1,255}$/.test(rest) && !/^\.+$/.test(rest) ? { kind, name: rest } : null
    case 'env':
      return /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(rest) ? { kind, name: rest } : null
    case 'fd':
      return /^\d{1,4}$/.test(rest) && Number(rest) >= 3 ? { kind, fd: Number(rest) } : null
    case 'keychain':
      return { kind, account: rest }
    case 'file':
      return { kind, path: rest }
    default:
      return null
  }
}

/** The line of a key or of a table's header, from 1. A field that is written in an inline table has the line of that table. */
function lineOf(written: string, wanted: Path): number {
  const counts = new Map<string, number>()
  let here: Path = []
  let best = 1
  let depth = -1
  const note = (at: Path, line: number) => {
    if (at.length <= depth || at.some((part, index) => part !== wanted[index])) return
    best = line
    depth = at.length
  }
  for (const [index, line] of written.split('\n').entries()) {
    const [, list] = /^\s*\[\[\s*"?([\w-]+)"?\s*\]\]/.exec(line) ?? []
    const [, table] = /^\s*\[\s*"?([\w-]+)"?\s*\]/.exec(line) ?? []
    const [, key] = /^\s*["']?([\w-]+)["']?\s*=/.exec(line) ?? []
    if (list !== undefined) {
      const at = counts.get(list) ?? 0
      counts.set(list, at + 1)
      here = [list, at]
      note(here, index + 1)
    } else if (table !== undefined) {
      here = [table]
      note(here, index + 1)
    } else if (key !== undefined) note([...here, key], index + 1)
  }
  return best
}

const secretForms = [
  new RegExp(`${botTokenPrefix.replace('.', '\\.')}[0-9a-f]{12}\\.`),
  new RegExp(`\\b${secretPrefixes.key}(?=[A-Za-z0-9_.-]*\\d)[A-Za-z0-9_.-]{10,}`),
  new RegExp(`${secretPrefixes.session.replace('.', '\\.')}\\S{10,}`),
  new RegExp(`${secretPrefixes.webhook}\\S{10,}`),
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
]

/** Reads the configuration of `svc-desk gateway --config`. Fails with one sentence, which begins with the line of the first mistake. */
export function readGatewayConfig(written: string): Read {
  const at = (where: Path, sentence: string) => fail(`Line ${lineOf(written, where)}: ${sentence}`)
  for (const [index, line] of written.split('\n').entries())
    if (secretForms.some((form) => form.test(line)))
      return fail(`Line ${index + 1}: this is a secret. Others may read this file: replace the secret, and name its source, such as ${sources}.`)
  let parsed: Values
  try {
    parsed = parse(written)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    return fail(`Line ${error.line}: this is no valid TOML (${error.message.split('\n')[0]?.replace('Invalid TOML document: ', '') ?? ''}).`)
  }
  const wrong = (table: keyof typeof tables, values: Values, where: Path): Result<never, string> | null => {
    const fields: Readonly<Record<string, Field>> = tables[table]
    const of = table === '' ? 'The configuration' : table === 'tls' || table === 'state' ? `[${table}]` : `[[${table}]]`
    for (const [key, value] of Object.entries(values)) {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined
      if (field === undefined) return at([...where, key], `there is no field ${key} here.${meant(key, Object.keys(fields))}`)
      if (!field.is.safeParse(value).success) return at([...where, key], `${key} takes ${field.takes}.`)
    }
    const missing = Object.keys(fields).find((key) => fields[key]?.isNeeded === true && !Object.hasOwn(values, key))
    return missing === undefined ? null : at(where, `${of} needs ${missing}: ${fields[missing]?.takes ?? ''}.`)
  }

  const top = wrong('', parsed, [])
  if (top !== null) return top
  const list = (of: 'keys' | 'bots') => z.array(z.record(z.string(), z.unknown())).parse(parsed[of])
  for (const table of ['keys', 'bots'] as const)
    for (const [index, values] of list(table).entries()) {
      const problem = wrong(table, values, [table, index])
      if (problem !== null) return problem
    }
  const tls = z.record(z.string(), z.unknown()).optional().parse(parsed.tls)
  const tlsProblem = tls === undefined ? null : wrong('tls', tls, ['tls'])
  if (tlsProblem !== null) return tlsProblem
  const state = z.record(z.string(), z.unknown()).optional().parse(parsed.state)
  const stateProblem = state === undefined ? null : wrong('state', state, ['state'])
  if (stateProblem !== null) return stateProblem
  const server = state === undefined ? null : readStateUrl({ url: String(state.url), password: null })
  if (server?.ok === false) return at(['state', 'url'], stateProblems[server.failure])

  const address = textOf(parsed.address) ?? '127.0.0.1'
  const names = z.array(z.string()).parse(parsed.names ?? [])
  if (isLoopback(address) || isLoopback(`[${address}]`)) {
    if (address !== '127.0.0.1') return at(['address'], 'the gateway uses 127.0.0.1 on this computer. Leave out address.')
    if (tls !== undefined) return at(['tls'], '[tls] is for an address that other computers reach. Name it with address, or leave out [tls].')
    if (names.length > 0) return at(['names'], 'names is for an address that other computers reach. Leave it out.')
  } else if (tls === undefined) return at(['address'], `other computers can reach ${address}. Add [tls] with a certificate and the authority of the clients.`)
  else if ((address === '0.0.0.0' || address === '::') && names.length === 0)
    return at(['address'], `${address} means every address. List the host names that bots use in names.`)

  const keys = list('keys').map(
    (key): ConfiguredKey => ({
      ...{ label: textOf(key.name) ?? '', id: textOf(key.id) ?? '', wallet: textOf(key.wallet) ?? '', scopes: z.array(Scope).parse(key.scopes) },
      ...{ from: sourceOf(String(key.from)) ?? { kind: 'credential', name: '' }, expiresAtMs: timeOf(key.expires) },
    }),
  )
  for (const field of ['label', 'id'] as const) {
    const twice = keys.findIndex((key, index) => keys.findIndex((other) => other[field] === key[field]) < index)
    if (twice >= 0) return at(['keys', twice, field === 'label' ? 'name' : 'id'], `another key has the same ${field === 'label' ? 'name' : 'id'}.`)
  }
  const bots: ConfiguredBot[] = []
  for (const [index, bot] of list('bots').entries()) {
    const key = keys.find(({ label }) => label === textOf(bot.key))
    if (key === undefined)
      return at(
        ['bots', index, 'key'],
        `there is no key ${textOf(bot.key)}.${meant(
          textOf(bot.key) ?? '',
          keys.map(({ label }) => label),
        )}`,
      )
    const scopes = z.array(Scope).parse(bot.scopes ?? key.scopes.filter((scope) => scope !== 'collateral:manage'))
    const lacked = scopes.find((scope) => !key.scopes.includes(scope))
    if (lacked !== undefined) return at(['bots', index, 'scopes'], `the key ${key.label} has no scope ${lacked}.`)
    if (scopes.length === 0) return at(['bots', index], 'name the scopes of this bot with scopes.')
    if (bot.silence_closes !== undefined && bot.silence === undefined) return at(['bots', index, 'silence_closes'], 'silence_closes needs silence.')
    const policy = policyFrom(bot)
    if (policy === null) return at(['bots', index], 'a limit of this bot is not valid.')
    const [id = '', tokenHash = ''] = String(bot.token).split('.')
    const same = bots.find((other) => other.id === id || other.label === textOf(bot.name))
    if (same !== undefined)
      return at(['bots', index, same.id === id ? 'token' : 'name'], `another bot has the same ${same.id === id ? 'token. Make one for each bot' : 'name'}.`)
    bots.push({
      ...{ label: textOf(bot.name) ?? '', id, tokenHash, key: key.label, scopes, expiresAtMs: timeOf(bot.expires), policy, isPaused: bot.paused === true },
    })
  }
  const port = Number(parsed.port ?? 8_421)
  const metricsPort = parsed.metrics_port === undefined ? null : Number(parsed.metrics_port)
  if (metricsPort === port) return at(['metrics_port'], 'metrics_port and port must differ.')
  const host = parseHostUrl(String(parsed.exchange))
  return ok({
    hostUrl: host.ok ? host.value.hostUrl : '',
    ...{ data: textOf(parsed.data), port, metricsPort, callsPerSecond: Number(parsed.calls_per_second ?? 40) },
    state: state === undefined ? null : { url: String(state.url), password: sourceOf(textOf(state.password) ?? '') },
    tls:
      tls === undefined
        ? null
        : { address, names, certificate: String(tls.certificate), clients: String(tls.clients), key: sourceOf(String(tls.key)) ?? { kind: 'file', path: '' } },
    ...{ keys, bots },
  })
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value.trim() : null)

const timeOf = (value: unknown): number | null => (value instanceof Date ? value.getTime() : null)

function policyFrom(bot: Values): BotPolicy | null {
  const typed = (value: unknown): string => (value === undefined ? '' : String(value))
  const [from = '', to = ''] = typed(bot.hours).split('-')
  const mode = typed(bot.mode)
  return policyOf({
    ...policyDraftOf({ mode: mode === 'live' ? 'live' : mode === 'dry-run' ? 'dry_run' : 'observe', ...noPolicy }),
    ...{ orderValue: typed(bot.max_order), leverage: typed(bot.max_leverage), dailyLoss: typed(bot.max_loss), openNotional: typed(bot.max_open) },
    ...{ ordersPerMinute: typed(bot.orders_per_minute), from: from.trim(), to: to.trim(), silenceSeconds: typed(bot.silence) },
    silenceDoes: bot.silence_closes === true ? 'cancel_and_close' : 'cancel',
    markets: bot.markets === undefined ? null : z.array(z.number()).parse(bot.markets),
    sides: bot.side === 'long' || bot.side === 'short' ? bot.side : 'both',
  })
}

export interface GatewayServerParts {
  readonly env: NodeJS.ProcessEnv
  readonly folder: string
  readonly version: string
  readonly secrets: SecretStore
  readonly stdout: Writable
  readonly signals: SignalRelay
  readonly clock: Clock
  readonly say: (sentence: string) => void
}

/** How long the gateway waits at its end for the calls under way. systemd kills a service after 90 seconds. */
const endMs = 15 * second
const largestSecret = 64 * 1_024

/** A new token for a bot of a configuration, and the value of the bot's field `token`. */
export function newConfiguredToken(): { readonly token: Secret; readonly line: string } {
  const id = randomBytes(6).toString('hex')
  const secret = randomBytes(32).toString('base64url')
  return { token: new Secret(`${botTokenPrefix}${id}.${secret}`), line: `${id}.${hash('sha256', secret)}` }
}

/** Runs the gateway of a configuration until a signal ends it. Returns why it could not start; null if it ended in order. */
export async function gatewayServer(file: string, parts: GatewayServerParts): Promise<Refusal | null> {
  const { env, folder, clock, say, stdout, version, signals } = parts
  const { promise: ended, resolve: end } = Promise.withResolvers<NodeJS.Signals>()
  signals.here(end)
  const config = readConfig(resolve(folder, file), file)
  if (!config.ok) return config.failure
  const { hostUrl, state, port, metricsPort, callsPerSecond, bots } = config.value
  const data = config.value.data ?? env.STATE_DIRECTORY?.split(':')[0] ?? ''
  if (data === '') return refusal('usage', `${file}: name the folder for the gateway’s records with data.`)
  const keys = await readKeys(config.value, parts)
  if (!keys.ok) return keys.failure
  const place = await readPlace(config.value, parts)
  if (!place.ok) return place.failure
  const walletOf = (label: string) => keys.value.find((key) => key.label === label)
  const password = state?.password == null ? null : await readSource(state.password, 'the password of the database', parts)
  if (password?.ok === false) return password.failure
  const server = state === null ? null : readStateUrl({ url: state.url, password: password?.value ?? null })
  if (server?.ok === false) return refusal('missing', `${file}: ${stateProblems[server.failure]}`)
  const started = await startHeadlessGateway(
    {
      ...{ hostUrl, folder: data, state: server?.value ?? null, port, place: place.value, metricsPort, callsPerSecond, keys: keys.value },
      bots: bots.map(({ key, ...bot }) => ({ ...bot, keyId: walletOf(key)?.id ?? '', wallet: walletOf(key)?.wallet ?? '' })),
    },
    {
      ...{ version, clock },
      proxy: await proxyFor(hostUrl, proxyEnvironment(env), async () => 'DIRECT'),
      log: (event, facts) => say(`${event} ${JSON.stringify(facts)}`),
    },
  )
  if (!started.ok) return startRefusal(started.failure, config.value, data)
  const { hostUrl: address, socket, metricsUrl, state: reached, stop } = started.value
  if (reached === 'away') say('The database cannot be reached. New risk waits for it; closes and cancels leave.')
  stdout.write(`The gateway listens on ${address}${socket === null ? '' : ` and ${socket}`}\n`)
  if (metricsUrl !== null) stdout.write(`Metrics are at ${metricsUrl}/metrics\n`)
  await ended
  const open = await stop(endMs)
  for (const { botId, key } of open) say(`May still take effect: ${key} of ${plain(bots.find(({ id }) => id === botId)?.label ?? botId)}`)
  stdout.write('The gateway has ended.\n')
  return null
}

function readConfig(path: string, shown: string): Result<GatewayConfig, Refusal> {
  try {
    const read = readGatewayConfig(readFileSync(path, 'utf8'))
    return read.ok ? read : fail(refusal('usage', `${shown}: ${read.failure}`))
  } catch (error) {
    return fail(refusal('missing', `${shown} cannot be read (${errnoOf(error)}).`))
  }
}

/** Reads the secrets of all keys, so that a missing one is found before a bot needs it. */
async function readKeys({ keys }: GatewayConfig, parts: GatewayServerParts): Promise<Result<readonly HeadlessKey[], Refusal>> {
  const read: HeadlessKey[] = []
  for (const { label, id, wallet, scopes, from, expiresAtMs } of keys) {
    if (expiresAtMs !== null && expiresAtMs <= parts.clock.now())
      return fail(refusal('unavailable', `The key ${label} expired on ${new Date(expiresAtMs).toISOString().slice(0, 10)}. Make a new key and change its id.`))
    const secret = await readSource(from, `the key ${label}`, parts)
    if (!secret.ok) return secret
    if (!/^[\x21-\x7e]{8,512}$/.test(secret.value.reveal()))
      return fail(refusal('missing', `The secret of the key ${label} is no key. Check ${sourceText(from)}.`))
    read.push({ id, label, wallet, scopes, secret: secret.value })
  }
  return ok(read)
}

async function readPlace({ tls }: GatewayConfig, parts: GatewayServerParts): Promise<Result<ListenerPlace | undefined, Refusal>> {
  if (tls === null) return ok(undefined)
  const certificate = readCertificate(tls.certificate, 'the certificate', parts)
  if (!certificate.ok) return certificate
  const clients = readCertificate(tls.clients, 'the clients’ authority', parts)
  if (!clients.ok) return clients
  const key = await readSource(tls.key, 'the certificate’s key', parts)
  if (!key.ok) return key
  const [own, authority] = [certificateOf(certificate.value), certificateOf(clients.value)]
  if (own === null) return fail(refusal('missing', `${tls.certificate} contains no certificate in the form PEM.`))
  if (authority === null) return fail(refusal('missing', `${tls.clients} contains no certificate in the form PEM.`))
  if (Date.parse(own.validTo) <= parts.clock.now()) return fail(refusal('unavailable', `The certificate ${tls.certificate} has expired.`))
  if (!isKeyOf(own, key.value)) return fail(refusal('missing', `${sourceText(tls.key)} is not the key of ${tls.certificate}.`))
  return ok({
    ...{ address: tls.address, names: tls.names, certificate: certificate.value, clientCa: clients.value, key: key.value },
  })
}

function readCertificate(path: string, of: string, { folder }: GatewayServerParts): Result<string, Refusal> {
  try {
    return ok(readFileSync(resolve(folder, path), 'utf8'))
  } catch (error) {
    return fail(refusal('missing', `${path} for ${of} cannot be read (${errnoOf(error)}).`))
  }
}

function certificateOf(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}

function isKeyOf(certificate: X509Certificate, pem: Secret): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(pem.reveal()))
  } catch {
    return false
  }
}

const sourceText = (source: SecretSource): string => {
  switch (source.kind) {
    case 'credential':
      return `the credential ${source.name}`
    case 'fd':
      return `file descriptor ${source.fd}`
    case 'keychain':
      return `the keychain’s entry ${source.account}`
    case 'env':
      return `the environment variable ${source.name}`
    case 'file':
      return source.path
  }
}

async function readSource(source: SecretSource, of: string, { env, folder, secrets }: GatewayServerParts): Promise<Result<Secret, Refusal>> {
  if (source.kind === 'keychain') {
    const found = await secrets.get(source.account)
    if (!found.ok) return fail(keychainRefusal(found.failure.code))
    if (found.value !== null) return ok(found.value)
    // A locked keychain answers like one without the entry.
    const probed = await secrets.probe()
    return fail(probed.ok ? refusal('missing', `The keychain has no entry ${source.account} for ${of}.`) : keychainRefusal(probed.failure.code))
  }
  if (source.kind === 'env') {
    const value = env[source.name] ?? ''
    return value === '' ? fail(refusal('missing', `The environment variable ${source.name} for ${of} is not set.`)) : ok(new Secret(value))
  }
  const given = env.CREDENTIALS_DIRECTORY ?? ''
  if (source.kind === 'credential' && given === '')
    return fail(refusal('missing', `CREDENTIALS_DIRECTORY names no folder, so there is no credential ${source.name} for ${of}. systemd sets it.`))
  const where = source.kind === 'fd' ? source.fd : source.kind === 'credential' ? join(given, source.name) : resolve(folder, source.path)
  try {
    if (source.kind === 'file' && process.platform !== 'win32' && (statSync(resolve(folder, source.path)).mode & 0o077) !== 0)
      return fail(refusal('missing', `Others may read ${source.path}, the file for ${of}. Run chmod 600 on it, then try again.`))
    const text = readFileSync(where, 'utf8')
    if (source.kind === 'fd') closeSync(source.fd)
    return text.length > largestSecret ? fail(refusal('missing', `${sourceText(source)} is too long for ${of}.`)) : ok(new Secret(text.replace(/\r?\n$/, '')))
  } catch (error) {
    return fail(refusal('missing', `${sourceText(source)} for ${of} cannot be read (${errnoOf(error)}).`))
  }
}

function startRefusal(failure: HeadlessFailure, { port }: GatewayConfig, data: string): Refusal {
  switch (failure.code) {
    case 'port': {
      const field = failure.port === port ? 'port' : 'metrics_port'
      return failure.detail === 'EADDRINUSE'
        ? refusal('unavailable', `Another program uses port ${failure.port}. Choose another one with ${field}.`)
        : refusal('unavailable', `The gateway cannot listen on port ${failure.port} (${failure.detail}). Check address and ${field}.`)
    }
    case 'state':
      return failure.trouble.code === 'no_tls'
        ? refusal('unavailable', 'The database refuses TLS, so others could read the orders. Switch on ssl at its server.')
        : refusal('unavailable', `The certificate of the database is not to be trusted (${failure.trouble.detail}). Check the host and sslrootcert in url.`)
    case 'folder':
      return failure.why === 'owner'
        ? refusal('missing', `${data} belongs to another user. Name a folder of your own with data.`)
        : refusal('missing', `Others may enter ${data}. Run chmod 700 on it, then try again.`)
    case 'taken':
      return refusal('unavailable', `Another gateway uses ${data}. End it, or name another folder with data.`)
    case 'journal':
      return failure.detail === 'no_space'
        ? refusal('unavailable', `The disk of ${data} is full. Make space, then start the gateway again. Nothing was lost.`)
        : refusal('unavailable', `The gateway cannot write its records in ${data} (${failure.detail}).`)
  }
}
