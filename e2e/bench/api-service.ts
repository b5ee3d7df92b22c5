// The local server runs in a worker with its own event loop, so that its work does not count as the client’s. The server reports its port, and ends
// together with its parent. A message with a text sets the body of all further answers; the server answers `set`.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

const marketCount = 24

let body = JSON.stringify({
  success: true,
  markets: Array.from({ length: marketCount }, (_, index) => ({
    id: index + 1,
    symbol: `M${index + 1}-PERP`,
    base: `M${index + 1}`,
    quote: 'USDC',
    price_decimals: 2,
    size_decimals: 4,
    tick_size: '0.01',
    min_order_value_usdc: '10',
    max_order_value_usdc: '100000',
    max_leverage: 50,
    status: 'open',
  })),
  server_time: '2026-01-01T00:00:00Z',
})

const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-request-id': request.headers['x-request-id'] ?? 'none',
      'x-svc-api-version': 'v1',
      'x-svc-api-schema': 'svc-dex-api-v1.1',
    })
    response.end(body)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port)) // safe cast: a TCP server’s address has a port
parentPort?.on('message', (text: string) => {
  body = text
  parentPort?.postMessage('set')
})
