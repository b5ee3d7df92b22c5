import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import type { Endpoint } from '../../../shared/api/endpoint.ts'
import { endpointGroups, endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { versionedPath } from '../../../shared/api/host-url.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { sleep } from '../../kernel/deadline.ts'
import { errnoOf } from '../../kernel/failures.ts'
import type { Secret } from '../../kernel/secret.ts'

/** Why the gateway itself refuses a call, with the HTTP status. build/docs/gateway.md explains each code. */
const statuses = {
  TOKEN_REQUIRED: 401,
  TOKEN_UNKNOWN: 401,
  TOKEN_EXPIRED: 401,
  HOST: 421,
  ORIGIN: 403,
  HEADER: 400,
  PATH: 400,
  QUERY: 400,
  ROUTE: 404,
  METHOD: 405,
  LENGTH: 411,
  TOO_LARGE: 413,
  CONTENT_TYPE: 415,
  BODY: 400,
  SCOPE: 403,
  PAUSED: 403,
  OBSERVES: 403,
  DRY_RUN: 403,
  LIMIT: 403,
  NOT_OWN: 403,
  INTENT: 403,
  KEY_REUSED: 409,
  HELD_BACK: 503,
  STATE_AWAY: 503,
  BUSY: 429,
  FULL: 429,
  WAITING: 503,
  NO_KEY: 503,
  UNREACHABLE: 502,
  NO_ANSWER: 504,
  KEY_IN_ANSWER: 502,
  OUTCOME_UNKNOWN: 409,
  NOT_FOUND: 404,
  FAILED: 500,
} as const
export type RefusalCode = keyof typeof statuses

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface GatewayRefusal extends Reply {
  readonly code: RefusalCode
}

type Facts = Readonly<Record<string, string | number | null>>

/** The code that a bot sees. Bots that know the exchange's own code for a missing key get just that one. */
export const shownCode = (code: RefusalCode): string =>
  code === 'TOKEN_REQUIRED' ? 'API_KEY_REQUIRED' : code === 'KEY_REUSED' ? 'IDEMPOTENCY_KEY_CONFLICT' : `GATEWAY_${code}`

/** Makes the answer to a call that the gateway refuses: a code and facts, as JSON. The header `X-Svc-Gateway` tells it from an answer of the service. */
export const refusal = (code: RefusalCode, facts: Facts = {}, headers: Readonly<Record<string, string>> = {}): GatewayRefusal => ({
  code,
  ...jsonReply(statuses[code], { success: false, error: { code: shownCode(code), ...facts } }, headers),
})

export const jsonReply = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-svc-gateway': 'own', ...headers },
  body: Buffer.from(JSON.stringify(body)),
})

/** Converts a failure of the risk limits or of the journal to the answer for a bot. */
export function refusalOf(failure: Failure): GatewayRefusal {
  switch (failure.kind) {
    case 'guard_rail':
      return refusal('LIMIT', { limit: failure.rail, allowed: failure.limit, asked: failure.asked })
    case 'held_back':
      return refusal('HELD_BACK', { why: failure.why })
    case 'journal':
      return refusal('HELD_BACK', { why: failure.issue })
    case 'api_key_required':
    case 'scope_missing':
    case 'keychain':
      return refusal('NO_KEY', { why: failure.kind })
    default:
      return refusal('HELD_BACK', { why: failure.kind })
  }
}

/** What the gateway does with a call. */
export type CallKind = 'read' | 'stream' | 'prepare' | 'execute' | 'relay' | 'receipt' | 'outcome'

export interface MatchedRoute {
  readonly kind: CallKind
  readonly endpoint: Endpoint
  /** The path with its query, exactly as the bot sent it. */
  readonly target: string
  readonly params: Readonly<Record<string, string>>
}

/** The gateway's own route: what became of an execution whose answer was lost. `{key}` is its action and its idempotency key, joined by `~`. */
export const outcomePath = '/gateway/calls'

interface Pattern {
  readonly method: string
  readonly segments: readonly string[]
  readonly endpoint: Endpoint
  readonly queryNames: ReadonlySet<string>
}

