import type { IncomingMessage, ServerResponse } from 'node:http'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import { plainAddress } from '../base/allowlist.ts'
import { newId } from '../base/tokens.ts'
import { parseExact } from '../dialect/json.ts'
import type { UnknownName } from '../dialect/requests.ts'
import type { Speaker } from '../dialect/speaker.ts'
import type { TruthLog } from '../dialect/truth-log.ts'
import type { Envelope, Response } from './answer-envelope.ts'
import type { Admission, Admitted } from './auth/admission.ts'
import type { Audit } from './auth/audit-rows.ts'
import type { CallLog } from './http/call-log.ts'
import { createPorts, type HostName } from './http/ports.ts'
import { type Ask, answer, notFound, type Refusal, type Reply, refuse, type StreamReply } from './http/reply.ts'
import type { Route, Router } from './http/router.ts'
import type { FaultSwitch } from './misbehaviour/fault-switch.ts'

interface Parts {
  readonly router: Router
  readonly admission: Admission
  readonly audit: Audit
  readonly envelope: Envelope
  readonly faults: FaultSwitch
  readonly log: CallLog
  /**
   * Logs what each response in a dialect means, in the exchange’s own format. Tests compare this log with what the app understood. Unused if no
   * dialect is set.
   */
  readonly truths: TruthLog
  /** Returns the converter between the exchange's own format and the current dialect. `null` if the exchange uses its own format. */
  readonly speaker: () => Speaker | null
  readonly clock: Clock
  /** Called if the code throws an unexpected error, which can only be a bug of the practice exchange itself. */
  readonly onDefect: (error: unknown) => void
}

export interface HttpServer {
  listen(name: HostName, port: number): Promise<{ hostUrl: string }>
  /** Call this after the simulated faults have changed. Closes the ports of hosts that must now refuse connections, and opens all other ports. */
  faultsChanged(): Promise<void>
  stop(): Promise<void>
}

const versionedPrefix = '/api/dex/v1/'
const loopback = '127.0.0.1'

