// What the gateway is measured against: an HTTP server that passes everything on with undici and checks nothing. Takes the service's address as its
// argument, and prints its own.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Dispatcher, Pool } from 'undici'

const pool = new Pool(process.argv[2] ?? '', { connections: 8, pipelining: 1 })

const server = createServer(async (asked, response) => {
  const method = asked.method as Dispatcher.HttpMethod // safe cast: the bench sends only methods that undici knows
  const { host: _, connection: __, ...headers } = asked.headers
  const answer = await pool.request({ path: asked.url ?? '/', method, headers, body: method === 'GET' ? null : asked })
  response.writeHead(answer.statusCode, answer.headers)
  response.end(Buffer.from(await answer.body.arrayBuffer()))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo // safe cast: a TCP server’s address has a port
  process.stdout.write(`${JSON.stringify({ hostUrl: `http://127.0.0.1:${port}`, tokens: [] })}\n`)
})
