import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface LoopbackServer {
  readonly url: string
  stop(): Promise<void>
}

/** Responds to a request whose token was correct. `body` is the parsed JSON; null if the request has no body. */
export type Answer = (request: {
  readonly method: string
  readonly url: URL
  readonly body: unknown
  /** A signal that is aborted when the caller disconnects before the response is complete. */
  readonly gone: AbortSignal
}) => Promise<{ status: number; body: unknown }>

const maxBodyBytes = 64 * 1024

export const notFound = { status: 404, body: { error: 'not found' } }
export const badRequest = { status: 400, body: { error: 'bad request' } }
export const done = { status: 200, body: {} }

/**
 * Serves JSON over HTTP on a loopback port that the system chooses. Responds only to callers that send the token. Sends no CORS headers, so no
 * web page can read the responses.
 */
export async function serveOnLoopback(token: string, answer: Answer): Promise<LoopbackServer> {
  const expected = Buffer.from(`Bearer ${token}`)
  const allowed = (header: string | undefined) => {
    const given = Buffer.from(header ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const reply = ({ status, body }: { status: number; body: unknown }) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(JSON.stringify(body))
    }
    if (!allowed(request.headers.authorization)) return reply({ status: 401, body: { error: 'unauthorized' } })
    const body = await readJson(request)
    if (body === undefined) return reply(badRequest)
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    reply(await answer({ method: request.method ?? 'GET', url, body, gone: gone.signal }))
  }
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A listening server has a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Parses the body of a request. Returns undefined if the body is not JSON or is too long. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  if (bytes === 0) return null
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