export function createHttpServer({ router, admission, audit, envelope, faults, log, truths, speaker: speakerNow, clock, onDefect }: Parts): HttpServer {
  /** True if a browser sends the request from a web page of another origin. The server refuses such a request. */
  const isForeign = (origin: string | undefined) => origin !== undefined && ![...ports.authorities()].some((host) => origin === `http://${host}`)

  const respond = async (host: HostName, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = request.method ?? 'GET'
    const url = URL.parse(request.url ?? '/', `http://${loopback}`) ?? new URL(`http://${loopback}`)
    const requestId = requestIdFor(request.headers['x-request-id'])
    const versioned = url.pathname.startsWith(versionedPrefix)
    const found = host === 'second' && !versioned ? [] : router.find(method, url.pathname)
    const match = 'route' in found ? found : null
    const name = match === null ? '-' : `${match.route.method} ${match.route.path}`
    const speaker = speakerNow()
    const noted = { method, route: match?.route.path ?? '-', path: url.pathname, userAgent: request.headers['user-agent'] ?? null, requestId }
    let action: string | null = null
    const note = (status: number) => log.add({ ...noted, status, atMs: clock.now(), action })

    const down = faults.hostDown(host)
    if (down !== null) {
      if (down === 'hangs') await faults.hostUp(host)
      note(down === 'hangs' ? 0 : down)
      if (down === 'hangs') request.socket.destroy()
      else sendGateway(response, down)
      return
    }
    if (faults.dropsRequest(name)) {
      note(0)
      request.socket.destroy()
      return
    }
    const body = await readBody(request)
    if (body.ok && body.value === null) return note(0)

    const handle = async (): Promise<Reply> => {
      // With the fault `html`, respond with an HTML page and execute nothing.
      if (faults.answersHtml()) return answer({})
      if (!body.ok) return body.failure
      if (isForeign(request.headers.origin)) return refuse(403, 'ORIGIN_NOT_ALLOWED', 'Browser access is same-origin only')
      const replaced = faults.replacement(name)
      if (replaced !== null) return replaced
      if (match === null) return unmatched('route' in found ? [] : found)
      const parsed = parseBody(body.value ?? Buffer.alloc(0), request.headers['content-type'], speaker === null ? undefined : parseExact)
      if (parsed.ok && typeof parsed.value.action === 'string') action = parsed.value.action
      const heard = parsed.ok && speaker !== null ? speaker.requests.read(name, parsed.value) : null
      const ask: Ask = {
        params: speaker === null ? match.params : heardParams(speaker, match.params),
        query: url.searchParams,
        body: heard?.ok === true ? heard.body : parsed.ok ? parsed.value : {},
        headers: request.headers,
        ip: plainAddress(faults.callerIp() ?? request.socket.remoteAddress ?? ''),
        host: ports.authorities().has(request.headers.host ?? '') ? (request.headers.host ?? '') : ([...ports.authorities()][0] ?? ''),
        requestId,
      }
      const admitted = admission.admit(match.route, ask)
      if (!admitted.ok) {
        const { refusal, key } = admitted.failure
        if (key !== null)
          audit.call('key.call', { wallet: key.wallet, key, ip: ask.ip, requestId }, { method, route: match.route.path, status: refusal.status })
        return refusal
      }
      const reply = !parsed.ok ? parsed.failure : heard?.ok === false ? missingName(heard.failure) : await carryOut(match.route, ask, admitted.value)
      auditCall(admitted.value, ask, match.route, reply.status)
      return reply
    }

    const reply = await handle().catch((error: unknown) => {
      onDefect(error)
      return refuse(500, 'INTERNAL', 'The practice exchange failed')
    })
    await faults.released(name)
    if (faults.dropsAnswer(name)) {
      note(0)
      request.socket.destroy()
      return
    }
    if (reply.kind === 'stream') {
      note(reply.status)
      sendStream(response, envelope.streamHeaders(requestId), reply)
      return
    }
    const told = speaker === null || reply.kind !== 'refusal' ? reply : inItsNames(speaker, reply)
    if (speaker !== null && reply.kind === 'answer') truths.add(speaker, requestId, name, reply.body)
    const written = envelope.write(told, { requestId, versioned, bodyKind: faults.bodyKind(name), shapes: faults.shapes(name), route: name, action, speaker })
    note(written.status)
    send(response, written, { close: !body.ok })
  }

  const auditCall = (admitted: Admitted, ask: Ask, route: Route, status: number) => {
    const call = { method: route.method, route: route.path, status }
    switch (admitted.as) {
      case 'key':
        return audit.call('key.call', { wallet: admitted.key.wallet, key: admitted.key, ip: ask.ip, requestId: ask.requestId }, call)
      case 'session':
        return audit.call('session.call', { wallet: admitted.session.wallet, key: null, ip: ask.ip, requestId: ask.requestId }, call)
      case 'anyone':
        return
    }
  }

  const ports = createPorts((host) => (request, response) => {
    // Ignore write errors: a client may disconnect at any time, which is not an error of the exchange.
    response.on('error', () => {})
    respond(host, request, response).catch((error: unknown) => {
      onDefect(error)
      request.socket.destroy()
    })
  })

  return {
    listen: ports.listen,
    faultsChanged: async () => {
      for (const name of ['first', 'second'] as const) await ports.setRefusing(name, faults.refusesConnections(name))
    },
    stop: ports.stop,
  }
}

const heardParams = ({ requests }: Speaker, params: Ask['params']): Ask['params'] =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, requests.parameter(name, value)]))

const missingName = ({ status, field }: UnknownName): Refusal => refuse(status, 'VALIDATION_ERROR', `${field} is required`, { field })

/**
 * In a refusal, replaces the exchange's own name of the wrong field by the field's name in the current dialect. The client then sees the name that it
 * sent.
 */
