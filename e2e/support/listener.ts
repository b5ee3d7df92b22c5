import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** A local port for TCP and UDP that records every packet and connection. */
export interface Listener {
  readonly port: number
  /**
   * What arrived: `stun` (WebRTC over UDP), `turn` (WebRTC over TCP), `udp` (other packets), `tcp` (every connection). For an HTTP request: its
   * parameter `by`, or else its path.
   */
  arrived(): readonly string[]
  close(): Promise<void>
}

/** Recognises WebRTC packets: STUN and TURN have the same magic number at the same offset. */
const isStun = (packet: Buffer): boolean => packet.length >= 8 && packet.readUInt32BE(4) === 0x2112a442

/**
 * Starts a server that records every packet and connection. Responds to requests with an empty page, or redirects to the address in the parameter
 * `to`.
 */
export async function listen(): Promise<Listener> {
  const arrived = new Set<string>()
  const sockets = new Set<Socket>()
  const note = (url = '') => {
    const { pathname, searchParams } = new URL(url, 'http://x')
    arrived.add(searchParams.get('by') ?? pathname)
    return searchParams.get('to')
  }
  const server = createServer((request, answer) => {
    const target = note(request.url)
    if (target !== null) answer.writeHead(302, { location: target }).end()
    else answer.setHeader('access-control-allow-origin', '*').setHeader('content-type', 'text/html').end('<!doctype html><body>')
  })
  server.on('upgrade', (request, socket) => {
    note(request.url)
    socket.destroy()
  })
  server.on('connection', (socket) => {
    arrived.add('tcp')
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.on('clientError', (error: Error & { rawPacket?: Buffer }) => {
    if (error.rawPacket !== undefined && isStun(error.rawPacket)) arrived.add('turn')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const udp = createSocket('udp4')
  udp.on('message', (packet) => arrived.add(isStun(packet) ? 'stun' : 'udp'))
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  return {
    port,
    arrived: () => [...arrived].sort(),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      udp.close()
      server.close()
      await once(server, 'close')
    },
  }
}
