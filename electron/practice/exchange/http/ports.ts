import { createServer, type RequestListener, type Server } from 'node:http'

/** The two host names. `first` serves all routes, `second` only the versioned API (GEN-02). */
export type HostName = 'first' | 'second'

export interface Ports {
  /** Opens a port for the given host. With port 0, the system chooses the port. */
  listen(name: HostName, port: number): Promise<{ hostUrl: string }>
  /** If `refusing`, closes the host's ports, so that it refuses connections. Otherwise opens the same ports again. */
  setRefusing(name: HostName, refusing: boolean): Promise<void>
  /** Host and port of each open port, as in a `Host` header. */
  authorities(): ReadonlySet<string>
  stop(): Promise<void>
}

const loopback = '127.0.0.1'
const keptAliveMs = 60_000

interface Port {
  readonly name: HostName
  readonly number: number
  /** The server at this port; null while the host refuses connections. */
  server: Server | null
}

export function createPorts(listenerFor: (name: HostName) => RequestListener): Ports {
  const ports: Port[] = []
  const authorities = new Set<string>()

  const open = (name: HostName, port: number): Promise<{ server: Server; number: number }> =>
    new Promise((resolve, reject) => {
      const server = createServer(listenerFor(name))
      // Keep unused connections open for long enough: a client may send a request just as the server closes a connection.
      server.keepAliveTimeout = keptAliveMs
      server.once('error', reject)
      server.listen(port, loopback, () => {
        server.off('error', reject)
        const address = server.address()
        resolve({ server, number: typeof address === 'object' && address !== null ? address.port : port })
      })
    })
  const close = (port: Port): Promise<void> =>
    new Promise((resolve) => {
      const { server } = port
      port.server = null
      if (server === null) return resolve()
      server.close(() => resolve())
      server.closeAllConnections()
    })

  return {
    authorities: () => authorities,
    listen: async (name, port) => {
      const { server, number } = await open(name, port)
      ports.push({ name, number, server })
      authorities.add(`${loopback}:${number}`)
      authorities.add(`localhost:${number}`)
      return { hostUrl: `http://${loopback}:${number}` }
    },
    setRefusing: async (name, refusing) => {
      for (const port of ports.filter((each) => each.name === name))
        if (refusing) await close(port)
        else port.server ??= (await open(name, port.number)).server
    },
    stop: async () => {
      await Promise.all(ports.splice(0).map(close))
    },
  }
}
