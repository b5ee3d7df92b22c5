import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'

export interface FloodEvent {
  readonly id: string
  /** When the event was created, in Unix seconds. */
  readonly createdAtS: number
  readonly secret: string
}

/**
 * Sends signed webhook deliveries to a local address as fast as possible. `atOnce`: the number of parallel requests. Returns the number of
 * deliveries.
 */
export async function flood(url: string, events: Iterable<FloodEvent>, atOnce = 32): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const deliver = ({ id, createdAtS, secret }: FloodEvent) =>
    new Promise<void>((resolve, reject) => {
      const nowS = Math.floor(Date.now() / 1_000)
      const body = `{"id":"${id}","type":"order.filled","created_at":${createdAtS},"data":{"order_id":${createdAtS}}}`
      const headers = {
        'X-Svc-Event': 'order.filled',
        'X-Svc-Event-ID': id,
        'X-Svc-Timestamp': String(nowS),
        'X-Svc-Signature': `v1=${createHmac('sha256', secret).update(`${nowS}.${body}`).digest('hex')}`,
        'Content-Length': Buffer.byteLength(body),
      }
      request(url, { method: 'POST', agent, headers }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end(body)
    })
  const rest = events[Symbol.iterator]()
  let sent = 0
  const sender = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      sent += 1
      await deliver(next.value)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
  agent.destroy()
  return sent
}