const { market, account, trading, public: publicReads, relay } = endpointGroups
/** Everything that a bot may call. Developer routes are not in it, so that no bot can manage keys or webhooks. */
const patterns: readonly Pattern[] = [market, account, trading, publicReads, relay].flatMap((group) =>
  Object.values<Endpoint>(group).map((endpoint) => {
    const [method = '', path = ''] = endpoint.route.split(' ')
    const { query } = endpoint
    return {
      method,
      segments: `${endpoint.root === 'base' ? versionedPath : ''}${path}`.split('/').slice(1),
      endpoint,
      queryNames: new Set(query instanceof z.ZodObject ? Object.keys(query.shape) : []),
    }
  }),
)

/** The patterns without a parameter by path, and the others by number of segments, since most calls go to a plain path. */
const plain = Map.groupBy(
  patterns.filter(({ segments }) => !segments.some((segment) => segment.startsWith('{'))),
  ({ segments }) => `/${segments.join('/')}`,
)
const withParameter = Map.groupBy(
  patterns.filter(({ segments }) => segments.some((segment) => segment.startsWith('{'))),
  ({ segments }) => segments.length,
)

const kinds = new Map<Endpoint, CallKind>([
  [endpoints.openStream, 'stream'],
  [endpoints.prepareOrder, 'prepare'],
  [endpoints.executeOrder, 'execute'],
  [endpoints.relayIntent, 'relay'],
  [endpoints.reportReceipt, 'receipt'],
])

const longestTarget = 2_048
/**
 * Plain segments only. A percent sign is refused in a path, so that no encoded slash or dot can mean another path to the service than to the gateway.
 */
const plainPath = /^(\/[A-Za-z0-9_.~:-]+)+$/
const plainQuery = /^(?:[A-Za-z0-9_.~:,+&=-]|%[0-9A-Fa-f]{2})*$/

/**
 * Finds the route of a request line. Compares the path as it was sent, without decoding or normalising it: absolute URLs, empty segments, `.`, `..`,
 * backslashes and encoded characters are refused, and so is a query name that the route does not have.
 */
export function matchRoute(method: string, target: string): Result<MatchedRoute, GatewayRefusal> {
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const query = mark === -1 ? '' : target.slice(mark + 1)
  const segments = path.split('/').slice(1)
  if (target.length > longestTarget || !plainPath.test(path) || segments.some((segment) => segment === '.' || segment === '..')) return fail(refusal('PATH'))
  if (path.startsWith(`${outcomePath}/`) && segments.length === 3)
    return method === 'GET' && query === ''
      ? ok({ kind: 'outcome', endpoint: endpoints.executeOrder, target, params: { key: segments[2] ?? '' } })
      : fail(refusal('METHOD'))
  const here = plain.get(path) ?? (withParameter.get(segments.length) ?? []).filter((pattern) => fits(pattern.segments, segments))
  if (here.length === 0) return fail(refusal('ROUTE'))
  const found = here.find((pattern) => pattern.method === method)
  if (found === undefined) return fail(refusal('METHOD', {}, { allow: [...new Set(here.map((pattern) => pattern.method))].join(', ') }))
  if (!plainQuery.test(query)) return fail(refusal('PATH'))
  const names = query === '' ? [] : [...new URLSearchParams(query).keys()]
  const foreign = names.find((name, index) => !found.queryNames.has(name) || names.indexOf(name) !== index)
  if (foreign !== undefined) return fail(refusal('QUERY', { field: foreign }))
  const params = Object.fromEntries(found.segments.flatMap((segment, at) => (segment.startsWith('{') ? [[segment.slice(1, -1), segments[at] ?? '']] : [])))
  return ok({ kind: kinds.get(found.endpoint) ?? 'read', endpoint: found.endpoint, target, params })
}

const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length && pattern.every((part, at) => part.startsWith('{') || part === segments[at])

/** A call of a bot whose request line, headers and size are in order. */
export interface BotRequest {
  readonly route: MatchedRoute
  /** The token as sent; null if there is none. */
  readonly token: string | null
  readonly body: string | null
  readonly idempotencyKey: string | null
  readonly lastEventId: string | null
  readonly requestId: string | null
  /** Aborted when the bot hangs up before it has its answer. */
  readonly gone: AbortSignal
}

