import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback } from '../../../shared/api/host-url.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { type Delivery, deliveryHeaders } from '../verifier/delivery.ts'

export interface ReceiverLimits {
  /** Maximum bytes of one delivery's body. */
  readonly body: number
  /** Maximum bytes of all bodies that are being read at the same time. */
  readonly bodies: number
  readonly connections: number
  /** Maximum time in ms for a request to arrive: for all its headers (`headersMs`), and for the whole request. */
  readonly headersMs: number
  readonly requestMs: number
  /** Maximum milliseconds between two requests of a connection. */
  readonly idleMs: number
}

const mebibyte = 2 ** 20
export const receiverLimits: ReceiverLimits = {
  body: mebibyte,
  bodies: 64 * mebibyte,
  connections: 1_000,
  headersMs: 5 * second,
  requestMs: 10 * second,
  idleMs: 5 * second,
}

/** The response to a delivery: its status and its delay. The service waits 4 s and counts any 2xx as success (Delivery rule 5). */
export interface ReceiverAnswer {
  readonly status: number
  readonly delayMs: number
}

/** The receiver's answer as it was sent. `sent` is `false` if the sender disconnected before the answer. */
export interface Answered extends ReceiverAnswer {
  /** Milliseconds until the answer was sent or the sender disconnected. */
  readonly ms: number
  readonly sent: boolean
}

export interface Received {
  /** Unix ms when the last byte arrived. */
  readonly atMs: number
  /** The five webhook headers, the content type, and the exact bytes of the body. */
  readonly delivery: Delivery
  readonly answered: Promise<Answered>
}

export interface ReceiverDeps {
  /** The port to listen on; 0 picks any free port. */
  readonly port: number
  /** The path to receive deliveries at. Starts with a slash. The receiver answers 404 to deliveries to other paths. */
  readonly path: string
  /** Host names to accept besides this computer's own, such as a tunnel's. `null`: any host name. */
  readonly hosts?: readonly string[] | null
  readonly limits?: Partial<ReceiverLimits>
  /** Called once per delivery, before `received`. Returns the answer to send. */
  readonly answer: (came: Omit<Received, 'answered'>) => ReceiverAnswer | Promise<ReceiverAnswer>
  readonly received: (received: Received) => void
  /** Called for a request to another path or host, which is answered 404 or 421. Gets the path without its query, which may be secret. */
  readonly astray?: (path: string) => void
  readonly clock: Clock
}

export interface Receiver {
  /** The receiver's address, to which deliveries go. */
  readonly url: string
  readonly port: number
  /** Stops listening and ends all connections. */
  close(): Promise<void>
}

const host = '127.0.0.1'
const longestAstray = 200
const kept = [...Object.values(deliveryHeaders), 'content-type']
const refusals = { too_large: 413, no_room: 503 } as const

/**
 * Receives deliveries from this computer only: the server is bound to 127.0.0.1. Answers 400 to a malformed request, 408 to a slow one, and 413 to
 * a large one. Answers 403 to a request from a web page, and 421 to a request for another host. A refused request never affects others. Fails with
 * the system's error code if the port is unavailable.
 */
