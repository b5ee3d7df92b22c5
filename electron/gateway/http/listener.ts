import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { limits } from '../../../shared/api/limits.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import { errnoOf } from '../../kernel/failures.ts'
import type { Secret } from '../../kernel/secret.ts'
import { type GatewayRefusal, type RefusalCode, type Reply, refusal } from './gateway-refusal.ts'
import { type MatchedRoute, matchRoute } from './routes.ts'

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
  readonly failed: (error: unknown) => void
}

export interface Listener {
  /** Starts to listen on 127.0.0.1, or on the given place, and on the socket. Fails with the system's error code. */
  open(): Promise<Result<{ readonly port: number }, string>>
  close(): Promise<void>
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
export function createListener({ port, place, socket, answer, failed }: ListenerDeps): Listener {
  const servers: Server[] = []

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

  const take = async (request: IncomingMessage, gone: AbortSignal, isLocalSocket: boolean): Promise<Reply | GatewayRefusal | StreamingReply> => {
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
    return answer({
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
    response.on('close', () => {
      if (!response.writableFinished) gone.abort()
    })
    response.on('error', () => undefined)
    const reply = await take(request, gone.signal, isLocalSocket).catch((error: unknown) => {
      failed(error)
      return refusal('FAILED')
    })
    if (response.destroyed) return
    if ('start' in reply) return stream(reply, response)
    // What follows a request that is not in order must not be taken for the next request.
    const isLast = !request.complete || ('code' in reply && endsConnection.has(reply.code))
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
    async close() {
      await Promise.all(
        servers.splice(0).map(async (server) => {
          const closed = new Promise<void>((resolve) => server.close(() => resolve()))
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
