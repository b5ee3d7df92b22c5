import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Rewrites a response of the practice exchange into another service’s format. */
export type Rewrite = (route: string, answer: unknown) => unknown

/**
 * How the simulated service handles a request. Returns the body to pass to the practice exchange, or a status and response that refuse the request.
 * `body`: undefined if the request has none.
 */
export type Takes = (route: string, body: unknown) => Taken | Promise<Taken>
type Taken = { readonly body: unknown } | { readonly status: number; readonly answer: unknown }

export interface Front {
  readonly hostUrl: string
  close(): Promise<void>
}

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer) // safe cast: a stream without an encoding yields buffers
  return Buffer.concat(chunks)
}

/**
 * An HTTP server in front of the practice exchange. Translates requests and responses, so that the app talks to a service with another format.
 * `route`: method and path without the query.
 */
export async function startFront(hostUrl: string, rewrite: Rewrite, takes: Takes = (_, body) => ({ body })): Promise<Front> {
  const { hostname, port } = new URL(hostUrl)
  const server = createServer(async (asked, response) => {
    const sent = await bodyOf(asked)
    const route = `${asked.method} ${asked.url?.split('?')[0]}`
    const taken = await takes(route, sent.length === 0 ? undefined : JSON.parse(sent.toString()))
    if ('status' in taken) {
      const isText = typeof taken.answer === 'string'
      response.writeHead(taken.status, { 'content-type': isText ? 'text/plain' : 'application/json' })
      response.end(isText ? taken.answer : JSON.stringify(taken.answer))
      return
    }
    const body = taken.body === undefined ? sent : Buffer.from(JSON.stringify(taken.body))
    const length = taken.body === undefined ? {} : { 'content-length': String(body.length) }
    const onward = request({ hostname, port, method: asked.method, path: asked.url, headers: { ...asked.headers, ...length } }, async (answer) => {
      const text = (await bodyOf(answer)).toString()
      const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers
      const isJson = headers['content-type']?.includes('json') === true && text !== ''
      response.writeHead(answer.statusCode ?? 502, headers)
      response.end(isJson ? JSON.stringify(rewrite(route, JSON.parse(text))) : text)
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo // safe cast: a TCP server’s address has a port
  return {
    hostUrl: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
