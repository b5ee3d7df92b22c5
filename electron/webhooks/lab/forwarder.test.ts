import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../shared/time.ts'
import { createDeadline } from '../../kernel/deadline.ts'
import { createPost } from '../subscriptions/post.ts'
import { signedHeaders } from '../verifier/delivery.ts'
import { verifyDelivery } from '../verifier/verify.ts'
import { createForwarder, isTaken } from './forwarder.ts'

const post = createPost({ clock: systemClock, startDeadline: createDeadline })
const secret = 'svc_whsec_0f1e2d3c4b5a69788796a5b4c3d2e1f0'
// The test's body is JSON that `JSON.stringify` would write differently, and it contains characters beyond ASCII.
const body = Buffer.from('{ "id" : "evt_1","type":"order.filled","created_at":1800000000, "data":{"note":"größe ✓"}}\n')
const toSign = { id: 'evt_1', type: 'order.filled', body, secret, timestampS: 1_800_000_002 }
const delivery = { headers: Object.fromEntries(Object.entries(signedHeaders(toSign)).map(([name, value]) => [name.toLowerCase(), [value]])), body }

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function endpoint(answer: (response: ServerResponse) => void) {
  const got: { readonly method: string | undefined; readonly url: string | undefined; readonly headers: IncomingHttpHeaders; readonly body: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    got.push({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks) })
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  ends.push(stop)
  const { port } = server.address() as AddressInfo // The cast is safe: the server listens on a port.
  return { got, stop, to: new URL(`http://127.0.0.1:${port}/hook?a=1`) }
}

test('the receiver lab forwards a delivery’s exact bytes and its five webhook headers, and adds nothing [HOOK-05]', async () => {
  const own = await endpoint((response) => response.writeHead(204).end())
  const forwarder = createForwarder({ to: own.to, post })
  const forwarded = await forwarder.forward({ ...delivery, headers: { ...delivery.headers, 'x-forwarded-for': '203.0.113.9', cookie: 'a=b' } })
  expect(forwarded).toMatchObject({ outcome: 'answered', status: 204 })
  expect(isTaken(forwarded)).toBe(true)
  const [got] = own.got
  expect(got?.body.equals(body)).toBe(true)
  expect(got).toMatchObject({ method: 'POST', url: '/hook?a=1' })
  const { host, connection, 'content-length': length, ...headers } = got?.headers ?? {}
  expect({ host, connection, length }).toEqual({ host: own.to.host, connection: 'close', length: String(body.length) })
  expect(headers).toEqual(Object.fromEntries(Object.entries(signedHeaders(toSign)).map(([name, value]) => [name.toLowerCase(), value])))
})

test('when the user sends a captured event again, the receiver lab signs it with a new time [HOOK-05] [HOOK-06]', async () => {
  const own = await endpoint((response) => response.writeHead(200).end())
  const forwarder = createForwarder({ to: own.to, post })
  expect(await forwarder.resend({ ...toSign, timestampS: toSign.timestampS + 3_600 })).toMatchObject({ outcome: 'answered', status: 200 })
  const [got] = own.got
  const nowMs = (toSign.timestampS + 3_600) * 1_000
  expect(got?.headers['x-svc-timestamp']).toBe(String(toSign.timestampS + 3_600))
  expect(verifyDelivery({ headers: got?.headers ?? {}, body: got?.body ?? body }, { secret, nowMs, toleranceS: 0 })).toMatchObject({
    valid: true,
    event: { id: 'evt_1' },
  })
})

test('the receiver lab judges a forwarded delivery as the service does: only a 2xx in time counts; it follows no redirect and does not retry [HOOK-08]', async () => {
  const target = await endpoint((response) => response.end())
  const redirecting = await endpoint((response) => response.writeHead(307, { Location: String(target.to) }).end())
  const redirected = await createForwarder({ to: redirecting.to, post }).forward(delivery)
  expect(redirected).toMatchObject({ outcome: 'redirected', status: 307 })
  const failing = await endpoint((response) => response.writeHead(503).end())
  const failed = await createForwarder({ to: failing.to, post }).forward(delivery)
  expect(failed).toMatchObject({ outcome: 'answered', status: 503 })
  const breaking = await endpoint((response) => response.destroy())
  const broken = await createForwarder({ to: breaking.to, post }).forward(delivery)
  expect(broken).toMatchObject({ outcome: 'cut', code: 'ECONNRESET' })
  failing.stop()
  const gone = await createForwarder({ to: failing.to, post }).forward(delivery)
  expect(gone).toMatchObject({ outcome: 'unreachable', code: 'ECONNREFUSED' })
  expect([redirected, failed, broken, gone].map(isTaken)).toEqual([false, false, false, false])
  expect([target, redirecting, failing, breaking].map(({ got }) => got.length)).toEqual([0, 1, 1, 1])
})

test('the receiver lab waits 4 s for the answer of the endpoint to which it forwards, as long as the service would wait [HOOK-08]', async () => {
  const silent = await endpoint(() => undefined)
  const late = await createForwarder({ to: silent.to, post }).forward(delivery)
  expect(late).toMatchObject({ outcome: 'late', code: '' })
  expect(late.ms).toBeGreaterThanOrEqual(3_990)
})

test('the receiver lab forwards up to sixteen deliveries at once to a slow endpoint, queues more, and reports those beyond the queue as skipped', async () => {
  const open: ServerResponse[] = []
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>()
  const own = await endpoint((response) => {
    open.push(response)
    if (open.length === 16) isFull()
    if (open.length > 16) response.end()
  })
  const forwarder = createForwarder({ to: own.to, post, mostWaiting: 10 * body.length })
  const all = Array.from({ length: 30 }, () => forwarder.forward(delivery))
  await full
  expect(own.got).toHaveLength(16)
  for (const response of open.slice(0, 16)) response.end()
  const outcomes = (await Promise.all(all)).map(({ outcome }) => outcome)
  expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(26)
  expect(outcomes.filter((outcome) => outcome === 'skipped')).toHaveLength(4)
  expect((await forwarder.forward(delivery)).outcome).toBe('answered')
})