/** An answer that stays open. `start` gets a function that writes a part, and returns one that ends the source. */
export interface StreamingReply {
  readonly status: 200
  readonly headers: Readonly<Record<string, string>>
  start(write: (part: Buffer) => void, end: () => void): () => void
}

/** An address that other computers reach. Only clients with a certificate of `clientCa` may connect. All texts are PEM. */
export interface ListenerPlace {
  readonly address: string
  /** The host names that clients may use besides the address. */
  readonly names: readonly string[]
  readonly certificate: string
  readonly key: Secret
  readonly clientCa: string
}

export interface ListenerDeps {
  readonly port: number
  /** Where to listen; undefined for 127.0.0.1 without TLS. */
  readonly place?: ListenerPlace | undefined
  /** Path of the unix socket; null for none. */
  readonly socket: string | null
  readonly answer: (request: BotRequest) => Promise<Reply | GatewayRefusal | StreamingReply>
  /** Hears of each request that the listener itself refuses, after how many ms. */
  readonly refused: (refusal: GatewayRefusal, ms: number) => void
  readonly clock: Pick<Clock, 'monotonic'>
  readonly failed: (error: unknown) => void
}

export interface Listener {
  /** Starts to listen on 127.0.0.1, or on the given place, and on the socket. Fails with the system's error code. */
  open(): Promise<Result<{ readonly port: number }, string>>
  /** Stops to listen. Answers that are under way get `graceMs` to leave; then all connections end. */
  close(graceMs?: number): Promise<void>
}

const mostHeaders = 64
const mostConnections = 1_024
/** How much of a stream may wait for a slow bot before the gateway ends the stream. */
const mostBuffered = 1_024 * 1_024
/** Headers that a browser sets and a bot does not. With them, a web page is asking. */
const ofBrowsers = ['origin', 'referer', 'cookie', 'sec-fetch-site', 'sec-fetch-dest', 'sec-fetch-user', 'access-control-request-method'] as const
const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override', 'x-original-url', 'x-rewrite-url'] as const
const single = new Set(['host', 'content-length', 'content-type', 'authorization', 'x-svc-api-key', 'idempotency-key', 'last-event-id', 'x-request-id'])
const endsConnection: ReadonlySet<RefusalCode> = new Set(['HOST', 'ORIGIN', 'HEADER', 'LENGTH', 'TOO_LARGE', 'PATH', 'METHOD'])
const visible = /^[\x20-\x7e]{1,256}$/

