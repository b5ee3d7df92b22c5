import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Certificate } from './authority.ts'

export interface Tunnel {
  /** The `host:port` that the client asked the proxy to connect to. */
  readonly target: string
  readonly authorization: string | null
}

/** A forward proxy on loopback, like a company’s. It accepts all tunnel requests and connects them to one local port. */
export interface TestProxy {
  readonly port: number
  readonly tunnels: Tunnel[]
  /** All bytes that clients sent through the proxy. */
  passed(): Buffer
  /** The HTTP status with which the proxy refuses tunnels; null opens them. silent: never responds. */
  refuse: number | 'silent' | null
  close(): Promise<void>
}

export async function startProxy(leadsTo: () => number, certificate?: Certificate): Promise<TestProxy> {
  const tunnels: Tunnel[] = []
  const passed: Buffer[] = []
  const sockets = new Set<Duplex>()
  const proxy = { refuse: null as TestProxy['refuse'] }
  const server = certificate === undefined ? createServer() : createSecureServer(certificate)
  server.on('connection', (socket: Duplex) => sockets.add(socket))
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    tunnels.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] ?? null })
    client.on('error', () => {})
    if (proxy.refuse === 'silent') return
    if (proxy.refuse !== null) {
      client.end(`HTTP/1.1 ${proxy.refuse} Refused\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    const target = connect(leadsTo(), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      target.write(head)
      client.on('data', (chunk: Buffer) => passed.push(chunk))
      client.pipe(target).pipe(client)
    })
    sockets.add(target)
    target.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(proxy, {
    port: (server.address() as AddressInfo).port,
    tunnels,
    passed: () => Buffer.concat(passed),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  })
}

/**
 * Starts a SOCKS5 proxy on loopback, for clients that need no login. It connects every tunnel to the port that `leadsTo` returns. `asked` lists the
 * requested hosts.
 */
export async function startSocksProxy(leadsTo: () => number): Promise<{ readonly port: number; readonly asked: string[]; close(): Promise<void> }> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createTcpServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    client.once('data', () => {
      // Answers that the proxy uses SOCKS version 5 and requires no authentication.
      client.write(Buffer.from([5, 0]))
      client.once('data', (request: Buffer) => {
        const length = request.readUInt8(4)
        asked.push(`${request.toString('latin1', 5, 5 + length)}:${request.readUInt16BE(5 + length)}`)
        const target = connect(leadsTo(), '127.0.0.1', () => {
          client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
          client.pipe(target).pipe(client)
        })
        sockets.add(target)
        target.on('error', () => client.destroy())
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
