import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Incoming, Receiver } from './receivers.ts'

export interface ServedReceiver extends AsyncDisposable {
  readonly url: string
  /** The address that lists the events on which the receiver acted. */
  readonly effectsUrl: string
  readonly incoming: readonly Incoming[]
}

export async function serve(receiver: Receiver): Promise<ServedReceiver> {
  const incoming: Incoming[] = []
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return response.end(JSON.stringify({ events: receiver.acted }))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer) // safe cast: a stream without an encoding yields buffers
    const came = { headers: request.headers as Record<string, string>, raw: Buffer.concat(chunks) } // safe cast: no header of a delivery occurs twice
    incoming.push(came)
    const outgoing = await receiver.take(came)
    if (outgoing === null) return response.destroy()
    const { status, location, says } = outgoing
    return response.writeHead(status, location === undefined ? {} : { location }).end(says)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // safe cast: a TCP server’s address has a port
  return {
    url: `http://127.0.0.1:${port}/in`,
    effectsUrl: `http://127.0.0.1:${port}/effects`,
    incoming,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
