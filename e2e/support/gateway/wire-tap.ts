import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Front } from '../main/front.ts'

/** A request and its answer as they passed between a client and the exchange. */
export interface Passed {
  readonly method: string
  /** The path with its query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** 0 until the answer begins. */
  status: number
  answerHeaders: Readonly<Record<string, string>>
  readonly parts: Buffer[]
}

export interface WireTap extends Front {
  readonly passed: Passed[]
}

/** Headers of one connection, which each server on the way makes itself. */
export const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/**
 * An HTTP server in front of the exchange that passes every byte on as it comes, streams too, and writes down what passed. `before`: runs before a
 * request is passed on.
 */
export async function startTap(hostUrl: string, before: (method: string, target: string) => Promise<void>): Promise<WireTap> {
  const { hostname, port } = new URL(hostUrl)
  const passed: Passed[] = []
  const server = createServer(async (asked, response) => {
    const { method = '', url: target = '', rawHeaders } = asked
    const sent: Buffer[] = []
    for await (const part of asked) sent.push(part as Buffer) // safe cast: a stream without an encoding yields buffers
    const body = Buffer.concat(sent)
    const one: Passed = { method, target, headers: plain(pairsOf(rawHeaders)), body: body.toString(), status: 0, answerHeaders: {}, parts: [] }
    passed.push(one)
    await before(method, target)
    const onward = request({ hostname, port, method, path: target, headers: rawHeaders, agent: false }, (answer) => {
      const pairs = pairsOf(answer.rawHeaders).filter(([name]) => !ofConnection.has(name.toLowerCase()))
      one.status = answer.statusCode ?? 0
      one.answerHeaders = plain(pairs)
      response.sendDate = false
      response.writeHead(one.status, pairs.flat())
      response.flushHeaders()
      answer.on('data', (part: Buffer) => {
        one.parts.push(part)
        response.write(part)
      })
      answer.on('end', () => response.end())
      answer.on('error', () => response.destroy())
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    onward.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo // safe cast: a TCP server’s address has a port
  return {
    hostUrl: `http://127.0.0.1:${address.port}`,
    passed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const pairsOf = (raw: readonly string[]): [name: string, value: string][] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as [string, string]] : []))

/** Header names in lower case, without those of the connection. */
export const plain = (pairs: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => !ofConnection.has(name)))