/** Serves bots over HTTP on this computer, or over TLS on the given place. Checks everything about a request that needs no knowledge of bots. */
export function createListener({ port, place, socket, answer, refused, clock, failed }: ListenerDeps): Listener {
  const servers: Server[] = []
  let isClosing = false

  const check = (request: IncomingMessage, isLocalSocket: boolean): GatewayRefusal | null => {
    const { headers, rawHeaders } = request
    const seen = new Set<string>()
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = (rawHeaders[at] ?? '').toLowerCase()
      if (single.has(name) && seen.has(name)) return refusal('HEADER')
      seen.add(name)
    }
    if (!isOwnHost(headers.host, isLocalSocket ? null : openPort, isLocalSocket ? undefined : place)) return refusal('HOST')
    if (ofBrowsers.some((name) => seen.has(name))) return refusal('ORIGIN')
    if (overrides.some((name) => seen.has(name))) return refusal('HEADER')
    if (headers['transfer-encoding'] !== undefined) return refusal('LENGTH')
    if (headers.upgrade !== undefined || headers.expect !== undefined) return refusal('HEADER')
    if (Number(headers['content-length'] ?? 0) > limits.requestBodyBytes) return refusal('TOO_LARGE')
    return null
  }

  let openPort = port

  const take = async (
    request: IncomingMessage,
    gone: AbortSignal,
    isLocalSocket: boolean,
    answered: ListenerDeps['answer'],
  ): Promise<Reply | GatewayRefusal | StreamingReply> => {
    const problem = check(request, isLocalSocket)
    if (problem !== null) return problem
    const route = matchRoute(request.method ?? '', request.url ?? '')
    if (!route.ok) return route.failure
    const { headers } = request
    const isPost = request.method === 'POST'
    if (!isPost && Number(headers['content-length'] ?? 0) > 0) return refusal('BODY', { why: 'not_json' })
    if (isPost && !/^application\/json(\s*;\s*charset=utf-8)?$/i.test(headers['content-type'] ?? '')) return refusal('CONTENT_TYPE')
    const read = isPost ? await readBody(request) : ok(null)
    if (!read.ok) return read.failure
    const idempotencyKey = headerOf(headers['idempotency-key'])
    if (idempotencyKey !== null && !limits.idempotencyKey.pattern.test(idempotencyKey)) return refusal('HEADER', { field: 'Idempotency-Key' })
    const lastEventId = headerOf(headers['last-event-id'])
    if (lastEventId !== null && !visible.test(lastEventId)) return refusal('HEADER', { field: 'Last-Event-ID' })
    const requestId = headerOf(headers['x-request-id'])
    return answered({
      route: route.value,
      token: tokenOf(request),
      body: read.value,
      idempotencyKey,
      lastEventId,
      // The service replaces an invalid id with its own (Service 9), and so does the gateway.
      requestId: requestId !== null && limits.requestId.pattern.test(requestId) ? requestId : null,
      gone,
    })
  }

  const serve = async (request: IncomingMessage, response: ServerResponse, isLocalSocket: boolean): Promise<void> => {
    const gone = new AbortController()
    const startedAt = clock.monotonic()
    let isAnswered = false
    response.on('close', () => {
      if (!response.writableFinished) gone.abort()
    })
    response.on('error', () => undefined)
    const answered = async (asked: BotRequest) => {
      const answer_ = await answer(asked)
      isAnswered = true
      return answer_
    }
    const reply = await take(request, gone.signal, isLocalSocket, answered).catch((error: unknown) => {
      failed(error)
      return refusal('FAILED')
    })
    if ('code' in reply && !isAnswered) refused(reply, clock.monotonic() - startedAt)
    if (response.destroyed) return
    if ('start' in reply) return stream(reply, response)
    // What follows a request that is not in order must not be taken for the next request.
    const isLast = isClosing || !request.complete || ('code' in reply && endsConnection.has(reply.code))
    response.writeHead(reply.status, { ...reply.headers, ...(isLast && { connection: 'close' }), 'content-length': reply.body.length })
    response.end(reply.body, () => {
      if (isLast) request.socket.destroySoon()
    })
  }

  const open = (where: { readonly port: number; readonly host: string } | { readonly path: string }): Promise<Server> => {
    const isLocalSocket = 'path' in where
    const options = { requireHostHeader: true, insecureHTTPParser: false, maxHeaderSize: 16_384, keepAliveTimeout: 60 * second }
    const taken = (request: IncomingMessage, response: ServerResponse) => void serve(request, response, isLocalSocket)
    const server =
      place === undefined || isLocalSocket
        ? createServer(options, taken)
        : createTlsServer({ ...options, ...tlsOf(place), handshakeTimeout: 10 * second }, taken)
    // A client that does not finish its handshake, or has no certificate.
    server.on('tlsClientError', (_: Error, connection: Duplex) => connection.destroy())
    server.headersTimeout = 10 * second
    server.requestTimeout = 30 * second
    server.maxHeadersCount = mostHeaders
    server.maxConnections = mostConnections
    // Without these, Node would open a tunnel or change the protocol, or answer in its own words.
    server.on('connect', (_, connection) => connection.destroy())
    server.on('upgrade', (_, connection) => connection.destroy())
    server.on('checkExpectation', (request, response) => void serve(request, response, isLocalSocket))
    server.on('clientError', (_, connection) => {
      if (connection.writable) connection.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      else connection.destroy()
    })
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(where, () => {
        server.off('error', reject)
        server.on('error', failed)
        resolve(server)
      })
    })
  }

  return {
    async open() {
      try {
        const server = await open({ port, host: place?.address ?? '127.0.0.1' })
        servers.push(server)
        const address = server.address()
        if (typeof address === 'object' && address !== null) openPort = address.port
        if (socket !== null) {
          // Only one app uses this folder at a time, so an existing socket was left behind.
          rmSync(socket, { force: true })
          servers.push(await open({ path: socket }))
          chmodSync(socket, 0o600)
        }
        return ok({ port: openPort })
      } catch (error) {
        await this.close()
        return fail(errnoOf(error) || String(error))
      }
    },
    async close(graceMs = 0) {
      isClosing = true
      await Promise.all(
        servers.splice(0).map(async (server) => {
          const closed = new Promise<void>((resolve) => server.close(() => resolve()))
          const isOver = new AbortController()
          if (graceMs > 0) await Promise.race([closed, sleep(graceMs, isOver.signal)])
          isOver.abort()
          server.closeAllConnections()
          await closed
        }),
      )
      if (socket !== null) rmSync(socket, { force: true })
    },
  }
}

