import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback } from '../../../shared/api/host-url.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, second } from '../../../shared/time.ts'
import { type Delivery, deliveryHeaders } from '../verifier/delivery.ts'

export interface ReceiverLimits {
  /** Of one delivery, in bytes. */
  readonly body: number
  /** Of all that are being read, in bytes. */
  readonly bodies: number
  readonly connections: number
  /** For all headers of a request, and for the whole of it, in milliseconds. */
  readonly headersMs: number
  readonly requestMs: number
  /** Between two requests of a connection. */
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

/** What the receiver answers a delivery with, and when. The service waits for 4 s and takes any 2xx (Delivery rule 5). */
export interface ReceiverAnswer {
  readonly status: number
  readonly delayMs: number
}

/** `sent` is false where the sender left before it was answered. */
export interface Answered extends ReceiverAnswer {
  /** How long it took until one of both, in milliseconds. */
  readonly ms: number
  readonly sent: boolean
}

export interface Received {
  /** When its last byte came, Unix milliseconds. */
  readonly atMs: number
  /** The five headers and the content type, and the bytes as they came. */
  readonly delivery: Delivery
  readonly answered: Promise<Answered>
}

export interface ReceiverDeps {
  /** 0 takes any that is free. */
  readonly port: number
  /** Begins with a slash. Deliveries to others are answered 404. */
  readonly path: string
  /** Names that deliveries are addressed to, besides this computer's own: those of a tunnel. null: any. */
  readonly hosts?: readonly string[] | null
  readonly limits?: Partial<ReceiverLimits>
  /** Asked once a delivery, before `received` is told of it. */
  readonly answer: (came: Omit<Received, 'answered'>) => ReceiverAnswer | Promise<ReceiverAnswer>
  readonly received: (received: Received) => void
  /** Of what was sent to another path, and answered 404: that path, without what may be secret in its query. */
  readonly astray?: (path: string) => void
  readonly clock: Clock
}

export interface Receiver {
  /** Where deliveries go. */
  readonly url: string
  readonly port: number
  /** Ends all connections, too. */
  close(): Promise<void>
}

const host = '127.0.0.1'
const longestAstray = 200
const kept = [...Object.values(deliveryHeaders), 'content-type']
const refusals = { too_large: 413, no_room: 503 } as const

/**
 * Receives deliveries on this computer, for this computer alone: it is bound to 127.0.0.1. A request that is malformed, slow or too large is
 * answered 400, 408 or 413, one of a web page 403, one for another host 421, and ends nothing but itself. Fails with the system's code where the port cannot be had.
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
      // Half of the shortest: so late at most is one found.
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
      // From here on an error is one connection's.
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

/** A browser says so of every POST that a page makes; a service never does. */
const isFromPage = ({ headers }: IncomingMessage): boolean => headers.origin !== undefined || headers['sec-fetch-site'] !== undefined

function isMeantFor({ headers }: IncomingMessage, hosts: readonly string[] | null): boolean {
  if (hosts === null) return true
  const named = URL.parse(`http://${headers.host}`)
  return named !== null && (isLoopback(named.hostname) || hosts.includes(named.hostname))
}

/** Connections by how long each has been without a whole request. */
interface Connections {
  take(socket: Socket): void
  /** Its request has come whole, and is being answered. */
  whole(socket: Socket): void
  /** It was answered; another request may follow. */
  again(socket: Socket): void
}

/** Keeps at most so many: for one more, the one that has waited longest for the rest of its request goes, so nobody keeps others out. */
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

/** Whether the sender is still there after it. */
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

/** too_large: more than the cap. no_room: what all requests hold together is too much. cut_off: the sender left before its end. */
type ReadBody = { readonly body: Uint8Array } | 'too_large' | 'no_room' | 'cut_off'

/** What the bodies that are being read may hold together. */
interface Room {
  /** False where so many bytes more are not free. */
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
 * The raw bytes of a request. They are copied into one buffer that grows: a body that comes byte by byte holds no more than one that comes
 * at once. What is said to come is not made room for before it comes. The rest of a body that is refused is read and thrown away.
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
  // The request may stay open for as long as its sender likes, and holds what its listeners hold: the buffer.
  request.off('end', end).off('close', close)
  room.give(buffer.length)
  return read
}
