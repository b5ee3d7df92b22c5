import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body’s bytes, exactly as they arrived. */
  readonly body: Buffer
  readonly event: {
    readonly id: string
    readonly type: string
    readonly created_at: number
    readonly data: Record<string, unknown>
    readonly revoked_event_id?: string
  }
  /** Resolves when the request’s connection ends, with the real milliseconds since the request arrived. */
  readonly closed: Promise<number>
}

/** A receiver’s response: only a status, a status with headers and body, no response (`nothing`), or a closed connection (`cut`). */
export type ReceiverAnswer = number | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string } | 'nothing' | 'cut'

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Chooses the response to each request; status 200 unless replaced. */
  answer: (request: Received) => ReceiverAnswer
  /** Resolves with all requests (of this event type, if given), once at least `count` of them have arrived. */
  until(count: number, type?: string): Promise<Received[]>
  stop(): Promise<void>
}

/** @param certificate makes the receiver use HTTPS, as `localhost` */
export async function startReceiver(certificate?: { readonly key: string; readonly cert: string }): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const listener: RequestListener = async (request, response) => {
    const arrived = performance.now()
    const closed = new Promise<number>((resolve) => response.on('close', () => resolve(performance.now() - arrived)))
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { method = '', url = '', headers } = request
    const one: Received = { method, path: url, headers, body, event: JSON.parse(body.toString('utf8')), closed }
    received.push(one)
    for (const look of [...waiting]) look()
    const answer = receiver.answer(one)
    if (answer === 'cut') request.socket.destroy()
    else if (typeof answer === 'number') response.writeHead(answer).end()
    else if (answer !== 'nothing') response.writeHead(answer.status, answer.headers).end(answer.body)
  }
  const server = certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const receiver: Receiver = {
    url: certificate === undefined ? `http://127.0.0.1:${port}/hooks?a=1` : `https://localhost:${port}/hooks?a=1`,
    received,
    answer: () => 200,
    until: (count, type) =>
      new Promise((resolve) => {
        const look = () => {
          const fitting = received.filter(({ event }) => type === undefined || event.type === type)
          if (fitting.length < count) return
          waiting.delete(look)
          resolve(fitting)
        }
        waiting.add(look)
        look()
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