function inItsNames({ requests }: Speaker, refusal: Refusal): Refusal {
  const { field } = refusal.fields
  if (typeof field !== 'string') return refusal
  const name = requests.fieldName(field)
  const status = refusal.code === 'VALIDATION_ERROR' ? requests.refusedWith : refusal.status
  return { ...refusal, status, message: refusal.message.replace(field, name), fields: { ...refusal.fields, field: name } }
}

function unmatched(methods: readonly string[]): Reply {
  if (methods.length === 0) return notFound('This path')
  return refuse(405, 'METHOD_NOT_ALLOWED', `This path knows ${methods.join(', ')}`, {}, { Allow: methods.join(', ') })
}

async function carryOut(route: Route, ask: Ask, admitted: Admitted): Promise<Reply> {
  if (route.access === 'open') return route.handle(ask)
  if (route.access === 'session' && admitted.as === 'session') return route.handle(ask, admitted.session)
  if (route.access === 'key' && admitted.as === 'key') return route.handle(ask, admitted.key)
  throw new Error(`${route.method} ${route.path} was reached without its credential`)
}

function send(response: ServerResponse, { status, headers, bytes }: Response, { close }: { close: boolean }): void {
  response.sendDate = false
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length, ...(close && { Connection: 'close' }) })
  response.end(bytes)
}

function sendStream(response: ServerResponse, headers: Record<string, string>, reply: StreamReply): void {
  response.sendDate = false
  response.writeHead(reply.status, headers)
  response.flushHeaders()
  const stop = reply.start({ write: (text) => response.write(text), end: () => response.end(), cut: () => response.socket?.end() })
  response.on('close', stop)
}

/** Sends an HTML error page, as a gateway does if its upstream service is down. */
function sendGateway(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'Content-Type': 'text/html', Connection: 'close' })
  response.end(`<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`)
}

/**
 * Returns the request id for the response: the client's own id if that is valid, otherwise a new one. A valid id has 8 to 80 characters from `A-Z a-z
 * 0-9 . _ : -` (API document: What the service does, 9).
 */
const requestIdFor = (sent: string | string[] | undefined): string =>
  typeof sent === 'string' && /^[A-Za-z0-9._:-]{8,80}$/.test(sent) ? sent : newId('req_', 20)

/** Maximum size of a request body (API document: What the service does, 7). */
const bodyLimit = 49_152

/**
 * Maximum number of bytes to read of a body that is too large. Many clients read a refusal only after they have sent the whole body, so the server
 * reads part of the excess.
 */
const patience = 16 * bodyLimit

function readBody(request: IncomingMessage): Promise<Result<Buffer | null, Refusal>> {
  const tooLarge = fail(refuse(413, 'BODY_TOO_LARGE', `The body is larger than ${bodyLimit} bytes`))
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= bodyLimit) chunks.push(chunk)
      else if (size > patience) resolve(tooLarge)
    })
    request.on('end', () => resolve(size > bodyLimit ? tooLarge : ok(Buffer.concat(chunks))))
    request.on('close', () => resolve(ok(null)))
    request.on('error', () => resolve(ok(null)))
  })
}

/**
 * Parses JSON in UTF-8 whose top level is an object. An empty body counts as an empty object.
 * @param parse throws on text that is not JSON
 */
function parseBody(bytes: Buffer, contentType: string | undefined, parse: (text: string) => unknown = JSON.parse): Result<Record<string, unknown>, Refusal> {
  if (bytes.length === 0) return ok({})
  if (contentType !== undefined && !/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType))
    return fail(refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send application/json in UTF-8'))
  try {
    const value = parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return ok({ ...value })
    return fail(refuse(400, 'INVALID_JSON', 'The body must be a JSON object'))
  } catch {
    return fail(refuse(400, 'INVALID_JSON', 'The body is not JSON in UTF-8'))
  }
}