export async function openReceiver(deps: ReceiverDeps): Promise<Result<Receiver, string>> {
  const limits = { ...receiverLimits, ...deps.limits }
  const room = createRoom(limits.bodies)
  const closing = new AbortController()
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      // How often to look for slow requests. This is half the shorter timeout, so the receiver detects a slow request late by at most this time.
      connectionsCheckingInterval: Math.min(limits.headersMs, limits.requestMs) / 2,
    },
    (request, response) => {
      for (const stream of [request, response]) stream.on('error', () => undefined)
      void take(request, response, { ...deps, limits, room, closing: closing.signal, connections }).catch(() => refuse(response, 500))
    },
  )
  const connections = createConnections(limits.connections)
  server.on('connection', connections.take)
  const failure = await listen(server, deps.port)
  if (failure !== null) return fail(failure)
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : deps.port
  return ok({
    url: `http://${host}:${port}${deps.path}`,
    port,
    close: () =>
      new Promise((resolve) => {
        closing.abort()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

const listen = (server: Server, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, backlog: 1_024 }, () => {
      // The server is listening, so a later error concerns a single connection. Ignore it.
      server.on('error', () => undefined)
      resolve(null)
    })
  })

type Taking = ReceiverDeps & { readonly limits: ReceiverLimits; readonly room: Room; readonly closing: AbortSignal; readonly connections: Connections }

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  { path, hosts = null, limits, room, closing, connections, answer, received, astray, clock }: Taking,
): Promise<void> {
  const [to = ''] = (request.url ?? '').split('?')
  const meant = isMeantFor(request, hosts)
  const wrong = isFromPage(request) ? 403 : !meant ? 421 : to !== path ? 404 : request.method !== 'POST' ? 405 : null
  if (wrong !== null) {
    if ((wrong === 404 || wrong === 421) && request.method === 'POST') astray?.(`${meant ? '' : `//${request.headers.host}`}${to}`.slice(0, longestAstray))
    request.resume()
    return refuse(response, wrong)
  }
  const read = await readBody(request, limits.body, room)
  if (read === 'cut_off') return
  connections.whole(request.socket)
  response.once('finish', () => connections.again(request.socket))
  if (typeof read === 'string') return refuse(response, refusals[read])
  const headers = Object.fromEntries(kept.flatMap((name) => (request.headersDistinct[name] === undefined ? [] : [[name, request.headersDistinct[name]]])))
  const came = { atMs: clock.now(), delivery: { headers, body: read.body } }
  const begun = clock.monotonic()
  const send = async ({ status, delayMs }: ReceiverAnswer): Promise<Answered> => {
    const here = await pause(delayMs, response, closing)
    if (here) response.writeHead(status, { 'Content-Length': 0 }).end()
    return { status, delayMs, ms: Math.round(clock.monotonic() - begun), sent: here }
  }
  const asked = answer(came)
  received({ ...came, answered: asked instanceof Promise ? asked.then(send) : send(asked) })
}

/** Whether a web page sent the request. A browser adds `Origin` or `Sec-Fetch-Site` to every POST of a page; the service sends neither header. */
const isFromPage = ({ headers }: IncomingMessage): boolean => headers.origin !== undefined || headers['sec-fetch-site'] !== undefined

function isMeantFor({ headers }: IncomingMessage, hosts: readonly string[] | null): boolean {
  if (hosts === null) return true
  const named = URL.parse(`http://${headers.host}`)
  return named !== null && (isLoopback(named.hostname) || hosts.includes(named.hostname))
}

/** Open connections, ordered by how long each has waited for the rest of its request. */
interface Connections {
  take(socket: Socket): void
  /** Call when the whole request has arrived and the answer is being prepared. */
  whole(socket: Socket): void
  /** Call when the request was answered. Another request may follow on this connection. */
  again(socket: Socket): void
}

/**
 * Keeps at most `most` connections. If another one arrives, closes the connection that has waited longest for the rest of its request. So a slow
 * sender can't block others.
 */
function createConnections(most: number): Connections {
  const unfinished = new Set<Socket>()
  let count = 0
  return {
    take(socket) {
      count += 1
      socket.once('close', () => {
        count -= 1
        unfinished.delete(socket)
      })
      const [oldest = socket] = unfinished
      unfinished.add(socket)
      if (count <= most) return
      unfinished.delete(oldest)
      oldest.destroy()
    },
    whole: (socket) => void unfinished.delete(socket),
    again: (socket) => {
      if (!socket.destroyed) unfinished.add(socket)
    },
  }
}

const refuse = (response: ServerResponse, status: number): void => {
  if (!response.headersSent && !response.destroyed) response.writeHead(status, { 'Content-Length': 0, ...(status === 405 && { Allow: 'POST' }) }).end()
}

/** Waits `ms` milliseconds. Resolves with whether the sender is still connected. */
function pause(ms: number, response: ServerResponse, closing: AbortSignal): Promise<boolean> {
  if (ms === 0) return Promise.resolve(!response.destroyed)
  return new Promise((resolve) => {
    const end = (here: boolean) => {
      clearTimeout(timer)
      response.off('close', leave)
      closing.removeEventListener('abort', leave)
      resolve(here)
    }
    const leave = () => end(false)
    const timer = setTimeout(() => end(true), ms)
    response.once('close', leave)
    closing.addEventListener('abort', leave, { once: true })
  })
}

/** Why a body was not read. `too_large`: over the limit for one body. `no_room`: over the limit for all bodies. `cut_off`: the sender left early. */
type ReadBody = { readonly body: Uint8Array } | 'too_large' | 'no_room' | 'cut_off'

/** The shared limit for the bytes of all bodies being read. */
interface Room {
  /** Reserves bytes; returns `false` if fewer are free. */
  take(bytes: number): boolean
  give(bytes: number): void
}

function createRoom(most: number): Room {
  let held = 0
  return {
    take(bytes) {
      if (held + bytes > most) return false
      held += bytes
      return true
    },
    give(bytes) {
      held -= bytes
    },
  }
}

const firstBytes = 4_096

/**
 * Reads the raw bytes of a request into one growing buffer, so that a body sent byte by byte takes no more memory than one sent at once. Reserves
 * room only for bytes that arrived, not for the announced length. Reads and discards the rest of a refused body.
 */
async function readBody(request: IncomingMessage, cap: number, room: Room): Promise<ReadBody> {
  const [announced] = request.headersDistinct['content-length'] ?? []
  if (Number(announced) > cap) {
    request.resume()
    return 'too_large'
  }
  let buffer = Buffer.alloc(0)
  let length = 0
  const add = (chunk: Buffer): ReadBody | null => {
    const needed = length + chunk.length
    if (needed > cap) return 'too_large'
    if (needed > buffer.length) {
      const size = Math.min(cap, Math.max(firstBytes, needed, buffer.length * 2))
      if (!room.take(size - buffer.length)) return 'no_room'
      const larger = Buffer.allocUnsafeSlow(size)
      buffer.copy(larger, 0, 0, length)
      buffer = larger
    }
    chunk.copy(buffer, length)
    length = needed
    return null
  }
  const { promise, resolve } = Promise.withResolvers<ReadBody>()
  const take = (chunk: Buffer) => {
    const refused = add(chunk)
    if (refused === null) return
    request.off('data', take)
    request.resume()
    resolve(refused)
  }
  request.on('data', take)
  const end = () => resolve({ body: Uint8Array.from(buffer.subarray(0, length)) })
  const close = () => resolve('cut_off')
  request.once('end', end).once('close', close)
  const read = await promise
  // Remove the listeners. Otherwise they keep the buffer in memory until the sender ends the request.
  request.off('end', end).off('close', close)
  room.give(buffer.length)
  return read
}
