import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Certificate } from './authority.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly body: string
}

export interface TestService {
  readonly hostUrl: string
  readonly received: Received[]
  /** Responds to each request. Assign another function to change later responses. */
  answer: (request: Received, response: ServerResponse, socket: Socket) => void
  close(): Promise<void>
}

/** Starts an HTTP server on loopback (HTTPS with a certificate) that records its requests. Responds with `{"success":true}` by default. */
export async function startService(certificate?: Certificate): Promise<TestService> {
  const received: Received[] = []
  const service: { answer: TestService['answer'] } = { answer: (_request, response) => json(response, 200, { success: true }) }
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const kept: Received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString(),
      }
      received.push(kept)
      service.answer(kept, response, request.socket)
    })
  }
  const server = certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    hostUrl: certificate === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    received,
    get answer() {
      return service.answer
    },
    set answer(next) {
      service.answer = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