const tlsOf = ({ certificate, key, clientCa }: ListenerPlace) =>
  ({ cert: certificate, key: key.reveal(), ca: clientCa, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' }) as const

/**
 * Whether a request names this computer as its host. A web page that points a name of its own at 127.0.0.1 (DNS rebinding) sends that name. `port` null:
 * the request came through the socket, where clients make up a host.
 */
function isOwnHost(host: string | undefined, port: number | null, place: ListenerPlace | undefined): boolean {
  if (port === null) return host === 'localhost' || host === '127.0.0.1'
  if (place !== undefined) return [place.address, `[${place.address}]`, ...place.names].some((name) => host?.toLowerCase() === `${name.toLowerCase()}:${port}`)
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`
}

const headerOf = (value: string | string[] | undefined): string | null => (typeof value === 'string' ? value : null)

/** `X-Svc-API-Key` wins over `Authorization: Bearer`, as at the service (Authentication 1). */
function tokenOf({ headers }: IncomingMessage): string | null {
  const key = headerOf(headers['x-svc-api-key'])
  if (key !== null) return key
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

async function readBody(request: IncomingMessage): Promise<Result<string, GatewayRefusal>> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      size += part.length
      if (size > limits.requestBodyBytes) return fail(refusal('TOO_LARGE'))
      parts.push(part)
    }
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts)))
  } catch {
    return fail(refusal('BODY', { why: 'not_json' }))
  }
}

function stream({ status, headers, start }: StreamingReply, response: ServerResponse): void {
  response.writeHead(status, { ...headers })
  response.flushHeaders()
  let stop: (() => void) | null = null
  const end = () => {
    stop?.()
    stop = null
    response.end()
  }
  stop = start((part) => {
    if (response.writableLength + part.length > mostBuffered) {
      response.destroy()
      return
    }
    response.write(part)
  }, end)
  response.on('close', () => {
    stop?.()
    stop = null
  })
}

export interface LocalPage {
  readonly status: number
  readonly type: string
  readonly body: string
}

const mostPages = 8

export interface LocalPages {
  /** Serves the pages on 127.0.0.1. Fails with the system's error code. */
  open(port: number): Promise<Result<{ readonly port: number }, string>>
  close(): Promise<void>
}

/**
 * Pages that programs on this computer read without a token, such as Prometheus. Each is made at most once a second, because it reads the state of every
 * bot.
 */
export function createLocalPages(make: (path: string) => Promise<LocalPage>, { monotonic }: Pick<Clock, 'monotonic'>): LocalPages {
  let server: Server | null = null
  const made = new Map<string, { readonly page: Promise<LocalPage>; readonly atMs: number }>()
  const answer = (path: string): Promise<LocalPage> => {
    for (const [old, { atMs }] of made) if (monotonic() - atMs >= second) made.delete(old)
    const page = made.get(path)?.page ?? make(path)
    // Anyone may ask for pages that do not exist.
    if (made.size < mostPages) made.set(path, made.get(path) ?? { page, atMs: monotonic() })
    return page
  }
  return {
    open: (port) => {
      const listening = createServer((request, response) => {
        const opened = listening.address()
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
      listening.requestTimeout = 10 * second
      return new Promise((resolve) => {
        listening.once('error', (error) => resolve(fail(errnoOf(error) || String(error))))
        listening.listen({ port, host: '127.0.0.1' }, () => {
          server = listening
          const opened = listening.address()
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
